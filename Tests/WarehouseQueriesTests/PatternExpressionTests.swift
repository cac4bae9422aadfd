import Foundation
import TestSupport
import Testing

@testable import UniversalLinks
@testable import WarehouseQueries

@Suite struct PatternExpressionTests {
  private static func pattern(
    _ pattern: String, _ variables: Variables? = nil, folds: Bool = false
  ) -> Pattern {
    Pattern(
      PatternToken.tokens(of: Array(pattern.utf8), variables: variables, folds: folds),
      ignoresCase: folds)
  }

  /// Returns a Boolean value indicating whether a pattern matches a text.
  private static func matches(_ pattern: Pattern, _ text: String) -> Bool {
    pattern.matches(Array(text.utf8).span)
  }

  /// Compares an expression with the pattern itself, for texts over the alphabet.
  private func check(
    _ pattern: String, values: [String: [String]] = [:], folds: Bool = false, texts: [String]
  ) throws {
    let variables = Variables(
      values.map { SubstitutionVariable(name: $0.key, values: $0.value) })
    let compiled = Self.pattern(pattern, variables, folds: folds)
    for syntax in [PatternExpression.Syntax.linear, .backtracking] {
      let regex = try compiled.expression(syntax, .decoded).map {
        try NSRegularExpression(pattern: #"(?s)\A\#($0)\z"#)
      }
      for text in texts {
        let range = NSRange(text.startIndex..., in: text)
        let isMatch = regex?.firstMatch(in: text, range: range) != nil
        let expected = Self.matches(compiled, text)
        guard isMatch != expected else { continue }
        Issue.record(
          "'\(pattern)' with \(values), '\(text)', \(syntax): \(regex?.pattern ?? "never")")
      }
    }
  }

  @Test func agreesWithPatternsOnAllSmallOnes() throws {
    let texts = strings(over: ["a", "b", "\n"], upTo: 4)
    for pattern in strings(over: ["a", "b", "*", "?"], upTo: 5) {
      try check(pattern, texts: texts)
    }
  }

  @Test(arguments: [
    ["a", "ab", ""], ["*"], ["a*", "?b"], ["$", "a$"], [], ["**", "b"], ["é", "a*b*"],
    ["a**", "**b"], ["**", ""], ["*a*", "***?***"], ["aab", "aac", "ab", "abb"],
  ])
  func agreesWithPatternsWithVariables(values: [String]) throws {
    let texts = strings(over: ["a", "b", "$"], upTo: 4)
    for pattern in strings(over: ["a", "*", "?", "$(v)", "("], upTo: 3) {
      try check(pattern, values: ["v": values], texts: texts)
    }
  }

  @Test func folding() throws {
    let texts = ["ß", "ẞ", "ss", "k", "K", "\u{212A}", "s", "S", "ſ", "é", "É", "[", "😀"]
    for pattern in texts { try check(pattern, folds: true, texts: texts) }
    try check("$(v)", values: ["v": ["É", "k"]], folds: true, texts: texts)
  }

  @Test func punctuation() throws {
    let characters = (0x21...0x7E).compactMap(Unicode.Scalar.init).map(String.init)
    let texts = characters + ["", "\u{1}", "\u{7F}", "\u{85}", "\u{FFFF}"]
    for pattern in texts where !["*", "?"].contains(pattern) { try check(pattern, texts: texts) }
    try check("$(v)", values: ["v": texts.filter { $0 != "*" && $0 != "?" }], texts: texts)
  }

  @Test func encodedTextsAreASCII() throws {
    func text(_ pattern: String, _ alphabet: PatternExpression.Alphabet) throws -> String? {
      try Self.pattern(pattern, folds: true).expression(.linear, alphabet)
    }
    try #expect(text("é", .encoded) == nil)
    try #expect(text("k?", .encoded) == "[Kk].")
    try #expect(text("k*", .encodedItem) == "[Kk][^&]*")
    try #expect(text("a&b", .encodedItem) == nil)
    try #expect(text("k", .decoded) == #"[Kk\x{212A}]"#)
  }

  /// The text affects the limit only if values of a variable have different numbers of stars.
  @Test func undecidedLevels() throws {
    func compiled(_ pattern: String, _ values: [String]) -> Pattern {
      Self.pattern(pattern, Variables([SubstitutionVariable(name: "v", values: values)]))
    }
    let many = String(repeating: "$(v)a", count: 40)
    #expect(!compiled(many, ["x", "y"]).hasUndecidedLevels)
    #expect(compiled(many, ["x", "*y"]).hasUndecidedLevels)
    try #expect(compiled(many, ["x", "*y"]).expression(.linear, .decoded) != nil)
    let stars = String(repeating: "*a", count: 64)
    #expect(!compiled(stars, []).hasUndecidedLevels && !compiled(stars, []).isImpossible)
    #expect(compiled("*b" + stars, []).isImpossible)
  }

  /// For a text that almost matches, Java's time isn't a power of the number of stars.
  @Test func segmentsAreTriedOnce() throws {
    let expression = try Self.pattern("/*a*bc*?d*e").expression(
      .backtracking, .encoded)
    #expect(expression == "/(?>.*?a)(?>.*?bc)(?>.*?.d).*e")
  }

  /// Values that may be empty, next to others that end with stars, need alternatives of
  /// alternatives.
  @Test(.timeLimit(.minutes(1))) func alternativesOfAlternatives() {
    let pattern = Self.pattern(
      String(repeating: "$(v)", count: 40),
      Variables([SubstitutionVariable(name: "v", values: ["", "a*", "b"])]))
    #expect(throws: PatternExpression.TooLong.self) {
      try pattern.expression(.linear, .encoded)
    }
  }
}
