internal import UniversalLinks

/// The decisions of the rules for one generation of systems.
struct GenerationTally: Sendable {
  /// The traffic that one rule decided, and that it would have decided.
  struct RuleTally: Sendable {
    var traffic = Traffic()
    var shadowed = 0

    /// The traffic that it would decide if URLs had a fragment that it needs.
    var withFragment = Traffic()
  }

  /// By the rules' numbers; an entry without rules has one.
  private(set) var rules: [RuleTally]

  /// The traffic that rules match but others decided, by both.
  private var shadows = CountTable()

  private let ruleListCount: Int
  private let verdictCount = Verdict.allCases.count

  /// By list and verdict.
  private var verdictTraffic: [Traffic]

  init(_ matcher: LinkMatcher) {
    rules = Array(repeating: RuleTally(), count: matcher.ruleCount)
    ruleListCount = matcher.ruleLists.count
    verdictTraffic = Array(repeating: Traffic(), count: ruleListCount * verdictCount)
  }

  /// The traffic of a list by verdict.
  func verdicts(ofRuleList list: Int) -> CaseCounts<Verdict> {
    var counts = CaseCounts<Verdict>()
    for verdict in Verdict.allCases {
      counts[verdict] = verdictTraffic[list * verdictCount + verdict.number]
    }
    return counts
  }

  /// Counts the requests of a target.
  mutating func add(_ traffic: Traffic, _ evaluation: borrowing Evaluation) {
    for list in 0..<ruleListCount {
      let verdict = evaluation.verdict(ofRuleList: list)
      verdictTraffic[list * verdictCount + verdict.number] += traffic
    }
    for index in 0..<evaluation.matchCount {
      let match = evaluation.match(at: index)
      guard let decider = evaluation.decidingRule(ofRuleList: match.ruleList),
        decider != match.rule
      else {
        rules[match.rule].traffic += traffic
        continue
      }
      rules[match.rule].shadowed += traffic.requests
      shadows.add(
        traffic, to: CountTable.Key(first: UInt64(match.rule), second: UInt64(decider)))
    }
  }

  /// Counts the requests of a target for the rules that would decide with some fragment.
  ///
  /// - Parameters:
  ///   - traffic: The requests.
  ///   - evaluation: The rules that match, whatever the fragment.
  ///   - rest: The rules that match without a fragment.
  ///   - matcher: The rules.
  mutating func add(
    withFragment traffic: Traffic, _ evaluation: borrowing Evaluation,
    besides rest: borrowing Evaluation, of matcher: LinkMatcher
  ) {
    for index in 0..<evaluation.matchCount {
      let match = evaluation.match(at: index)
      let decider = rest.decidingRule(ofRuleList: match.ruleList)
      guard decider.map({ match.rule < $0 }) ?? true else { continue }
      let list = matcher.ruleLists[match.ruleList]
      guard list.definition(ofRule: match.rule)?.dependsOnFragment ?? false else { continue }
      rules[match.rule].withFragment += traffic
    }
  }

  /// By the number of a rule, those that decided in its place, and the traffic.
  var deciders: [Int: [(rule: Int, traffic: Traffic)]] {
    var deciders: [Int: [(rule: Int, traffic: Traffic)]] = [:]
    shadows.forEachCount { key, traffic in
      deciders[Int(key.first), default: []].append((Int(key.second), traffic))
    }
    return deciders
  }

  mutating func merge(_ other: GenerationTally) {
    for index in rules.indices {
      rules[index].traffic += other.rules[index].traffic
      rules[index].shadowed += other.rules[index].shadowed
      rules[index].withFragment += other.rules[index].withFragment
    }
    shadows.add(other.shadows)
    for index in verdictTraffic.indices { verdictTraffic[index] += other.verdictTraffic[index] }
  }
}

extension BySystem<GenerationTally> {
  /// Creates empty counts for the rules of a file.
  init(_ site: RuleSet.Version) { self.init { GenerationTally(site.matchers[$0]) } }

  mutating func merge(_ other: Self) {
    current.merge(other.current)
    legacy.merge(other.legacy)
  }
}
