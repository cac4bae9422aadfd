/// What all the rules of a matcher say of one URL.
public struct Evaluation: Sendable {
  /// What the rules of one entry come to.
  enum Outcome: Sendable {
    case unmatched
    case matchedWithoutRules
    case decided(rule: Int, excludes: Bool)
  }

  var outcomes: [Outcome] = []
  var scratch = PatternScratch()

  /// A Boolean value indicating whether rules have a say in the URL.
  public internal(set) var isEligible = false

  /// For each rule of the matcher, by its position among those of all lists,
  /// whether it matches the URL, also where an earlier one has decided.
  public internal(set) var ruleMatches: [Bool] = []

  /// Creates an evaluation that says nothing yet.
  public init() {}

  mutating func reset(ruleLists: Int, rules: Int) {
    outcomes.removeAll(keepingCapacity: true)
    outcomes.append(contentsOf: repeatElement(.unmatched, count: ruleLists))
    ruleMatches.removeAll(keepingCapacity: true)
    ruleMatches.append(contentsOf: repeatElement(false, count: rules))
  }

  /// The verdict of the rules of one entry.
  public func verdict(ofRuleList index: Int) -> Verdict {
    guard isEligible else { return .ineligible }
    return switch outcomes[index] {
    case .unmatched: .unclaimed
    case .matchedWithoutRules, .decided(_, excludes: false): .claimed
    case .decided(_, excludes: true): .excluded
    }
  }

  /// The position of the rule of an entry that decided, from 0, or `nil` if
  /// none did or the entry has none.
  public func decidingRule(ofRuleList index: Int) -> Int? {
    if case .decided(let rule, _) = outcomes[index] { rule } else { nil }
  }

  /// The site's verdict: claimed if any app claims the URL, else excluded if any
  /// app excludes it, else unclaimed.
  public var siteVerdict: Verdict {
    guard isEligible else { return .ineligible }
    var verdict = Verdict.unclaimed
    for outcome in outcomes {
      switch outcome {
      case .matchedWithoutRules, .decided(_, excludes: false): return .claimed
      case .decided(_, excludes: true): verdict = .excluded
      case .unmatched: break
      }
    }
    return verdict
  }
}
