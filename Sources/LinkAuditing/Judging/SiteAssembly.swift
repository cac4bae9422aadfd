internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

/// Turns the counts of a site into its audit.
struct SiteAssembly {
  /// The versions that judged traffic, and their rules.
  let names: RuleNames
  let tally: SiteTally
  let groups: PathGroupTree

  /// The decisions of the rules, by the position of the version in the history.
  let ruleTallies: [BySystem<GenerationTally>]
  let weight: Traffic.Weight
  let total: DayTraffic

  /// The traffic by path, and those parts of it that didn't get a page.
  let paths: [SiteTally.PathTraffic]
  let problems: [SiteTally.PathTraffic]
  private let servedFiles: [ServedFile]

  init(
    _ rules: RuleSet, tally: SiteTally, groups: PathGroupTree,
    ruleTallies: [BySystem<GenerationTally>], weight: Traffic.Weight
  ) {
    (self.tally, self.groups) = (tally, groups)
    (self.ruleTallies, self.weight) = (ruleTallies, weight)
    total = tally.total
    var (paths, problems) = ([SiteTally.PathTraffic](), [SiteTally.PathTraffic]())
    tally.paths.forEachCount(in: groups) { key, group, traffic, samples in
      let key = SiteTally.PathKey(key)
      let path = (key: key, group: group, traffic: traffic, samples: samples)
      if key.status == 0 { paths.append(path) } else { problems.append(path) }
    }
    (self.paths, self.problems) = (paths, problems)
    names = RuleNames(rules, days: Array(tally.days.keys))
    servedFiles = rules.history.servedFiles
  }

  /// The site with the newest version of its file.
  var site: RuleSet.Version { names.judged[names.judged.count - 1].version }

  func audit(fetches: [TrafficDigest.Fetch], fetchers: [FetcherDelivery]) -> SiteAudit {
    let pairs = pairs()
    func order(_ day: DayTraffic) -> Int { day.day?.number ?? 0 }
    return SiteAudit(
      host: site.site.host, weight: weight, verdicts: total.verdicts, apps: apps(),
      platforms: total.platforms, referrals: total.referrals, causes: causes(),
      days: tally.days.values.sorted { order($0) < order($1) },
      versions: names.judged.compactMap(\.name), ruleLists: ruleLists(),
      sameHostReferrals: pairs, sameHostFixes: sameHostFixes(pairs), coverage: coverage(),
      subresources: tally.subresources, fetches: fetches, fetchers: fetchers,
      servedFiles: servedFiles, filePath: site.site.filePath, hasRoutes: site.hasRoutes)
  }

  private func causes() -> [CauseTraffic] {
    var paths: [Cause: [String: Traffic]] = [:]
    tally.pathCauses.forEachCount(in: groups) { key, group, traffic, _ in
      paths[Cause(number: Int(key.second)), default: [:]][group, default: Traffic()] += traffic
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
    var texts: [Int: String] = [:]
    for (key, traffic) in tally.pairs.counts {
      let from = groups.text(Int(key.first), known: &texts)
      let to = groups.text(Int(key.second), known: &texts)
      visits[PagePair(from: from, to: to, visits: 0), default: 0] += traffic.visits
    }
    return visits.map { PagePair(from: $0.from, to: $0.to, visits: $1) }.sorted {
      $0.visits != $1.visits ? $0.visits > $1.visits : ($0.from, $0.to) < ($1.from, $1.to)
    }
  }
}

// The tables of apps and rules.
extension SiteAssembly {
  func apps() -> [AppTraffic] {
    // The order of the newest file; apps that only older files name come last.
    let order = names.judged.reversed().flatMap(\.version.site.file.entries).distinctApps
    var eligible: [Int: BySystem<Traffic>] = [:]
    for path in paths {
      eligible[path.key.version, default: BySystem { _ in Traffic() }][path.key.system] +=
        path.traffic
    }
    var traffic: [ApplicationIdentifier: CaseCounts<Verdict>] = [:]
    for judged in names.judged {
      for system in OperatingSystem.allCases {
        let known = judged.version.matchers[system].ruleListByApp
        let tally = ruleTallies[judged.position][system]
        // An app that this generation doesn't find in the file claims nothing.
        var unknown = CaseCounts<Verdict>()
        unknown[.unclaimed] = eligible[judged.position]?[system] ?? Traffic()
        for app in order {
          traffic[app, default: CaseCounts()] +=
            known[app].map { tally.verdicts(ofRuleList: $0) } ?? unknown
        }
      }
    }
    return order.map { app -> AppTraffic in
      var verdicts = traffic[app] ?? CaseCounts()
      verdicts[.ineligible] = total.verdicts[.ineligible]
      return (app, verdicts)
    }
  }
}

// MARK: - Rules

extension SiteAssembly {
  /// The rules of all versions, the newest first.
  func ruleLists() -> [RuleListTraffic] { names.judged.reversed().flatMap(ruleLists) }

  private func ruleLists(of judged: RuleNames.Judged) -> [RuleListTraffic] {
    let lists = BySystem { judged.version.matchers[$0].ruleListByApp }
    let deciders = BySystem { ruleTallies[judged.position][$0].deciders }
    return judged.version.site.file.entries.distinctApps.grouped { app in
      BySystem { lists[$0][app] }
    }.map { lists, apps in
      RuleListTraffic(apps: apps, rules: rules(of: lists, apps[0], judged, deciders))
    }.filter { !$0.rules.isEmpty }
  }

  private func rules(
    of lists: BySystem<Int?>, _ app: ApplicationIdentifier, _ judged: RuleNames.Judged,
    _ deciders: BySystem<[Int: [(rule: Int, traffic: Traffic)]]>
  ) -> [RuleTraffic] {
    typealias Rule = (id: RuleID, system: OperatingSystem, number: Int, list: LinkMatcher.RuleList)
    func read(_ system: OperatingSystem) -> [Rule] {
      guard let index = lists[system] else { return [] }
      let list = judged.version.matchers[system].ruleLists[index]
      return list.rules.map { (list.id(ofRule: $0), system, $0, list) }
    }
    // Both generations of systems can read the same rules.
    return (read(.current) + read(.legacy)).grouped(by: \.id).compactMap { id, rules in
      let definition = judged.version.matchers[rules[0].system].definition(ofRule: rules[0].number)
      let shadows = rules.flatMap { rule in
        (deciders[rule.system][rule.number] ?? []).map {
          ShadowingRule(rule: rule.list.id(ofRule: $0.rule), traffic: $0.traffic)
        }
      }
      var row = RuleTraffic(
        rule: ReportedRule(id, definition, of: app, version: judged.name),
        traffic: rules.sum { ruleTallies[judged.position][$0.system].decided[$0.number] },
        withFragment: rules.sum { ruleTallies[judged.position][$0.system].withFragment[$0.number] },
        shadowTraffic: shadows.sum(\.traffic))
      // Report the old `paths` of an entry that also has `components` only if an old system sent a
      // request.
      if rules[0].system == .legacy, row.traffic.requests + row.shadowed == 0 { return nil }
      let sums = shadows.grouped(by: \.rule).map { rule, shadows in
        ShadowingRule(rule: rule, traffic: shadows.sum(\.traffic))
      }
      row.shadowedBy = Array(
        sums.heaviestFirst(by: weight, \.traffic, name: { $0.rule.position ?? 0 })
          .prefix(RuleTraffic.shadowLimit))
      return row
    }
  }
}
