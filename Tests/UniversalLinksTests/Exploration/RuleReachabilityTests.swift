import TestSupport
import Testing

@testable import Foundations
@testable import UniversalLinks

@Suite struct RuleReachabilityTests {
  /// Rules, and for some of them the URL that they decide, or why they decide none.
  @Test(
    arguments: rows(
      #"""
      {"/": "/a/*"}, {"/": "/a/b", "exclude": true}, {"/": "/b/*"}, {"/": "/?/c"}
        => 0 /a/x, 1 covered 0, 3 /x/c
      {"/": "/a*"}, {"/": "/b*", "?": {"x": "?*"}}, {"/": "/b*", "?": {"x": ""}}, {"/": "/b/?"}, {"/": "/b/c"}, {"/": "/a"}, {"/": "/c", "?": {"x": "1"}}, {"/": "/c"}
        => 3 /b/c?x=x&x, 4 covered 1 2 3, 5 covered 0, 6 /c?x=1
      {"/": "a"}, {"/": "/ /x"}, {"/": "/$(none)"}, {"?": {"x": "?", "y": "a&b"}}, {}
        => 0 nothing, 1 nothing, 2 nothing, 3 nothing, 4 /x
      """#))
  func rulesDecideOrNeverDo(_ rules: String, _ expected: String) throws {
    let file = try AssociationFile(
      #"{"applinks": {"details": [{"appID": "app", "components": [\#(rules)]}]}}"#)
    let reachability = file.reachability(host: "shop.example")
    #expect(reachability.gap == nil)
    for words in expected.split(separator: ", ").map({ $0.split(separator: " ") }) {
      let ids = words.dropFirst(2).map {
        RuleID(entry: .index(0), list: .components, position: Int($0))
      }
      let reach: RuleReachability.Reach =
        switch words[1] {
        case "covered": .covered(by: ids, isComplete: true)
        case "nothing": .matchesNothing
        default: .decides(url: "https://shop.example" + words[1])
        }
      let index = try #require(Int(words[0]))
      #expect(reachability.rules[index].reach == reach)
    }
  }

  /// Values are followed without recursion, however long they are.
  @Test func valuesMayBeAnyNumberOfStars() throws {
    let stars = String(repeating: "*", count: 100_000)
    let file = try AssociationFile(
      #"{"applinks": {"substitutionVariables": {"x": ["\#(stars)"]}, "details": [{"appID": "app","#
        + #""components": [{"/": "/$(x)a"}, {"/": "/$(x)$(x)"}]}]}}"#)
    let reachability = file.reachability(host: "shop.example")
    #expect(reachability.rules.count == 2)
    #expect(reachability.misjudgedExamples(of: file).isEmpty)
  }
}

/// Patterns with unknown variables, or without an end.
///
/// Examples, reachability, changes and lint have the same results as for a file without them.
@Suite struct UnreadablePatternTests {
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

  @Test func explorationsAgreeWithTheMatcher() throws {
    let host = "www.example.com"
    let limits = ExplorationLimits(states: 100, size: 100_000, work: 5_000, combinations: 100)
    let other = try AssociationFile(#"{"applinks":{"details":[]}}"#)
    for text in strings(over: ["/", "a", "*", "?", "$(none)", "$("], upTo: 4) {
      for file in try Self.files(text) {
        let reachability = file.reachability(host: host, limits: limits)
        #expect(reachability.misjudgedExamples(of: file).isEmpty, "\(text)")
        let changes = other.changes(to: file, host: host, limits: limits)
        #expect(changes.gap != .unconfirmed, "\(text)")
        let back = file.changes(to: other, host: host, limits: limits)
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
      let file = AssociationFileLintTests.components(
        ##"{"/":"\##(text)"},{"?":{"x":"\##(text)"}},{"#":"\##(text)"}"##)
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
    let ends = ["", "?a", "?x=", "?x=a", "?x=b&x=a", "?y=a", "#a", "?x=a#a"]
    let paths = strings(over: ["/", "a", "b"], upTo: 4).map { "/" + $0 }
    return paths.enumerated().flatMap { index, path in
      // Longer paths get one end each, in turn.
      path.utf8.count <= 3 ? ends.map { path + $0 } : [path + ends[index % ends.count]]
    }
  }()

  private static let patterns = strings(over: ["/", "a", "*", "?"], upTo: 3)

  private static func problem(_ rules: [RuleDefinition]) throws -> String? {
    var file = try AssociationFile(
      #"{"applinks": {"details": [{"appID": "app", "components": []}]}}"#)
    file.entries[0].components = rules
    let reachability = file.reachability(host: "a.example")
    let matcher = LinkMatcher(file)
    let useless = RuleReachability.uselessExclusions(
      of: matcher.ruleLists[0], in: matcher, limits: ExplorationLimits()
    ).positions
    var evaluation = Evaluation()
    for target in targets {
      var url = LinkURL("https://a.example" + target, host: "a.example")
      matcher.evaluate(&url, into: &evaluation)
      if let contradiction = reachability.contradiction(to: evaluation) {
        return "\(contradiction): \(target)"
      }
      guard let decider = evaluation.decidingRule(ofRuleList: 0), useless.contains(decider) else {
        continue
      }
      if evaluation.matches.contains(where: { !rules[$0.rule].excludes }) {
        return "rule \(decider) excludes \(target), which is claimed"
      }
    }
    return nil
  }

  @Test(arguments: ["*", "/a*", "*a", "/?", "/a", "/*/", "?*", "a"])
  func pairsOfPatterns(_ first: String) throws {
    for second in Self.patterns {
      let rules = [RuleDefinition(path: first), RuleDefinition(path: second, excludes: true)]
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
        RuleDefinition(
          path: Self.patterns.randomElement(using: &generator), query: generator.pick(queries),
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
