internal import Foundations

extension DiagnosticKind {
  static let unencoded = DiagnosticKind(
    "unencoded-character", .error, "Character that URLs can't contain",
    meaning: "In URLs, this character is percent-encoded, and systems compare patterns with the "
      + "encoded text. So the pattern matches nothing, unless 'percentEncoded' is false.",
    remedy: "Write it percent-encoded, or set 'percentEncoded' to false (iOS 14).",
    example: pattern("/café/*", "/caf%C3%A9/*"))

  static let htmlEntity = DiagnosticKind(
    "html-entity", .error, "Character spelled as in HTML",
    meaning: "Patterns are compared with URLs, which have the character itself: '&', not '&amp;'. "
      + "The pattern was probably copied from the source of a page.",
    remedy: "Write the character itself.",
    example: components(
      #"{"/": "/buy", "?": "id=*&amp;size=*"}"#, #"{"/": "/buy", "?": "id=*&size=*"}"#))

  static let lowerCaseEscape = DiagnosticKind(
    "lower-case-escape", .warning, "Escape in lower case",
    meaning: "Letter case matters in escapes, too. Browsers encode in upper case, so the pattern "
      + "matches only links that are written in lower case.",
    remedy: "Write the digits in upper case, or set 'caseSensitive' to false for the rule.",
    example: pattern("/caf%c3%a9/*", "/caf%C3%A9/*"))

  static let strayPercent = DiagnosticKind(
    "stray-percent", .error, "Percent sign without two digits",
    meaning: "URLs have '%25' instead of such a sign, so the pattern matches nothing.",
    remedy: "Write '%25'.", example: pattern("/100%/*", "/100%25/*"))

  static let escapeWhenDecoded = DiagnosticKind(
    "escape-when-decoded", .warning, "Escape in a pattern for decoded text",
    meaning: "If 'percentEncoded' is false, systems decode the URL, but not the pattern. An escape "
      + "then matches only URLs that are encoded twice.", remedy: "Write the character itself.",
    example: components(
      #"{"/": "/caf%C3%A9/*", "percentEncoded": false}"#,
      #"{"/": "/café/*", "percentEncoded": false}"#))

  static let backslash = DiagnosticKind(
    "backslash", .error, except: "`warning` where `percentEncoded` is false",
    "Backslash in a pattern",
    meaning: "Patterns have no escapes: '*' and '?' are always wildcards. No URL has a backslash.",
    remedy: #"Remove the backslash. In JSON, '/' needs no backslash before it."#,
    example: components(#"{"/": "/buy\\*"}"#, #"{"/": "/buy*"}"#))

  static let unknownVariable = DiagnosticKind(
    "unknown-variable", .error, "Undefined variable",
    meaning: "A pattern with an undefined variable matches nothing.",
    remedy: "Define it in 'substitutionVariables', or use a predefined one: "
      + Variables.builtInNames.joined(separator: ", ") + ".",
    example: pattern("/$(language)/buy/*", "/$(lang)/buy/*"))

  static let unclosedVariable = DiagnosticKind(
    "unclosed-variable", .error, "Variable without a closing bracket",
    meaning: "A pattern with '$(' and no ')' after it matches nothing.", remedy: "Add ')'.",
    example: pattern("/$(lang/buy/*", "/$(lang)/buy/*"))

  static let variableSyntax = DiagnosticKind(
    "variable-syntax", .error, "Variable in another syntax",
    meaning: "A variable is written '$(name)'. Any other text matches only itself.",
    remedy: "Write '$(name)'.", example: pattern("/${lang}/buy/*", "/$(lang)/buy/*"))
}

/// Checks the patterns of all parts of a URL for text that keeps them from matching.
extension LintContext {
  /// Reports a mistake in a pattern, by default in all of it, with the text that is meant there.
  ///
  /// The fix writes that text, and is also the remedy, unless there is another one.
  mutating func report(
    _ kind: DiagnosticKind, in pattern: PatternText, at range: Range<Int>? = nil,
    _ message: String, severity: Severity? = nil, remedy: String? = nil,
    writing text: String? = nil,
    _ title: String? = nil, fix: LintFix? = nil, spoils: Bool = false
  ) {
    if spoils { markUnmatchable(pattern.literal) }
    let place = range.map { source($0, of: pattern) }
    let removal = range.map { "Remove '\(pattern.text($0))'" } ?? ""
    let written = text.map { text in
      LintFix.replace(
        place ?? wholeSource(of: pattern), with: LintFix.escaped(text),
        title ?? (text.isEmpty ? removal : "Write '\(text)'"))
    }
    report(
      kind, at: place ?? pattern.literal, message, severity: severity, remedy: remedy,
      cure: fix ?? written)
  }

  /// Checks a pattern, and returns whether it is in another notation.
  @discardableResult
  mutating func checkPattern(_ pattern: PatternText, isPrefixed: Bool = false) -> Bool {
    let hasNotation = checkNotation(pattern)
    let hasOtherNotation = checkVariables(pattern) || hasNotation || isPrefixed
    if let index = pattern.firstPlain(UInt8(ascii: "\\")), !hasOtherNotation {
      let isEncoded = pattern.isPercentEncoded
      report(
        .backslash, in: pattern, at: index.byte,
        "'\(pattern.text)' has a backslash, "
          + (isEncoded
            ? "so it matches nothing." : "which matches only a backslash: it escapes nothing."),
        severity: isEncoded ? nil : .warning, remedy: DiagnosticKind.backslash.remedy,
        writing: isEncoded ? "" : nil, spoils: isEncoded)
    }
    checkEscapes(pattern)
    checkEntities(pattern)
    if pattern.isPercentEncoded, !hasOtherNotation { checkCharacters(pattern) }
    return hasNotation
  }

  /// Checks the variables of a pattern, and returns whether one is in another syntax.
  mutating func checkVariables(_ pattern: PatternText) -> Bool {
    if let first = pattern.references.first, firstReference == nil {
      firstReference = source(first, of: pattern)
    }
    for reference in pattern.references {
      guard pattern.bytes[reference].last == UInt8(ascii: ")") else {
        report(
          .unclosedVariable, in: pattern, at: reference,
          "'\(pattern.text)' has '$(' without ')', so it matches nothing.", spoils: true)
        continue
      }
      let name = pattern.text((reference.lowerBound + 2)..<(reference.upperBound - 1))
      let key = Array(name.utf8)
      usedVariables.insert(key)
      if let own = ownVariables[key] {
        if own.values == 0 { markUnmatchable(pattern.literal) }
        continue
      }
      guard !Variables.builtInNames.contains(name) else { continue }
      markUnmatchable(pattern.literal)
      if countsOnly(.unknownVariable) { continue }
      let (candidates, folded) = (knownVariables, name.lowercased())
      let nearest =
        candidates.first { $0.folded == folded }?.name
        ?? candidates.first { $0.name.count > 2 && name.isOneEdit(from: $0.name) }?.name
        ?? ["language": "lang", "locale": "lang", "country": "region", "number": "digit"][name]
      report(
        .unknownVariable, in: pattern, at: reference,
        "The variable '\(name)' is not defined, so '\(pattern.text)' matches nothing.",
        remedy: nearest.map {
          "Write '$(\($0))' if you mean that, or define '\(name)' in 'substitutionVariables'."
        })
    }
    return checkVariableSyntax(pattern)
  }

  /// Reports `${name}`, and `$name`, `{name}`, `$[name]` and the like with the name of a variable.
  private mutating func checkVariableSyntax(_ pattern: PatternText) -> Bool {
    guard let (place, name) = notation.variable(in: pattern, isVariable) else { return false }
    let (range, isKnown) = (pattern.range(of: place), isVariable(name))
    let title = "Write '$(\(name))'"
    report(
      .variableSyntax, in: pattern, at: range,
      "'\(pattern.text(range))' is not a variable, and matches only itself.",
      remedy: isKnown ? nil : "\(title), and define '\(name)' in 'substitutionVariables'.",
      writing: isKnown ? "$(\(name))" : nil,
      // No URL has brackets other than round ones.
      spoils: pattern.isPercentEncoded
        && pattern.bytes[range].contains { "{}[]<>#".utf8.contains($0) })
    return true
  }

  /// Whether a name is that of a predefined variable or of one of the file's own.
  func isVariable(_ name: String) -> Bool {
    Variables.builtInNames.contains(name) || ownVariables[Array(name.utf8)] != nil
  }

  private mutating func checkEntities(_ pattern: PatternText) {
    let entities = pattern.bytes.htmlEntities
    guard let first = entities.first else { return }
    if pattern.isPercentEncoded, entities.contains(where: { pattern.text($0.range).contains("#") })
    {
      markUnmatchable(pattern.literal)
    }
    guard !countsOnly(.htmlEntity) else { return }
    let text = String(decoding: pattern.bytes.withoutEntities, as: UTF8.self)
    let texts = notation.meaning(of: text, isVariable) ?? [text]
    report(
      .htmlEntity, in: pattern, at: first.range,
      "'\(pattern.text(first.range))' is HTML's spelling of '\(first.text)'. Systems compare it "
        + "letter by letter, so the pattern doesn't match URLs with '\(first.text)'.",
      fix: rewriting(pattern, as: texts.map { encoded($0, like: pattern) }))
  }

  /// Reports the first characters of a percent-encoded pattern that URLs can't contain.
  mutating func checkCharacters(_ pattern: PatternText) {
    let bytes = pattern.bytes
    // In any letter case, these match 'k' and 's' (Matching.md, 3c.7).
    let folded = pattern.isCaseSensitive ? [] : ["\u{212A}", "\u{17F}"].map { Array($0.utf8) }
    var foreign: Set<Int> = []
    var index = 0
    while index < bytes.count {
      let letter = folded.first { bytes[index...].starts(with: $0) }
      if letter == nil, !PercentEncoding.isAllowed(bytes[index]),
        !"%\\#".utf8.contains(bytes[index])
      {
        foreign.insert(index)
      }
      index += letter?.count ?? 1
    }
    for reference in pattern.references { foreign.subtract(reference) }
    guard let start = foreign.min() else { return }
    let end = (start..<bytes.count).first { !foreign.contains($0) } ?? bytes.count
    // The syntax check has reported characters that no string can hold.
    guard text[source(start..<end, of: pattern).lowerBound] >= 0x20 else { return }
    func encoded(_ indices: some Sequence<Int>) -> String {
      let bytes = indices.flatMap { index in
        PercentEncoding.encoded([bytes[index]]) { _ in !foreign.contains(index) }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let superfluous = bytes.superfluous
    let whole = encoded(bytes.indices.filter { !superfluous.contains($0) })
    let isSuperfluous = superfluous.contains(start)
    let name = bytes.scalar(at: start).map(JSONSyntaxError.Problem.name) ?? ""
    report(
      .unencoded, in: pattern, at: start..<end,
      isSuperfluous
        ? "'\(whole)' is written with \(name), which URLs spell '\(encoded(start..<end))', so the "
          + "pattern matches nothing."
        : "URLs have '\(encoded(start..<end))' where '\(pattern.text)' has "
          + "'\(pattern.text(start..<end))', so it matches nothing.",
      remedy: isSuperfluous
        ? nil : "Write '\(whole)', or set 'percentEncoded' to false (iOS 14).",
      fix: rewriting(pattern, as: [whole]), spoils: true)
  }

  /// Returns a part of a pattern as URLs spell it, if they are compared percent-encoded.
  func encoded(_ text: String, like pattern: PatternText) -> String {
    guard pattern.isPercentEncoded, pattern.references.isEmpty else { return text }
    let encoded = PercentEncoding.encoded(text.withoutSuperfluous.utf8) {
      PercentEncoding.isAllowed($0) || "% ".utf8.contains($0)
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private mutating func checkEscapes(_ pattern: PatternText) {
    let signs = pattern.plain.joined().filter { pattern.bytes[$0] == UInt8(ascii: "%") }
    func digits(_ sign: Int) -> ArraySlice<UInt8> { pattern.bytes[(sign + 1)...].prefix(2) }
    let escapes = signs.filter { sign in digits(sign).count { $0.hexadecimalValue != nil } == 2 }
      .map { $0..<($0 + 3) }
    guard pattern.isPercentEncoded else {
      guard let first = escapes.first else { return }
      report(
        .escapeWhenDecoded, in: pattern, at: first,
        "Systems compare '\(pattern.text)' with decoded text, which has no "
          + "'\(pattern.text(first))'."
      )
      return
    }
    let lower = escapes.filter { pattern.bytes[$0].contains { (0x61...0x66).contains($0) } }
    if pattern.isCaseSensitive, let first = lower.first {
      let upper = pattern.text(first).uppercased()
      report(
        .lowerCaseEscape, in: pattern, at: first,
        "'\(pattern.text(first))' is in lower case; most URLs have '\(upper)'.",
        remedy: DiagnosticKind.lowerCaseEscape.remedy,
        fix: LintFix(
          .suggestion, "Write escapes in upper case",
          lower.map { LintFix.Edit(source($0, of: pattern), pattern.text($0).uppercased()) }))
    }
    let stray = signs.first { sign in
      // Wildcards and variables can match digits.
      digits(sign).first { $0.hexadecimalValue == nil }.map { !"*?$".utf8.contains($0) }
        ?? (digits(sign).count < 2)
    }
    if let stray {
      report(
        .strayPercent, in: pattern, at: stray.byte,
        "URLs have '%25' where '\(pattern.text)' has '%', so it matches nothing.",
        writing: "%25", spoils: true)
    }
  }
}

/// A pattern with its place in the file.
struct PatternText {
  let text: String
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
    (self.text, bytes, self.literal, self.start) = (text, Array(text.utf8), literal, start)
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

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func range(of part: Range<String.Index>) -> Range<Int> {
    let start = text.utf8.distance(from: text.startIndex, to: part.lowerBound)
    return start..<(start + text[part].utf8.count)
  }

  /// The first place of a byte outside references of variables.
  func firstPlain(_ byte: UInt8) -> Int? { plain.joined().first { bytes[$0] == byte } }

  /// Whether a byte outside references of variables is one of some.
  func hasPlain(_ marks: String) -> Bool {
    plain.contains { bytes[$0].contains(where: marks.utf8.contains) }
  }
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
