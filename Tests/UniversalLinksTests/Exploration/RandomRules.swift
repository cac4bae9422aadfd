import TestSupport
import Testing

@testable import Foundations
@testable import UniversalLinks

struct RuleAlphabet: Sendable, CustomTestStringConvertible {
  var name: String
  var patterns: [String]
  var paths = ["a"]
  var pathLength = 1
  var queries: [String] = []
  var queryLength = 0
  var fragments: [String] = []
  var fragmentLength = 0
  var changesForm = false
  var usesItems = false
  var usesQueries = false
  var files = 16
  var rules = 4

  var testDescription: String { name }
}

extension RuleAlphabet {
  /// Alphabets that each emphasise one feature.
  static let all = [
    RuleAlphabet(
      name: "paths", patterns: ["/", "a", "b", "*", "?", "?*", "**"], paths: ["/", "a", "b", "x"],
      pathLength: 6, files: 40),
    RuleAlphabet(
      name: "letter case", patterns: ["/", "a", "A", "k", "*", "?"],
      paths: ["/", "a", "A", "K", "x"], pathLength: 5, changesForm: true),
    RuleAlphabet(
      name: "escapes", patterns: ["/", "a", "%61", "é", "*", "?", "%", "6", "%2F", "%c3%A9"],
      paths: ["/", "a", "%61", "%2F", "%C3%A9", "%c3%A9", "%00", "%FF", "%C3", "x", "%2A"],
      pathLength: 4, changesForm: true),
    RuleAlphabet(
      name: "variables", patterns: ["/", "a", "$(v)", "$(w)", "$(digit)", "$(none)", "*", "b"],
      paths: ["/", "a", "b", "1", "x"], pathLength: 5, files: 20),
    RuleAlphabet(
      name: "whole queries and fragments", patterns: ["a", "b", "*", "?", "**", "=", "&"],
      queries: ["a", "b", "=", "&", "x"], queryLength: 4, fragments: ["a", "b", "x"],
      fragmentLength: 2, usesQueries: true),
    RuleAlphabet(
      name: "items", patterns: ["a", "b", "*", "?", "=", ""],
      queries: ["a", "b", "=", "&", "x"], queryLength: 6, usesItems: true),
    RuleAlphabet(
      name: "items and whole queries", patterns: ["a", "b", "*", "?", "=", "&"],
      queries: ["a", "b", "=", "&", "x"], queryLength: 6, usesItems: true, usesQueries: true),
    RuleAlphabet(
      name: "encoded items", patterns: ["a", "é", "*", "?", "%61", "&"], paths: [], pathLength: 0,
      queries: ["a", "%61", "=", "&", "%26", "%C3%A9", "%00", "%FF"], queryLength: 4,
      changesForm: true, usesItems: true),
    RuleAlphabet(
      name: "encoded items and whole queries", patterns: ["a", "*", "?", "%61", "&", "="],
      paths: [], pathLength: 0, queries: ["a", "%61", "=", "&", "%26", "%00", "%FF"],
      queryLength: 4, changesForm: true, usesItems: true, usesQueries: true),
  ]

  /// All features at once, which explorations may not finish.
  static let everything = RuleAlphabet(
    name: "everything",
    patterns: ["/", "a", "b", "*", "?", "%41", "é", "$(v)", "$(digit)", "7", "A", "**", "="],
    paths: ["/", "a", "A7", "%41", "%C3%A9"], pathLength: 2,
    queries: ["a=", "b=7", "&", "%61", "A"], queryLength: 2, fragments: ["a", "%41"],
    fragmentLength: 1, changesForm: true, usesItems: true, usesQueries: true, files: 60)

  /// So many rules that patterns of all kinds share automata.
  static let manyRules = RuleAlphabet(
    name: "many rules", patterns: ["/", "a", "b", "*", "?", "$(v)", "$(w)", "$(lang)", "A", "é"],
    paths: ["a", "a/b", "A/b", "%61/b", "en/x", "xaxb", "a/%C3%A9", "b/b"],
    queries: ["a=", "b=a", "&", "&a=xay", "ab", "B", "%61", "%C3%A9", "é"], queryLength: 2,
    fragments: ["a", "b"], fragmentLength: 1, changesForm: true, usesItems: true,
    usesQueries: true, files: TestRun.size(full: 300, usual: 40), rules: 25)

  /// URLs over the alphabet: all short ones, and some of the others.
  func urls(_ generator: inout SeededGenerator, count: Int) -> [String] {
    func text(_ symbols: [String], upTo length: Int) -> String {
      guard length > 0, !symbols.isEmpty else { return "" }
      return generator.text(of: symbols, 0...length)
    }
    var urls: [String] = []
    for path in strings(over: paths, upTo: min(pathLength, 2)) {
      for query in strings(over: queries, upTo: min(queryLength, 2)) {
        for fragment in strings(over: fragments, upTo: min(fragmentLength, 1)) {
          urls.append("https://a.example/\(path)?\(query)#\(fragment)")
        }
      }
    }
    while urls.count < count {
      let path = text(paths, upTo: pathLength)
      urls.append(
        "https://a.example/\(path)?\(text(queries, upTo: queryLength))"
          + "#\(text(fragments, upTo: fragmentLength))")
    }
    return urls
  }

  func files(_ generator: inout SeededGenerator) -> (AssociationFile, AssociationFile) {
    var entries = (0..<Int.random(in: 1...2, using: &generator)).map { index in
      AssociationFile.Entry(
        id: .index(index), position: index, appIDs: [ApplicationIdentifier("app\(index)")],
        components: (0..<Int.random(in: 0...rules, using: &generator)).map { _ in rule(&generator) }
      )
    }
    let variables = [
      SubstitutionVariable(name: "v", values: ["a", "ab", ""]),
      SubstitutionVariable(name: "w", values: ["a*b", "?", "*", "b/"]),
    ]
    let old = AssociationFile(entries: entries, substitutionVariables: variables)
    for index in entries.indices {
      var rules = entries[index].components ?? []
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        rules.insert(rule(&generator), at: Int.random(in: 0...rules.count, using: &generator))
      case 1: rules.shuffle(using: &generator)
      case 2: rules = rules.dropLast()
      case 3:
        if let place = rules.indices.randomElement(using: &generator) {
          rules[place].excludes.toggle()
        }
      default:
        // The same in another notation.
        for place in rules.indices where Bool.random(using: &generator) {
          rules[place].path = rules[place].path.map { "/" + $0 }
        }
      }
      entries[index].components = rules
    }
    var newVariables = variables
    if Int.random(in: 0..<4, using: &generator) == 0 { newVariables[0].values.removeLast() }
    return (old, AssociationFile(entries: entries, substitutionVariables: newVariables))
  }

  private func rule(_ generator: inout SeededGenerator) -> RuleDefinition {
    var rule = RuleDefinition()
    func pattern(upTo length: Int) -> String { generator.text(of: patterns, 0...length) }
    if pathLength > 1 || generator.chance(25) { rule.path = pattern(upTo: 5) }
    if usesItems, generator.chance(60) {
      rule.query = .items(
        (0..<Int.random(in: 1...2, using: &generator)).map { _ in
          let name = generator.pick(["a", "b", "", changesForm ? "%61" : "a"])
          return RuleDefinition.Item(name: name, pattern: pattern(upTo: 2))
        })
    } else if usesQueries, generator.chance(70) {
      rule.query = .whole(pattern(upTo: 4))
    }
    if fragmentLength > 0, generator.chance(30) { rule.fragment = pattern(upTo: 2) }
    rule.excludes = generator.chance(40)
    if changesForm {
      rule.isCaseSensitive = generator.chance(60)
      rule.isPercentEncoded = generator.chance(60)
    }
    return rule
  }
}

/// The verdict of a site, or of one of its apps, and its reason, in a simple way.
struct PlainOutcome: Hashable {
  private(set) var verdict = Verdict.unclaimed
  private(set) var app: ApplicationIdentifier?
  private(set) var rule: Int?

  init(_ url: String, _ matcher: LinkMatcher, app: String? = nil) {
    let decisions = matcher.decisions(for: url).filter { app == nil || $0.app.text == app }
    let decision =
      decisions.first { $0.verdict == .claimed } ?? decisions.first { $0.verdict == .excluded }
    if let decision { verdict = decision.verdict }
    (self.app, rule) = (decision?.app, decision?.rule?.position)
  }

  init(_ outcome: VerdictChanges.Outcome) {
    (verdict, app) = (outcome.verdict, outcome.decision?.app)
    rule = outcome.decision?.rule?.position
  }
}
