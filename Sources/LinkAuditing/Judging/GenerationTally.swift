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
  private(set) var verdicts: [CaseCounts<Verdict>]

  init(_ matcher: LinkMatcher) {
    rules = Array(repeating: RuleTally(), count: matcher.ruleCount)
    wholeEntries = Array(repeating: Traffic(), count: matcher.ruleLists.count)
    verdicts = Array(repeating: CaseCounts(), count: matcher.ruleLists.count)
  }

  /// Counts the requests of a target.
  mutating func add(_ traffic: Traffic, _ evaluation: Evaluation, matcher: LinkMatcher) {
    for index in matcher.ruleLists.indices {
      let verdict = evaluation.verdict(ofRuleList: index)
      verdicts[index][verdict] += traffic
      guard evaluation.isEligible else { continue }
      let firstRule = matcher.ruleLists[index].firstRule
      guard let deciding = evaluation.decidingRule(ofRuleList: index) else {
        if verdict == .claimed { wholeEntries[index] += traffic }
        continue
      }
      rules[firstRule + deciding].traffic += traffic
      let end = firstRule + matcher.ruleLists[index].ruleCount
      for rule in (firstRule + deciding + 1)..<end where evaluation.ruleMatches[rule] {
        rules[rule].shadowed += traffic.requests
      }
    }
  }

  mutating func merge(_ other: GenerationTally) {
    for index in rules.indices {
      rules[index].traffic += other.rules[index].traffic
      rules[index].shadowed += other.rules[index].shadowed
    }
    for index in wholeEntries.indices {
      wholeEntries[index] += other.wholeEntries[index]
      verdicts[index] += other.verdicts[index]
    }
  }
}
