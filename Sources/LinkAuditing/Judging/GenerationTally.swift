internal import UniversalLinks

/// The decisions of the rules for one generation of systems.
struct GenerationTally: Sendable {
  /// The traffic that one rule decided, and that it would have decided.
  struct RuleTally: Sendable {
    var traffic = Traffic()
    var shadowed = 0
  }

  /// By position among the rules of all lists.
  private(set) var rules: [RuleTally]

  /// By list, what entries without rules matched.
  private(set) var wholeEntries: [Traffic]

  /// The traffic that rules match but others decided, by both.
  private var shadows = CountTable()

  /// The position of the first rule of each list.
  private let firstRules: [Int]

  /// By list and verdict.
  private var verdictTraffic: [Traffic]

  init(_ matcher: LinkMatcher) {
    rules = Array(repeating: RuleTally(), count: matcher.ruleCount)
    wholeEntries = Array(repeating: Traffic(), count: matcher.ruleLists.count)
    firstRules = matcher.ruleLists.map(\.firstRule)
    verdictTraffic = Array(
      repeating: Traffic(), count: matcher.ruleLists.count * Verdict.allCases.count)
  }

  /// The traffic of a list by verdict.
  func verdicts(ofRuleList list: Int) -> CaseCounts<Verdict> {
    var counts = CaseCounts<Verdict>()
    for verdict in Verdict.allCases {
      counts[verdict] = verdictTraffic[list * Verdict.allCases.count + verdict.number]
    }
    return counts
  }

  /// Counts the requests of a target.
  mutating func add(_ traffic: Traffic, _ evaluation: borrowing Evaluation) {
    for list in wholeEntries.indices {
      let verdict = evaluation.verdict(ofRuleList: list)
      verdictTraffic[list * Verdict.allCases.count + verdict.number] += traffic
      if verdict == .claimed, evaluation.decidingRule(ofRuleList: list) == nil {
        wholeEntries[list] += traffic
      }
    }
    for index in evaluation.matches.indices {
      let match = evaluation.matches[index]
      if evaluation.isDeciding(match) {
        rules[match.rule].traffic += traffic
      } else {
        rules[match.rule].shadowed += traffic.requests
        addShadow(match, traffic, evaluation)
      }
    }
  }

  private mutating func addShadow(
    _ match: Evaluation.RuleMatch, _ traffic: Traffic, _ evaluation: borrowing Evaluation
  ) {
    guard let position = evaluation.decidingRule(ofRuleList: match.ruleList) else { return }
    shadows.add(
      traffic,
      to: CountTable.Key(
        first: UInt64(match.rule), second: UInt64(firstRules[match.ruleList] + position)))
  }

  /// Calls `body` with each pair of a rule and one that decided in its place, by their
  /// positions among the rules of all lists, and the traffic.
  func forEachShadow(_ body: (_ rule: Int, _ decider: Int, Traffic) -> Void) {
    shadows.forEachCount { body(Int($0.first), Int($0.second), $1) }
  }

  mutating func merge(_ other: GenerationTally) {
    for index in rules.indices {
      rules[index].traffic += other.rules[index].traffic
      rules[index].shadowed += other.rules[index].shadowed
    }
    other.shadows.forEachCount { shadows.add($1, to: $0) }
    for index in wholeEntries.indices { wholeEntries[index] += other.wholeEntries[index] }
    for index in verdictTraffic.indices { verdictTraffic[index] += other.verdictTraffic[index] }
  }
}
