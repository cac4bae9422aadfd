/// The result of all rules of a matcher for one URL.
///
/// An evaluation is filled in for millions of URLs, so it identifies rules by their numbers among
/// those of all lists of the matcher. ``LinkMatcher/decisions(of:)`` names them.
public struct Evaluation: Sendable {
  /// The result of the rules of one entry.
  @usableFromInline
  enum Outcome: BitwiseCopyable, Sendable {
    case unmatched
    case decided(rule: Int, excludes: Bool)
  }

  /// A rule that matches, by its number, and the position of its list.
  @usableFromInline
  package struct Match: BitwiseCopyable, Hashable, Sendable {
    package var rule: Int
    package var ruleList: Int

    package init(rule: Int, ruleList: Int) { (self.rule, self.ruleList) = (rule, ruleList) }
  }

  /// The outcomes by list; none if the URL isn't eligible.
  @usableFromInline
  private(set) var outcomes: [Outcome] = []

  var cache = AutomatonCache()

  /// A Boolean value indicating whether rules apply to the URL.
  public internal(set) var isEligible = false

  /// The rules that match the URL, in no order, even if an earlier one has decided.
  ///
  /// Those from ``matchCount`` on belong to an earlier URL.
  @usableFromInline
  private(set) var storedMatches: [Match] = []

  /// The number of rules that match the URL.
  package private(set) var matchCount = 0

  /// The rules that match the URL, in no order, even if an earlier one has decided.
  package var matches: ArraySlice<Match> { storedMatches[..<matchCount] }

  /// One of the rules that match the URL.
  @inlinable @inline(__always)
  package func match(at index: Int) -> Match { storedMatches[index] }

  /// The number of rules whose paths match.
  var candidateCount = 0

  /// Creates an empty evaluation.
  public init() {}

  /// Creates an evaluation whose automata discard their states at a size.
  init(limit: Int) { cache = AutomatonCache(limit: limit) }

  /// Clears the last URL, and reserves memory for the outcomes of some lists.
  mutating func reset(ruleListCount count: Int) {
    if outcomes.count == count {
      for index in outcomes.indices { outcomes[index] = .unmatched }
    } else {
      outcomes.removeAll(keepingCapacity: true)
      outcomes.append(contentsOf: repeatElement(.unmatched, count: count))
    }
    candidateCount = 0
    matchCount = 0
  }

  /// Adds a rule that matches.
  @inline(__always)
  mutating func add(rule: Int, ofRuleList list: Int, excludes: Bool) {
    let match = Match(rule: rule, ruleList: list)
    if matchCount < storedMatches.count {
      storedMatches[matchCount] = match
    } else {
      storedMatches.append(match)
    }
    matchCount += 1
    if case .decided(let earlier, _) = outcomes[list], earlier < rule { return }
    outcomes[list] = .decided(rule: rule, excludes: excludes)
  }

  /// Returns the verdict of the rules of one entry.
  @inlinable @inline(__always)
  package func verdict(ofRuleList index: Int) -> Verdict {
    guard isEligible else { return .ineligible }
    return switch outcome(ofRuleList: index) {
    case .unmatched: .unclaimed
    case .decided(_, excludes: false): .claimed
    case .decided(_, excludes: true): .excluded
    }
  }

  /// Returns the number of the rule of an entry that decided, or `nil` if none did.
  @inlinable @inline(__always)
  package func decidingRule(ofRuleList index: Int) -> Int? {
    if case .decided(let rule, _) = outcome(ofRuleList: index) { rule } else { nil }
  }

  /// The outcome of an entry; before any evaluation, nothing has matched.
  @inlinable @inline(__always)
  func outcome(ofRuleList index: Int) -> Outcome {
    outcomes.indices.contains(index) ? outcomes[index] : .unmatched
  }

  /// The site's verdict: claimed if any app claims the URL, else excluded if any
  /// app excludes it, else unclaimed.
  public var siteVerdict: Verdict {
    guard isEligible else { return .ineligible }
    var verdict = Verdict.unclaimed
    for outcome in outcomes {
      switch outcome {
      case .decided(_, excludes: false): return .claimed
      case .decided(_, excludes: true): verdict = .excluded
      case .unmatched: break
      }
    }
    return verdict
  }
}

/// The verdict of an app's rules on a URL, and the rule that decided.
public struct Decision: Hashable, Sendable {
  /// The app.
  public var app: ApplicationIdentifier

  /// Whether its rules claim the URL.
  public var verdict: Verdict

  /// The rule that decided, or `nil` if none did; without a position if the entry has no rules
  /// and so matches everything.
  public var rule: RuleID?

  /// Creates a decision.
  public init(app: ApplicationIdentifier, verdict: Verdict, rule: RuleID?) {
    (self.app, self.verdict, self.rule) = (app, verdict, rule)
  }
}

/// The verdict of rules on a URL.
public enum Verdict: String, CaseIterable, Hashable, Sendable {
  /// A rule opens it in the app.
  case claimed

  /// An exclusion decided: the URL stays in the browser.
  case excluded

  /// No rule matches.
  case unclaimed

  /// Not a URL that any rule could open.
  case ineligible
}

/// The generations of systems that read association files differently.
public enum OperatingSystem: String, CaseIterable, Hashable, Sendable {
  /// iOS 12 and earlier: `appID` and `paths` only (Matching.md, 4.2).
  case legacy = "ios12"

  /// iOS 13 and later, with all that later versions added.
  case current = "ios13+"
}
