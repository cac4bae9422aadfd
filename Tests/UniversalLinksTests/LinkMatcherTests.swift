import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct LinkMatcherTests {
  private static let pieces = [
    "/", "a", "b", "*", "?", "%41", "é", "$(x)", "$(digit)", "7", "A", "/a/", "**", "//",
  ]

  private static func text(_ generator: inout SeededGenerator, upTo length: Int) -> String {
    (0..<Int.random(in: 0...length, using: &generator))
      .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  private static func rule(_ generator: inout SeededGenerator) -> RuleDefinition {
    var rule = RuleDefinition()
    func maybe() -> Bool { Bool.random(using: &generator) }
    if Int.random(in: 0..<4, using: &generator) > 0 { rule.path = text(&generator, upTo: 5) }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: rule.query = .whole(text(&generator, upTo: 3))
    case 1:
      rule.query = .items([
        RuleDefinition.Item(name: "a", pattern: text(&generator, upTo: 2)),
        RuleDefinition.Item(name: "é", pattern: "*"),
      ])
    default: break
    }
    if Int.random(in: 0..<4, using: &generator) == 0 { rule.fragment = text(&generator, upTo: 2) }
    rule.excludes = maybe()
    rule.isCaseSensitive = maybe()
    rule.isPercentEncoded = maybe()
    return rule
  }

  /// Asking all rules of a file takes short cuts that asking a single one, for
  /// the explanation, doesn't.
  @Test func allRulesTogetherSayWhatEachSaysAlone() throws {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let variables = [SubstitutionVariable(name: "x", values: ["a", "b/", "", "A*"])]
    for _ in 0..<400 {
      var file = AssociationFile(entries: [], substitutionVariables: variables)
      for index in 0..<2 {
        file.entries.append(
          AssociationFile.Entry(
            place: .index(index), position: index, appIDs: [ApplicationIdentifier("app\(index)")],
            components: (0..<6).map { _ in Self.rule(&generator) }, relativeOrder: 0))
      }
      let matcher = LinkMatcher(file, system: .current)
      var evaluation = Evaluation()
      for _ in 0..<30 {
        let text =
          "https://example.com/" + Self.text(&generator, upTo: 4) + "?a="
          + Self.text(&generator, upTo: 2) + "#" + Self.text(&generator, upTo: 1)
        var url = LinkURL(text)
        matcher.evaluate(&url, into: &evaluation)
        for (index, list) in matcher.ruleLists.enumerated() {
          let matching = (0..<list.ruleCount).filter {
            var fresh = LinkURL(text)
            return matcher.mismatch(ruleList: index, rule: $0, url: &fresh) == nil
          }
          let together = (0..<list.ruleCount).filter {
            evaluation.matches.contains(
              Evaluation.RuleMatch(
                rule: list.firstRule + $0, ruleList: index, position: $0))
          }
          #expect(matching == together, "seed: \(seed), \(text), \(list.definitions ?? [])")
          #expect(evaluation.decidingRule(ofRuleList: index) == matching.first)
        }
      }
    }
  }

  @Test func aURLCanBeUsedAgain() throws {
    let file = try AssociationFile(
      decoding: Array(
        #"""
        {"applinks": {"details": [{"appID": "A1B2C3D4E5.com.example.app", "components": [
          {"/": "/é/*", "percentEncoded": false}, {"/": "/A/*", "caseSensitive": false},
          {"?": {"a": "1"}}]}]}}
        """#.utf8))
    let matcher = LinkMatcher(file, system: .current)
    var url = LinkURL()
    var rules: [Int?] = []
    for target in ["/%C3%A9/", "/x?a=1", "/a/", "/x?a=2", "/x", "/%c3%a9", "/A"] {
      url.setTarget(Array(target.utf8).span)
      rules.append(matcher.decisions(for: &url).first?.rule)
    }
    // Without an item `a`, its pattern is compared with the empty text.
    #expect(rules == [0, 2, 1, nil, nil, 0, 1])
  }
}
