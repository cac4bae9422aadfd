internal import AccessLogs
internal import TrafficDigest
internal import UniversalLinks

/// All kinds of findings, in the order in which equals are shown.
enum FindingCatalog {
  static let inputKinds: [any InputFindingKind.Type] = [
    InputIncomplete.self, NoRequests.self, FormatDoubtful.self, HostDoubtful.self,
    NoUserAgents.self, LinesRejected.self, OtherHosts.self,
  ]

  static let siteKinds: [any SiteFindingKind.Type] = [
    FileTooLarge.self, NoUsableRules.self, NoRoutes.self, MatchesEverything.self, OldSystems.self,
    FileNotServed.self, FileRedirected.self, FileServedTooLarge.self, FileNotFetched.self,
    FileFetchesEnded.self, FileFetchesFarApart.self, FileAskedAtRootOnly.self,
    SameHostLinks.self, ClaimedNotImplemented.self, ClaimedBroken.self, ClaimedRedirected.self,
    ImplementedNotClaimed.self,
    ImplementedButExcluded.self, ExcludedHeavy.self, UnclaimedHeavy.self, RuleShadowed.self,
    FragmentDependent.self, RuleUnused.self,
  ]

  static let comparisonKinds: [any ComparisonFindingKind.Type] = [
    ClaimsLost.self, AppRemoved.self, AppClaimsLost.self, ClaimedWithoutRoute.self,
    OpensAnotherApp.self, RuleNewlyShadowed.self,
    ClaimsGained.self, AddedRuleUnused.self,
  ]

  static var kinds: [any FindingKind.Type] { inputKinds + siteKinds + comparisonKinds }

  static func kind(_ code: Finding.Code) -> (any FindingKind.Type)? {
    kinds.first { $0.code == code }
  }

  /// All that is found, the most severe and the heaviest first.
  static func findings(
    in audits: [SiteAudit], sites: [Site], digest: TrafficDigest,
    otherHosts: (named: [HostRequests], rest: HostRemainder),
    thresholds: FindingThresholds, filter: TrafficFilter
  ) -> [Finding] {
    let input = InputFindingContext(
      digest: digest, sites: sites, otherHosts: otherHosts.named, unlistedHosts: otherHosts.rest,
      thresholds: thresholds)
    var findings = inputKinds.flatMap { $0.findings(in: input) }
    let formats = digest.inputs.filter { $0.tally.requests > 0 }.compactMap(\.format)
    let facts = InputFacts(
      hasAgents: !digest.lacksAgents
        && (formats.isEmpty || formats.contains { $0.fields?.contains(.agent) ?? true }),
      isPartial: filter.isSelective || digest.tally.outside > 0, times: digest.times,
      days: digest.days)
    for (audit, site) in zip(audits, sites) {
      let context = SiteFindingContext(
        site: site, audit: audit, thresholds: thresholds, input: facts)
      findings += siteKinds.flatMap { $0.findings(in: context) }
    }
    return ordered(findings)
  }

  /// All that is found in the change to the file of `new`, and in what it was told from.
  static func findings(
    in comparison: Comparison, new: Site, digest: TrafficDigest,
    otherHosts: (named: [HostRequests], rest: HostRemainder),
    thresholds: FindingThresholds
  ) -> [Finding] {
    let input = InputFindingContext(
      digest: digest, sites: [new], otherHosts: otherHosts.named, unlistedHosts: otherHosts.rest,
      thresholds: thresholds)
    let inputFindings = inputKinds.flatMap { $0.findings(in: input) }
    let context = ComparisonFindingContext(
      comparison: comparison, site: new, thresholds: thresholds)
    // What is wrong with the new file itself matters more than what it changes.
    var audit = SiteAudit(host: comparison.host)
    for verdict in Verdict.allCases {
      audit.verdicts[verdict] = comparison.traffic { $0.to == verdict }
    }
    let site = SiteFindingContext(
      site: new, audit: audit, thresholds: thresholds, input: InputFacts())
    let file = FileTooLarge.findings(in: site) + NoUsableRules.findings(in: site)
    return ordered(
      inputFindings + file + comparisonKinds.flatMap { $0.findings(in: context) })
  }

  /// All that is found in the change to the file of `new`, of which only the patterns
  /// are known.
  static func findings(
    in comparison: PatternComparison, old: Site, new: Site, thresholds: FindingThresholds
  ) -> [Finding] {
    let site = SiteFindingContext(
      site: new, audit: SiteAudit(host: comparison.host), thresholds: thresholds,
      input: InputFacts())
    return ordered(
      FileTooLarge.findings(in: site) + NoUsableRules.findings(in: site)
        + AppRemoved.findings(old: old, new: new) + ClaimsLost.findings(in: comparison)
        + AppClaimsLost.findings(in: comparison, old: old, new: new)
        + OpensAnotherApp.findings(in: comparison)
        + RuleNewlyShadowed.findings(in: comparison, old: old, new: new)
        + ClaimsGained.findings(in: comparison))
  }

  private static func ordered(_ findings: [Finding]) -> [Finding] {
    // Stable: findings of the same weight keep the order of their kinds.
    distinct(findings).enumerated().sorted { first, second in
      let (one, other) = (first.element, second.element)
      if one.severity != other.severity { return one.severity > other.severity }
      if one.traffic != other.traffic { return one.traffic.isHeavier(than: other.traffic) }
      return first.offset < second.offset
    }.map(\.element)
  }

  /// The findings with subjects that tell them apart: a file can say the same twice.
  private static func distinct(_ findings: [Finding]) -> [Finding] {
    var counts: [FindingIdentity: Int] = [:]
    return findings.map { finding in
      let identity = FindingIdentity(finding)
      counts[identity, default: 0] += 1
      guard let count = counts[identity], count > 1 else { return finding }
      var finding = finding
      finding.subject += finding.subject.isEmpty ? "(\(count))" : " (\(count))"
      return finding
    }
  }
}
