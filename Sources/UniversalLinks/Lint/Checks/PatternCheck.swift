internal import Foundations

extension DiagnosticKind {
  static let patternKinds = [
    unencoded, htmlEntity, lowerCaseEscape, strayPercent, escapeWhenDecoded, backslash, tooComplex,
  ]

  static let unencoded = DiagnosticKind(
    "unencoded-character", .error,
    except: "`warning` for U+212A and U+017F if `caseSensitive` is false: they match `k` and `s`",
    "Character that URLs can't contain",
    meaning:
      "In URLs, this character is percent-encoded, and systems compare patterns with the encoded text. So "
      + "the pattern matches nothing, unless 'percentEncoded' is false.",
    remedy: "Write it percent-encoded, or set 'percentEncoded' to false (iOS 14).",
    example: .components(#"{"/": "/café/*"}"#), fixed: .components(#"{"/": "/caf%C3%A9/*"}"#))

  static let htmlEntity = DiagnosticKind(
    "html-entity", .error, "Character spelled as in HTML",
    meaning: "Patterns are compared with URLs, which have the character itself: '&', not '&amp;'. "
      + "The pattern was probably copied from the source of a page.",
    remedy: "Write the character itself.",
    example: .components(#"{"/": "/buy", "?": "id=*&amp;size=*"}"#),
    fixed: .components(#"{"/": "/buy", "?": "id=*&size=*"}"#))

  static let lowerCaseEscape = DiagnosticKind(
    "lower-case-escape", .warning, "Escape in lower case",
    meaning: "Letter case matters in escapes, too. Browsers encode in upper case, so the pattern "
      + "matches only links that are written in lower case.",
    remedy: "Write the digits in upper case, or set 'caseSensitive' to false for the rule.",
    example: .components(#"{"/": "/caf%c3%a9/*"}"#), fixed: .components(#"{"/": "/caf%C3%A9/*"}"#))

  static let strayPercent = DiagnosticKind(
    "stray-percent", .error, "Percent sign without two digits",
    meaning: "URLs have '%25' instead of such a sign, so the pattern matches nothing.",
    remedy: "Write '%25'.", example: .components(#"{"/": "/100%/*"}"#),
    fixed: .components(#"{"/": "/100%25/*"}"#))

  static let escapeWhenDecoded = DiagnosticKind(
    "escape-when-decoded", .warning, "Escape in a pattern for decoded text",
    meaning: "If 'percentEncoded' is false, systems decode the URL, but not the pattern. An escape "
      + "then matches only URLs that are encoded twice.",
    remedy: "Write the character itself.",
    example: .components(#"{"/": "/caf%C3%A9/*", "percentEncoded": false}"#),
    fixed: .components(#"{"/": "/café/*", "percentEncoded": false}"#))

  static let backslash = DiagnosticKind(
    "backslash", .error, except: "`warning` where `percentEncoded` is false",
    "Backslash in a pattern",
    meaning: "Patterns have no escapes: '*' and '?' are always wildcards. No URL has a backslash.",
    remedy: #"Remove the backslash. In JSON, '/' needs no backslash before it."#,
    example: .components(#"{"/": "/buy\\*"}"#), fixed: .components(#"{"/": "/buy*"}"#))

  static let tooComplex = DiagnosticKind(
    "too-complex", .error, "Pattern with too many wildcards",
    meaning: "A pattern with more than \(Pattern.levelLimit) stars and variables matches nothing, "
      + "because systems give up.",
    remedy: "Split the rule, or put several texts into one variable.",
    example: .components(
      #"{"/": "/\#(String(repeating: "$(digit)", count: 65))"}"#),
    fixed: .components(#"{"/": "/$(digit)$(digit)*"}"#))
}

/// Checks the patterns of all parts of a URL for text that keeps them from matching.
extension LintContext {
  /// Checks a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - hasOtherSyntax: Whether it was reported to be in another syntax, in which brackets mean
  ///     something.
  mutating func checkPattern(
    _ pattern: PatternText, hasOtherSyntax: Bool = false
  ) {
    let hasOtherVariable = checkVariables(pattern)
    let hasOtherSyntax = hasOtherSyntax || hasOtherVariable
    checkLevels(pattern)
    if let index = pattern.firstPlain(where: { $0 == UInt8(ascii: "\\") }), !hasOtherSyntax {
      let place = source(index..<(index + 1), of: pattern)
      if pattern.isPercentEncoded {
        report(
          .backslash, at: place, "'\(pattern.text)' has a backslash, so it matches nothing.",
          fix: .replace(place, with: "", .suggestion, "Remove the backslash"))
        markUnmatchable(pattern.literal)
      } else {
        report(
          .backslash, at: place,
          "'\(pattern.text)' has a backslash, which matches only a backslash: it escapes nothing.",
          severity: .warning)
      }
    }
    checkEscapes(pattern)
    checkEntities(pattern)
    guard pattern.isPercentEncoded, !hasOtherSyntax else { return }
    checkCharacters(pattern, folds: !pattern.isCaseSensitive)
  }

  /// Checks the name of a query item, which is compared without decoding.
  mutating func checkPattern(itemName name: PatternText) {
    if name.isPercentEncoded { checkCharacters(name) }
  }

  private mutating func checkEntities(_ pattern: PatternText) {
    let entities = HTMLEntity.all(in: pattern.bytes[...])
    guard let first = entities.first else { return }
    report(
      .htmlEntity, at: source(first.range, of: pattern),
      "'\(pattern.text(first.range))' is HTML's spelling of '\(first.text)'. Systems compare it "
        + "letter by letter, so the pattern doesn't match URLs with '\(first.text)'.",
      remedy: "Write '\(first.text)'.",
      fix: LintFix(
        .suggestion, "Write '\(first.text)'",
        entities.map {
          LintFix.Edit(source($0.range, of: pattern), LintFix.escaped($0.text))
        }))
  }

  private mutating func checkLevels(_ pattern: PatternText) {
    let star = UInt8(ascii: "*")
    // A run of stars is one star.
    let stars = pattern.plain.joined().count { index in
      pattern.bytes[index] == star && pattern.bytes[..<index].last != star
    }
    let last = pattern.bytes.last == star ? 1 : 0
    guard stars - last + pattern.references.count > Pattern.levelLimit else { return }
    report(
      .tooComplex, at: pattern.literal,
      "This pattern has \(stars) stars and \(pattern.references.count) variables. Systems follow at most \(Pattern.levelLimit) at a time, so it matches nothing."
    )
    markUnmatchable(pattern.literal)
  }

  /// Reports the first characters that no URL has.
  private mutating func checkCharacters(
    _ pattern: PatternText, folds: Bool = false
  ) {
    let letters = folds ? FoldedLetter.all(in: pattern) : []
    let lettersBytes = Set(letters.flatMap(\.range))
    func isForeign(_ index: Int) -> Bool {
      let byte = pattern.bytes[index]
      return !PercentEncoding.isAllowed(byte) && byte != UInt8(ascii: "%")
        && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "#")
        && !lettersBytes.contains(index)
    }
    guard let start = pattern.plain.joined().first(where: isForeign),
      let range = pattern.plain.first(where: { $0.contains(start) })
    else {
      if let letter = letters.first { report(letter, in: pattern) }
      return
    }
    let end = (start..<range.upperBound).first { !isForeign($0) } ?? range.upperBound
    let place = source(start..<end, of: pattern)
    // The syntax check has reported characters that no string can hold.
    guard self.text[place.lowerBound] >= 0x20 else { return }
    var whole: [UInt8] = []
    var from = 0
    for range in pattern.plain {
      whole += pattern.bytes[from..<range.lowerBound]
      for index in range {
        let byte = pattern.bytes[index]
        if isForeign(index) {
          PercentEncoding.append(escapeOf: byte, to: &whole)
        } else {
          whole.append(byte)
        }
      }
      from = range.upperBound
    }
    whole += pattern.bytes[from...]
    var encoded: [UInt8] = []
    PercentEncoding.append(encoding: Array(pattern.bytes[start..<end]).span, to: &encoded)
    report(
      .unencoded, at: place,
      "URLs have '\(String(decoding: encoded, as: UTF8.self))' where '\(pattern.text)' has '\(pattern.text(start..<end))', so it matches nothing.",
      remedy:
        "Write '\(String(decoding: whole, as: UTF8.self))', or set 'percentEncoded' to false (iOS 14).",
      fix: .replace(
        source(0..<pattern.bytes.count, of: pattern),
        with: LintFix.escaped(String(decoding: whole, as: UTF8.self)), .suggestion,
        "Write it percent-encoded"))
    markUnmatchable(pattern.literal)
  }

  /// Returns a part of a pattern as URLs spell it, if they are compared percent-encoded.
  func encoded(_ text: String, like pattern: PatternText) -> String {
    guard pattern.isPercentEncoded, pattern.references.isEmpty else { return text }
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if PercentEncoding.isAllowed(byte) || "% ".utf8.contains(byte) {
        encoded.append(byte)
      } else {
        PercentEncoding.append(escapeOf: byte, to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Reports a letter that matches an ASCII letter, but not the percent-encoded letter of URLs.
  private mutating func report(
    _ letter: FoldedLetter, in pattern: PatternText
  ) {
    report(
      .unencoded, at: source(letter.range, of: pattern),
      "'\(pattern.text)' has \(letter.name). Because 'caseSensitive' is false, it matches "
        + "'\(letter.ascii)' and '\(letter.ascii.uppercased())', but not '\(letter.escape)'.",
      severity: .warning, remedy: "Write '\(letter.ascii)'.",
      fix: .replace(
        source(letter.range, of: pattern), with: letter.ascii, .suggestion,
        "Write '\(letter.ascii)'"))
  }

  /// The escapes in lower case of a pattern.
  private func lowerCaseEscapes(of pattern: PatternText) -> [Range<Int>] {
    pattern.plain.joined().compactMap { index in
      let digits = pattern.bytes[(index + 1)...].prefix(2)
      let isEscape =
        pattern.bytes[index] == UInt8(ascii: "%") && digits.count == 2
        && digits.allSatisfy { $0.hexadecimalValue != nil }
        && digits.contains { (0x61...0x66).contains($0) }
      return isEscape ? index..<(index + 3) : nil
    }
  }

  private mutating func checkEscapes(_ pattern: PatternText) {
    var isTold = (lower: false, stray: false, decoded: false)
    for index in pattern.plain.joined() where pattern.bytes[index] == UInt8(ascii: "%") {
      let digits = pattern.bytes[(index + 1)...].prefix(2)
      let isEscape = digits.count == 2 && digits.allSatisfy { $0.hexadecimalValue != nil }
      // Wildcards and variables can match digits.
      let other = digits.drop { $0.hexadecimalValue != nil }.first
      let isOpen = other.map { "*?$".utf8.contains($0) } ?? false
      if !pattern.isPercentEncoded {
        if isEscape, !isTold.decoded {
          isTold.decoded = true
          report(
            .escapeWhenDecoded, at: source(index..<(index + 3), of: pattern),
            "Systems compare '\(pattern.text)' with decoded text, which has no '\(pattern.text(index..<(index + 3)))'."
          )
        }
      } else if isEscape {
        guard pattern.isCaseSensitive, !isTold.lower,
          digits.contains(where: { (0x61...0x66).contains($0) })
        else { continue }
        isTold.lower = true
        let upper = pattern.text(index..<(index + 3)).uppercased()
        report(
          .lowerCaseEscape, at: source(index..<(index + 3), of: pattern),
          "'\(pattern.text(index..<(index + 3)))' is in lower case; most URLs have '\(upper)'.",
          remedy: "Write '\(upper)', or set 'caseSensitive' to false for the rule.",
          fix: LintFix(
            .suggestion, "Write escapes in upper case",
            lowerCaseEscapes(of: pattern).map { range in
              LintFix.Edit(
                source(range, of: pattern), pattern.text(range).uppercased())
            }))
      } else if !isOpen, !isTold.stray {
        isTold.stray = true
        report(
          .strayPercent, at: source(index..<(index + 1), of: pattern),
          "URLs have '%25' where '\(pattern.text)' has '%', so it matches nothing.",
          fix: .replace(
            source(index..<(index + 1), of: pattern), with: "%25", .suggestion,
            "Write '%25'"))
        markUnmatchable(pattern.literal)
      }
    }
  }
}

/// A letter beyond ASCII that case folding makes an ASCII letter (Matching.md, 3c.7).
///
/// No others fold to ASCII, so these alone match something in percent-encoded text.
struct FoldedLetter {
  /// The bytes of the pattern that spell the letter.
  var range: Range<Int>

  /// The name of the letter.
  var name: String

  /// The letter that it folds to.
  var ascii: String

  /// The letter as URLs have it.
  var escape: String

  private static let letters: [(bytes: [UInt8], name: String, ascii: String, escape: String)] = [
    ([0xE2, 0x84, 0xAA], "U+212A (KELVIN SIGN)", "k", "%E2%84%AA"),
    ([0xC5, 0xBF], "U+017F (LATIN SMALL LETTER LONG S)", "s", "%C5%BF"),
  ]

  /// Finds these letters outside references of variables, in order.
  static func all(in pattern: PatternText) -> [FoldedLetter] {
    pattern.plain.joined().compactMap { index in
      letters.first { pattern.bytes[index...].starts(with: $0.bytes) }.map { letter in
        FoldedLetter(
          range: index..<(index + letter.bytes.count), name: letter.name, ascii: letter.ascii,
          escape: letter.escape)
      }
    }
  }
}
