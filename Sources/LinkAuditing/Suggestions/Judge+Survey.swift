internal import TrafficDigest
internal import UniversalLinks

extension Judge {
  /// Counts what the requests of a target from one generation of systems come to when rules
  /// are looked for.
  mutating func addSurvey(
    _ survey: RuleSurvey, _ site: CompiledSite, _ system: OperatingSystem, _ traffic: Traffic,
    _ target: Span<UInt8>, _ subject: Subject, _ requests: [TrafficDigest.Count]
  ) {
    guard traffic.requests > 0 else { return }
    surveyTally?.total += traffic
    site.matcher(system).evaluate(&url, into: &evaluation)
    var decision = SurveyTally.Decision(
      system: system, route: subject.route,
      old: Self.side(of: site, system, list: survey.list(system), evaluation))
    if let candidate = survey.candidate {
      candidate.matcher(system).evaluate(&url, into: &candidateEvaluation)
      let new = Self.side(
        of: candidate, system, list: survey.candidateList(system), candidateEvaluation)
      // What the app claims and goes on claiming needs no rule.
      if decision.old.own == .claimed, decision.old == new { return }
      decision.new = new
    } else if decision.old.own == .claimed {
      return
    }
    if let probes = survey.probes(system) {
      probes.evaluate(&url, into: &candidateEvaluation)
      decision.matches = candidateEvaluation.matches.map { Int32($0.ruleList) }.sorted()
    }
    var sameHost = Traffic()
    for count in requests {
      let combination = combinations[count.kind]
      if combination.isLegacy == (system == .legacy),
        combination.dimensions.referral == .sameHost
      {
        sameHost += self.traffic(count, isPage: subject.isPage)
      }
    }
    surveyTally?.add(
      traffic, sameHost: sameHost, decision, template: subject.template, target: target)
  }

  private static func side(
    of site: CompiledSite, _ system: OperatingSystem, list: Int?,
    _ evaluation: borrowing Evaluation
  ) -> SurveyTally.Side {
    var side = SurveyTally.Side(site: evaluation.siteVerdict)
    if side.site == .claimed { side.opener = site.firstList(with: .claimed, system, evaluation) }
    if let list {
      side.own = evaluation.verdict(ofRuleList: list)
      side.rule = evaluation.decidingRule(ofRuleList: list)
    }
    return side
  }
}
