import TestSupport
import Testing

@testable import UniversalLinks

/// Explorations of random small files, checked against all small URLs.
@Suite struct ExplorationRandomTests {
  /// A debug build is slow.
  private static let limits = ExplorationLimits(states: 3_000, work: 100_000)

  @Test(arguments: RuleAlphabet.all)
  func everyChangeOfASmallURLIsFound(alphabet: RuleAlphabet) throws {
    var generator = SeededGenerator()
    var (exhaustive, changed) = (0, 0)
    for _ in 0..<alphabet.files {
      let (old, new) = alphabet.files(&generator)
      let changes = old.changes(to: new, host: "a.example", system: .current, limits: Self.limits)
      let urls = alphabet.urls(&generator, count: 200)
      if let problem = Self.problem(changes, old: old, new: new, urls: urls) {
        Issue.record("\(problem)\n\(old.rulesForPeople)\n\(new.rulesForPeople)")
        return
      }
      exhaustive += changes.isExhaustive ? 1 : 0
      changed += changes.site.isEmpty ? 0 : 1
    }
    #expect(exhaustive > 0)
    #expect(changed > 0)
  }

  /// The mistakes in changes, if any.
  private static func problem(
    _ changes: VerdictChanges, old: AssociationFile, new: AssociationFile, urls: [String]
  ) -> String? {
    if changes.gap == .unconfirmed { return "unconfirmed" }
    let matchers = (LinkMatcher(old, system: .current), LinkMatcher(new, system: .current))
    for change in changes.site {
      let (before, after) = (
        PlainOutcome(change.url, matchers.0), PlainOutcome(change.url, matchers.1)
      )
      if before != PlainOutcome(change.old) || after != PlainOutcome(change.new)
        || !Self.isChange(before, after)
      {
        return "untrue: \(change)"
      }
    }
    let known = Set(changes.site.map { [PlainOutcome($0.old), PlainOutcome($0.new)] })
    if known.count != changes.site.count { return "a pair of rules occurs twice" }
    let knownOfApps = Set(
      changes.apps.map { [PlainOutcome($0.change.old), PlainOutcome($0.change.new)] })
    guard changes.isExhaustive else { return nil }
    for url in urls {
      let outcomes = [PlainOutcome(url, matchers.0), PlainOutcome(url, matchers.1)]
      if isChange(outcomes[0], outcomes[1]), !known.contains(outcomes) {
        return "missed: \(url) \(outcomes), known: \(known)"
      }
      for index in old.entries.indices {
        let outcomes = [
          PlainOutcome(url, matchers.0, app: index), PlainOutcome(url, matchers.1, app: index),
        ]
        if outcomes[0].verdict != outcomes[1].verdict, !knownOfApps.contains(outcomes) {
          return "missed for app \(index): \(url) \(outcomes)"
        }
      }
    }
    return nil
  }

  /// Whether the verdict changes, or another app opens.
  private static func isChange(_ old: PlainOutcome, _ new: PlainOutcome) -> Bool {
    old.verdict != new.verdict || old.verdict == .claimed && old.app != new.app
  }

  @Test(arguments: RuleAlphabet.all)
  func theDecidingRuleIsKnown(alphabet: RuleAlphabet) throws {
    var generator = SeededGenerator()
    var reaches: [String: Int] = [:]
    for _ in 0..<alphabet.files {
      let (_, file) = alphabet.files(&generator)
      let reachability = file.reachability(host: "a.example", system: .current, limits: Self.limits)
      let urls = alphabet.urls(&generator, count: 200)
      if let problem = Self.problem(reachability, file: file, urls: urls) {
        Issue.record("\(problem)\n\(file.rulesForPeople)")
        return
      }
      for reach in reachability.rules.map(\.reach) {
        switch reach {
        case .decides: reaches["decides", default: 0] += 1
        case .covered: reaches["covered", default: 0] += 1
        case .matchesNothing: reaches["matches nothing", default: 0] += 1
        case .unknown: reaches["unknown", default: 0] += 1
        }
      }
    }
    #expect(reaches["decides", default: 0] > 0)
  }

  /// The mistakes in the rules' alleged decisions, if any.
  private static func problem(
    _ reachability: RuleReachability, file: AssociationFile, urls: [String]
  ) -> String? {
    if reachability.gap == .unconfirmed { return "unconfirmed" }
    let misjudged = reachability.misjudgedExamples(of: file, system: .current)
    guard misjudged.isEmpty else { return "untrue: \(misjudged)" }
    let matcher = LinkMatcher(file, system: .current)
    var evaluation = Evaluation()
    for url in urls {
      var link = LinkURL(url)
      matcher.evaluate(&link, into: &evaluation)
      if let contradiction = reachability.contradiction(to: evaluation) {
        return "\(contradiction): \(url)"
      }
    }
    return nil
  }
}
