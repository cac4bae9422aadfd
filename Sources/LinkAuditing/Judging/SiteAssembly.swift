internal import TrafficDigest
internal import UniversalLinks

/// Turns the counts of a site into its audit.
struct SiteAssembly {
  /// The site with the newest version of its file.
  let site: CompiledSite
  let tally: SiteTally
  let weight: Traffic.Weight

  /// The figures of all days together.
  private let total: SiteTally.Figures

  private let servedFiles: [ServedFile]
  private let rules: RuleAssembly
  let paths: [SiteTally.PathTraffic]
  private let days: [DayTraffic]

  /// - Parameters:
  ///   - history: The versions of the site.
  ///   - tally: The counts of all versions.
  ///   - ruleTallies: The decisions of the rules of each version.
  ///   - weight: The measure that orders rows.
  init(
    _ history: CompiledHistory, tally: SiteTally, ruleTallies: [BySystem<GenerationTally>],
    weight: Traffic.Weight
  ) {
    self.tally = tally
    self.weight = weight
    total = tally.total
    servedFiles = history.history.servedFiles
    paths = tally.pathTraffic
    let judged = JudgedVersions(history, days: Array(tally.days.keys))
    site = judged.newest
    rules = RuleAssembly(
      versions: judged, tallies: ruleTallies, paths: paths,
      ineligible: total.verdicts[.ineligible], weight: weight)
    days = tally.days.map { day, counts in
      DayTraffic(
        day: day, verdicts: counts.verdicts.byCase, platforms: counts.platforms.byCase,
        referrals: counts.referrals.byCase, causes: counts.causes.byCase)
    }.sorted { first, second in
      switch (first.day, second.day) {
      case (let one?, let other?): one < other
      case (nil, .some): true
      default: false
      }
    }
  }

  /// Returns the audit of the site.
  ///
  /// - Parameters:
  ///   - fetches: The fetches of the site's file.
  ///   - fetchers: The delivery of the file, by fetcher.
  /// - Returns: The audit.
  func audit(fetches: [TrafficDigest.Fetch], fetchers: [FetcherDelivery]) -> SiteAudit {
    var audit = SiteAudit(host: site.site.host)
    audit.weight = weight
    audit.verdicts = total.verdicts.byCase
    audit.platforms = total.platforms.byCase
    audit.referrals = total.referrals.byCase
    audit.causes = causes()
    audit.versions = rules.versions.names
    audit.apps = rules.apps()
    audit.ruleLists = rules.ruleLists()
    audit.days = days
    audit.sameHostReferrals = pairs()
    audit.sameHostFixes = sameHostFixes(audit.sameHostReferrals)
    audit.coverage = CoverageAssembly(
      site: site, tally: tally, paths: paths, names: rules.versions.ruleNames, weight: weight
    ).coverage()
    audit.subresources = tally.subresources
    audit.fetches = fetches
    audit.fetchers = fetchers
    audit.servedFiles = servedFiles
    audit.filePath = site.site.filePath
    audit.hasRoutes = site.hasRoutes
    return audit
  }

  private func causes() -> [CauseTraffic] {
    var paths: [Cause: [String: Traffic]] = [:]
    tally.forEachPathCause { group, cause, traffic in
      paths[cause, default: [:]][group, default: Traffic()] += traffic
    }
    return paths.map { cause, groups in
      CauseTraffic(
        cause: cause, traffic: total.causes[cause],
        paths: groups.map { PathGroupTraffic(path: $0, traffic: $1) }
          .heaviestFirst(by: weight, \.traffic, name: \.path))
    }.heaviestFirst(by: weight, \.traffic, name: \.cause.number)
  }

  private func pairs() -> [PagePair] {
    // A group that a route names can have the text of another.
    var visits: [PagePair: Int] = [:]
    tally.forEachPair { from, to, count in
      visits[PagePair(from: from, to: to, visits: 0), default: 0] += count
    }
    return visits.map { pair, visits in
      PagePair(from: pair.from, to: pair.to, visits: visits)
    }.sorted {
      $0.visits != $1.visits ? $0.visits > $1.visits : ($0.from, $0.to) < ($1.from, $1.to)
    }
  }
}
