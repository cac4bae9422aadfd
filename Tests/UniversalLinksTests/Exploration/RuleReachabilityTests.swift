import TestSupport
import Testing

@testable import Foundations
@testable import UniversalLinks

@Suite struct RuleReachabilityTests {
  /// The identities of rules of the only entry.
  private func ids(_ positions: [Int]) -> [RuleID] {
    positions.map { RuleID(entry: .index(0), list: .components, position: $0) }
  }

  private static func reach(_ rules: String) throws -> [RuleReachability.Reach] {
    let file = try AssociationFile(
      #"{"applinks": {"details": [{"appID": "app", "components": \#(rules)}]}}"#)
    let reachability = file.reachability(host: "shop.example", system: .current)
    #expect(reachability.gap == nil)
    return reachability.rules.map(\.reach)
  }

  @Test func rulesBehindWiderOnesNeverDecide() throws {
    let reaches = try Self.reach(
      #"[{"/": "/a/*"}, {"/": "/a/b", "exclude": true}, {"/": "/b/*"}, {"/": "/?/c"}]"#)
    #expect(reaches[0] == .decides(url: "https://shop.example/a/x"))
    #expect(reaches[1] == .covered(by: ids([0]), isComplete: true))
    #expect(reaches[3] == .decides(url: "https://shop.example/x/c"))
  }

  @Test func severalRulesCanCoverOne() throws {
    let reaches = try Self.reach(
      #"""
      [{"/": "/a*"}, {"/": "/b*", "?": {"x": "?*"}}, {"/": "/b*", "?": {"x": ""}},
        {"/": "/b/?"}, {"/": "/b/c"}, {"/": "/a"}, {"/": "/c", "?": {"x": "1"}}, {"/": "/c"}]
      """#)
    // With two items, neither of the two rules on items matches.
    #expect(reaches[3] == .decides(url: "https://shop.example/b/c?x=x&x"))
    #expect(reaches[4] == .covered(by: ids([1, 2, 3]), isComplete: true))
    #expect(reaches[5] == .covered(by: ids([0]), isComplete: true))
    #expect(reaches[6] == .decides(url: "https://shop.example/c?x=1"))
  }

  /// Values are followed without recursion, however long they are.
  @Test func valuesMayBeAnyNumberOfStars() throws {
    let stars = String(repeating: "*", count: 100_000)
    let file = try AssociationFile(
      #"{"applinks": {"substitutionVariables": {"x": ["\#(stars)"]}, "details": [{"appID": "app","#
        + #""components": [{"/": "/$(x)a"}, {"/": "/$(x)$(x)"}]}]}}"#)
    let reachability = file.reachability(host: "shop.example", system: .current)
    #expect(reachability.rules.count == 2)
    #expect(reachability.misjudgedExamples(of: file, system: .current).isEmpty)
  }

  @Test func somePatternsMatchNothing() throws {
    let reaches = try Self.reach(
      #"[{"/": "a"}, {"/": "/ /x"}, {"/": "/$(none)"}, {"?": {"x": "?", "y": "a&b"}}, {}]"#)
    #expect(reaches[..<4].allSatisfy { $0 == .matchesNothing })
    #expect(reaches[4] == .decides(url: "https://shop.example/x"))
  }
}

/// Patterns with unknown variables, or without an end.
///
/// Examples, reachability, changes and lint have the same results as for a file without them.
@Suite struct UnreadablePatternTests {
  /// Texts around unknown variables.
  private static let texts = strings(over: ["/", "a", "*", "?", "$(none)", "$("], upTo: 4)

  /// Files in which a text is a pattern of each kind.
  private static func files(_ text: String) throws -> [AssociationFile] {
    try [
      #""paths":["\#(text)","NOT \#(text)","NOT\#(text)"]"#, #""components":[{"/":"\#(text)"}]"#,
      ##""components":[{"?":"\##(text)","#":"\##(text)"}]"##,
      #""components":[{"?":{"\#(text)":"x","y":"\#(text)"}}]"#,
    ].map { members in
      try AssociationFile(
        #"{"applinks":{"details":[{"appID":"A.b","appIDs":["A.b"],\#(members)}]}}"#)
    }
  }

  private static let limits = {
    var limits = ExplorationLimits()
    (limits.states, limits.size, limits.work, limits.combinations) = (100, 100_000, 5_000, 100)
    return limits
  }()

  @Test func rulesAreReachedAsTheMatcherDecides() throws {
    for text in Self.texts {
      for file in try Self.files(text) {
        let reachability = file.reachability(
          host: "www.example.com", system: .current, limits: Self.limits)
        let misjudged = reachability.misjudgedExamples(of: file, system: .current)
        #expect(misjudged.isEmpty, "\(text)")
      }
    }
  }

  @Test func comparisonsFindWhatTheMatcherDecides() throws {
    let other = try AssociationFile(#"{"applinks":{"details":[]}}"#)
    for text in Self.texts {
      for file in try Self.files(text) {
        let changes = other.changes(
          to: file, host: "www.example.com", system: .current, limits: Self.limits)
        #expect(changes.gap != .unconfirmed, "\(text)")
        let back = file.changes(
          to: other, host: "www.example.com", system: .current, limits: Self.limits)
        #expect(back.site.count == changes.site.count, "\(text)")
      }
    }
  }

  /// Of many similar ones, the first are reported, each time.
  @Test func theFirstUnusedVariablesAreTold() {
    let names = (0..<400).map { "v\($0)" }
    let variables = names.map { #""\#($0)":["a"]"# }.joined(separator: ",")
    let file =
      #"{"applinks":{"substitutionVariables":{\#(variables)},"details":[{"appIDs":"#
      + #"["A1B2C3D4E5.com.example.tea"],"components":[{"/":"/a"}]}]}}"#
    let told = AssociationFile.lint(Array(file.utf8)).diagnostics.filter {
      $0.code == "unused-variable"
    }
    #expect(told.count == 200)
    for (name, diagnostic) in zip(names, told) {
      #expect(diagnostic.message.contains("'\(name)'"))
    }
  }

  @Test func lintTellsOfThem() {
    for text in strings(over: ["/", "a", "*", "$(none)", "$("], upTo: 3) {
      let file =
        #"{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.com.example.tea"],"components":"#
        + ##"[{"/":"\##(text)"},{"?":{"x":"\##(text)"}},{"#":"\##(text)"}]}]}}"##
      let rules = Set(AssociationFile.lint(Array(file.utf8)).diagnostics.map(\.code))
      let told = !rules.isDisjoint(with: [
        "unknown-variable", "unclosed-variable", "variable-syntax",
      ])
      #expect(told == text.contains("$("), "\(text): \(rules)")
    }
  }
}

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
      #"{"applinks": {"details": [{"appID": "app", "components": []}]}}"#)
    file.entries[0].components = rules
    return file
  }

  /// The mistakes in the statements about rules, if any.
  private static func problem(_ rules: [RuleDefinition]) throws -> String? {
    let file = try file(rules)
    let reaches = file.reachability(host: "a.example", system: .current).rules.map(\.reach)
    let matcher = LinkMatcher(file, system: .current)
    let useless = RuleReachability.uselessExclusions(
      of: matcher.ruleLists[0], in: matcher, limits: ExplorationLimits()
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
    var generator = SeededGenerator()
    let queries: [RuleDefinition.Query?] = [
      nil, nil, nil, .whole("?*"), .whole(""), .items([.init(name: "x", pattern: "a")]),
      .items([.init(name: "x", pattern: "?*")]), .items([.init(name: "x", pattern: "*")]),
      .items([.init(name: "x", pattern: ""), .init(name: "y", pattern: "a")]),
    ]
    for _ in 0..<250 {
      let rules = (0..<Int.random(in: 2...6, using: &generator)).map { _ in
        Self.rule(
          path: Self.patterns.randomElement(using: &generator),
          query: generator.pick(queries),
          fragment: generator.pick([nil, nil, nil, "a", "*", ""]),
          excludes: Bool.random(using: &generator))
      }
      if let problem = try Self.problem(rules) {
        Issue.record("\(problem)\n\(rules)")
        return
      }
    }
  }
}
