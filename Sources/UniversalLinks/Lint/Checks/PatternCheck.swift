internal import Foundations

extension DiagnosticKind {
  static let unencoded = DiagnosticKind(
    "unencoded-character", .error,
    except: "`warning` for U+212A and U+017F if `caseSensitive` is false: they match `k` and `s`",
    "Character that URLs can't contain",
    meaning:
      "In URLs, this character is percent-encoded, and systems compare patterns with the encoded text. So "
      + "the pattern matches nothing, unless 'percentEncoded' is false.",
    remedy: "Write it percent-encoded, or set 'percentEncoded' to false (iOS 14).",
    example: .components(#"{"/": "/café/*"}"#), fixed: #"{"/": "/caf%C3%A9/*"}"#)

  static let htmlEntity = DiagnosticKind(
    "html-entity", .error, "Character spelled as in HTML",
    meaning: "Patterns are compared with URLs, which have the character itself: '&', not '&amp;'. "
      + "The pattern was probably copied from the source of a page.",
    remedy: "Write the character itself.",
    example: .components(#"{"/": "/buy", "?": "id=*&amp;size=*"}"#),
    fixed: #"{"/": "/buy", "?": "id=*&size=*"}"#)

  static let lowerCaseEscape = DiagnosticKind(
    "lower-case-escape", .warning, "Escape in lower case",
    meaning: "Letter case matters in escapes, too. Browsers encode in upper case, so the pattern "
      + "matches only links that are written in lower case.",
    remedy: "Write the digits in upper case, or set 'caseSensitive' to false for the rule.",
    example: .components(#"{"/": "/caf%c3%a9/*"}"#), fixed: #"{"/": "/caf%C3%A9/*"}"#)

  static let strayPercent = DiagnosticKind(
    "stray-percent", .error, "Percent sign without two digits",
    meaning: "URLs have '%25' instead of such a sign, so the pattern matches nothing.",
    remedy: "Write '%25'.", example: .components(#"{"/": "/100%/*"}"#),
    fixed: #"{"/": "/100%25/*"}"#)

  static let escapeWhenDecoded = DiagnosticKind(
    "escape-when-decoded", .warning, "Escape in a pattern for decoded text",
    meaning: "If 'percentEncoded' is false, systems decode the URL, but not the pattern. An escape "
      + "then matches only URLs that are encoded twice.", remedy: "Write the character itself.",
    example: .components(#"{"/": "/caf%C3%A9/*", "percentEncoded": false}"#),
    fixed: #"{"/": "/café/*", "percentEncoded": false}"#)

  static let backslash = DiagnosticKind(
    "backslash", .error, except: "`warning` where `percentEncoded` is false",
    "Backslash in a pattern",
    meaning: "Patterns have no escapes: '*' and '?' are always wildcards. No URL has a backslash.",
    remedy: #"Remove the backslash. In JSON, '/' needs no backslash before it."#,
    example: .components(#"{"/": "/buy\\*"}"#), fixed: #"{"/": "/buy*"}"#)

  static let tooComplex = DiagnosticKind(
    "too-complex", .error, "Pattern with too many wildcards",
    meaning:
      "A pattern with more than \(LinkMatcher.levelLimit) stars and variables matches nothing, "
      + "because systems give up.",
    remedy: "Split the rule, or put several texts into one variable.",
    example: .components(#"{"/": "/\#(String(repeating: "$(digit)", count: 65))"}"#),
    fixed: #"{"/": "/$(digit)$(digit)*"}"#)
}

/// Checks the patterns of all parts of a URL for text that keeps them from matching.
extension LintContext {
  /// Checks a pattern; in another syntax, which was reported, brackets mean something.
  mutating func checkPattern(_ pattern: PatternText, hasOtherSyntax: Bool = false) {
    let hasOtherSyntax = checkVariables(pattern) || hasOtherSyntax
    checkLevels(pattern)
    if let index = pattern.firstPlain(UInt8(ascii: "\\")), !hasOtherSyntax {
      let (place, isEncoded) = (source(index.byte, of: pattern), pattern.isPercentEncoded)
      report(
        .backslash, at: place,
        "'\(pattern.text)' has a backslash, "
          + (isEncoded
            ? "so it matches nothing." : "which matches only a backslash: it escapes nothing."),
        severity: isEncoded ? nil : .warning,
        fix: isEncoded ? .replace(place, with: "", "Remove the backslash") : nil,
        spoiling: isEncoded ? pattern.literal : nil)
    }
    checkEscapes(pattern)
    checkEntities(pattern)
    guard pattern.isPercentEncoded, !hasOtherSyntax else { return }
    checkCharacters(pattern, folds: !pattern.isCaseSensitive)
  }

  private mutating func checkEntities(_ pattern: PatternText) {
    let entities = pattern.bytes.htmlEntities
    guard let first = entities.first else { return }
    let isEncoded = !pattern.isPercentEncoded || entities.allSatisfy { $0.text.utf8.count == 1 }
    let whole = encoded(
      String(decoding: pattern.bytes.withoutEntities, as: UTF8.self), like: pattern)
    report(
      .htmlEntity, at: source(first.range, of: pattern),
      "'\(pattern.text(first.range))' is HTML's spelling of '\(first.text)'. Systems compare it "
        + "letter by letter, so the pattern doesn't match URLs with '\(first.text)'.",
      cure: isEncoded
        ? LintFix(
          .suggestion, "Write '\(first.text)'",
          entities.map { LintFix.Edit(source($0.range, of: pattern), LintFix.escaped($0.text)) })
        : rewriting(pattern, as: whole),
      spoiling: pattern.isPercentEncoded
        && entities.contains { pattern.text($0.range).contains("#") }
        ? pattern.literal : nil)
  }

  private mutating func checkLevels(_ pattern: PatternText) {
    let star = UInt8(ascii: "*")
    // A run of stars is one star.
    let stars = pattern.plain.joined().count { index in
      pattern.bytes[index] == star && pattern.bytes[..<index].last != star
    }
    let last = pattern.bytes.last == star ? 1 : 0
    guard stars - last + pattern.references.count > LinkMatcher.levelLimit else { return }
    report(
      .tooComplex, at: pattern.literal,
      "This pattern has \(stars) stars and \(pattern.references.count) variables. Systems follow at most \(LinkMatcher.levelLimit) at a time, so it matches nothing.",
      spoiling: pattern.literal)
  }

  mutating func checkCharacters(_ pattern: PatternText, folds: Bool = false) {
    let letters = (folds ? Array(pattern.plain.joined()) : []).compactMap { index in
      let letter = Self.foldedLetters.first { pattern.bytes[index...].starts(with: $0.text.utf8) }
      return letter.map { (range: index..<(index + $0.text.utf8.count), letter: $0) }
    }
    let letterBytes = Set(letters.flatMap(\.range))
    let foreign = Set(
      pattern.plain.joined().filter { index in
        let byte = pattern.bytes[index]
        return !PercentEncoding.isAllowed(byte) && !"%\\#".utf8.contains(byte)
          && !letterBytes.contains(index)
      })
    guard let start = foreign.min(), let range = pattern.plain.first(where: { $0.contains(start) })
    else {
      guard let (range, letter) = letters.first else { return }
      let place = source(range, of: pattern)
      report(
        .unencoded, at: place,
        "'\(pattern.text)' has \(letter.name). Because 'caseSensitive' is false, it matches "
          + "'\(letter.ascii)' and '\(letter.ascii.uppercased())', but not '\(letter.escape)'.",
        severity: .warning, cure: .replace(place, with: letter.ascii, "Write '\(letter.ascii)'"))
      return
    }
    let end = (start..<range.upperBound).first { !foreign.contains($0) } ?? range.upperBound
    let place = source(start..<end, of: pattern)
    // The syntax check has reported characters that no string can hold.
    guard self.text[place.lowerBound] >= 0x20 else { return }
    if end == pattern.bytes.count, start > 0, pattern.bytes[start...].allSatisfy({ $0 == 0x20 }) {
      report(
        .unencoded, at: place,
        "'\(pattern.text)' ends with a space, which URLs spell '%20', so it matches nothing.",
        cure: .replace(place, with: "", "Write '\(pattern.text(0..<start))'"),
        spoiling: pattern.literal)
      return
    }
    func encoded(_ indices: some Sequence<Int>) -> String {
      let bytes = indices.flatMap { index in
        PercentEncoding.encoded([pattern.bytes[index]]) { _ in !foreign.contains(index) }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let superfluous = pattern.bytes.superfluous
    let whole = encoded(pattern.bytes.indices.filter { !superfluous.contains($0) })
    if superfluous.contains(start), let first = pattern.bytes.scalar(at: start) {
      report(
        .unencoded, at: place,
        "'\(whole)' is written with \(JSONSyntaxError.Problem.name(of: first)). URLs spell it "
          + "'\(encoded(start..<(start + first.utf8.count)))', so the pattern matches nothing.",
        cure: .replace(
          wholeSource(of: pattern), with: LintFix.escaped(whole), "Write '\(whole)'"),
        spoiling: pattern.literal)
      return
    }
    report(
      .unencoded, at: place,
      "URLs have '\(encoded(start..<end))' where '\(pattern.text)' has '\(pattern.text(start..<end))', so it matches nothing.",
      remedy: "Write '\(whole)', or set 'percentEncoded' to false (iOS 14).",
      fix: .replace(
        wholeSource(of: pattern), with: LintFix.escaped(whole), "Write it percent-encoded"),
      spoiling: pattern.literal)
  }

  /// Returns a part of a pattern as URLs spell it, if they are compared percent-encoded.
  func encoded(_ text: String, like pattern: PatternText) -> String {
    guard pattern.isPercentEncoded, pattern.references.isEmpty else { return text }
    let encoded = PercentEncoding.encoded(text.withoutSuperfluous.utf8) {
      PercentEncoding.isAllowed($0) || "% ".utf8.contains($0)
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The letters beyond ASCII that case folding makes ASCII letters (Matching.md, 3c.7).
  ///
  /// No others fold to ASCII, so these alone match something in percent-encoded text.
  private static let foldedLetters: [(text: String, name: String, ascii: String, escape: String)] =
    [
      ("\u{212A}", "U+212A (KELVIN SIGN)", "k", "%E2%84%AA"),
      ("\u{17F}", "U+017F (LATIN SMALL LETTER LONG S)", "s", "%C5%BF"),
    ]

  private mutating func checkEscapes(_ pattern: PatternText) {
    let signs = pattern.plain.joined().filter { pattern.bytes[$0] == UInt8(ascii: "%") }
    func digits(_ sign: Int) -> ArraySlice<UInt8> { pattern.bytes[(sign + 1)...].prefix(2) }
    let escapes = signs.filter { sign in digits(sign).count { $0.hexadecimalValue != nil } == 2 }
      .map { $0..<($0 + 3) }
    guard pattern.isPercentEncoded else {
      guard let first = escapes.first else { return }
      report(
        .escapeWhenDecoded, at: source(first, of: pattern),
        "Systems compare '\(pattern.text)' with decoded text, which has no '\(pattern.text(first))'."
      )
      return
    }
    let lower = escapes.filter { pattern.bytes[$0].contains { (0x61...0x66).contains($0) } }
    if pattern.isCaseSensitive, let first = lower.first {
      let upper = pattern.text(first).uppercased()
      report(
        .lowerCaseEscape, at: source(first, of: pattern),
        "'\(pattern.text(first))' is in lower case; most URLs have '\(upper)'.",
        fix: LintFix(
          .suggestion, "Write escapes in upper case",
          lower.map { LintFix.Edit(source($0, of: pattern), pattern.text($0).uppercased()) }))
    }
    let stray = signs.first { sign in
      // Wildcards and variables can match digits.
      digits(sign).first { $0.hexadecimalValue == nil }.map { !"*?$".utf8.contains($0) }
        ?? (digits(sign).count < 2)
    }
    guard let stray else { return }
    let place = source(stray.byte, of: pattern)
    report(
      .strayPercent, at: place,
      "URLs have '%25' where '\(pattern.text)' has '%', so it matches nothing.",
      fix: .replace(place, with: "%25", "Write '%25'"), spoiling: pattern.literal)
  }
}

/// A pattern with its place in the file.
struct PatternText {
  let bytes: [UInt8]

  /// The bytes that spell the string that contains the pattern.
  let literal: Range<Int>

  /// The offset of the pattern in that string.
  let start: Int

  let isPercentEncoded: Bool
  let isCaseSensitive: Bool

  /// The rule that has the pattern, or `nil` for a pattern of defaults.
  let element: JSONValue?

  /// The entry, if the rule is in `paths`.
  let entry: JSONObject?

  /// The parts that aren't references of variables.
  private(set) var plain: [Range<Int>] = []

  /// The references of variables, `$(name)`; the last one may lack its end.
  private(set) var references: [Range<Int>] = []

  init(
    _ text: String, literal: Range<Int>, start: Int = 0, of rule: RuleDefinition = RuleDefinition(),
    _ element: JSONValue? = nil, in entry: JSONObject? = nil
  ) {
    (bytes, self.literal, self.start) = (Array(text.utf8), literal, start)
    (isPercentEncoded, isCaseSensitive) = (rule.isPercentEncoded, rule.isCaseSensitive)
    (self.element, self.entry) = (element, entry)
    var from = 0
    while let start = bytes.span.position(of: "$(", from: from) {
      if from < start { plain.append(from..<start) }
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ")")).map { $0 + 1 } ?? bytes.count
      references.append(start..<end)
      from = end
    }
    if from < bytes.count { plain.append(from..<bytes.count) }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The first place of a byte outside references of variables.
  func firstPlain(_ byte: UInt8) -> Int? { plain.joined().first { bytes[$0] == byte } }
}

extension Unicode.Scalar {
  /// Whether it is a space of any width, or separates lines.
  var isBlank: Bool {
    switch properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether it takes no room in a text: a control character or a zero-width one.
  var hasNoWidth: Bool {
    switch properties.generalCategory {
    case .control: true
    case .format: properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  /// Whether it joins characters of scripts and emoji, or is a part of a flag.
  fileprivate var isJoining: Bool {
    ("\u{200C}"..."\u{200D}").contains(self) || ("\u{E0020}"..."\u{E007F}").contains(self)
  }
}

extension UInt8 {
  /// Whether it is a visible character of ASCII other than a quote, which is never superfluous.
  fileprivate var isUsualInPattern: Bool { (0x21..<0x7F).contains(self) && self != 0x22 }
}

private let htmlEntityNames = [
  "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
  "auml": "ä", "ouml": "ö", "uuml": "ü", "szlig": "ß", "eacute": "é", "egrave": "è", "ntilde": "ñ",
]

extension String {
  /// This pattern without what came with copied text.
  var withoutSuperfluous: String {
    if utf8.allSatisfy(\.isUsualInPattern) { return self }
    let bytes = Array(utf8)
    let superfluous = bytes.superfluous
    let kept = bytes.indices.filter { !superfluous.contains($0) }.map { bytes[$0] }
    return superfluous.isEmpty ? self : String(decoding: kept, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The bytes of a pattern that came with copied text: characters without width, except where they
  /// join others, blanks at the ends, and the quotes around a path; none if there is nothing else.
  var superfluous: Set<Int> {
    if allSatisfy(\.isUsualInPattern) { return [] }
    var scalars: [(scalar: Unicode.Scalar, range: Range<Int>)] = []
    var offset = 0
    while let scalar = scalar(at: offset) {
      scalars.append((scalar, offset..<(offset + scalar.utf8.count)))
      offset += scalar.utf8.count
    }
    let isQuoted = starts(with: "\"/".utf8) && last == UInt8(ascii: "\"")
    func isEdge(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isBlank || scalar.hasNoWidth && !scalar.isJoining || isQuoted && scalar == "\""
    }
    guard let first = scalars.firstIndex(where: { !isEdge($0.scalar) }),
      let last = scalars.lastIndex(where: { !isEdge($0.scalar) })
    else { return [] }
    let found = scalars.indices.filter { index in
      let scalar = scalars[index].scalar
      if index < first || index > last { return true }
      let joins = scalar.isJoining && (index == 0 || !scalars[index - 1].scalar.isASCII)
      return scalar.hasNoWidth && !joins
    }
    return Set(found.flatMap { scalars[$0].range })
  }

  /// This text with characters in place of their spellings in HTML.
  var withoutEntities: [UInt8] {
    var bytes = self
    for entity in htmlEntities.reversed() {
      bytes.replaceSubrange(entity.range, with: entity.text.utf8)
    }
    return bytes
  }

  /// The characters that are spelled as in HTML, such as `&amp;`, in order, each with its bytes.
  var htmlEntities: [(range: Range<Int>, text: String)] {
    var found: [(range: Range<Int>, text: String)] = []
    var index = startIndex
    while let start = self[index...].firstIndex(of: UInt8(ascii: "&")) {
      index = start + 1
      let bytes = self[index...].prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "#") }
      guard self[bytes.endIndex...].first == UInt8(ascii: ";") else { continue }
      let name = String(decoding: bytes, as: UTF8.self)
      let isHexadecimal = name.lowercased().hasPrefix("#x")
      let number = name.hasPrefix("#") ? name.dropFirst(isHexadecimal ? 2 : 1) : ""
      let scalar = UInt32(number, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
      let character = scalar.flatMap { $0.value < 0x20 ? nil : String($0) }
      guard let text = htmlEntityNames[name] ?? character else { continue }
      index = bytes.endIndex + 1
      found.append((start..<index, text))
    }
    return found
  }
}
