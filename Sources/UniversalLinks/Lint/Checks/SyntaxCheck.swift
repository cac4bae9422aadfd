internal import Foundations

extension DiagnosticKind {
  static let syntaxKinds = [
    trailingComma, missingComma, quotes, comment, byteOrderMark, wideText, textBefore, textAfter,
    unclosed, unopened, empty, controlCharacter, invisibleCharacter, escape, notUTF8, tooDeep,
    syntax, notAnObject,
  ]

  private static let consequence = "No system will read this file: Apple's JSON parser rejects it."

  private static let tolerance =
    "Apple's JSON parser accepts it, so the rules work. JSON does not allow it: other tools reject "
    + "the file, and Apple's CDN may reject it, too."

  private static func file(_ paths: String = #"["/buy/*"]"#) -> String {
    #"{"applinks": {"details": [{\#(app), "paths": \#(paths)}]}}"#
  }

  private static let sound = file()

  var isFatal: Bool {
    Self.syntaxKinds.contains(self) && !isTolerated
      || [.notAFile, .template, .signedUnreadable].contains(self)
  }

  /// Whether JSON does not allow it, and Apple's parser accepts it.
  var isTolerated: Bool { [.trailingComma, .byteOrderMark, .wideText].contains(self) }

  static let trailingComma = DiagnosticKind(
    "trailing-comma", .warning, "Comma before a closing bracket", meaning: tolerance,
    remedy: "Remove the comma.", example: (file(#"["/buy/*",]"#), sound))

  static let missingComma = DiagnosticKind(
    "missing-comma", .error, "Missing comma", meaning: consequence,
    remedy: "Write a comma between the two values.",
    example: (file(#"["/buy/*" "/help/*"]"#), file(#"["/buy/*", "/help/*"]"#)))

  static let quotes = DiagnosticKind(
    "quotes", .error, "Wrong or missing quotes",
    meaning: consequence + " Word processors and chats replace straight quotes.",
    remedy: "Use the straight double quote, U+0022, around names and strings.",
    example: (file("[“/buy/*”]"), sound))

  static let comment = DiagnosticKind(
    "comment", .error, "Comment", meaning: consequence,
    remedy: "Remove it, or move its text to the member 'comment' of a rule.",
    example: (file("[\"/buy/*\" // the shop\n]"), sound))

  static let byteOrderMark = DiagnosticKind(
    "byte-order-mark", .warning, "Byte order mark", meaning: tolerance,
    remedy: "Save the file as UTF-8 without a byte order mark.",
    example: ("\u{FEFF}" + sound, sound))

  static let wideText = DiagnosticKind(
    "utf-16", .warning, "Text in UTF-16 or UTF-32", meaning: tolerance,
    remedy: "Save the file as UTF-8 without a byte order mark.")

  static let textBefore = DiagnosticKind(
    "text-in-front", .error, "Text before the object",
    meaning: consequence + " It may be front matter, which only the site generator reads.",
    remedy: "Remove the text before the first '{', and check that the site generator does not "
      + "change the file.", example: ("---\nlayout: null\n---\n" + sound, sound))

  static let textAfter = DiagnosticKind(
    "text-behind", .error, "Text after the object", meaning: consequence,
    remedy: "Remove the text after the last '}'.", example: (sound + "}", sound))

  static let unclosed = DiagnosticKind(
    "unclosed", .error, "Value that is not closed", meaning: consequence,
    remedy: "Add the missing quote, bracket or brace.",
    example: (#"{"applinks": {"details": []}"#, #"{"applinks": {"details": []}}"#))

  static let unopened = DiagnosticKind(
    "unopened", .error, "Closing bracket that closes nothing", meaning: consequence,
    remedy: "Remove the bracket, or write the one that fits.",
    example: (file(#"["/buy/*"]]"#), sound))

  static let empty = DiagnosticKind(
    "empty", .error, "Empty file", meaning: consequence,
    remedy: "Write an object with the member 'applinks', and check that you deploy the whole file.",
    example: (" ", sound))

  static let controlCharacter = DiagnosticKind(
    "control-character", .error, "Control character in a string", meaning: consequence,
    remedy: "Remove it. A string has no line breaks and no tabs.",
    example: (file("[\"/buy/*\t\"]"), sound))

  static let invisibleCharacter = DiagnosticKind(
    "invisible-character", .error, "Invisible character between values",
    meaning: consequence + " Text copied from web pages has such characters in place of blanks.",
    remedy: "Remove it, or write an ordinary blank.", example: (file("[\u{200B}\"/buy/*\"]"), sound)
  )

  static let escape = DiagnosticKind(
    "escape", .error, "Invalid escape sequence", meaning: consequence,
    remedy: #"Write a valid one: \" \\ \/ \b \f \n \r \t or \uXXXX. Patterns need none."#,
    example: (file(#"["/buy/\*"]"#), sound))

  static let notUTF8 = DiagnosticKind(
    "not-utf-8", .error, "Bytes that are not UTF-8", meaning: consequence,
    remedy: "Save the file as UTF-8.")

  static let tooDeep = DiagnosticKind(
    "too-deep", .error, "Values nested too deeply", meaning: consequence,
    remedy: "Remove levels. An association file needs at most eight.")

  static let syntax = DiagnosticKind(
    "syntax", .error, "Invalid JSON", meaning: consequence,
    remedy: "Correct the JSON at this place.", example: (file(#"["/buy/*"!]"#), sound))

  static let notAnObject = DiagnosticKind(
    "not-an-object", .error, "File that is not an object", meaning: consequence,
    remedy: "Write an object with the member 'applinks'.",
    example: (#"[{"applinks": {"details": []}}]"#, #"{"applinks": {"details": []}}"#))

  static let tooLarge = DiagnosticKind(
    "too-large", .error, "File too large",
    meaning: "Systems read no file of more than 131,072 bytes (128 KiB), so devices get no rules "
      + "from it.", remedy: AssociationFile.sizeRemedy)

  static let signed = DiagnosticKind(
    "signed", .note, "Signed file",
    meaning: "Only systems before iOS 9 needed a signature. Apple has advised against it since "
      + "2019. A signed file must be signed again after each change.",
    remedy: "Serve the JSON itself: 'openssl smime -verify -noverify -inform DER -in FILE' "
      + "prints it.")

  static let signedUnreadable = DiagnosticKind(
    "signed-unreadable", .error, "Unreadable signed message",
    meaning: "The file begins like a signed message, but contains nothing that systems can read.",
    remedy: "Serve the JSON without a signature.")

  static let notAFile = DiagnosticKind(
    "not-an-association-file", .error, "File that is not an association file",
    meaning: "No system will read this file, because it is not JSON. Often it is the site's page "
      + "for a missing file.",
    remedy: "Check what the server sends for '/.well-known/apple-app-site-association', and save "
      + "the file as plain JSON.",
    example: ("<!DOCTYPE html>\n<title>404 Not Found</title>\n", #"{"applinks": {"details": []}}"#))

  static let template = DiagnosticKind(
    "template", .error, "Template instead of a file",
    meaning: "The file has placeholders that the server fills in. If it serves them as they are, "
      + "no system will read the file.",
    remedy: "Check the file that is served: 'linkaudit fetch HOST' downloads it.",
    example: (
      #"{"applinks": {"details": <%= entries.to_json %>}}"#, #"{"applinks": {"details": []}}"#
    ))
}

extension LintContext {
  /// The greatest number of repairs of a text, which is parsed again after each.
  private static func repairLimit(_ byteCount: Int) -> Int {
    min(1_000, max(50, (1 << 27) / max(1, byteCount)))
  }

  /// Checks the syntax, repairs it where the intention is clear, and returns the object of the text,
  /// or `nil` if there is none.
  mutating func checkSyntax(_ encoded: EncodedText) -> JSONValue? {
    let before = self
    reportEncoding(encoded)
    var (value, template): (JSONValue?, Range<Int>?)
    var (commas, kinds): ([Int], [DiagnosticKind]) = ([], [])
    while true {
      let mistake: LintDiagnostic
      var parser = JSONParser(text)
      do {
        let found = try parser.parse()
        guard let fix = found.unwrapping else {
          (value, commas) = (found, parser.trailingCommas)
          break
        }
        mistake = LintDiagnostic(
          .notAnObject, found.range.prefix(1),
          "The JSON value is not an object, but \(found.typeName) with one in it; no system will "
            + "read this file.", fix: fix)
      } catch {
        let repair = SyntaxRepair(self, parser, error)
        if repair.isTemplate {
          template = repair.place
          break
        }
        mistake = repair.mistake
      }
      kinds.append(mistake.kind)
      report(mistake)
      guard kinds.count < Self.repairLimit(text.count), let fix = mistake.fix else { break }
      edit(fix.edits)
    }
    if !kinds.isEmpty || template != nil {
      // Other content is one mistake.
      var other = before
      let hasObject = value != nil || kinds.isEmpty || original.contains(UInt8(ascii: "{"))
      if other.reportForeign(orWithoutObject: !hasObject && kinds.first != .empty) {
        self = other
        return nil
      }
    }
    for comma in commas {
      report(
        .trailingComma, at: comma.byte,
        "There is a comma before a closing bracket. Devices accept it. It is not known whether "
          + "Apple's CDN does: a strict parser there would answer 'SWCERR00401'.",
        fix: .replace(comma.byte, with: "", "Remove the comma", .safe))
    }
    if let template {
      report(
        .template, at: template,
        "This is a placeholder of a template; no system will read this file.")
    }
    guard let value, value.object == nil else { return value }
    if reportForeign() { return nil }
    report(
      .notAnObject, at: value.range.prefix(1),
      "The JSON value is not an object; no system will read this file.")
    return nil
  }

  /// Reports an encoding that JSON does not allow and Apple's parser accepts.
  private mutating func reportEncoding(_ encoded: EncodedText) {
    let isWide = encoded.encoding != "UTF-8"
    guard isWide || encoded.hasByteOrderMark else { return }
    var fix = LintFix(.suggestion, "Save the file as UTF-8 without a byte order mark", [])
    fix.savesAsUTF8 = true
    report(
      isWide ? .wideText : .byteOrderMark, at: 0..<0,
      (isWide ? "The file is in \(encoded.encoding)." : "The file begins with a byte order mark.")
        + " Apple's systems accept this, but other JSON tools reject it.", fix: fix)
  }

  mutating func checkContent(size: Int, isSigned: Bool) {
    if isSigned {
      report(
        .signed, at: 0..<0, "The file is a signed message. Lines and columns refer to its content.")
    }
    // The signature is removed first, so report both: each prevents reading.
    if size > AssociationFile.sizeLimit {
      report(
        .tooLarge, at: 0..<0,
        "The file has \(size) bytes. Systems read at most \(AssociationFile.sizeLimit).")
    }
  }

  /// Reports content that isn't meant to be JSON, and returns whether it is such content.
  mutating func reportForeign(orWithoutObject hasNoObject: Bool = false) -> Bool {
    let start = text.firstIndex { !($0 == 0x20 || (0x09...0x0D).contains($0)) } ?? 0
    let line = firstLine(of: start..<text.count)
    switch AssociationFileError.ForeignContent(recognizing: text) {
    case .signedMessage?:
      report(
        .signedUnreadable, at: 0..<0,
        "The file begins like a signed message, but has no readable content.")
    case .template?:
      report(.template, at: line, "\(AssociationFileError.ForeignContent.template.sentence).")
    // With braces, the file is behind the header fields.
    case let content? where content != .httpAnswer || !text.contains(UInt8(ascii: "{")):
      report(
        .notAFile, at: content.isText ? line : 0..<0,
        "\(content.sentence); no system will read this file.", remedy: content.remedy)
    case _ where hasNoObject:
      report(
        .notAFile, at: firstLine(of: (text.firstIndex { $0 > 0x20 } ?? 0)..<text.count),
        "The file contains no JSON object; no system will read this file.")
    default: return false
    }
    return true
  }
}

extension JSONValue {
  /// The fix of a file that has an object in a string or in an array of one element.
  fileprivate var unwrapping: LintFix? {
    if let string, (try? JSONParser.parse(Array(string.utf8)))?.object != nil {
      return .replace(range, with: string, "Write the text of the string", .safe)
    }
    guard let element = array?.first, array?.count == 1, element.object != nil else { return nil }
    return .reduce(range, to: element.range, "Remove the brackets around the object", .safe)
  }
}

extension Int {
  /// The range of the byte at this offset.
  var byte: Range<Int> { self..<(self + 1) }
}

extension Range<Int> {
  /// The first of these offsets, as far as there are any.
  func prefix(_ length: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + length)
  }
}
