internal import TrafficDigest
internal import UniversalLinks

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
        !candidates[number].openers.areEqual(oldList, newList, system)
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
