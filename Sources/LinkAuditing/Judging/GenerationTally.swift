internal import UniversalLinks

/// What the rules of one generation of systems decided.
struct GenerationTally: Sendable {
  /// What one rule decided, and what it would have.
  struct RuleTally: Sendable {
    var traffic = Traffic()
    var shadowed = 0
  }

  /// By position among the rules of all lists.
  private(set) var rules: [RuleTally]

  /// By list, what entries without rules matched.
  private(set) var wholeEntries: [Traffic]

  /// By list and verdict.
  private var verdictTraffic: [Traffic]

  init(_ matcher: LinkMatcher) {
    rules = Array(repeating: RuleTally(), count: matcher.ruleCount)
    wholeEntries = Array(repeating: Traffic(), count: matcher.ruleLists.count)
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
      }
    }
  }

  mutating func merge(_ other: GenerationTally) {
    for index in rules.indices {
      rules[index].traffic += other.rules[index].traffic
      rules[index].shadowed += other.rules[index].shadowed
    }
    for index in wholeEntries.indices { wholeEntries[index] += other.wholeEntries[index] }
    for index in verdictTraffic.indices { verdictTraffic[index] += other.verdictTraffic[index] }
  }
}
