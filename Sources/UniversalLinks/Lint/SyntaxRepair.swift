internal import Foundations

/// The repair of a text at the place where its parser stopped.
///
/// A text is repaired step by step. Each step applies the edits of the mistake's fix, so the repaired
/// text is what the fixes make of the file.
struct SyntaxRepair {
  private let context: LintContext
  private let text: [UInt8]

  /// The brackets that are open where the parser stopped, the innermost last.
  private let open: [Int]

  /// The opening quote of the last string before that place, and whether the parser stopped in it.
  private let (lastQuote, isInString): (Int, Bool)

  /// The place where it stopped, and why.
  private let (start, problem): (Int, JSONSyntaxError.Problem)

  init(_ context: LintContext, _ parser: JSONParser, _ error: JSONSyntaxError) {
    (self.context, text, open) = (context, context.text, parser.open)
    (lastQuote, isInString) = (parser.lastQuote, parser.isInString)
    (start, problem) = (error.offset, error.problem)
  }

  /// A mistake, by default the one that the parser found, whose text is a clause without its
  /// consequence.
  private func mistake(
    _ kind: DiagnosticKind, _ range: Range<Int>? = nil, _ text: String? = nil,
    remedy: String? = nil, fix: LintFix? = nil, cure: LintFix? = nil
  ) -> LintDiagnostic {
    let sentence = (text ?? problem.sentence).capitalizedFirst
    return LintDiagnostic(
      kind, range ?? place, "\(sentence); no system will read this file.", remedy: remedy, fix: fix,
      cure: cure)
  }

  /// The mistake, with its repair where the intention is clear.
  var mistake: LintDiagnostic {
    if let mistake = escapedText ?? invisibleText { return mistake }
    return switch problem {
    case .emptyText: mistake(.empty)
    case .tooDeep: mistake(.tooDeep)
    case .loneSurrogate: mistake(.escape, start..<min(text.count, start + 2))
    case .invalidUTF8: otherEncoding ?? mistake(.notUTF8)
    case .textAfterValue: textAfterValue
    case .comment: comment
    case .typographicQuote: otherQuotes
    case .missingComma: missingComma
    case .controlCharacterInString: controlCharacter
    case .unexpectedEnd: unexpectedEnd
    case .invalidEscape: invalidEscape
    case .missingColon: missingColon ?? mistake(.syntax)
    case .nameIsNotString: wrongToken(isName: true) ?? mistake(.syntax)
    case .unexpected, .invalidNumber:
      text[..<start].allSatisfy(isWhitespace)
        ? textBefore : wrongToken(isName: false) ?? mistake(.syntax)
    }
  }

  // MARK: - The text as a whole

  /// Whether a placeholder of a template is there.
  var isTemplate: Bool {
    let near = spelling(of: max(0, start - 1)..<min(text.count, start + 2))
    // An object in an object is no placeholder.
    let isObjectInObject = has("{", at: start) && has("\"}", at: next(after: start + 1))
    return ["{{", "{%", "<%", "<?", "${"].contains {
      near.contains($0) && !($0 == "{{" && isObjectInObject)
    }
  }

  /// The mistake of a text that was escaped as HTML, or as a string of a program.
  private var escapedText: LintDiagnostic? {
    let rest = text[start...]
    if ["&quot;", "&#34;", "&#x22;"].contains(where: { rest.starts(with: $0.utf8) }) {
      let edits = text.htmlEntities.map { LintFix.Edit($0.range, $0.text) }
      return mistake(
        .quotes, start..<(start + 5),
        "the file is escaped as HTML, with entities in place of characters",
        remedy: "Save the file without HTML's entities.",
        fix: LintFix(.safe, "Write characters instead of entities", edits))
    }
    guard rest.starts(with: "\\\"".utf8) else { return nil }
    var (edits, index): ([LintFix.Edit], Int) = ([], 0)
    let meanings = ["n": "\n", "t": "\t", "r": ""]
    while let mark = text[index...].dropLast().firstIndex(of: UInt8(ascii: "\\")) {
      let meaning = meanings[spelling(of: (mark + 1).byte)]
      edits.append(LintFix.Edit(mark..<(mark + (meaning == nil ? 1 : 2)), meaning ?? ""))
      index = mark + 2
    }
    return mistake(
      .escape, start..<(start + 2),
      "the file is escaped like a string of a program: its quotes have backslashes",
      remedy: "Save the file without the backslashes.",
      fix: LintFix(.safe, "Remove the backslashes before quotes", edits))
  }

  /// The characters of Windows-1252 from 0x80; above 0x9F, it has those of Unicode.
  private static let windowsCharacters = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// The mistake of a text in Windows-1252, or `nil` if it has bytes that this encoding lacks.
  private var otherEncoding: LintDiagnostic? {
    var (edits, index): ([LintFix.Edit], Int) = ([], 0)
    while index < text.count {
      let byte = text[index]
      // Most bytes are ASCII, and decoding scalars is slow.
      if let length = byte < 0x80 ? 1 : text.scalar(at: index)?.utf8.count {
        index += length
        continue
      }
      let scalar = byte < 0xA0 ? Self.windowsCharacters[Int(byte) - 0x80] : Unicode.Scalar(byte)
      if (0x80..<0xA0).contains(scalar.value) { return nil }
      edits.append(LintFix.Edit(index.byte, String(scalar)))
      index += 1
    }
    return edits.first { $0.range.lowerBound >= start }.map {
      mistake(
        .notUTF8, $0.range,
        "the file is not in UTF-8 (in Windows-1252, this is '\($0.replacement)')",
        fix: LintFix(.suggestion, "Save the file as UTF-8, if it is in Windows-1252", edits))
    }
  }

  /// The mistake of characters between values that can't be seen, such as no-break spaces.
  private var invisibleText: LintDiagnostic? {
    let isAtEnd = problem == .textAfterValue
    // In a string, such a character is another mistake, or none.
    guard problem != .controlCharacterInString, problem != .invalidUTF8,
      let first = invisibleScalar(at: start)
    else { return nil }
    var (edits, index, isInString): ([LintFix.Edit], Int, Bool) = ([], start, false)
    while index < text.count {
      let length = isInString && has("\\", at: index) ? 2 : text[index].scalarLength
      if has("\"", at: index) { isInString.toggle() }
      if !isInString, let scalar = invisibleScalar(at: index) {
        edits.append(
          LintFix.Edit(index..<(index + length), scalar.properties.isWhitespace ? " " : ""))
      }
      index += length
    }
    // Other text there is the mistake.
    if isAtEnd, !LintFix.apply(edits, to: text)[start...].allSatisfy(isWhitespace) { return nil }
    let name = JSONSyntaxError.Problem.name(of: first)
    let isNothing = edits.allSatisfy(\.replacement.isEmpty)
    return mistake(
      isAtEnd ? .textAfter : .invisibleCharacter, place,
      "\(name), which can't be seen, is \(isAtEnd ? "after the object" : "between the values")"
        + (edits.count > 1 ? "; there are \(edits.count) such characters" : ""),
      remedy: isNothing ? "Remove the character." : "Write an ordinary blank instead.",
      fix: LintFix(.safe, isNothing ? "Remove what can't be seen" : "Write ordinary blanks", edits))
  }

  /// The character at an offset if it takes no ink, and JSON doesn't allow it.
  private func invisibleScalar(at index: Int) -> Unicode.Scalar? {
    guard let scalar = text.scalar(at: index), scalar.isBlank || scalar.hasNoWidth else {
      return nil
    }
    return isWhitespace(text[index]) ? nil : scalar
  }

  /// Text before the object, such as the front matter of a site generator.
  private var textBefore: LintDiagnostic {
    let isAnswer = AssociationFileError.ForeignContent(recognizing: text) == .httpAnswer
    // A header field can have a brace in it.
    let line = isAnswer ? text.firstRange(of: "\n{".utf8)?.lowerBound : nil
    return mistake(
      .textBefore, place,
      isAnswer
        ? AssociationFileError.ForeignContent.httpAnswer.sentence
        : "there is text before the object",
      fix: text[(line ?? start)...].firstIndex(of: UInt8(ascii: "{")).map {
        .replace(start..<$0, with: "", "Remove the text before the object")
      })
  }

  private var textAfterValue: LintDiagnostic {
    let (begin, rest, end) = (next(after: 0), text[start...], endOfText(before: text.count))
    // Members of the file without its braces.
    if has("\"", at: begin), has(":", at: start) {
      var edits = [LintFix.Edit(begin..<begin, "{")]
      if brackets(from: start).unmatched == 0 {
        edits.append(LintFix.Edit(end..<end, "}"))
      }
      return mistake(
        .notAnObject, begin.byte, "the braces around the members of the file are missing",
        remedy: "Write '{' before the first member, and '}' after the last one.",
        fix: LintFix(.safe, "Write the braces", edits))
    }
    var mistake = mistake(.textAfter)
    guard has("{", at: begin) else { return mistake }
    // A bracket that closes the file before its last member.
    let closing = endOfText(before: start) - 1
    if has(",", at: start), closing >= 0, has("\"", at: next(after: start + 1)),
      brackets(from: start, in: [begin]).unmatched == 0
    {
      return unopened(closing, "this '}' closes the file before its last member")
    }
    // Too many brackets say nothing; other text may be a part of this file, or another one.
    let isBrackets = rest.allSatisfy { isWhitespace($0) || "]},;)".utf8.contains($0) }
    guard isBrackets || !rest.contains(UInt8(ascii: "{")) else { return mistake }
    mistake.fix = .replace(
      start..<end, with: "", "Remove the text after the object", isBrackets ? .safe : .suggestion)
    return mistake
  }

  // MARK: - Comments and quotes

  private var comment: LintDiagnostic {
    var mistake = mistake(.comment, start..<min(text.count, start + 2))
    // Before a colon, it is a name.
    if has("#", at: start), has(":", at: next(after: start + 1)) {
      return missingQuotes(start.byte, "the name")
    }
    var end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    if has("/", at: start), has("*", at: start + 1) {
      // A comment without an end, or with half a string in its first line, is a pattern.
      guard let mark = text[(start + 2)...].firstRange(of: "*/".utf8),
        text[start..<min(end, mark.lowerBound)].count(where: "\"".utf8.contains) % 2 == 0
      else { return stringEndedLate ?? unquotedText() ?? mistake }
      end = mark.upperBound
    }
    // It goes with the blanks before it, and with its line if nothing else is there.
    var begin = start
    while begin > 0, has(" \t", at: begin - 1) { begin -= 1 }
    if begin == 0 || has("\n", at: begin - 1), has("\n", at: end) {
      end += 1
    } else if end > begin, has("\r", at: end - 1) {
      end -= 1
    }
    mistake.fix = .replace(begin..<max(begin, end), with: "", "Remove the comment")
    return mistake
  }

  private var otherQuotes: LintDiagnostic {
    guard let opening = quote(at: start),
      let closing = closingQuote(of: opening.isSingle, from: start + opening.length)
    else { return mistake(.quotes) }
    var edits = [LintFix.Edit(start..<(start + opening.length), "\"")]
    var index = start + opening.length
    while index < closing.lowerBound {
      if has("\\", at: index) {
        // JSON knows no escape for a single quote.
        if has("'", at: index + 1) { edits.append(LintFix.Edit(index.byte, "")) }
        index += 1
      } else if has("\"", at: index) {
        edits.append(LintFix.Edit(index.byte, "\\\""))
      }
      index += 1
    }
    if !has("\"", at: closing.lowerBound) { edits.append(LintFix.Edit(closing, "\"")) }
    return mistake(.quotes, fix: LintFix(.safe, "Write straight double quotes", edits))
  }

  /// The quote that ends a string in its line, or `nil` if there is none.
  private func closingQuote(of isSingle: Bool, from start: Int) -> Range<Int>? {
    var (found, straight, index, hasEscape): (Range<Int>?, Range<Int>?, Int, Bool) =
      (nil, nil, start, false)
    while index < text.count, !has("\n", at: index) {
      let mark = index + (has("\\", at: index) ? 1 : 0)
      let quote = quote(at: mark)
      let range = index..<(mark + (quote?.length ?? 1))
      if quote?.isSingle == isSingle {
        // The second of two quotes with backslashes is a part of the string.
        if isStringEnd(range.upperBound), mark == index || !hasEscape { return range }
        if mark == index { found = found ?? range } else { hasEscape = true }
      } else if has("\"", at: index), straight == nil {
        if found == nil, isStringEnd(range.upperBound) { return range }
        straight = range
      }
      index = range.upperBound
    }
    return found ?? straight
  }

  /// Whether a comma, a colon or a closing bracket follows, so that a string may end there.
  private func isStringEnd(_ offset: Int) -> Bool {
    let next = next(after: offset)
    return next == text.count || has(",:]}", at: next)
  }

  /// The length of a quote that isn't JSON's, and whether it is a single one.
  private func quote(at index: Int) -> (length: Int, isSingle: Bool)? {
    switch text.scalar(at: index) ?? " " {
    case "'": (1, true)
    case "«", "»": (2, false)
    case "\u{2018}"..."\u{201B}": (3, true)
    case "\u{201C}"..."\u{201F}": (3, false)
    default: nil
    }
  }

  /// The mistake of a string that another kind of quote should have ended, or that lacks its closing
  /// quote, or `nil` if it has none.
  ///
  /// It was read from its opening quote to `end`, where it may have a closing quote, which is the next
  /// string's opening one.
  private func unendedString(from start: Int, to end: Int, hasEnd: Bool = false) -> LintDiagnostic?
  {
    var index = start + 1
    while index < end {
      let quote = quote(at: index)
      let range = index..<(index + (quote?.length ?? 1))
      if quote != nil, !has("'", at: index), isStringEnd(range.upperBound) {
        return mistake(
          .quotes, range, JSONSyntaxError.Problem.typographicQuote.sentence,
          fix: .replace(range, with: "\"", "Write straight double quotes", .safe))
      }
      index = range.upperBound
    }
    // Brackets that the string didn't open, and a comma or a colon, come after it.
    let content = text[(start + 1)..<end]
    let opened = "[{".utf8.map { content.firstIndex(of: $0) ?? end }
    let final = content.indices.last { index in
      !isWhitespace(text[index]) && !has(",:{[", at: index)
        && !(has("]", at: index) && index < opened[0])
        && !(has("}", at: index) && index < opened[1])
    }
    guard let final, !hasEnd || final + 1 < endOfText(before: end) else { return nil }
    // All quotes in it have a backslash; the last one may be the second of two.
    if has("\"", at: final), content[...final].count(where: "\"".utf8.contains) % 2 == 1 {
      let backslash = final - 1
      return mistake(
        .quotes, backslash..<(final + 1),
        "a backslash before the closing quote of '\(spelling(of: (start + 1)..<backslash))' makes it "
          + "a part of the string",
        cure: .replace(backslash.byte, with: "", "Remove the backslash", .safe))
    }
    return mistake(
      .quotes, start..<(final + 1),
      "the closing quote of '\(spelling(of: (start + 1)..<(final + 1)))' is missing",
      remedy: "Write the quote.", fix: .insert("\"", at: final + 1, "Insert the quote", .safe))
  }

  /// The mistake of a string that a quote ended before the end of its text, or `nil` if none did.
  private var stringEndedLate: LintDiagnostic? {
    guard !isStringEnd(start), has("\"", at: start - 1) else { return nil }
    return unendedString(from: lastQuote, to: start - 1, hasEnd: true)
  }

  private var controlCharacter: LintDiagnostic {
    if has("\n\r", at: start) {
      let end = next(after: start)
      let endsHere = end == text.count || has("\"]},{[", at: end)
      let hasOtherQuote = (lastQuote..<start).contains { !has("'", at: $0) && quote(at: $0) != nil }
      if endsHere || hasOtherQuote, let mistake = unendedString(from: lastQuote, to: start) {
        return mistake
      }
      if !endsHere {
        return mistake(
          .controlCharacter, start.byte, "a string contains a line break",
          fix: .replace(start..<end, with: "", "Remove the line break", .safe))
      }
    }
    return mistake(
      .controlCharacter, start.byte,
      fix: .replace(start.byte, with: "", "Remove the control character", .safe))
  }

  private var invalidEscape: LintDiagnostic {
    let mark = start + 1
    let isClear = mark < text.count && !has("u", at: mark) && (0x20..<0x80).contains(text[mark])
    // A letter after it has a meaning elsewhere, as in '\d'.
    return mistake(
      .escape, start..<min(text.count, start + 2),
      fix: !isClear
        ? nil
        : text[mark].isLetterOrDigit
          ? .insert("\\", at: start, "Write the backslash twice", .safe)
          : .replace(start..<mark, with: "", "Remove the backslash", .safe))
  }

  // MARK: - Names and values

  private var missingComma: LintDiagnostic {
    // It is missing after the value, not before the next one.
    let end = endOfText(before: start)
    return mistake(
      .missingComma, max(0, end - 1)..<end,
      fix: .insert(",", at: end, "Insert the comma", .safe))
  }

  private var missingColon: LintDiagnostic? {
    if let unended = stringEndedLate { return unended }
    let fix: LintFix
    switch text[start] {
    case UInt8(ascii: "="):
      let end = start + (has(">", at: start + 1) ? 2 : 1)
      fix = .replace(start..<end, with: ":", "Write ':'", .safe)
    case UInt8(ascii: ","), UInt8(ascii: "}"):
      // Strings alone are the elements of an array.
      guard let open = open.last, has("{", at: open),
        let mark = text[(open + 1)...].firstIndex(where: ":{[}".utf8.contains), has("}", at: mark)
      else { return nil }
      return otherBrackets(open, "an array of strings has the braces of an object")
    case _ where has("\"{[tfn0123456789", at: start):
      fix = .insert(":", at: endOfText(before: start), "Insert the colon", .safe)
    default: return nil
    }
    return mistake(.syntax, remedy: "Write ':' after the name.", fix: fix)
  }

  private func missingQuotes(_ range: Range<Int>, _ what: String) -> LintDiagnostic {
    mistake(
      .quotes, range, "the quotes around \(what) '\(spelling(of: range))' are missing",
      remedy: "Write the quotes.", fix: .surround(range, "\"", "\"", "Insert the quotes", .safe))
  }

  private func missingQuote(_ start: Int, _ end: Int) -> LintDiagnostic {
    mistake(
      .quotes, start..<end, "the opening quote of '\(spelling(of: start..<(end - 1)))' is missing",
      remedy: "Write the quote.", fix: .insert("\"", at: start, "Insert the quote", .safe))
  }

  /// Something that isn't allowed in place of a name, in place of a value, or after one.
  private func wrongToken(isName: Bool) -> LintDiagnostic? {
    // The word 'NOT' before a string.
    let quote = text[(start + min(3, text.count - start))...].firstIndex {
      !$0.isBlank && $0 != UInt8(ascii: ":")
    }
    if !isName, text[start...].prefix(3).map(\.asciiLowercased).elementsEqual("not".utf8),
      let quote, quote > start + 3, has("\"", at: quote)
    {
      return mistake(
        .syntax, start..<(start + 3), "'NOT' is before the string",
        cure: .replace(start..<(quote + 1), with: "\"NOT ", "Write 'NOT ' inside the string", .safe)
      )
    }
    if let mistake = stringEndedLate ?? superfluousComma
      ?? bracket ?? otherElement
    {
      return mistake
    }
    guard has(";", at: start), start > 0 else { return unquotedText(isName: isName) }
    let next = next(after: start + 1)
    let isNothing =
      next == text.count || has("]}", at: next) || has(",[{", at: endOfText(before: start) - 1)
    return mistake(
      .syntax, start.byte, "JSON has no semicolons",
      cure: .replace(
        start.byte, with: isNothing ? "" : ",",
        isNothing ? "Remove the semicolon" : "Write a comma", .safe))
  }

  /// Text without quotes: a word of another language in place of a value, a string, or a name.
  private func unquotedText(isName: Bool = false) -> LintDiagnostic? {
    func isPart(_ byte: UInt8) -> Bool { !isWhitespace(byte) && !",:[]{}\"".utf8.contains(byte) }
    let first = text[..<start].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
    let word = text[first...].prefix(while: isPart)
    guard has(",:[{", at: endOfText(before: first) - 1), !word.isEmpty else { return nil }
    var (end, depth) = (word.endIndex, 0)
    if isName {
      guard word.allSatisfy({ $0.isLetterOrDigit || "_$-/?#*.".utf8.contains($0) }) else {
        return nil
      }
    } else {
      let spelled = spelling(of: word.indices)
      if isStringEnd(end), let value = Self.words[spelled.lowercased()] {
        return mistake(
          .syntax, word.indices, "'\(spelled)' is not a word of JSON",
          cure: .replace(word.indices, with: value, "Write \(value)", .safe))
      }
      // Braces and colons may belong to a pattern.
      end = first
      while end < text.count, !has("\n,\"", at: end), depth > 0 || !has("}]", at: end) {
        if has("{[", at: end) { depth += 1 }
        if has("}]", at: end) { depth -= 1 }
        end += 1
      }
    }
    if has("\"", at: end), isStringEnd(end + 1) { return missingQuote(first, end + 1) }
    end = endOfText(before: end)
    guard isName ? has(":", at: next(after: end)) : isStringEnd(end),
      String(validating: text[first..<end], as: UTF8.self) != nil
    else { return nil }
    return missingQuotes(first..<end, isName ? "the name" : "the text")
  }

  private static let words = [
    "true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false",
    "null": "null", "none": "null", "nil": "null", "undefined": "null", "nan": "null",
  ]

  private var superfluousComma: LintDiagnostic? {
    guard has(",", at: start), has(",[{", at: endOfText(before: start) - 1) else { return nil }
    return mistake(
      .syntax, start.byte, "there is a comma without a value before it",
      cure: .replace(start.byte, with: "", "Remove the comma", .safe))
  }

  // MARK: - Brackets

  /// A closing bracket that doesn't fit the innermost open one.
  private var bracket: LintDiagnostic? {
    guard has("]}", at: start), let innermost = open.last else { return nil }
    var end = endOfText(before: start)
    if has(",", at: end - 1) { end = endOfText(before: end - 1) }
    let (range, right) = (start.byte, closing(innermost))
    let name = spelling(of: range)
    guard right != name, end > 0, !has(":", at: end - 1) else { return nil }
    let (outer, next) = (open.dropLast(), start + 1)
    let (insertion, removal, replacement) = (
      brackets(from: start, in: outer).unmatched, brackets(from: next, in: open[...]).unmatched,
      brackets(from: next, in: outer).unmatched
    )
    if insertion <= removal, insertion <= replacement {
      return unclosed([innermost], before: end, at: start)
    }
    if removal <= replacement { return unopened(start, "this '\(name)' closes nothing") }
    return mistake(
      .unopened, range,
      "this '\(name)' is in place of the '\(right)' that closes the "
        + "'\(spelling(of: innermost.byte))' of line \(context.line(of: innermost))",
      cure: .replace(range, with: right, "Write '\(right)'", .safe))
  }

  private func unopened(_ place: Int, _ sentence: String) -> LintDiagnostic {
    mistake(
      .unopened, place.byte, sentence,
      cure: .replace(place.byte, with: "", "Remove the '\(spelling(of: place.byte))'", .safe))
  }

  /// A name in an array, with its colon at an offset, or an object in place of a name.
  ///
  /// The array or object has the wrong brackets, or it isn't closed.
  private var otherElement: LintDiagnostic? {
    let isName = has(":", at: start) && has("\"", at: endOfText(before: start) - 1)
    let place = isName ? lastQuote : start
    let end = endOfText(before: place)
    guard let open = open.last, has(isName ? "[" : "{", at: open), isName || has("{", at: start)
    else { return nil }
    if end == open + 1 {
      return otherBrackets(
        open,
        isName
          ? "an object has the brackets of an array"
          : "an array of objects has the braces of an object")
    }
    return has(",", at: end - 1)
      ? unclosed([open], before: endOfText(before: end - 1), at: place) : nil
  }

  /// The brackets of an array in place of those of an object, or the reverse, if they are closed.
  private func otherBrackets(_ open: Int, _ sentence: String) -> LintDiagnostic? {
    guard let close = brackets(from: open, stopsWhenClosed: true).end else { return nil }
    let (opening, closing) = has("[", at: open) ? ("{", "}") : ("[", "]")
    return mistake(
      .syntax, open.byte, sentence,
      cure: LintFix(
        .safe, "Write '\(opening)' and '\(closing)'",
        [LintFix.Edit(open.byte, opening), LintFix.Edit((close - 1)..<close, closing)]))
  }

  private var unexpectedEnd: LintDiagnostic {
    let end = endOfText(before: start)
    var mistake = mistake(.unclosed)
    if start >= text.count {
      if isInString {
        mistake.range = lastQuote.byte
        return unendedString(from: lastQuote, to: text.count) ?? mistake
      }
      mistake.range = end..<end
    }
    guard !open.isEmpty, end > 0, !has(":", at: end - 1) else { return mistake }
    return unclosed(open, before: has(",", at: end - 1) ? end - 1 : end, at: text.count)
  }

  /// Brackets that aren't closed, the innermost last, reported where that begins.
  ///
  /// The last value in it ends at `end`. At `place`, they should be closed, because another bracket or
  /// a name is there, or the text ends.
  private func unclosed(_ open: [Int], before end: Int, at place: Int) -> LintDiagnostic {
    let (innermost, isAtEnd, isOne) = (open[open.count - 1], place >= text.count, open.count == 1)
    let brackets = open.reversed().map(closing).joined()
    var insertion = brackets
    if isOne, text[innermost..<place].contains(UInt8(ascii: "\n")) {
      // On a line of its own, indented as the line that opens it.
      let start = text[..<innermost].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let indentation = text[start...].prefix(while: \.isBlank)
      insertion =
        (text.contains(0x0D) ? "\r\n" : "\n") + spelling(of: indentation.indices) + brackets
    }
    let what = (has("[", at: innermost) ? "array" : "object") + name(ofValueAt: innermost)
    // A comma at the end says that something lacks.
    let comma = isAtEnd && has(",", at: end) ? 1 : 0
    var mistake = mistake(
      .unclosed, innermost.byte,
      "the \(what), which begins here in line \(context.line(of: innermost)), is not closed "
        + (isAtEnd
          ? "before the end of the file"
          : "before the '\(spelling(of: range(ofScalarAt: place)))' of line \(context.line(of: place))"),
      remedy: "Write '\(closing(innermost))' after line \(context.line(of: max(0, end - 1))).",
      fix: .replace(
        end..<(end + comma), with: insertion, isOne ? "Insert '\(brackets)'" : "Close all brackets",
        isOne ? .safe : .suggestion))
    if !isAtEnd {
      mistake.related = [
        LintDiagnostic.Related(range(ofScalarAt: place), "The place before which it should end")
      ]
    }
    return mistake
  }

  private func closing(_ bracket: Int) -> String { has("[", at: bracket) ? "]" : "}" }

  /// Counts the brackets outside strings without a partner, from an offset on, where some are open.
  ///
  /// - Returns: Their number, and where all were closed if it stops there.
  private func brackets(
    from start: Int, in outer: ArraySlice<Int> = [], stopsWhenClosed: Bool = false
  ) -> (unmatched: Int, end: Int?) {
    var (open, unmatched, isInString, index) = (outer, 0, false, start)
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(index)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        // In ASCII, a closing bracket comes two after its opening one.
        guard let partner = open.lastIndex(where: { text[$0] + 2 == text[index] }) else {
          unmatched += 1
          break
        }
        unmatched += open.endIndex - 1 - partner
        open.removeSubrange(partner...)
      default: break
      }
      index += 1
      if stopsWhenClosed, open.isEmpty, !isInString { return (unmatched, index) }
    }
    return (unmatched + open.count, nil)
  }

  // MARK: - Parts of the text

  /// Whether the text has one of some bytes at an offset, which may be outside.
  private func has(_ bytes: String, at offset: Int) -> Bool {
    offset >= 0 && offset < text.count && bytes.utf8.contains(text[offset])
  }

  /// The offset after the last visible byte before an offset, or 0.
  private func endOfText(before offset: Int) -> Int {
    text[..<offset].lastIndex { !isWhitespace($0) }.map { $0 + 1 } ?? 0
  }

  /// The offset of the first visible byte from an offset on, or the end of the text.
  private func next(after offset: Int) -> Int {
    text[min(offset, text.count)...].firstIndex { !isWhitespace($0) } ?? text.count
  }

  /// The character where the parser stopped.
  var place: Range<Int> { range(ofScalarAt: start) }

  private func range(ofScalarAt offset: Int) -> Range<Int> {
    guard offset < text.count else { return text.count..<text.count }
    return offset..<(text[(offset + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? text.count)
  }

  private func spelling(of range: Range<Int>) -> String { context.spelling(of: range) }

  /// The name of the member whose value begins at an offset, with a blank before it, or nothing.
  private func name(ofValueAt offset: Int) -> String {
    guard let colon = text[..<offset].lastIndex(where: { $0 > 0x20 }), has(":", at: colon),
      let end = text[..<colon].lastIndex(of: UInt8(ascii: "\"")),
      let start = text[..<end].lastIndex(of: UInt8(ascii: "\""))
    else { return "" }
    return " '" + spelling(of: (start + 1)..<end) + "'"
  }

  private func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
