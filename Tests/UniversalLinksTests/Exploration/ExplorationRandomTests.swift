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
      let changes = old.changes(to: new, host: "a.example", limits: Self.limits)
      let urls = alphabet.urls(&generator, count: 200)
      if let problem = Self.problem(changes, old: old, new: new, urls: urls) {
        Issue.record("\(problem)\n\(old)\n\(new)")
        return
      }
      exhaustive += changes.isExhaustive ? 1 : 0
      changed += changes.site.isEmpty ? 0 : 1
    }
    #expect(exhaustive > 0)
    #expect(changed > 0)
  }

  private static func problem(
    _ changes: VerdictChanges, old: AssociationFile, new: AssociationFile, urls: [String]
  ) -> String? {
    if changes.gap == .unconfirmed { return "unconfirmed" }
    let matchers = [old, new].map { LinkMatcher($0) }
    func outcomes(_ url: String, app: String? = nil) -> [PlainOutcome] {
      matchers.map { PlainOutcome(url, $0, app: app) }
    }
    for change in changes.site {
      let found = outcomes(change.url)
      if found != [PlainOutcome(change.old), PlainOutcome(change.new)] || !isChange(found) {
        return "untrue: \(change)"
      }
    }
    let known = Set(changes.site.map { [PlainOutcome($0.old), PlainOutcome($0.new)] })
    if known.count != changes.site.count { return "a pair of rules occurs twice" }
    let knownOfApps = Set(
      changes.apps.map { [PlainOutcome($0.change.old), PlainOutcome($0.change.new)] })
    guard changes.isExhaustive else { return nil }
    for url in urls {
      let found = outcomes(url)
      if isChange(found), !known.contains(found) {
        return "missed: \(url) \(found), known: \(known)"
      }
      for app in old.entries.indices.map({ "app\($0)" }) {
        let found = outcomes(url, app: app)
        if found[0].verdict != found[1].verdict, !knownOfApps.contains(found) {
          return "missed for \(app): \(url) \(found)"
        }
      }
    }
    return nil
  }

  private static func isChange(_ outcomes: [PlainOutcome]) -> Bool {
    outcomes[0].verdict != outcomes[1].verdict
      || outcomes[0].verdict == .claimed && outcomes[0].app != outcomes[1].app
  }

  @Test(arguments: RuleAlphabet.all)
  func theDecidingRuleIsKnown(alphabet: RuleAlphabet) throws {
    var generator = SeededGenerator()
    var decisive = 0
    for _ in 0..<alphabet.files {
      let (_, file) = alphabet.files(&generator)
      let reachability = file.reachability(host: "a.example", limits: Self.limits)
      let urls = alphabet.urls(&generator, count: 200)
      if let problem = Self.problem(reachability, file: file, urls: urls) {
        Issue.record("\(problem)\n\(file)")
        return
      }
      decisive += reachability.rules.count { rule in
        if case .decides = rule.reach { true } else { false }
      }
    }
    #expect(decisive > 0)
  }

  private static func problem(
    _ reachability: RuleReachability, file: AssociationFile, urls: [String]
  ) -> String? {
    if reachability.gap == .unconfirmed { return "unconfirmed" }
    let misjudged = reachability.misjudgedExamples(of: file)
    guard misjudged.isEmpty else { return "untrue: \(misjudged)" }
    let matcher = LinkMatcher(file)
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
