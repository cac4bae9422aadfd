import TestSupport
import Testing

@testable import Foundations
@testable import UniversalLinks

/// Proofs about rules, checked against all URLs of some length over a small alphabet.
@Suite struct ExhaustiveReachTests {
  /// All paths of up to five characters, some with a query or a fragment.
  private static let targets: [String] = {
    var (paths, last) = (["/"], ["/"])
    for _ in 0..<4 {
      last = last.flatMap { path in ["/", "a", "b"].map { path + $0 } }
      paths += last
    }
    let ends = ["", "?a", "?x=", "?x=a", "?x=b&x=a", "?y=a", "#a", "?x=a#a"]
    return paths.enumerated().flatMap { index, path in
      // Longer paths get one end each, in turn.
      path.utf8.count <= 3 ? ends.map { path + $0 } : [path + ends[index % ends.count]]
    }
  }()

  /// All patterns of up to three characters.
  private static let patterns: [String] = {
    var (patterns, last) = ([""], [""])
    for _ in 0..<3 {
      last = last.flatMap { pattern in ["/", "a", "*", "?"].map { pattern + $0 } }
      patterns += last
    }
    return patterns
  }()

  private static func file(_ rules: [RuleDefinition]) throws -> AssociationFile {
    var file = try AssociationFile(
      decoding: Array(#"{"applinks": {"details": [{"appID": "app", "components": []}]}}"#.utf8))
    file.entries[0].components = rules
    return file
  }

  /// The mistakes in the statements about rules, if any.
  private static func problem(_ rules: [RuleDefinition]) throws -> String? {
    let file = try file(rules)
    let reaches = file.reachability(host: "a.example", system: .current).rules.map(\.reach)
    let matcher = LinkMatcher(file, system: .current)
    let useless = RuleReachability.uselessExclusions(
      of: matcher.ruleLists[0], in: matcher
    ).positions
    var evaluation = Evaluation()
    for target in targets {
      var url = LinkURL("https://a.example" + target, host: "a.example")
      matcher.evaluate(&url, into: &evaluation)
      guard let decider = evaluation.decidingRule(ofRuleList: 0) else { continue }
      switch reaches[decider] {
      case .decides, .unknown: break
      case .covered, .matchesNothing: return "rule \(decider) decides \(target): \(reaches)"
      }
      if useless.contains(decider),
        evaluation.matches.contains(where: { !rules[$0.rule].excludes })
      {
        return "rule \(decider) excludes \(target), which is claimed"
      }
      for match in evaluation.matches where reaches[match.rule] == .matchesNothing {
        return "rule \(match.rule) matches \(target)"
      }
    }
    return nil
  }

  private static func rule(
    path: String? = nil, query: RuleDefinition.Query? = nil, fragment: String? = nil,
    excludes: Bool = false
  ) -> RuleDefinition {
    RuleDefinition(
      path: path, query: query, fragment: fragment, excludes: excludes, source: path ?? "{}")
  }

  /// Each pattern after some patterns of all kinds.
  @Test(arguments: ["*", "/a*", "*a", "/?", "/a", "/*/", "?*", "a"])
  func pairsOfPatterns(_ first: String) throws {
    for second in Self.patterns {
      let rules = [Self.rule(path: first), Self.rule(path: second, excludes: true)]
      if let problem = try Self.problem(rules) {
        Issue.record("'\(first)' and '\(second)': \(problem)")
        return
      }
    }
  }

  @Test func randomLists() throws {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let queries: [RuleDefinition.Query?] = [
      nil, nil, nil, .whole("?*"), .whole(""), .items([.init(name: "x", pattern: "a")]),
      .items([.init(name: "x", pattern: "?*")]), .items([.init(name: "x", pattern: "*")]),
      .items([.init(name: "x", pattern: ""), .init(name: "y", pattern: "a")]),
    ]
    for _ in 0..<250 {
      let rules = (0..<Int.random(in: 2...6, using: &generator)).map { _ in
        Self.rule(
          path: Self.patterns.randomElement(using: &generator),
          query: queries.randomElement(using: &generator) ?? nil,
          fragment: [nil, nil, nil, "a", "*", ""].randomElement(using: &generator) ?? nil,
          excludes: Bool.random(using: &generator))
      }
      if let problem = try Self.problem(rules) {
        Issue.record("seed: \(seed): \(problem)\n\(rules)")
        return
      }
    }
  }
}
