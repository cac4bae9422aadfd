import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct PatternTests {
  /// Compiles and matches as the matcher does.
  static func matches(
    _ pattern: String, _ text: String, variables: [String: [String]]? = nil, folds: Bool = false
  ) -> Bool {
    let own = variables.map { values in
      Variables(values.map { SubstitutionVariable(name: $0.key, values: $0.value) })
    }
    let compiled = Pattern(
      PatternToken.tokens(of: Array(pattern.utf8), variables: own, folds: folds),
      ignoresCase: folds)
    return compiled.matches(Array(text.utf8).span)
  }

  @Test func agreesWithPlainMatcherOnAllSmallPatterns() {
    let plain = PlainMatcher()
    let texts = strings(over: ["a", "b"], upTo: 5) + strings(over: ["a", "é"], upTo: 4)
    for pattern in strings(over: ["a", "b", "*", "?"], upTo: 5) {
      for text in texts where Self.matches(pattern, text) != plain.matches(pattern, text) {
        Issue.record("pattern '\(pattern)', text '\(text)'")
      }
    }
  }

  @Test(arguments: [
    ["v": ["a", "ab", ""]], ["v": ["*"]], ["v": ["a*", "?b"]], ["v": ["$", "a$"]], ["v": []],
    ["v": ["**", "b"]], ["v": ["é", "a*b*"]], ["v": ["a**", "**b"]], ["v": ["**", ""]],
    ["v": ["*a*", "***?***"]],
  ])
  func agreesWithPlainMatcherOnAllSmallPatternsWithVariables(variables: [String: [String]]) {
    let plain = PlainMatcher(variables: variables)
    let texts = strings(over: ["a", "b", "$", "("], upTo: 4)
    let length = TestRun.size(full: 4, usual: 3)
    for pattern in strings(over: ["a", "*", "?", "$(v)", "(", "$"], upTo: length) {
      for text in texts
      where Self.matches(pattern, text, variables: variables) != plain.matches(pattern, text) {
        Issue.record("pattern '\(pattern)', text '\(text)', variables \(variables)")
      }
    }
  }

  @Test func agreesWithPlainMatcherOnRandomPatterns() {
    var generator = SeededGenerator()
    let letters = ["a", "A", "b", "/", "%41", "é", "É", "ß", "ẞ", "K", "k", "\u{212A}", "ſ", "😀"]
    let variables = ["v": ["a", "Ab", "/*/", "é?", "", "k$"], "digit": ["1"], "w": ["xx*y"]]
    for _ in 0..<TestRun.size(full: 15_000, usual: 4_000) {
      let pieces = letters + ["*", "*", "?", "$(v)", "$(w)", "$(digit)", "$(nope)", "$(", "("]
      let pattern = generator.text(of: pieces, 0...8)
      let text = generator.text(of: letters, 0...9)
      let folds = Bool.random(using: &generator)
      let plain = PlainMatcher(variables: variables, folds: folds)
      if Self.matches(pattern, text, variables: variables, folds: folds)
        != plain.matches(pattern, text)
      {
        Issue.record("pattern '\(pattern)', text '\(text)', folds \(folds)")
      }
    }
  }

  @Test(arguments: [(64, true), (65, false)])
  func starsNestToALimit(stars: Int, matches: Bool) {
    let pattern = String(repeating: "*a", count: stars)
    let text = String(repeating: "a", count: 70)
    #expect(Self.matches(pattern, text) == matches)
    #expect(Self.matches("$(x)" + pattern, text, variables: ["x": [""]]) == (stars < 64))
  }

  /// A run of stars is one star, whether a pattern or a value has it, or one ends where the other
  /// begins.
  @Test(arguments: [
    ("**", "", true), ("a**", "a", true), ("***a**", "a", true), ("a**b", "ab", true),
    ("$(s)*", "", true), ("$(r)", "", true), ("$(b)*", "b", true), ("$(b)**", "bc", true),
    ("$(b)", "b", true), ("a*$(e)*", "ab", true),
    // After a star that is not last, try the rest only if input is left.
    ("*$(e)", "", false), ("a*$(e)", "ab", false), ("a*$(e)*", "a", false),
  ])
  func runsOfStarsAreOneStar(pattern: String, text: String, matches: Bool) {
    let variables = ["s": ["*"], "r": ["**"], "b": ["b**"], "e": [""]]
    #expect(Self.matches(pattern, text, variables: variables) == matches)
    #expect(PlainMatcher(variables: variables).matches(pattern, text) == matches)
  }

  @Test func runsOfStarsOpenOneLevel() {
    let text = String(repeating: "a", count: 70)
    let pattern = String(repeating: "***a", count: 64)
    #expect(Self.matches(pattern + "**", text))
    #expect(!Self.matches(pattern + "**a", text))
    // The variable and the star of its value open one level each.
    let values = ["x": ["a**", "**a"]]
    #expect(Self.matches(String(repeating: "**a", count: 62) + "$(x)**", text, variables: values))
    #expect(Self.matches(String(repeating: "**a", count: 63) + "$(x)**", text, variables: values))
    #expect(!Self.matches(String(repeating: "**a", count: 64) + "$(x)**", text, variables: values))
  }

  @Test func valuesWithFewerStarsPassWhereOthersReachTheLimit() {
    let variables = ["x": [String(repeating: "*a", count: 40), "a"]]
    let text = String(repeating: "a", count: 90)
    #expect(Self.matches("$(x)" + String(repeating: "*a", count: 23), text, variables: variables))
    #expect(Self.matches("$(x)" + String(repeating: "*a", count: 60), text, variables: variables))
    #expect(!Self.matches("$(x)" + String(repeating: "*a", count: 64), text, variables: variables))
  }

  @Test func theLimitHoldsForEveryPlaceOnItsOwn() {
    let stars = String(repeating: "*a", count: 64)
    let text = String(repeating: "a", count: 70)
    #expect(!Self.matches(stars + "$(x)", text, variables: ["x": ["*"]]))
    // A value that opens more levels never prevents a match of another one.
    let pattern = String(repeating: "*a", count: 61) + "$(v)$(w)"
    let longer = String(repeating: "a", count: 61) + "bbbxxq"
    for values in [["bbb"], ["**b", "bbb"]] {
      #expect(Self.matches(pattern, longer, variables: ["v": values, "w": ["*q"]]))
    }
  }

  @Test func aValueCanBeAsLongAsAFile() {
    let value = String(repeating: "a", count: 200_000)
    #expect(Self.matches("/$(x)", "/" + value, variables: ["x": [value]]))
    #expect(!Self.matches("/$(x)", value, variables: ["x": [value]]))
  }

  /// Patterns that take a naive matcher exponential time; the suite would not end if one of them
  /// did here.
  @Test(arguments: ["*a*a*a*a*b", "*a*a*a*a*a*a*a*a*ab?", "$(v)*a*$(v)*a*a*b", "*$(v)$(v)$(v)*b"])
  func hostilePatternsEnd(pattern: String) {
    let text = String(repeating: "a", count: 8_192)
    let variables = ["v": ["a", "aa", "a*a", ""]]
    #expect(!Self.matches(pattern, text, variables: variables))
    #expect(Self.matches(pattern, text + "bb", variables: variables))
  }
}

@Suite struct SimpleCaseFoldingTests {
  /// The pairs that fold together although neither is a case of the other, and
  /// the Cherokee letters, which fold to upper case.
  static let exceptions: Set<UInt32> = [0x1FD3, 0x0390, 0x1FE3, 0x03B0, 0xFB05, 0xFB06]

  @Test func everyScalarFoldsAsItsCasesDo() {
    for value in UInt32(0)...0x1FFFF where !Self.exceptions.contains(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let expected = PlainMatcher.fold(scalar)
      let folded = SimpleCaseFolding.fold(scalar)
      if folded != expected, PlainMatcher.fold(folded) != expected {
        Issue.record("U+\(String(value, radix: 16)) folds to U+\(String(folded.value, radix: 16))")
      }
    }
  }

  @Test(arguments: [
    ("ẞ", "ß"), ("\u{212A}", "k"), ("ſ", "s"), ("Σ", "σ"), ("ς", "σ"), ("İ", "İ"), ("ı", "ı"),
    ("Å", "å"), ("\u{1FD3}", "\u{0390}"), ("\u{10400}", "\u{10428}"),
  ])
  func folds(scalar: Unicode.Scalar, to folded: Unicode.Scalar) {
    #expect(SimpleCaseFolding.fold(scalar) == folded)
  }
}
