import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct PatternTests {
  static func matches(
    _ pattern: String, _ text: String, variables: [String: [String]]? = nil, folds: Bool = false
  ) -> Bool {
    let own = variables.map { Variables(values: $0) }
    let tokens = PatternToken.tokens(of: Array(pattern.utf8), variables: own, folds: folds)
    return Pattern(tokens, ignoresCase: folds).matches(Array(text.utf8).span)
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

  static let values = [
    ["a", "ab", ""], ["*"], ["a*", "?b"], ["$", "a$"], [], ["**", "b"], ["é", "a*b*"],
    ["a**", "**b"], ["**", ""], ["*a*", "***?***"],
  ]

  @Test(arguments: values)
  func agreesWithPlainMatcherOnAllSmallPatternsWithVariables(values: [String]) {
    let variables = ["v": values]
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

  /// Stars that are not last, variables and the stars of values open levels.
  @Test(
    arguments: [
      ("64×*a", "70×a", nil, true), ("65×*a", "70×a", nil, false),
      ("$(x) 64×*a", "70×a", ["x": [""]], false), ("$(x) 65×*a", "70×a", ["x": [""]], false),
      // A run of stars opens one level, as do the variable and the star of its value.
      ("64×***a **", "70×a", nil, true), ("64×***a **a", "70×a", nil, false),
      ("62×**a $(x)**", "70×a", ["x": ["a**", "**a"]], true),
      ("63×**a $(x)**", "70×a", ["x": ["a**", "**a"]], true),
      ("64×**a $(x)**", "70×a", ["x": ["a**", "**a"]], false),
      // Values with fewer stars pass where others reach the limit.
      ("$(x) 23×*a", "90×a", ["x": ["40×*a", "a"]], true),
      ("$(x) 60×*a", "90×a", ["x": ["40×*a", "a"]], true),
      ("$(x) 64×*a", "90×a", ["x": ["40×*a", "a"]], false),
      ("64×*a $(x)", "70×a", ["x": ["*"]], false),
      // A value that opens more levels never prevents a match of another one.
      ("61×*a $(v)$(w)", "61×a bbbxxq", ["v": ["bbb"], "w": ["*q"]], true),
      ("61×*a $(v)$(w)", "61×a bbbxxq", ["v": ["**b", "bbb"], "w": ["*q"]], true),
    ] as [(String, String, [String: [String]]?, Bool)])
  func levelsAreLimited(
    _ pattern: String, _ text: String, values: [String: [String]]?, matches: Bool
  ) {
    let variables = values?.mapValues { $0.map(Self.repeated) }
    let found = Self.matches(Self.repeated(pattern), Self.repeated(text), variables: variables)
    #expect(found == matches)
  }

  /// The text for which a shorter one stands: `3×ab c` is `abababc`.
  private static func repeated(_ text: String) -> String {
    text.split(separator: " ").map { word in
      let parts = word.split(separator: "×").map(String.init)
      return parts.count < 2 ? parts[0] : String(repeating: parts[1], count: Int(parts[0]) ?? 0)
    }.joined()
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

extension Variables {
  convenience init(values: [String: [String]]) {
    self.init(values.map { SubstitutionVariable(name: $0.key, values: $0.value) })
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
