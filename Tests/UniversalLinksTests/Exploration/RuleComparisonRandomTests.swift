import TestSupport
import Testing

@testable import UniversalLinks

/// Comparisons of random small files against all small URLs under the matcher.
@Suite struct RuleComparisonRandomTests {
  /// What patterns and URLs are made of.
  struct Alphabet: Sendable, CustomTestStringConvertible {
    var name: String
    var patterns: [String]
    var paths: [String]
    var pathLength: Int
    var queries: [String] = []
    var queryLength = 0
    var fragments: [String] = []
    var fragmentLength = 0
    var changesForm = false
    var usesItems = false
    var usesQueries = false
    var files = 60

    var testDescription: String { name }
  }

  static let alphabets = [
    Alphabet(
      name: "paths", patterns: ["/", "a", "b", "*", "?", "?*", "**"], paths: ["/", "a", "b", "x"],
      pathLength: 6, files: 150),
    Alphabet(
      name: "letter case", patterns: ["/", "a", "A", "k", "*", "?"],
      paths: ["/", "a", "A", "K", "x"], pathLength: 5, changesForm: true),
    Alphabet(
      name: "escapes", patterns: ["/", "a", "%61", "é", "*", "?", "%", "6", "%2F", "%c3%A9"],
      paths: ["/", "a", "%61", "%2F", "%C3%A9", "%c3%A9", "%00", "%FF", "%C3", "x", "%2A"],
      pathLength: 4, changesForm: true),
    Alphabet(
      name: "variables", patterns: ["/", "a", "$(v)", "$(w)", "$(digit)", "*", "b"],
      paths: ["/", "a", "b", "1", "x"], pathLength: 5, files: 80),
    Alphabet(
      name: "whole queries and fragments", patterns: ["a", "b", "*", "?", "**", "=", "&"],
      paths: ["a"], pathLength: 1, queries: ["a", "b", "=", "&", "x"], queryLength: 4,
      fragments: ["a", "b", "x"], fragmentLength: 2, usesQueries: true),
    Alphabet(
      name: "items", patterns: ["a", "b", "*", "?", "=", ""], paths: ["a"], pathLength: 1,
      queries: ["a", "b", "=", "&", "x"], queryLength: 6, usesItems: true),
    Alphabet(
      name: "items and whole queries", patterns: ["a", "b", "*", "?", "=", "&"], paths: ["a"],
      pathLength: 1, queries: ["a", "b", "=", "&", "x"], queryLength: 6, usesItems: true,
      usesQueries: true),
    Alphabet(
      name: "encoded items", patterns: ["a", "é", "*", "?", "%61", "&"], paths: [], pathLength: 0,
      queries: ["a", "%61", "=", "&", "%26", "%C3%A9", "%00", "%FF"], queryLength: 4,
      changesForm: true, usesItems: true),
    Alphabet(
      name: "encoded items and whole queries", patterns: ["a", "*", "?", "%61", "&", "="],
      paths: [], pathLength: 0,
      queries: ["a", "%61", "=", "&", "%26", "%00", "%FF"], queryLength: 4, changesForm: true,
      usesItems: true, usesQueries: true),
  ]

  @Test(arguments: alphabets)
  func everyChangeOfASmallURLIsFound(alphabet: Alphabet) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let paths = strings(over: alphabet.paths, upTo: alphabet.pathLength).map { "/" + $0 }
    let queries = strings(over: alphabet.queries, upTo: alphabet.queryLength)
    let fragments = strings(over: alphabet.fragments, upTo: alphabet.fragmentLength)
    let urls = paths.flatMap { path in
      queries.flatMap { query in
        fragments.map { "https://a.example\(path)?\(query)#\($0)" }
      }
    }
    var (exhaustive, changed) = (0, 0)
    for _ in 0..<alphabet.files {
      let (old, new) = Self.files(alphabet, &generator)
      let comparison = RuleComparison(old: old, new: new, host: "a.example", system: .current)
      let problem = Self.problem(comparison, old: old, new: new, urls: urls)
      if let problem {
        Issue.record("seed: \(seed): \(problem)\n\(Self.text(old))\n\(Self.text(new))")
        return
      }
      exhaustive += comparison.isExhaustive ? 1 : 0
      changed += comparison.changes.isEmpty ? 0 : 1
      if comparison.gap == .unconfirmed {
        Issue.record("seed: \(seed): unconfirmed\n\(Self.text(old))\n\(Self.text(new))")
        return
      }
    }
    #expect(exhaustive * 10 > alphabet.files * 9, "seed: \(seed): \(exhaustive) are exhaustive")
    #expect(changed > alphabet.files / 4 && changed < alphabet.files, "seed: \(seed)")
  }

  private static func text(_ file: AssociationFile) -> String {
    let rules = file.entries.flatMap { entry in
      (entry.components ?? []).map { rule in
        "\(entry.position): \(rule.excludes ? "NOT" : "") \(rule.path ?? "-") "
          + "\(rule.query.map { "\($0)" } ?? "-") \(rule.fragment ?? "-") "
          + "\(rule.isCaseSensitive ? "" : "folded") \(rule.isPercentEncoded ? "" : "decoded")"
      }
    }
    return rules.joined(separator: "\n") + "\n" + "\(file.substitutionVariables.map(\.values))"
  }

  /// What is wrong with a comparison, if anything.
  private static func problem(
    _ comparison: RuleComparison, old: AssociationFile, new: AssociationFile, urls: [String]
  ) -> String? {
    let matchers = (LinkMatcher(old, system: .current), LinkMatcher(new, system: .current))
    for change in comparison.changes {
      let (before, after) = (
        PlainOutcome(change.url, matchers.0), PlainOutcome(change.url, matchers.1)
      )
      if before != PlainOutcome(change.old) || after != PlainOutcome(change.new)
        || before.verdict == after.verdict
      {
        return "untrue: \(change)"
      }
    }
    let known = Set(
      comparison.changes.map { [PlainOutcome($0.old), PlainOutcome($0.new)] })
    if known.count != comparison.changes.count { return "a pair of rules occurs twice" }
    guard comparison.isExhaustive else { return nil }
    for url in urls {
      let outcomes = [PlainOutcome(url, matchers.0), PlainOutcome(url, matchers.1)]
      if outcomes[0].verdict != outcomes[1].verdict, !known.contains(outcomes) {
        return "missed: \(url) \(outcomes), known: \(known)"
      }
    }
    return nil
  }

  /// Two files that have most rules in common.
  private static func files(
    _ alphabet: Alphabet, _ generator: inout SeededGenerator
  ) -> (AssociationFile, AssociationFile) {
    var entries = (0..<Int.random(in: 1...2, using: &generator)).map { index in
      AssociationFile.Entry(
        place: .index(index), position: index, appIDs: [ApplicationIdentifier("app\(index)")],
        components: (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          rule(alphabet, &generator)
        }, relativeOrder: 0)
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
        rules.insert(
          rule(alphabet, &generator), at: Int.random(in: 0...rules.count, using: &generator))
      case 1: rules.shuffle(using: &generator)
      case 2: rules = rules.dropLast()
      case 3:
        if let place = rules.indices.randomElement(using: &generator) {
          rules[place].excludes.toggle()
        }
      default:
        // What is written in another way.
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

  private static func rule(
    _ alphabet: Alphabet, _ generator: inout SeededGenerator
  ) -> RuleDefinition {
    var rule = RuleDefinition()
    func pattern(upTo length: Int) -> String {
      (0..<Int.random(in: 0...length, using: &generator))
        .map { _ in alphabet.patterns.randomElement(using: &generator) ?? "" }.joined()
    }
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    if alphabet.pathLength > 1 || chance(25) {
      rule.path = pattern(upTo: 5)
    }
    if alphabet.usesItems, chance(60) {
      rule.query = .items(
        (0..<Int.random(in: 1...2, using: &generator)).map { _ in
          RuleDefinition.Item(
            name: ["a", "b", "", alphabet.changesForm ? "%61" : "a"].randomElement(
              using: &generator) ?? "", pattern: pattern(upTo: 2))
        })
    } else if alphabet.usesQueries, chance(70) {
      rule.query = .whole(pattern(upTo: 4))
    }
    if alphabet.fragmentLength > 0, chance(30) { rule.fragment = pattern(upTo: 2) }
    rule.excludes = chance(40)
    if alphabet.changesForm {
      rule.isCaseSensitive = chance(60)
      rule.isPercentEncoded = chance(60)
    }
    return rule
  }
}

/// The verdict of a site and what decided, in a plain way.
struct PlainOutcome: Hashable {
  var verdict: Verdict
  var app: ApplicationIdentifier?
  var rule: Int?
}

extension PlainOutcome {
  init(_ url: String, _ matcher: LinkMatcher) {
    var link = LinkURL(url)
    let decisions = matcher.decisions(for: &link)
    let decision =
      decisions.first { $0.verdict == .claimed } ?? decisions.first { $0.verdict == .excluded }
    self.init(verdict: decision?.verdict ?? .unclaimed, app: decision?.app, rule: decision?.rule)
  }

  init(_ outcome: RuleComparison.Outcome) {
    self.init(
      verdict: outcome.verdict, app: outcome.decision?.app, rule: outcome.decision?.rule)
  }
}
