internal import TrafficDigest
internal import UniversalLinks

/// The counts of one worker, or of all of them, when two files are compared.
struct ComparisonTally: Sendable {
  /// The decision under one file.
  struct Side: Hashable, Sendable {
    var verdict: Verdict

    /// The number of the rule that decided.
    var rule: Int?
  }

  /// The decisions under both files.
  struct Decision: Hashable, Sendable {
    var system: OperatingSystem
    var old: Side
    var new: Side

    /// Whether the app has a route, which is `false` where that isn't known.
    var hasRoute: Bool
  }

  var old: RuleTallies
  var new: RuleTallies

  /// By the verdicts' numbers: that of the old one times four plus that of the new one.
  private(set) var transitions = Array(repeating: Traffic(), count: 16)
  var opensAnotherApp = Traffic()
  var newlyClaimedWithoutRoute = Traffic()
  var newlyClaimedCauses = CaseCounts<Cause>()

  /// By system and pair of lists, the traffic that is claimed under the new file only, and
  /// that which is under the old one only.
  private(set) var gained: [OperatingSystem: [Traffic]] = [:]
  private(set) var lost: [OperatingSystem: [Traffic]] = [:]

  /// The changes by paths and decisions.
  var changes: DecisionTally<Decision>

  init(old: CompiledSite, new: CompiledSite, pairs: AppPairs, fanOut: Int) {
    for system in OperatingSystem.allCases {
      gained[system] = Array(repeating: Traffic(), count: pairs[system].count)
      lost[system] = gained[system]
    }
    self.old = RuleTallies(old)
    self.new = RuleTallies(new)
    changes = DecisionTally(fanOut: fanOut)
  }

  /// Counts traffic by its verdicts under both files.
  mutating func add(_ traffic: Traffic, from old: Verdict, to new: Verdict) {
    transitions[old.number * 4 + new.number] += traffic
  }

  /// Counts traffic for the apps whose verdict changes to or from claimed.
  mutating func add(
    _ traffic: Traffic, _ system: OperatingSystem, _ pairs: [AppPairs.Pair],
    old: borrowing Evaluation, new: borrowing Evaluation
  ) {
    for index in pairs.indices {
      var (wasClaimed, isClaimed) = (false, false)
      if let list = pairs[index].lists.old {
        wasClaimed = old.verdict(ofRuleList: list) == .claimed
      }
      if let list = pairs[index].lists.new { isClaimed = new.verdict(ofRuleList: list) == .claimed }
      guard wasClaimed != isClaimed else { continue }
      if isClaimed {
        gained[system]?[index] += traffic
      } else {
        lost[system]?[index] += traffic
      }
    }
  }

  /// Adds the counts of another worker, both by path groups.
  mutating func merge(_ other: ComparisonTally) {
    old.merge(other.old)
    new.merge(other.new)
    for index in transitions.indices { transitions[index] += other.transitions[index] }
    opensAnotherApp += other.opensAnotherApp
    for system in OperatingSystem.allCases {
      gained[system] = Self.sum(gained[system], other.gained[system])
      lost[system] = Self.sum(lost[system], other.lost[system])
    }
    newlyClaimedWithoutRoute += other.newlyClaimedWithoutRoute
    newlyClaimedCauses += other.newlyClaimedCauses
    changes.merge(other.changes)
  }

  private static func sum(_ one: [Traffic]?, _ other: [Traffic]?) -> [Traffic] {
    zip(one ?? [], other ?? []).map { $0 + $1 }
  }
}

extension Judge {
  /// Counts the verdicts on a target's requests from one generation of systems under
  /// both files.
  mutating func compare(
    _ old: CompiledSite, _ system: OperatingSystem, _ traffic: Traffic, _ target: Span<UInt8>,
    _ subject: Subject, _ requests: Span<TrafficDigest.Count>
  ) {
    guard traffic.requests > 0 else { return }
    let number = subject.version
    let new = candidates[number].site
    old.matcher(system).evaluate(&url, into: &evaluation)
    new.matcher(system).evaluate(&url, into: &candidateEvaluation)
    comparisons[number].old[system].add(traffic, evaluation)
    comparisons[number].new[system].add(traffic, candidateEvaluation)

    comparisons[number].add(
      traffic, system, candidates[number].appPairs[system], old: evaluation,
      new: candidateEvaluation)

    let (from, to) = (evaluation.siteVerdict, candidateEvaluation.siteVerdict)
    comparisons[number].add(traffic, from: from, to: to)
    let oldList = old.firstList(with: from, system, evaluation)
    let newList = new.firstList(with: to, system, candidateEvaluation)
    if from == to {
      guard from == .claimed, let oldList, let newList,
        !candidates[number].appPairs.haveSameOpener(oldList, newList, system)
      else { return }
      comparisons[number].opensAnotherApp += traffic
    } else if to == .claimed {
      if subject.route == nil { comparisons[number].newlyClaimedWithoutRoute += traffic }
      let signs = causeSigns(of: new, system, candidateEvaluation, subject)
      for index in requests.indices {
        let combination = names.combinations[requests[index].kind]
        guard combination.isLegacy == (system == .legacy) else { continue }
        comparisons[number].newlyClaimedCauses[signs.cause(of: combination)] += self.traffic(
          requests[index], isPage: subject.isPage)
      }
    }
    let decision = ComparisonTally.Decision(
      system: system,
      old: ComparisonTally.Side(
        verdict: from, rule: oldList.flatMap { evaluation.decidingRule(ofRuleList: $0) }),
      new: ComparisonTally.Side(
        verdict: to, rule: newList.flatMap { candidateEvaluation.decidingRule(ofRuleList: $0) }),
      hasRoute: subject.route != nil)
    comparisons[number].changes.add(
      traffic, decision, template: subject.template, target: target)
  }

  /// The part of a target's requests from one generation of systems that came from pages of the
  /// same host.
  func trafficFromSameHost(
    _ system: OperatingSystem, _ subject: Subject, _ requests: Span<TrafficDigest.Count>
  ) -> Traffic {
    var sum = Traffic()
    for index in requests.indices {
      let count = requests[index]
      let combination = names.combinations[count.kind]
      if combination.isLegacy == (system == .legacy), combination.dimensions.referral == .sameHost {
        sum += traffic(count, isPage: subject.isPage)
      }
    }
    return sum
  }
}
