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

  /// Evaluating all rules of a file takes short cuts that evaluating a single one, for the
  /// explanation, doesn't.
  @Test func allRulesTogetherSayWhatEachSaysAlone() throws {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let variables = [SubstitutionVariable(name: "x", values: ["a", "b/", "", "A*"])]
    for _ in 0..<400 {
      var file = AssociationFile(entries: [], substitutionVariables: variables)
      for index in 0..<2 {
        file.entries.append(
          AssociationFile.Entry(
            id: .index(index), position: index, appIDs: [ApplicationIdentifier("app\(index)")],
            components: (0..<6).map { _ in Self.rule(&generator) }))
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
          let matching = list.rules.filter {
            matcher.explanation(of: list.id(ofRule: $0), for: LinkURL(text))?.matches != false
          }
          let together = list.rules.filter {
            evaluation.matches.contains(Evaluation.Match(rule: $0, ruleList: index))
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
      rules.append(matcher.decisions(for: &url).first?.rule?.position)
    }
    // Without an item `a`, its pattern is compared with the empty text.
    #expect(rules == [0, 2, 1, nil, nil, 0, 1])
  }

  private static let forms = """
    {"applinks": {"details": {"A1B2C3D4E5.com.example.app": {"paths": ["NOT /a/*", "/*"]},
      "A1B2C3D4E5.com.example.whole": {}}}}
    """

  @Test func rulesGoByTheirIdentities() throws {
    let file = try AssociationFile(decoding: Array(Self.forms.utf8))
    for system in OperatingSystem.allCases {
      let matcher = LinkMatcher(file, system: system)
      let entry = AssociationFile.EntryID.key("A1B2C3D4E5.com.example.app")
      let rules = [0, 1].map { RuleID(entry: entry, list: .paths, position: $0) }
      let whole = RuleID(
        entry: .key("A1B2C3D4E5.com.example.whole"), list: .paths, position: nil)
      #expect(matcher.ruleIDs == rules + [whole])
      #expect(rules.map { matcher.definition(of: $0)?.source } == ["NOT /a/*", "/*"])
      #expect(matcher.definition(of: whole) == nil)

      let decisions = matcher.decisions(for: "https://example.com/a/b")
      #expect(decisions.map(\.rule) == [rules[0], whole])
      #expect(decisions.map(\.verdict) == [.excluded, .claimed])
      #expect(matcher.verdict(for: "https://example.com/a/b") == .claimed)
      #expect(matcher.verdict(for: "https://other.example/a/b", host: "example.com") == .ineligible)

      var (url, evaluation) = (LinkURL("https://example.com/a/b"), Evaluation())
      matcher.evaluate(&url, into: &evaluation)
      #expect(matcher.matches(of: evaluation) == rules + [whole])
    }
  }

  /// Values that contradict each other are accepted, because they come from outside.
  @Test func foreignValuesDoNoHarm() throws {
    let file = try AssociationFile(decoding: Array(Self.forms.utf8))
    let matcher = LinkMatcher(file)
    let empty = LinkMatcher(AssociationFile(entries: []))
    #expect(Evaluation().siteVerdict == .ineligible)
    #expect(matcher.decisions(of: Evaluation()).map(\.rule) == [nil, nil])
    #expect(matcher.matches(of: Evaluation()) == [])

    var (url, evaluation) = (LinkURL("https://example.com/a/b"), Evaluation())
    matcher.evaluate(&url, into: &evaluation)
    #expect(empty.decisions(of: evaluation) == [])
    #expect(empty.matches(of: evaluation) == [])
    for text in ["", "x", "https://", "https://localhost/a", "ftp://example.com/"] {
      #expect(matcher.verdict(for: text) == .ineligible)
      #expect(matcher.decisions(for: text).map(\.rule) == [nil, nil])
      for rule in matcher.ruleIDs { _ = matcher.explanation(of: rule, for: LinkURL(text)) }
    }
    url = LinkURL("https://example.com/a/b")
    let known = try #require(matcher.ruleIDs.first)
    for position in [nil, -1, 2, .max, .min] as [Int?] {
      let rule = RuleID(entry: known.entry, list: .paths, position: position)
      #expect(matcher.definition(of: rule) == nil)
      #expect(matcher.explanation(of: rule, for: url) == nil)
    }
    for entry in [.apps, .index(0), .index(-1), .key("")] as [AssociationFile.EntryID] {
      #expect(matcher.definition(of: RuleID(entry: entry, list: .paths, position: 0)) == nil)
    }
    url.setTarget([UInt8]().span)
    matcher.evaluate(&url, into: &evaluation)
    // An eligible URL leaves no state.
    url = LinkURL("x")
    matcher.evaluate(&url, into: &evaluation)
    #expect(evaluation.siteVerdict == .ineligible)
    #expect(matcher.matches(of: evaluation) == [])
  }

  /// Files that were not decoded can have values that no text has.
  @Test func madeUpFilesDoNoHarm() {
    let app = ApplicationIdentifier("a.b")
    let file = AssociationFile(
      entries: [
        AssociationFile.Entry(
          id: .index(0), position: -1, appIDs: [app, app], components: [], relativeOrder: .min),
        AssociationFile.Entry(
          id: .index(0), position: -1, appIDs: [ApplicationIdentifier("")],
          legacyAppID: app, components: [RuleDefinition(path: "", query: .items([]))],
          paths: [RuleDefinition(fragment: "\0")], relativeOrder: .max),
      ],
      substitutionVariables: [
        SubstitutionVariable(name: "x", values: ["$(x)"]),
        SubstitutionVariable(name: "x", values: []),
      ])
    for system in OperatingSystem.allCases {
      let matcher = LinkMatcher(file, system: system)
      _ = matcher.decisions(for: "https://example.com/")
      for host in ["example.com", "", "localhost", "a b/\u{0}", "*.example.com"] {
        let reachability = file.reachability(host: host, system: system)
        #expect(reachability.rules.map(\.id) == matcher.ruleIDs)
        #expect(file.changes(to: file, host: host, system: system).isEmpty)
      }
    }
  }
}
