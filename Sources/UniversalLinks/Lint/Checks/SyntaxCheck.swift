internal import Foundations

/// Mistakes in the syntax of JSON (RFC 8259), each at its place.
enum SyntaxCheck {
  static let rules = [
    trailingComma, missingComma, quotes, comment, byteOrderMark, wideText, textBefore, textAfter,
    unclosed, empty, controlCharacter, escape, notUTF8, tooDeep, syntax, notAnObject,
  ]

  /// The consequence of each of these mistakes.
  private static let consequence =
    "No system will read this file: Apple's JSON parser rejects it."

  /// The consequence of a departure from JSON that Apple's parser accepts.
  private static let tolerance =
    "Apple's JSON parser accepts it, so the rules work. JSON does not allow it: other tools reject "
    + "the file, and Apple's CDN may reject it, too."

  /// A file with one entry, and text in some of its places.
  private static func file(
    before: String = "", paths: String = #"["/buy/*"]"#, after: String = ""
  ) -> DiagnosticKind.Example {
    .file(
      before
        + #"{"applinks": {"details": [{"appID": "A1B2C3D4E5.com.example.tea", "paths": \#(paths)}]}}"#
        + after)
  }

  private static let sound = file()

  static let trailingComma = DiagnosticKind(
    "trailing-comma", .warning, "Comma before a closing bracket", meaning: tolerance,
    remedy: "Remove the comma.", example: file(paths: #"["/buy/*",]"#), fixed: sound)

  static let missingComma = DiagnosticKind(
    "missing-comma", .error, "Missing comma", meaning: consequence,
    remedy: "Write a comma between the two values.", example: file(paths: #"["/buy/*" "/help/*"]"#),
    fixed: file(paths: #"["/buy/*", "/help/*"]"#))

  static let quotes = DiagnosticKind(
    "quotes", .error, "Wrong quotes",
    meaning: consequence + " Word processors and chats replace straight quotes.",
    remedy: "Use the straight double quote, U+0022, around names and strings.",
    example: file(paths: "[“/buy/*”]"), fixed: sound)

  static let comment = DiagnosticKind(
    "comment", .error, "Comment", meaning: consequence,
    remedy: "Remove it, or move its text to the member 'comment' of a rule.",
    example: file(paths: "[\"/buy/*\" // the shop\n]"), fixed: sound)

  static let byteOrderMark = DiagnosticKind(
    "byte-order-mark", .warning, "Byte order mark", meaning: tolerance,
    remedy: "Save the file as UTF-8 without a byte order mark.",
    example: file(before: "\u{FEFF}"), fixed: sound)

  static let wideText = DiagnosticKind(
    "utf-16", .warning, "Text in UTF-16 or UTF-32", meaning: tolerance,
    remedy: "Save the file as UTF-8 without a byte order mark.")

  static let textBefore = DiagnosticKind(
    "text-in-front", .error, "Text before the object",
    meaning: consequence + " It may be front matter, which only the site generator reads.",
    remedy: "Remove the text before the first '{', and check that the site generator does not "
      + "change the file.",
    example: file(before: "---\nlayout: null\n---\n"), fixed: sound)

  static let textAfter = DiagnosticKind(
    "text-behind", .error, "Text after the object", meaning: consequence,
    remedy: "Remove the text after the last '}'.", example: file(after: "}"), fixed: sound)

  static let unclosed = DiagnosticKind(
    "unclosed", .error, "Value that is not closed", meaning: consequence,
    remedy: "Add the missing quote, bracket or brace.",
    example: .file(#"{"applinks": {"details": []}"#),
    fixed: .file(#"{"applinks": {"details": []}}"#))

  static let empty = DiagnosticKind(
    "empty", .error, "Empty file", meaning: consequence,
    remedy: "Write an object with the member 'applinks', and check that you deploy the whole file.",
    example: .file(" "), fixed: sound)

  static let controlCharacter = DiagnosticKind(
    "control-character", .error, "Control character in a string", meaning: consequence,
    remedy: "Remove it. A string has no line breaks and no tabs.",
    example: file(paths: "[\"/buy/*\t\"]"), fixed: sound)

  static let escape = DiagnosticKind(
    "escape", .error, "Invalid escape sequence", meaning: consequence,
    remedy: #"Write a valid one: \" \\ \/ \b \f \n \r \t or \uXXXX. Patterns need none."#,
    example: file(paths: #"["/buy/\*"]"#), fixed: sound)

  static let notUTF8 = DiagnosticKind(
    "not-utf-8", .error, "Bytes that are not UTF-8", meaning: consequence,
    remedy: "Save the file as UTF-8.")

  static let tooDeep = DiagnosticKind(
    "too-deep", .error, "Values nested too deeply", meaning: consequence,
    remedy: "Remove levels. An association file needs at most eight.")

  static let syntax = DiagnosticKind(
    "syntax", .error, "Invalid JSON", meaning: consequence,
    remedy: "Correct the JSON at this place.",
    example: file(paths: #"[buy]"#), fixed: sound)

  static let notAnObject = DiagnosticKind(
    "not-an-object", .error, "File that is not an object", meaning: consequence,
    remedy: "Write an object with the member 'applinks'.",
    example: .file(#"[{"applinks": {"details": []}}]"#),
    fixed: .file(#"{"applinks": {"details": []}}"#))

  /// Returns a Boolean value indicating whether a mistake keeps systems from reading a file.
  static func isFatal(_ rule: DiagnosticKind) -> Bool {
    rules.contains(rule) && !isTolerated(rule)
      || [ContentCheck.notAFile, ContentCheck.template, ContentCheck.signedUnreadable].contains(
        rule)
  }

  /// Returns a Boolean value indicating whether JSON does not allow what Apple's parser accepts.
  static func isTolerated(_ rule: DiagnosticKind) -> Bool {
    [trailingComma, byteOrderMark, wideText].contains(rule)
  }

  /// Checks the syntax.
  ///
  /// - Parameters:
  ///   - encoded: The text of the context, with the encoding that it had.
  ///   - context: The context that receives mistakes.
  /// - Returns: The value of the text, repaired if necessary, which is an object; or `nil` if its
  ///   meaning isn't clear.
  static func check(_ encoded: EncodedText, in context: inout LintContext) -> JSONValue? {
    let repair = SyntaxRepair(context.text)
    if !repair.errors.isEmpty, ContentCheck.reportForeign(context.text, in: &context) {
      return nil
    }
    if let first = repair.errors.first, first.problem != .emptyText,
      !context.text.contains(UInt8(ascii: "{")), repair.value == nil
    {
      let start = context.text.firstIndex { $0 > 0x20 } ?? 0
      context.report(
        ContentCheck.notAFile,
        at: context.firstLine(of: start..<context.text.count),
        "The file contains no JSON object; no system will read this file.")
      return nil
    }
    reportTolerated(encoded, trailingCommas: repair.trailingCommas, in: &context)
    for (number, error) in repair.errors.enumerated() {
      guard !isTemplate(error, in: context.text) else {
        context.report(
          ContentCheck.template, at: context.rangeOfScalar(at: error.offset),
          "This is a placeholder of a template; no system will read this file.")
        return nil
      }
      if let open = repair.unclosed[number] {
        report(unclosed: open, at: error, repair.fixes[number], in: &context)
      } else {
        report(error, repair.fixes[number], in: &context)
      }
    }
    guard let value = repair.value else { return nil }
    context.append(repair.text.dropFirst(context.text.count))
    guard value.object != nil else {
      if ContentCheck.reportForeign(context.text, in: &context) { return nil }
      context.report(
        notAnObject, at: value.range.prefix(1),
        "The JSON value is not an object; no system will read this file.",
        fix: unwrapping(value))
      return nil
    }
    return value
  }

  /// The fix for an array whose only element is the object of a file.
  private static func unwrapping(_ value: JSONValue) -> LintFix? {
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

  /// Reports syntax that JSON does not allow and Apple's parser accepts.
  private static func reportTolerated(
    _ encoded: EncodedText, trailingCommas: [Int], in context: inout LintContext
  ) {
    let consequence = "Apple's systems accept this, but other JSON tools reject it."
    if encoded.encoding != .utf8 {
      context.report(
        wideText, at: 0..<0, "The file is in \(encoded.encoding.rawValue). \(consequence)")
    } else if encoded.hasByteOrderMark {
      context.report(
        byteOrderMark, at: 0..<0, "The file begins with a byte order mark. \(consequence)")
    }
    for comma in trailingCommas {
      context.report(
        trailingComma, at: comma..<(comma + 1),
        "There is a comma before a closing bracket. Devices accept it. It is not known whether "
          + "Apple's CDN does: a strict parser there would answer 'SWCERR00401'.",
        remedy: "Remove the comma.",
        fix: .replace(comma..<(comma + 1), with: "", .safe, "Remove the comma"))
    }
  }

  /// Returns a Boolean value indicating whether a mistake is at a placeholder of a template.
  private static func isTemplate(_ error: JSONSyntaxError, in text: [UInt8]) -> Bool {
    let near = text[max(0, error.offset - 1)..<min(text.count, error.offset + 2)]
    return ["{{", "{%", "<%", "<?", "${"].contains { mark in
      zip(near, near.dropFirst()).contains { $0 == mark.utf8.first && $1 == mark.utf8.last }
    }
  }

  /// Reports a bracket that isn't closed, at the place where it begins.
  private static func report(
    unclosed open: Int, at error: JSONSyntaxError, _ fix: LintFix?, in context: inout LintContext
  ) {
    let isArray = context.text[open] == UInt8(ascii: "[")
    let name = (isArray ? "array" : "object") + context.name(ofValueAt: open)
    let isAtEnd = error.offset >= context.text.count
    context.report(
      unclosed, at: open..<(open + 1),
      "The \(name), which begins here in line \(context.line(of: open)), is not closed"
        + (isAtEnd
          ? " before the end of the file"
          : " before the '\(context.spelling(of: context.rangeOfScalar(at: error.offset)))' of line \(error.line)")
        + "; no system will read this file.",
      remedy:
        "Write '\(isArray ? "]" : "}")' after line \(context.line(of: max(0, (fix?.edits.first?.range.lowerBound ?? 1) - 1))).",
      related: isAtEnd
        ? []
        : [(context.rangeOfScalar(at: error.offset), "The bracket that closes an outer value")],
      fix: fix)
  }

  private static func report(
    _ error: JSONSyntaxError, _ fix: LintFix?, in context: inout LintContext
  ) {
    var (range, text) = (context.rangeOfScalar(at: error.offset), "\(error.problem.sentence)")
    let rule: DiagnosticKind
    switch error.problem {
    case .missingComma:
      rule = missingComma
      // It is missing after the value, not before the next one.
      let end = context.text[..<error.offset].lastIndex { $0 > 0x20 } ?? 0
      range = end..<(end + 1)
    case .typographicQuote: rule = quotes
    case .comment:
      rule = comment
      range = error.offset..<min(context.text.count, error.offset + 2)
    case .emptyText: rule = empty
    case .unexpectedEnd:
      rule = unclosed
      // A string that doesn't end in its line is shown at its beginning, all else after the last
      // visible character.
      if error.offset < context.text.count { break }
      let end = context.text.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
      range = end..<end
    case .textAfterValue: rule = textAfter
    case .controlCharacterInString: rule = controlCharacter
    case .invalidEscape, .loneSurrogate:
      rule = escape
      range = error.offset..<min(context.text.count, error.offset + 2)
    case .invalidUTF8: rule = notUTF8
    case .tooDeep: rule = tooDeep
    case .unexpected where context.text[..<error.offset].allSatisfy({ $0 <= 0x20 }),
      .invalidNumber where context.text[..<error.offset].allSatisfy({ $0 <= 0x20 }):
      rule = textBefore
      text = "there is text before the object"
      if AssociationFileError.ForeignContent(recognizing: context.text) == .httpAnswer {
        text = AssociationFileError.ForeignContent.httpAnswer.sentence
      }
    case .unexpected, .missingColon, .nameIsNotString, .invalidNumber: rule = syntax
    }
    context.report(
      rule, at: range,
      "\(text.capitalizedFirst); no system will read this file.", fix: fix)
  }
}

extension LintContext {
  /// The name of the member whose value begins at an offset, with a blank before it, or nothing.
  func name(ofValueAt offset: Int) -> String {
    guard let colon = text[..<offset].lastIndex(where: { $0 > 0x20 }),
      text[colon] == UInt8(ascii: ":"),
      let end = text[..<colon].lastIndex(of: UInt8(ascii: "\"")),
      let start = text[..<end].lastIndex(of: UInt8(ascii: "\""))
    else { return "" }
    return " '" + String(decoding: text[(start + 1)..<end], as: UTF8.self) + "'"
  }

  /// The bytes of the character at an offset.
  func rangeOfScalar(at offset: Int) -> Range<Int> {
    guard offset < text.count else { return text.count..<text.count }
    let end = text[(offset + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? text.count
    return offset..<end
  }
}

extension Range<Int> {
  /// The first of these offsets, as far as there are any.
  func prefix(_ length: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + length)
  }
}
