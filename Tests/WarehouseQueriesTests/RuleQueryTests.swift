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
    return try RuleQuery(AssociationFile(file).asRead(by: system), host: host, dialect: dialect)
  }

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

  /// A rule is named if the text decides whether it has too many stars; it claims nothing, or
  /// excludes everything that it may match.
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
    _ pattern: String, _ values: [String]? = nil, folds: Bool = false
  ) -> Pattern {
    let variables = values.map { Variables([SubstitutionVariable(name: "v", values: $0)]) }
    return Pattern(
      PatternToken.tokens(of: Array(pattern.utf8), variables: variables, folds: folds),
      ignoresCase: folds)
  }

  private func check(
    _ pattern: String, values: [String]? = nil, folds: Bool = false, texts: [String]
  ) throws {
    let compiled = Self.pattern(pattern, values, folds: folds)
    for dialect in [WarehouseDialect.duckdb, .spark] {
      let regex = try PatternExpression.text(of: compiled, dialect, for: .path, .decoded).map {
        try NSRegularExpression(pattern: #"(?s)\A\#($0)\z"#)
      }
      for text in texts {
        let range = NSRange(text.startIndex..., in: text)
        let isMatch = regex?.firstMatch(in: text, range: range) != nil
        guard isMatch != compiled.matches(Array(text.utf8).span) else { continue }
        let name = "'\(pattern)' with \(values ?? []), '\(text)', \(dialect)"
        Issue.record("\(name): \(regex?.pattern ?? "never")")
      }
    }
  }

  @Test func agreesWithPatternsOnAllSmallOnes() throws {
    let texts = strings(over: ["a", "b", "\n"], upTo: 4)
    for pattern in strings(over: ["a", "b", "*", "?"], upTo: 5) { try check(pattern, texts: texts) }
  }

  @Test(arguments: [
    ["a", "ab", ""], ["*"], ["a*", "?b"], ["$", "a$"], [], ["**", "b"], ["é", "a*b*"],
    ["a**", "**b"], ["**", ""], ["*a*", "***?***"], ["aab", "aac", "ab", "abb"],
  ])
  func agreesWithPatternsWithVariables(values: [String]) throws {
    let texts = strings(over: ["a", "b", "$"], upTo: 4)
    for pattern in strings(over: ["a", "*", "?", "$(v)", "("], upTo: 3) {
      try check(pattern, values: values, texts: texts)
    }
  }

  @Test func folding() throws {
    let texts = ["ß", "ẞ", "ss", "k", "K", "\u{212A}", "s", "S", "ſ", "é", "É", "[", "😀"]
    for pattern in texts { try check(pattern, folds: true, texts: texts) }
    try check("$(v)", values: ["É", "k"], folds: true, texts: texts)
  }

  @Test func punctuation() throws {
    let characters = (0x21...0x7E).compactMap(Unicode.Scalar.init).map(String.init)
    let texts = characters + ["", "\u{1}", "\u{7F}", "\u{85}", "\u{FFFF}"]
    for pattern in texts where !["*", "?"].contains(pattern) { try check(pattern, texts: texts) }
    try check("$(v)", values: texts.filter { $0 != "*" && $0 != "?" }, texts: texts)
  }

  @Test func encodedTextsAreASCII() throws {
    func text(
      _ pattern: String, _ form: TextForm, for part: RuleDefinition.Part = .path
    ) throws -> String? {
      try PatternExpression.text(
        of: Self.pattern(pattern, folds: true), .duckdb, for: part, form)
    }
    try #expect(text("é", .encoded) == nil)
    try #expect(text("k?", .encoded) == "[Kk].")
    try #expect(text("k*", .encoded, for: .queryItem) == "[Kk][^&]*")
    try #expect(text("a&b", .encoded, for: .queryItem) == nil)
    try #expect(text("k", .decoded) == #"[Kk\x{212A}]"#)
  }

  /// The text affects the limit only if values of a variable have different numbers of stars.
  @Test func undecidedLevels() throws {
    let many = String(repeating: "$(v)a", count: 40)
    #expect(!Self.pattern(many, ["x", "y"]).hasUndecidedLevels)
    let undecided = Self.pattern(many, ["x", "*y"])
    #expect(undecided.hasUndecidedLevels)
    try #expect(PatternExpression.text(of: undecided, .duckdb, for: .path, .decoded) != nil)
    let stars = String(repeating: "*a", count: 64)
    #expect(!Self.pattern(stars).hasUndecidedLevels && !Self.pattern(stars).isImpossible)
    #expect(Self.pattern("*b" + stars).isImpossible)
  }

  /// For a text that almost matches, Java's time isn't a power of the number of stars.
  @Test func segmentsAreTriedOnce() throws {
    let pattern = Self.pattern("/*a*bc*?d*e")
    let expression = try PatternExpression.text(of: pattern, .spark, for: .path, .encoded)
    #expect(expression == "/(?>.*?a)(?>.*?bc)(?>.*?.d).*e")
  }

  /// Values that may be empty, next to others that end with stars, need alternatives in alternatives.
  @Test(.timeLimit(.minutes(1))) func alternativesOfAlternatives() {
    let pattern = Self.pattern(String(repeating: "$(v)", count: 40), ["", "a*", "b"])
    #expect(throws: RuleQuery.TooLong.self) {
      try PatternExpression.text(of: pattern, .duckdb, for: .path, .encoded)
    }
  }
}
