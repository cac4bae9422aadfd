/// The result of all rules of a matcher for one URL.
public struct Evaluation: Sendable {
  /// The result of the rules of one entry.
  enum Outcome: Sendable {
    case unmatched
    case matchedWithoutRules
    case decided(rule: Int, excludes: Bool)
  }

  var outcomes: [Outcome] = []
  var scratch = PatternScratch()

  /// A Boolean value indicating whether rules have a say in the URL.
  public internal(set) var isEligible = false

  /// A rule that matches.
  public struct RuleMatch: BitwiseCopyable, Hashable, Sendable {
    /// The position of the rule among those of all lists of the matcher.
    public var rule: Int

    /// The position of its list in ``LinkMatcher/ruleLists``.
    public var ruleList: Int

    /// The position of the rule in its list, from 0.
    public var position: Int
  }

  /// The rules that match the URL, also where an earlier one has decided, in no
  /// order.
  public private(set) var matches: [RuleMatch] = []

  /// The rules that may match, by their paths' ends.
  var candidates: [RuleIndex.Entry] = []

  /// Creates an evaluation that says nothing yet.
  public init() {}

  mutating func reset(_ initial: [Outcome]) {
    if outcomes.count == initial.count {
      for index in initial.indices { outcomes[index] = initial[index] }
    } else {
      outcomes = initial
    }
    if !matches.isEmpty { matches.removeAll(keepingCapacity: true) }
  }

  /// Adds a rule that matches, which stands at a position in its list.
  @inline(__always)
  mutating func add(rule: Int, ofRuleList list: Int, at position: Int, excludes: Bool) {
    matches.append(RuleMatch(rule: rule, ruleList: list, position: position))
    if case .decided(let earlier, _) = outcomes[list], earlier < position { return }
    outcomes[list] = .decided(rule: position, excludes: excludes)
  }

  /// The verdict of the rules of one entry.
  public func verdict(ofRuleList index: Int) -> Verdict {
    guard isEligible else { return .ineligible }
    return switch outcome(ofRuleList: index) {
    case .unmatched: .unclaimed
    case .matchedWithoutRules, .decided(_, excludes: false): .claimed
    case .decided(_, excludes: true): .excluded
    }
  }

  /// The position of the rule of an entry that decided, from 0, or `nil` if
  /// none did or the entry has none.
  public func decidingRule(ofRuleList index: Int) -> Int? {
    if case .decided(let rule, _) = outcome(ofRuleList: index) { rule } else { nil }
  }

  /// The outcome of an entry; nothing has matched where nothing has been evaluated yet.
  private func outcome(ofRuleList index: Int) -> Outcome {
    outcomes.indices.contains(index) ? outcomes[index] : .unmatched
  }

  /// Returns a Boolean value indicating whether a rule that matches is the one
  /// that decides for its entry.
  public func isDeciding(_ match: RuleMatch) -> Bool {
    if case .decided(match.position, _) = outcome(ofRuleList: match.ruleList) {
      true
    } else {
      false
    }
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
