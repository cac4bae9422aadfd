import Foundation
import TestSupport
import Testing

@testable import UniversalLinks
@testable import WarehouseQueries

@Suite struct RuleQueryTests {
  private func query(
    _ rules: String, variables: String = "{}", dialect: WarehouseDialect = .duckdb,
    host: String = "www.example.com", system: OperatingSystem = .current
  ) throws -> RuleQuery {
    let file = """
      {"applinks": {"substitutionVariables": \(variables), "details": [
        {"appIDs": ["A1B2C3D4E5.com.example"], "appID": "A1B2C3D4E5.com.example", \(rules)}]}}
      """
    return try RuleQuery(try AssociationFile(file), system: system, host: host, dialect: dialect)
  }

  /// The lines of the verdict that name the matching rules.
  private func rules(of query: RuleQuery) -> [Substring] {
    query.verdict(of: "url").split(separator: "\n").filter {
      $0.contains("THEN 'claimed'") || $0.contains("THEN 'excluded'")
    }.map { $0.drop { $0 == " " } }
  }

  @Test func neighborsWithOneOutcomeAreOneTest() throws {
    let query = try query(
      #""paths": ["/a/*", "NOT /b/*", "NOT /c", "/d", "/a/*", "/e$(none)", "*", "/f"]"#)
    #expect(
      rules(of: query) == [
        "WHEN regexp_matches(link_path, '(?s)^/a/.*$') THEN 'claimed'",
        "WHEN regexp_matches(link_path, '(?s)^(?:/b/.*|/c/)$') THEN 'excluded'",
      ])
    #expect(query.verdict(of: "url").contains("ELSE 'claimed'"))
  }

  @Test(arguments: WarehouseDialect.allCases)
  func oldSystemsReadNoComponents(dialect: WarehouseDialect) throws {
    let query = try query(
      #""components": [{"/": "/new/*"}], "paths": ["/old/$(x)"]"#, dialect: dialect,
      system: .legacy)
    #expect(query.verdict(of: "url").contains("/old/"))
    #expect(!query.verdict(of: "url").contains("/new/"))
  }

  @Test func hostWithoutDomainHasNoRules() throws {
    let query = try query(#""paths": ["*"]"#, host: "localhost")
    #expect(query.verdict(of: "url") == "'ineligible'")
  }

  /// A rule is named if the text decides whether it has too many stars.
  ///
  /// It claims nothing, or excludes everything that it may match.
  @Test func inexactRules() throws {
    let pattern = "/" + String(repeating: "$(v)", count: 40)
    let query = try query(
      #"""
      "components": [{"/": "\#(pattern)"}, {"/": "/x\#(pattern)", "exclude": true}, {"/": "/a"}]
      """#, variables: #"{"v": ["a", "*b"]}"#)
    #expect(query.inexactRules.map(\.id.position) == [0, 1])
    #expect(query.inexactRules.map(\.excludes) == [false, true])
    #expect(query.inexactRules.map(\.pattern) == [pattern, "/x" + pattern])
    let rules = rules(of: query)
    #expect(rules.count == 2 && rules[0].contains("/x/"))
    #expect(rules.last == "WHEN regexp_matches(link_path, '(?s)^/a/$') THEN 'claimed'")
  }

  @Test func tooManyValuesAreAnError() {
    let values = (0..<4000).map { "\"\($0 * 7919)xxxxxxxxxxxxx\"" }.joined(separator: ",")
    let rules = (0..<100).map { "\"/\($0)/$(v)\"" }.joined(separator: ",")
    #expect(throws: RuleQuery.TooLong.self) {
      try query("\"paths\": [\(rules)]", variables: "{\"v\": [\(values)]}")
    }
  }

  /// Text of the file is in SQL only between quotation marks, and never ends them.
  @Test(arguments: WarehouseDialect.allCases)
  func quotationMarksStayInLiterals(dialect: WarehouseDialect) throws {
    let query = try query(#""paths": ["/it's", "/\\' OR 1=1 --", "/\"a`b"]"#, dialect: dialect)
    let text = query.verdict(of: "url") + query.decision(of: "url")
    #expect(!text.contains("it's") && !text.contains("OR 1=1") && !text.contains("`"))
    #expect(text.contains(#"it"#))
  }

  @Test func decisionsAreThoseOfMatch() throws {
    let text = try query(#""components": [{"/": "/a", "exclude": true}]"#).decision(of: "url")
    #expect(
      text.contains(
        #"'{"app":"A1B2C3D4E5.com.example","detail":0,"rule":0,"verdict":"excluded"},'"#))
  }
}

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
    let variables = Variables(values.map { SubstitutionVariable(name: $0.key, values: $0.value) })
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
    let expression = try Self.pattern("/*a*bc*?d*e").expression(.backtracking, .encoded)
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
