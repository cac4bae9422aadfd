internal import Foundations

/// A text that isn't JSON, repaired step by step where the intention is clear.
///
/// Each repair applies the edits of the mistake's fix, so the repaired text is what the fixes make of
/// the file.
struct SyntaxRepair {
  /// A mistake, with its places in the file.
  struct Mistake {
    var kind: DiagnosticKind
    var range: Range<Int>

    /// The mistake as a clause, without its consequence.
    var text: String

    /// The remedy, if it differs from the kind's.
    var remedy: String?
    var related: [(range: Range<Int>, message: String)] = []

    /// The fix, or `nil` if its meaning isn't clear.
    var fix: LintFix?
  }

  /// The greatest number of mistakes that are repaired.
  private static let limit = 50

  /// The mistakes, in the order in which they were found.
  private(set) var mistakes: [Mistake] = []

  /// The offsets in the file of commas before closing brackets, which systems accept.
  private(set) var trailingCommas: [Int] = []

  /// The place of a template's placeholder, or `nil` if none was found.
  private(set) var template: Range<Int>?

  /// The value, or `nil` if its meaning isn't clear; its ranges are in ``edited``.
  private(set) var value: JSONValue?

  /// The text with all repairs so far.
  private(set) var edited: EditedText

  /// The text of the file.
  private let original: [UInt8]

  init(_ text: [UInt8]) {
    (edited, original) = (EditedText(text), text)
    while value == nil {
      var commas: [Int] = []
      defer { trailingCommas = commas.map { edited.original($0..<($0 + 1)).lowerBound } }
      do {
        let value = try JSONParser.parse(edited.bytes, trailingCommas: &commas)
        if let fix = Self.unwrapping(value) {
          let start = value.range.lowerBound
          mistakes.append(
            Mistake(
              kind: SyntaxCheck.notAnObject, range: edited.original(start..<(start + 1)),
              text: "the JSON value is not an object, but \(value.typeName) with one in it",
              fix: edited.original(fix)))
          edited.apply(fix.edits)
        } else {
          self.value = value
        }
      } catch {
        if isTemplate(at: error.offset) {
          template = edited.original(range(ofScalarAt: error.offset))
          return
        }
        var mistake = mistake(error)
        let fix = mistake.fix
        mistake.range = edited.original(mistake.range)
        mistake.related = mistake.related.map { (edited.original($0.range), $0.message) }
        mistake.fix = fix.flatMap(edited.original)
        mistakes.append(mistake)
        guard mistakes.count < Self.limit, let fix else { return }
        edited.apply(fix.edits)
      }
    }
  }

  private var text: [UInt8] { edited.bytes }

  /// The fix for the object of a file in an array or in a string.
  private static func unwrapping(_ value: JSONValue) -> LintFix? {
    if let text = value.string, (try? JSONParser.parse(Array(text.utf8)))?.object != nil {
      return .replace(value.range, with: text, .safe, "Write the text of the string")
    }
    guard let elements = value.array, elements.count == 1, let element = elements.first,
      element.object != nil
    else { return nil }
    return LintFix(
      .safe, "Remove the brackets around the object",
      [
        LintFix.Edit(value.range.lowerBound..<element.range.lowerBound, ""),
        LintFix.Edit(element.range.upperBound..<value.range.upperBound, ""),
      ])
  }

  /// The mistake of an error, with its places in the text as it is now.
  private func mistake(_ error: JSONSyntaxError) -> Mistake {
    let start = error.offset
    if let mistake = escapedText(at: start) ?? invisibleText(at: start, error.problem) {
      return mistake
    }
    switch error.problem {
    case .textAfterValue: return textAfterValue(at: start)
    case .comment: return comment(at: start)
    case .typographicQuote: return otherQuotes(at: start)
    case .missingComma:
      let end = endOfText(before: start)
      return Mistake(
        // It is missing after the value, not before the next one.
        kind: SyntaxCheck.missingComma, range: max(0, end - 1)..<end, text: "a comma is missing",
        fix: .insert(",", at: end, .safe, "Insert the comma"))
    case .controlCharacterInString: return controlCharacter(at: start)
    case .unexpectedEnd: return unexpectedEnd(error)
    case .invalidEscape, .loneSurrogate: return invalidEscape(error)
    case .missingColon: return missingColon(at: start) ?? unclear(error)
    case .nameIsNotString: return wrongName(at: start) ?? unclear(error)
    case .unexpected, .invalidNumber:
      if text[..<start].allSatisfy(Self.isWhitespace) { return textBefore(at: start) }
      return wrongValue(at: start) ?? unclear(error)
    case .invalidUTF8: return otherEncoding(at: start) ?? unclear(error)
    case .emptyText, .tooDeep: return unclear(error)
    }
  }

  /// A mistake without a clear repair.
  private func unclear(_ error: JSONSyntaxError) -> Mistake {
    let kind =
      switch error.problem {
      case .emptyText: SyntaxCheck.empty
      case .invalidUTF8: SyntaxCheck.notUTF8
      case .tooDeep: SyntaxCheck.tooDeep
      default: SyntaxCheck.syntax
      }
    return Mistake(
      kind: kind, range: range(ofScalarAt: error.offset), text: error.problem.sentence)
  }
}

// MARK: - The text as a whole

extension SyntaxRepair {
  /// Returns a Boolean value indicating whether a mistake is at a placeholder of a template.
  private func isTemplate(at offset: Int) -> Bool {
    let near = text[max(0, offset - 1)..<min(text.count, offset + 2)]
    return ["{{", "{%", "<%", "<?", "${"].contains { mark in
      zip(near, near.dropFirst()).contains { $0 == mark.utf8.first && $1 == mark.utf8.last }
        // An object in an object is no placeholder.
        && !(mark == "{{" && isObjectInObject(at: offset))
    }
  }

  /// Returns a Boolean value indicating whether an object begins where a name of another should.
  private func isObjectInObject(at offset: Int) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: "{") else { return false }
    let next = text[(offset + 1)...].first { !Self.isWhitespace($0) }
    return next == UInt8(ascii: "\"") || next == UInt8(ascii: "}")
  }

  /// The mistake of a text that was escaped as HTML, or as a string of a program.
  private func escapedText(at start: Int) -> Mistake? {
    guard start < text.count else { return nil }
    let rest = text[start...]
    if ["&quot;", "&#34;", "&#x22;"].contains(where: { rest.starts(with: $0.utf8) }) {
      let edits = HTMLEntity.all(in: text[...]).map { LintFix.Edit($0.range, $0.text) }
      return Mistake(
        kind: SyntaxCheck.quotes, range: start..<(start + 5),
        text: "the file is escaped as HTML, with entities in place of characters",
        remedy: "Save the file without HTML's entities.",
        fix: LintFix(.safe, "Write characters instead of entities", edits))
    }
    guard rest.starts(with: "\\\"".utf8) else { return nil }
    var (edits, index): ([LintFix.Edit], Int) = ([], 0)
    while index + 1 < text.count {
      guard text[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      switch text[index + 1] {
      case UInt8(ascii: "n"): edits.append(LintFix.Edit(index..<(index + 2), "\n"))
      case UInt8(ascii: "t"): edits.append(LintFix.Edit(index..<(index + 2), "\t"))
      case UInt8(ascii: "r"): edits.append(LintFix.Edit(index..<(index + 2), ""))
      default: edits.append(LintFix.Edit(index..<(index + 1), ""))
      }
      index += 2
    }
    return Mistake(
      kind: SyntaxCheck.escape, range: start..<(start + 2),
      text: "the file is escaped like a string of a program: its quotes have backslashes",
      remedy: "Save the file without the backslashes.",
      fix: LintFix(.safe, "Remove the backslashes before quotes", edits))
  }

  /// The characters of Windows-1252 from 0x80; above 0x9F, it has those of Unicode.
  private static let windowsCharacters = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// The mistake of a text in an encoding with a byte for each character, or `nil` if it has bytes that
  /// the usual one lacks.
  private func otherEncoding(at start: Int) -> Mistake? {
    var (edits, index): ([LintFix.Edit], Int) = ([], 0)
    while index < text.count {
      guard text[index] >= 0x80 else {
        index += 1
        continue
      }
      if let scalar = scalar(at: index) {
        index += scalar.utf8.count
        continue
      }
      let byte = text[index]
      let scalar = byte < 0xA0 ? Self.windowsCharacters[Int(byte) - 0x80] : Unicode.Scalar(byte)
      if (0x80..<0xA0).contains(scalar.value) { return nil }
      edits.append(LintFix.Edit(index..<(index + 1), String(scalar)))
      index += 1
    }
    guard let first = edits.first(where: { $0.range.lowerBound >= start }) else { return nil }
    return Mistake(
      kind: SyntaxCheck.notUTF8, range: first.range,
      text: "the file is not in UTF-8 (in Windows-1252, this is '\(first.replacement)')",
      fix: LintFix(.suggestion, "Save the file as UTF-8, if it is in Windows-1252", edits))
  }

  /// The mistake of characters between values that can't be seen, such as no-break spaces.
  private func invisibleText(at start: Int, _ problem: JSONSyntaxError.Problem) -> Mistake? {
    if case .textAfterValue = problem {} else if !isBetweenValues(problem) { return nil }
    guard let first = scalar(at: start), Self.isInvisible(first) else { return nil }
    var (edits, index, isInString, count): ([LintFix.Edit], Int, Bool, Int) = ([], start, false, 0)
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\\"), isInString {
        index += 2
        continue
      }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      let length = byte.scalarLength
      if !isInString, let scalar = scalar(at: index), Self.isInvisible(scalar) {
        let isBlank = scalar.properties.isWhitespace
        edits.append(LintFix.Edit(index..<(index + length), isBlank ? " " : ""))
        count += 1
      }
      index += length
    }
    let isAtEnd = if case .textAfterValue = problem { true } else { false }
    if isAtEnd {
      // Other text there is the mistake.
      let rest = LintFix.apply(edits, to: text)[start...]
      guard rest.allSatisfy(Self.isWhitespace) else { return nil }
    }
    let name = JSONSyntaxError.Problem.name(of: first)
    return Mistake(
      kind: isAtEnd ? SyntaxCheck.textAfter : SyntaxCheck.invisibleCharacter,
      range: range(ofScalarAt: start),
      text:
        "\(name), which can't be seen, is \(isAtEnd ? "after the object" : "between the values")"
        + (count > 1 ? "; there are \(count) such characters" : ""),
      remedy: edits.allSatisfy { $0.replacement.isEmpty }
        ? "Remove the character." : "Write an ordinary blank instead.",
      fix: LintFix(
        .safe,
        edits.allSatisfy { $0.replacement.isEmpty }
          ? "Remove what can't be seen" : "Write ordinary blanks", edits))
  }

  private func isBetweenValues(_ problem: JSONSyntaxError.Problem) -> Bool {
    switch problem {
    case .unexpected, .missingColon, .nameIsNotString, .missingComma: true
    default: false
    }
  }

  /// Returns a Boolean value indicating whether a character takes no ink, and JSON doesn't allow it.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    if " \t\n\r".unicodeScalars.contains(scalar) { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Text before the object, such as the front matter of a site generator.
  private func textBefore(at start: Int) -> Mistake {
    let isAnswer = AssociationFileError.ForeignContent(recognizing: text) == .httpAnswer
    let object = text[endOfHeader(from: start)...].firstIndex(of: UInt8(ascii: "{"))
    return Mistake(
      kind: SyntaxCheck.textBefore, range: range(ofScalarAt: start),
      text: isAnswer
        ? AssociationFileError.ForeignContent.httpAnswer.sentence
        : "there is text before the object",
      fix: object.map {
        .replace(start..<$0, with: "", .suggestion, "Remove the text before the object")
      })
  }

  /// The end of the header fields of an HTTP answer, or the same offset if there are none.
  private func endOfHeader(from start: Int) -> Int {
    guard text[start...].starts(with: "HTTP/".utf8) else { return start }
    var line = start
    while let end = text[line...].firstIndex(of: UInt8(ascii: "\n")) {
      // After redirections, another answer follows.
      let next = text[(end + 1)...].first
      if text[line..<end].allSatisfy(Self.isWhitespace), next != UInt8(ascii: "H") {
        return end + 1
      }
      line = end + 1
    }
    return start
  }

  private func textAfterValue(at start: Int) -> Mistake {
    let rest = text[start...]
    let end = endOfText(before: text.count)
    let first = text.first { !Self.isWhitespace($0) }
    var mistake = Mistake(
      kind: SyntaxCheck.textAfter, range: range(ofScalarAt: start),
      text: "there is text after the end of the value")
    // Members of the file without its braces.
    if first == UInt8(ascii: "\""), rest.first == UInt8(ascii: ":") {
      let begin = text.firstIndex { !Self.isWhitespace($0) } ?? 0
      let open = LintFix.Edit(begin..<begin, "{")
      let edits = [[open], [open, LintFix.Edit(end..<end, "}")]].min {
        unmatched($0) < unmatched($1)
      }
      mistake.kind = SyntaxCheck.notAnObject
      mistake.range = begin..<(begin + 1)
      mistake.text = "the braces around the members of the file are missing"
      mistake.remedy = "Write '{' before the first member, and '}' after the last one."
      mistake.fix = LintFix(.safe, "Write the braces", edits ?? [open])
      return mistake
    }
    guard first == UInt8(ascii: "{") else { return mistake }
    // A bracket that closes the file before its last member.
    let closing = endOfText(before: start) - 1
    if rest.first == UInt8(ascii: ","), closing >= 0,
      unmatched([LintFix.Edit(closing..<(closing + 1), "")]) == 0,
      rest.dropFirst().first(where: { !Self.isWhitespace($0) }) == UInt8(ascii: "\"")
    {
      return unopened(closing, "this '}' closes the file before its last member")
    }
    // Too many brackets say nothing; other text may be a part of this file, or another one.
    let isBrackets = rest.allSatisfy { Self.isWhitespace($0) || "]},;)".utf8.contains($0) }
    if isBrackets || !rest.contains(UInt8(ascii: "{")) {
      mistake.fix = .replace(
        start..<end, with: "", isBrackets ? .safe : .suggestion, "Remove the text after the object")
    }
    return mistake
  }
}

// MARK: - Comments and quotes

extension SyntaxRepair {
  private func comment(at start: Int) -> Mistake {
    let mistake = Mistake(
      kind: SyntaxCheck.comment, range: start..<min(text.count, start + 2),
      text: JSONSyntaxError.Problem.comment.sentence)
    // Before a colon, it is a name; a comment without an end is a pattern.
    if text[start] == UInt8(ascii: "#"), let name = unquotedName(at: start), name.range.count == 1 {
      return name
    }
    guard let comment = rangeOfComment(at: start) else {
      return unquotedText(at: start) ?? mistake
    }
    var fixed = mistake
    fixed.fix = .replace(wholeLines(comment), with: "", .suggestion, "Remove the comment")
    return fixed
  }

  /// The bytes of a comment, to the end of its line or to its own, or `nil` if it has none.
  private func rangeOfComment(at start: Int) -> Range<Int>? {
    let rest = text[(start + 1)...]
    if text[start] == UInt8(ascii: "/"), rest.first == UInt8(ascii: "*") {
      var index = start + 2
      while index + 1 < text.count {
        if text[index] == UInt8(ascii: "*"), text[index + 1] == UInt8(ascii: "/") {
          return start..<(index + 2)
        }
        index += 1
      }
      return nil
    }
    return start..<(rest.firstIndex(of: UInt8(ascii: "\n")) ?? text.count)
  }

  /// Extends a range by the blanks before it, and by its line if nothing else is there.
  private func wholeLines(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start > 0, text[start - 1] == 0x20 || text[start - 1] == 0x09 { start -= 1 }
    let isAtStart = start == 0 || text[start - 1] == UInt8(ascii: "\n")
    guard isAtStart, range.upperBound < text.count, text[range.upperBound] == UInt8(ascii: "\n")
    else {
      let end = range.upperBound > start && text[range.upperBound - 1] == 0x0D ? 1 : 0
      return start..<max(start, range.upperBound - end)
    }
    return start..<(range.upperBound + 1)
  }

  /// A string in other quotes.
  private func otherQuotes(at start: Int) -> Mistake {
    var mistake = Mistake(
      kind: SyntaxCheck.quotes, range: range(ofScalarAt: start),
      text: JSONSyntaxError.Problem.typographicQuote.sentence)
    guard let opening = quote(at: start),
      let closing = closingQuote(of: opening.isSingle, from: start + opening.length)
    else { return mistake }
    var edits = [LintFix.Edit(start..<(start + opening.length), "\"")]
    var index = start + opening.length
    while index < closing.lowerBound {
      if text[index] == UInt8(ascii: "\\") {
        // JSON knows no escape for a single quote.
        if text[index + 1] == UInt8(ascii: "'") {
          edits.append(LintFix.Edit(index..<(index + 1), ""))
        }
        index += 2
        continue
      }
      if text[index] == UInt8(ascii: "\"") {
        edits.append(LintFix.Edit(index..<(index + 1), "\\\""))
      }
      index += 1
    }
    if text[closing] != [UInt8(ascii: "\"")] { edits.append(LintFix.Edit(closing, "\"")) }
    mistake.fix = LintFix(.safe, "Write straight double quotes", edits)
    return mistake
  }

  /// The quote that ends a string in its line, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - isSingle: Whether a single quote begins the string.
  ///   - start: The offset after that quote.
  /// - Returns: The first quote of the same kind after which a string can end, or else the first
  ///   quote of the same kind, or a straight one.
  private func closingQuote(of isSingle: Bool, from start: Int) -> Range<Int>? {
    var found: [Range<Int>] = []
    var straight: Range<Int>?
    var index = start
    while index < text.count, text[index] != UInt8(ascii: "\n") {
      if text[index] == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      if text[index] == UInt8(ascii: "\"") {
        straight = straight ?? index..<(index + 1)
      } else if let quote = quote(at: index) {
        if quote.isSingle == isSingle { found.append(index..<(index + quote.length)) }
        index += quote.length
        continue
      }
      index += 1
    }
    if let straight, let first = found.first, straight.lowerBound < first.lowerBound,
      isStringEnd(straight.upperBound)
    {
      return straight
    }
    return found.first { isStringEnd($0.upperBound) } ?? found.first ?? straight
  }

  /// Returns a Boolean value indicating whether a string may end at an offset: with a comma, a colon,
  /// or a closing bracket.
  private func isStringEnd(_ offset: Int) -> Bool {
    let next = text[min(offset, text.count)...].first { !Self.isWhitespace($0) }
    return next.map { ",:]}".utf8.contains($0) } ?? true
  }

  /// The length of a quote that isn't JSON's and whether it is a single one, or `nil` if there is
  /// none.
  private func quote(at index: Int) -> (length: Int, isSingle: Bool)? {
    let bytes = text[index...].prefix(3)
    if bytes.first == UInt8(ascii: "'") { return (1, true) }
    if bytes.starts(with: [0xC2, 0xAB]) || bytes.starts(with: [0xC2, 0xBB]) { return (2, false) }
    // U+2018 to U+201F.
    guard bytes.starts(with: [0xE2, 0x80]), (0x98...0x9F).contains(bytes.last ?? 0) else {
      return nil
    }
    return (3, (bytes.last ?? 0) <= 0x9B)
  }

  /// The mistake of a string that another kind of quote should have ended, or that lacks its closing
  /// quote, or `nil` if it has none.
  ///
  /// - Parameters:
  ///   - start: The opening quote.
  ///   - end: The offset where the string was read to.
  ///   - hasEnd: Whether it has a closing quote there, which is the next string's opening one.
  /// - Returns: The mistake.
  private func unendedString(from start: Int, to end: Int, hasEnd: Bool = false) -> Mistake? {
    var index = start + 1
    while index < end {
      if let quote = quote(at: index) {
        if text[index] != UInt8(ascii: "'"), isStringEnd(index + quote.length) {
          return Mistake(
            kind: SyntaxCheck.quotes, range: index..<(index + quote.length),
            text: JSONSyntaxError.Problem.typographicQuote.sentence,
            fix: .replace(
              index..<(index + quote.length), with: "\"", .safe, "Write straight double quotes"))
        }
        index += quote.length
      } else {
        index += 1
      }
    }
    // Brackets that the string didn't open, and a comma or a colon, come after it.
    var last = endOfText(before: end)
    while last > start + 1 {
      let byte = text[last - 1]
      let content = text[(start + 1)..<(last - 1)]
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ":"): break
      case UInt8(ascii: "{"), UInt8(ascii: "["): break
      case UInt8(ascii: "]") where !content.contains(UInt8(ascii: "[")): break
      case UInt8(ascii: "}") where !content.contains(UInt8(ascii: "{")): break
      case _ where Self.isWhitespace(byte): break
      default:
        guard last > start + 1, !hasEnd || last < endOfText(before: end) else { return nil }
        return Mistake(
          kind: SyntaxCheck.quotes, range: start..<last,
          text: "the closing quote of '\(spelling((start + 1)..<last))' is missing",
          remedy: "Write the quote.", fix: .insert("\"", at: last, .safe, "Insert the quote"))
      }
      last -= 1
    }
    return nil
  }

  private func controlCharacter(at start: Int) -> Mistake {
    if [0x0A, 0x0D].contains(text[start]), let open = openString(before: start) {
      let next = text[start...].first { !Self.isWhitespace($0) }
      let endsHere = next.map { "\"]},{[".utf8.contains($0) } ?? true
      if endsHere || hasOtherQuote(open..<start), let mistake = unendedString(from: open, to: start)
      {
        return mistake
      }
      let end = text[start...].firstIndex { !Self.isWhitespace($0) } ?? text.count
      if !endsHere {
        return Mistake(
          kind: SyntaxCheck.controlCharacter, range: start..<(start + 1),
          text: "a string contains a line break",
          fix: .replace(start..<end, with: "", .safe, "Remove the line break"))
      }
    }
    return Mistake(
      kind: SyntaxCheck.controlCharacter, range: start..<(start + 1),
      text: JSONSyntaxError.Problem.controlCharacterInString.sentence,
      fix: .replace(start..<(start + 1), with: "", .safe, "Remove the control character"))
  }

  private func hasOtherQuote(_ range: Range<Int>) -> Bool {
    range.contains { text[$0] != UInt8(ascii: "'") && quote(at: $0) != nil }
  }

  private func invalidEscape(_ error: JSONSyntaxError) -> Mistake {
    let start = error.offset
    var mistake = Mistake(
      kind: SyntaxCheck.escape, range: start..<min(text.count, start + 2),
      text: error.problem.sentence)
    guard error.problem == .invalidEscape, start + 1 < text.count,
      text[start + 1] != UInt8(ascii: "u"), (0x20..<0x80).contains(text[start + 1])
    else { return mistake }
    // A letter after it has a meaning elsewhere, as in '\d'.
    mistake.fix =
      text[start + 1].isLetterOrDigit
      ? .insert("\\", at: start, .safe, "Write the backslash twice")
      : .replace(start..<(start + 1), with: "", .safe, "Remove the backslash")
    return mistake
  }
}

// MARK: - Names and values

extension SyntaxRepair {
  private func missingColon(at start: Int) -> Mistake? {
    let name = endOfText(before: start)
    var mistake = Mistake(
      kind: SyntaxCheck.syntax, range: range(ofScalarAt: start),
      text: JSONSyntaxError.Problem.missingColon.sentence, remedy: "Write ':' after the name.")
    // A name without its closing quote.
    if text[start - 1] == UInt8(ascii: "\""), let open = openingQuote(ofStringEndingAt: start - 1),
      !isStringEnd(start), let unended = unendedString(from: open, to: start - 1, hasEnd: true)
    {
      return unended
    }
    switch text[start] {
    case UInt8(ascii: "="):
      let end = start + (text[(start + 1)...].first == UInt8(ascii: ">") ? 2 : 1)
      mistake.fix = .replace(start..<end, with: ":", .safe, "Write ':'")
    case UInt8(ascii: ","), UInt8(ascii: "}"):
      // Strings alone are the elements of an array.
      guard let open = openBrackets(before: start).last, text[open] == UInt8(ascii: "{"),
        let close = end(of: open)
      else { return nil }
      let content = text[(open + 1)..<(close - 1)]
      guard !content.contains(where: { ":{[".utf8.contains($0) }) else { return nil }
      return otherBrackets(open, close, "[", "]", "an array of strings has the braces of an object")
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "t"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), 0x30...0x39:
      mistake.fix = .insert(":", at: name, .safe, "Insert the colon")
    default: return nil
    }
    return mistake
  }

  /// A name of a member that isn't a string.
  private func wrongName(at start: Int) -> Mistake? {
    if let comma = superfluousComma(at: start) { return comma }
    if text[start] == UInt8(ascii: "{"), let open = openBrackets(before: start).last {
      if text[(open + 1)..<start].allSatisfy(Self.isWhitespace), let close = end(of: open) {
        return otherBrackets(
          open, close, "[", "]", "an array of objects has the braces of an object")
      }
      let end = endOfText(before: start)
      if end > 0, text[end - 1] == UInt8(ascii: ",") {
        return unclosed([open], before: endOfText(before: end - 1), at: start)
      }
    }
    return bracket(at: start) ?? unquotedName(at: start)
  }

  /// A name without quotes.
  private func unquotedName(at start: Int) -> Mistake? {
    func isPart(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "_$-/?#*.".utf8.contains(byte) }
    let end = text[start...].firstIndex { !isPart($0) } ?? text.count
    guard end > start, end < text.count else { return nil }
    if text[end] == UInt8(ascii: "\""), isStringEnd(end + 1) { return missingQuote(start, end + 1) }
    guard text[end...].first(where: { !Self.isWhitespace($0) }) == UInt8(ascii: ":") else {
      return nil
    }
    return missingQuotes(start..<end, "the name")
  }

  private func missingQuotes(_ range: Range<Int>, _ what: String) -> Mistake {
    Mistake(
      kind: SyntaxCheck.quotes, range: range,
      text: "the quotes around \(what) '\(spelling(range))' are missing",
      remedy: "Write the quotes.",
      fix: LintFix(
        .safe, "Insert the quotes",
        [
          LintFix.Edit(range.lowerBound..<range.lowerBound, "\""),
          LintFix.Edit(range.upperBound..<range.upperBound, "\""),
        ]))
  }

  private func missingQuote(_ start: Int, _ end: Int) -> Mistake {
    Mistake(
      kind: SyntaxCheck.quotes, range: start..<end,
      text: "the opening quote of '\(spelling(start..<(end - 1)))' is missing",
      remedy: "Write the quote.", fix: .insert("\"", at: start, .safe, "Insert the quote"))
  }

  /// Something that isn't a value, in place of one or after one.
  private func wrongValue(at start: Int) -> Mistake? {
    if let range = exclusionOutsideString(at: start) {
      return Mistake(
        kind: SyntaxCheck.syntax, range: start..<(start + 3), text: "'NOT' is before the string",
        remedy: "Write 'NOT ' inside the string.",
        fix: .replace(range, with: "\"NOT ", .safe, "Write 'NOT ' inside the string"))
    }
    // A string that ended too late.
    if start > 0, text[start - 1] == UInt8(ascii: "\""), !isStringEnd(start),
      let open = openingQuote(ofStringEndingAt: start - 1),
      let unended = unendedString(from: open, to: start - 1, hasEnd: true)
    {
      return unended
    }
    if let comma = superfluousComma(at: start) { return comma }
    if let bracket = bracket(at: start) ?? colonInArray(at: start) { return bracket }
    if text[start] == UInt8(ascii: ";"), start > 0 {
      let next = text[(start + 1)...].first { !Self.isWhitespace($0) }
      let comma = next.map { "]}".utf8.contains($0) } ?? true ? "" : ","
      return Mistake(
        kind: SyntaxCheck.syntax, range: start..<(start + 1),
        text: "JSON has no semicolons",
        remedy: comma.isEmpty ? "Remove the semicolon." : "Write a comma.",
        fix: .replace(
          start..<(start + 1), with: comma, .safe,
          comma.isEmpty ? "Remove the semicolon" : "Write a comma"))
    }
    return unquotedText(at: start)
  }

  /// Text without quotes in place of a value: a word of another language, or a string.
  private func unquotedText(at offset: Int) -> Mistake? {
    func isPart(_ byte: UInt8) -> Bool {
      !Self.isWhitespace(byte) && !",:[]{}\"".utf8.contains(byte)
    }
    var start = offset
    while start > 0, isPart(text[start - 1]) { start -= 1 }
    let before = text[..<start].last { !Self.isWhitespace($0) }
    guard before.map({ ",:[".utf8.contains($0) }) ?? false else { return nil }
    let word = text[start...].prefix(while: isPart)
    guard !word.isEmpty else { return nil }
    if isStringEnd(word.endIndex),
      let value = Self.words[spelling(start..<word.endIndex).lowercased()]
    {
      return Mistake(
        kind: SyntaxCheck.syntax, range: start..<word.endIndex,
        text: "'\(spelling(start..<word.endIndex))' is not a word of JSON",
        remedy: "Write \(value).",
        fix: .replace(start..<word.endIndex, with: value, .safe, "Write \(value)"))
    }
    // Braces and colons may belong to a pattern.
    var (end, depth) = (start, 0)
    scan: while end < text.count, text[end] != UInt8(ascii: "\n") {
      switch text[end] {
      case UInt8(ascii: ","), UInt8(ascii: "\""): break scan
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { break scan }
        depth -= 1
      default: break
      }
      end += 1
    }
    if end < text.count, text[end] == UInt8(ascii: "\""), isStringEnd(end + 1) {
      return missingQuote(start, end + 1)
    }
    end = endOfText(before: end)
    guard end > start, isStringEnd(end), !text[start..<end].contains(UInt8(ascii: "\"")),
      String(validating: text[start..<end], as: UTF8.self) != nil
    else { return nil }
    return missingQuotes(start..<end, "the text")
  }

  /// Words of other languages for JSON's.
  private static let words = [
    "true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false",
    "null": "null", "none": "null", "nil": "null", "undefined": "null", "nan": "null",
  ]

  /// The word 'NOT' before a string, with the blanks and the quote after it, or `nil` if there is
  /// none.
  private func exclusionOutsideString(at start: Int) -> Range<Int>? {
    let rest = text[start...]
    guard rest.prefix(3).map(\.asciiLowercased).elementsEqual("not".utf8) else { return nil }
    let blanks = rest.dropFirst(3).prefix { $0 == 0x20 || $0 == 0x09 }
    guard !blanks.isEmpty, blanks.endIndex < text.count,
      text[blanks.endIndex] == UInt8(ascii: "\"")
    else { return nil }
    return start..<(blanks.endIndex + 1)
  }

  private func superfluousComma(at start: Int) -> Mistake? {
    guard text[start] == UInt8(ascii: ",") else { return nil }
    let end = endOfText(before: start)
    guard end > 0, ",[{".utf8.contains(text[end - 1]) else { return nil }
    return Mistake(
      kind: SyntaxCheck.syntax, range: start..<(start + 1),
      text: "there is a comma without a value before it", remedy: "Remove the comma.",
      fix: .replace(start..<(start + 1), with: "", .safe, "Remove the comma"))
  }
}

// MARK: - Brackets

extension SyntaxRepair {
  /// A closing bracket that doesn't fit the innermost open one.
  private func bracket(at start: Int) -> Mistake? {
    guard "]}".utf8.contains(text[start]) else { return nil }
    let open = openBrackets(before: start)
    guard let innermost = open.last else { return nil }
    var end = endOfText(before: start)
    if end > 0, text[end - 1] == UInt8(ascii: ",") { end = endOfText(before: end - 1) }
    let (name, right) = (spelling(start..<(start + 1)), Self.closingText(text[innermost]))
    guard right != name, end > 0, text[end - 1] != UInt8(ascii: ":") else { return nil }
    let (insertion, removal, replacement) = (
      unmatched([LintFix.Edit(end..<end, right)]),
      unmatched([LintFix.Edit(start..<(start + 1), "")]),
      unmatched([LintFix.Edit(start..<(start + 1), right)])
    )
    if insertion <= removal, insertion <= replacement {
      return unclosed([innermost], before: end, at: start)
    }
    if removal <= replacement { return unopened(start, "this '\(name)' closes nothing") }
    return Mistake(
      kind: SyntaxCheck.unopened, range: start..<(start + 1),
      text: "this '\(name)' is in place of the '\(right)' that closes the "
        + "'\(spelling(innermost..<(innermost + 1)))' of line \(line(of: innermost))",
      remedy: "Write '\(right)'.",
      fix: .replace(start..<(start + 1), with: right, .safe, "Write '\(right)'"))
  }

  private func unopened(_ place: Int, _ sentence: String) -> Mistake {
    let name = spelling(place..<(place + 1))
    return Mistake(
      kind: SyntaxCheck.unopened, range: place..<(place + 1), text: sentence,
      remedy: "Remove the '\(name)'.",
      fix: .replace(place..<(place + 1), with: "", .safe, "Remove the '\(name)'"))
  }

  /// A name with its colon in an array: an object has the wrong brackets, or the array isn't closed.
  private func colonInArray(at start: Int) -> Mistake? {
    guard text[start] == UInt8(ascii: ":"), let open = openBrackets(before: start).last,
      text[open] == UInt8(ascii: "["), start > 0,
      let name = openingQuote(ofStringEndingAt: endOfText(before: start) - 1)
    else { return nil }
    let end = endOfText(before: name)
    if end == open + 1, let close = self.end(of: open) {
      return otherBrackets(open, close, "{", "}", "an object has the brackets of an array")
    }
    guard end > 0, text[end - 1] == UInt8(ascii: ",") else { return nil }
    return unclosed([open], before: endOfText(before: end - 1), at: name)
  }

  private func otherBrackets(
    _ open: Int, _ close: Int, _ opening: String, _ closing: String, _ sentence: String
  ) -> Mistake {
    Mistake(
      kind: SyntaxCheck.syntax, range: open..<(open + 1), text: sentence,
      remedy: "Write '\(opening)' and '\(closing)'.",
      fix: LintFix(
        .safe, "Write '\(opening)' and '\(closing)'",
        [LintFix.Edit(open..<(open + 1), opening), LintFix.Edit((close - 1)..<close, closing)]))
  }

  private func unexpectedEnd(_ error: JSONSyntaxError) -> Mistake {
    let start = error.offset
    var mistake = Mistake(
      kind: SyntaxCheck.unclosed, range: range(ofScalarAt: start), text: error.problem.sentence)
    if start >= text.count {
      if let open = openString(before: text.count) {
        mistake.range = open..<(open + 1)
        return unendedString(from: open, to: text.count) ?? mistake
      }
      let end = endOfText(before: text.count)
      mistake.range = end..<end
    }
    let (open, end) = (openBrackets(before: start), endOfText(before: start))
    guard !open.isEmpty, end > 0, !":".utf8.contains(text[end - 1]) else { return mistake }
    return unclosed(
      open, before: text[end - 1] == UInt8(ascii: ",") ? end - 1 : end, at: text.count)
  }

  /// Brackets that aren't closed, reported where the innermost begins.
  ///
  /// - Parameters:
  ///   - open: The brackets, the innermost last.
  ///   - end: The end of the last value in it.
  ///   - place: The place at which they should be closed: that of another bracket or of a name, or the
  ///     end of the text.
  /// - Returns: The mistake.
  private func unclosed(_ open: [Int], before end: Int, at place: Int) -> Mistake {
    guard let innermost = open.last else {
      return Mistake(
        kind: SyntaxCheck.unclosed, range: place..<place, text: "a value is not closed")
    }
    let isAtEnd = place >= text.count
    let brackets = open.reversed().map { Self.closingText(text[$0]) }.joined()
    let isOneLine = !text[innermost..<place].contains(UInt8(ascii: "\n"))
    let lineEnd = text.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
    let what =
      (text[innermost] == UInt8(ascii: "[") ? "array" : "object") + name(ofValueAt: innermost)
    // A comma at the end says that something lacks.
    let comma = isAtEnd ? text[end...].first == UInt8(ascii: ",") : false
    let insertion =
      isOneLine || open.count > 1
      ? brackets : lineEnd + indentation(ofLineWith: innermost) + brackets
    return Mistake(
      kind: SyntaxCheck.unclosed, range: innermost..<(innermost + 1),
      text: "the \(what), which begins here in line \(line(of: innermost)), is not closed "
        + (isAtEnd
          ? "before the end of the file"
          : "before the '\(spelling(range(ofScalarAt: place)))' of line \(line(of: place))"),
      remedy:
        "Write '\(Self.closingText(text[innermost]))' after line \(line(of: max(0, end - 1))).",
      related: isAtEnd ? [] : [(range(ofScalarAt: place), "The place before which it should end")],
      fix: .replace(
        end..<(comma ? end + 1 : end), with: insertion, open.count > 1 ? .suggestion : .safe,
        open.count > 1 ? "Close all brackets" : "Insert '\(brackets)'"))
  }

  /// The open brackets at an offset, the innermost last; none if a string isn't closed before it.
  private func openBrackets(before end: Int) -> [Int] {
    let brackets = Brackets(text[..<end])
    return brackets.isInString ? [] : brackets.open
  }

  /// The offset after the bracket that closes one, or `nil` if none does.
  private func end(of open: Int) -> Int? {
    var brackets = Brackets(text[open..<open])
    for index in open..<text.count {
      brackets.read(text[index], at: index)
      if brackets.open.isEmpty, !brackets.isInString, index > open { return index + 1 }
    }
    return nil
  }

  /// The number of brackets without a partner after some edits.
  private func unmatched(_ edits: [LintFix.Edit]) -> Int {
    let brackets = Brackets(LintFix.apply(edits, to: text)[...])
    return brackets.unmatched + brackets.open.count
  }

  /// The opening quote of the string that isn't closed at an offset, or `nil` if there is none.
  private func openString(before end: Int) -> Int? {
    let brackets = Brackets(text[..<end])
    return brackets.isInString ? brackets.string : nil
  }

  private func openingQuote(ofStringEndingAt quote: Int) -> Int? {
    guard quote > 0, text[quote] == UInt8(ascii: "\"") else { return nil }
    return openString(before: quote)
  }

  private static func closingText(_ bracket: UInt8) -> String {
    bracket == UInt8(ascii: "[") ? "]" : "}"
  }

  /// The brackets outside strings that a text opens and closes.
  private struct Brackets {
    /// The offsets of those that are open, the innermost last.
    var open: [Int] = []

    /// The number of closing brackets without a partner.
    var unmatched = 0

    /// The offset of the last opening quote.
    var string = 0
    var isInString = false
    private var kinds: [UInt8] = []
    private var isEscaped = false

    init(_ text: ArraySlice<UInt8>) {
      for index in text.indices { read(text[index], at: index) }
    }

    mutating func read(_ byte: UInt8, at index: Int) {
      if isEscaped {
        isEscaped = false
        return
      }
      switch byte {
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""):
        isInString.toggle()
        if isInString { string = index }
      case _ where isInString: break
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        open.append(index)
        kinds.append(byte)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        let opening = byte == UInt8(ascii: "]") ? UInt8(ascii: "[") : UInt8(ascii: "{")
        guard let partner = kinds.lastIndex(of: opening) else {
          unmatched += 1
          return
        }
        unmatched += kinds.count - 1 - partner
        kinds.removeSubrange(partner...)
        open.removeSubrange(partner...)
      default: break
      }
    }
  }
}

// MARK: - Parts of the text

extension SyntaxRepair {
  /// The offset after the last visible byte before an offset, or 0.
  private func endOfText(before offset: Int) -> Int {
    text[..<offset].lastIndex { !Self.isWhitespace($0) }.map { $0 + 1 } ?? 0
  }

  private func spelling(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  /// The line in the file, from 1.
  private func line(of offset: Int) -> Int {
    let place = edited.original(offset..<min(text.count, offset + 1)).lowerBound
    return 1 + original.prefix(place).count { $0 == UInt8(ascii: "\n") }
  }

  private func scalar(at offset: Int) -> Unicode.Scalar? {
    guard offset < text.count else { return nil }
    var decoder = UTF8()
    var bytes = text[offset...].makeIterator()
    if case .scalarValue(let scalar) = decoder.decode(&bytes) { return scalar }
    return nil
  }

  private func range(ofScalarAt offset: Int) -> Range<Int> {
    guard offset < text.count else { return text.count..<text.count }
    return offset..<(text[(offset + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? text.count)
  }

  /// The name of the member whose value begins at an offset, with a blank before it, or nothing.
  private func name(ofValueAt offset: Int) -> String {
    guard let colon = text[..<offset].lastIndex(where: { $0 > 0x20 }),
      text[colon] == UInt8(ascii: ":"),
      let end = text[..<colon].lastIndex(of: UInt8(ascii: "\"")),
      let start = text[..<end].lastIndex(of: UInt8(ascii: "\""))
    else { return "" }
    return " '" + spelling((start + 1)..<end) + "'"
  }

  /// The white space at the beginning of the line of an offset.
  private func indentation(ofLineWith offset: Int) -> String {
    let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return String(decoding: text[start...].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }

  private static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
