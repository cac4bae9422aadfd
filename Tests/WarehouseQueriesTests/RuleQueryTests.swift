import Testing
import UniversalLinks
import WarehouseQueries

@Suite struct RuleQueryTests {
  private func query(
    _ rules: String, variables: String = "{}", dialect: WarehouseDialect = .duckdb,
    host: String = "www.example.com", system: OperatingSystem = .current
  ) throws -> RuleQuery {
    let file = """
      {"applinks": {"substitutionVariables": \(variables), "details": [
        {"appIDs": ["A1B2C3D4E5.com.example"], "appID": "A1B2C3D4E5.com.example", \(rules)}]}}
      """
    return try RuleQuery(
      try AssociationFile(decoding: Array(file.utf8)), system: system, host: host,
      dialect: dialect)
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
    let query = try query(
      #""paths": ["/it's", "/\\' OR 1=1 --", "/\"a`b"]"#, dialect: dialect)
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
