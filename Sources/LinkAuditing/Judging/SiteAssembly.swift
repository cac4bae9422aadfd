internal import TrafficDigest
internal import UniversalLinks

/// Turns the counts of a site into its audit.
struct SiteAssembly {
  /// The versions that judged traffic, and their rules.
  let names: RuleNames

  /// The counts of all versions.
  let tally: SiteTally

  /// The decisions of the rules, by the position of the version in the history.
  let ruleTallies: [BySystem<GenerationTally>]

  /// The measure that orders rows.
  let weight: Traffic.Weight

  /// The figures of all days together.
  let total: SiteTally.Figures
  let paths: [SiteTally.PathTraffic]
  private let servedFiles: [ServedFile]

  init(
    _ rules: RuleSet, tally: SiteTally, ruleTallies: [BySystem<GenerationTally>],
    weight: Traffic.Weight
  ) {
    (self.tally, self.ruleTallies, self.weight) = (tally, ruleTallies, weight)
    (total, paths) = (tally.total, tally.pathTraffic)
    names = RuleNames(rules, days: Array(tally.days.keys))
    servedFiles = rules.history.servedFiles
  }

  /// The site with the newest version of its file.
  var site: RuleSet.Version { names.judged[names.judged.count - 1].version }

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
    audit.versions = names.judged.compactMap(\.name)
    audit.apps = apps()
    audit.ruleLists = ruleLists()
    audit.days = days()
    audit.sameHostReferrals = pairs()
    audit.sameHostFixes = sameHostFixes(audit.sameHostReferrals)
    audit.coverage = coverage()
    audit.subresources = tally.subresources
    audit.fetches = fetches
    audit.fetchers = fetchers
    audit.servedFiles = servedFiles
    audit.filePath = site.site.filePath
    audit.hasRoutes = site.hasRoutes
    return audit
  }

  private func days() -> [DayTraffic] {
    tally.days.map { day, counts in
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
