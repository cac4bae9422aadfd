internal import TrafficDigest
internal import UniversalLinks

/// The rules that each target is judged by when rules are looked for: the file as it is, each
/// rule that could be put in, alone, and the file with some of them.
///
/// A class, because workers look into it for each target and must not copy it.
final class RuleSurvey: Sendable {
  /// The site with the file as it is.
  let site: CompiledSite

  /// The site with rules put into the file, or `nil`.
  let candidate: CompiledSite?

  /// The entry that rules are put into.
  private let entry: AssociationFile.EntryID

  /// The site with rules, each the only one of an entry of its own, or `nil`.
  private let probes: CompiledSite?

  private let lists: (current: Int?, legacy: Int?)
  private let candidateLists: (current: Int?, legacy: Int?)

  init(
    _ site: CompiledSite, entry: AssociationFile.EntryID, probes: AssociationFile? = nil,
    candidate: CompiledSite? = nil
  ) {
    (self.site, self.candidate, self.entry) = (site, candidate, entry)
    self.probes = probes.map { CompiledSite(Site(host: site.site.host, file: $0)) }
    lists = (site.current.list(of: entry), site.legacy.list(of: entry))
    candidateLists = (candidate?.current.list(of: entry), candidate?.legacy.list(of: entry))
  }

  /// The same for another worker.
  func copied() -> RuleSurvey {
    RuleSurvey(
      CompiledSite(site.site), entry: entry, probes: probes?.site.file,
      candidate: candidate.map { CompiledSite($0.site) })
  }

  /// The rules that could be put in, as a system reads them.
  func probes(_ system: OperatingSystem) -> LinkMatcher? { probes?.matcher(system) }

  /// The generation of systems by whose numbers rules of the entry go: the current one, unless it
  /// doesn't read the entry.
  var system: OperatingSystem { lists.current == nil ? .legacy : .current }

  /// The list of the entry, or `nil` if a system doesn't read it.
  func list(_ system: OperatingSystem) -> Int? {
    system == .current ? lists.current : lists.legacy
  }

  /// The list of the entry with rules put in.
  func candidateList(_ system: OperatingSystem) -> Int? {
    system == .current ? candidateLists.current : candidateLists.legacy
  }
}

extension LinkMatcher {
  /// The position of the rules of an entry.
  func list(of entry: AssociationFile.EntryID) -> Int? {
    ruleLists.firstIndex { $0.entry == entry }
  }
}

extension Judge {
  /// Counts the verdicts on a target's requests from one generation of systems when rules
  /// are looked for.
  mutating func addSurvey(
    _ survey: RuleSurvey, _ site: CompiledSite, _ system: OperatingSystem, _ traffic: Traffic,
    _ target: Span<UInt8>, _ subject: Subject, _ requests: Span<TrafficDigest.Count>
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
      // Traffic that the app goes on claiming needs no rule.
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
    for index in requests.indices {
      let count = requests[index]
      let combination = names.combinations[count.kind]
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
      side.rule = evaluation.decidingRule(ofRuleList: list).flatMap {
        site.matcher(system).ruleLists[list].id(ofRule: $0).position
      }
    }
    return side
  }
}
