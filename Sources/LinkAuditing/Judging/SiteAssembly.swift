internal import TrafficDigest
internal import UniversalLinks

/// Turns the counts of a site into its audit.
struct SiteAssembly {
  let site: CompiledSite
  let tally: SiteTally
  let weight: Traffic.Weight

  private let paths: [SiteTally.PathTraffic]

  init(site: CompiledSite, tally: SiteTally, weight: Traffic.Weight) {
    self.site = site
    self.tally = tally
    self.weight = weight
    paths = tally.pathTraffic
  }

  func audit(fetches: [TrafficDigest.Fetch]) -> SiteAudit {
    var audit = SiteAudit(host: site.site.host)
    audit.verdicts = tally.verdicts.byCase
    audit.platforms = tally.platforms.byCase
    audit.referrals = tally.referrals.byCase
    audit.apps = apps()
    audit.ruleLists = ruleLists()
    audit.days = tally.days.byDay.map { day, counts in
      DayTraffic(day: day, verdicts: counts.verdicts.byCase, sameHost: counts.sameHost)
    }.sorted { first, second in
      switch (first.day, second.day) {
      case (let one?, let other?): one < other
      case (nil, .some): true
      default: false
      }
    }
    audit.sameHostReferrals = pairs()
    let names = RuleNames(site: site)
    audit.coverage = CoverageAssembly(
      site: site, tally: tally, paths: paths, names: names, weight: weight
    ).coverage()
    audit.fetches = fetches
    audit.filePath = site.site.filePath
    audit.hasRoutes = site.hasRoutes
    return audit
  }

  private func pairs() -> [PagePair] {
    var visits: [SiteTally.PairKey: Int] = [:]
    tally.forEachPair { pair, count in visits[pair, default: 0] += count }
    var texts: [Int: String] = [:]
    func text(_ family: Int) -> String {
      if let known = texts[family] { return known }
      let text = tally.text(ofFamily: family)
      texts[family] = text
      return text
    }
    return visits.map { pair, visits in
      PagePair(from: text(pair.from), to: text(pair.to), visits: visits)
    }.sorted {
      $0.visits != $1.visits ? $0.visits > $1.visits : ($0.from, $0.to) < ($1.from, $1.to)
    }
  }
}

// MARK: - Apps and rules

extension SiteAssembly {
  /// The tables of both generations.
  private var generations: [(matcher: LinkMatcher, tally: GenerationTally)] {
    [(site.current, tally.current), (site.legacy, tally.legacy)]
  }

  /// The apps in the order in which the file names them first.
  private var namedApps: [ApplicationIdentifier] {
    site.site.file.entries.distinctApps
  }

  private func apps() -> [AppTraffic] {
    let order = namedApps
    var traffic: [ApplicationIdentifier: CaseCounts<Verdict>] = [:]
    for (matcher, tally) in generations {
      let known = matcher.ruleListByApp
      let unknownVerdicts = generationVerdicts(matcher.system)
      for app in order {
        // An app that this generation doesn't find in the file claims nothing.
        let verdicts = known[app].map { tally.verdicts(ofRuleList: $0) } ?? unknownVerdicts
        traffic[app, default: CaseCounts()] += verdicts
      }
    }
    return order.map { app in
      var verdicts = traffic[app] ?? CaseCounts()
      verdicts[.ineligible] = tally.verdicts[.ineligible]
      return AppTraffic(app: app, verdicts: verdicts.byCase)
    }
  }

  /// The traffic of one generation, as unclaimed.
  private func generationVerdicts(_ system: OperatingSystem) -> CaseCounts<Verdict> {
    var counts = CaseCounts<Verdict>()
    for path in paths where path.key.system == system { counts[.unclaimed] += path.traffic }
    return counts
  }

  /// What tells rules of one app apart.
  private struct RuleKey: Hashable {
    var position: Int
    var list: RuleListKind
    var rule: Int?
  }

  /// The lists of rules that decide for an app, for current and for old systems.
  private struct ListPair: Hashable {
    var current: Int?
    var legacy: Int?
  }

  /// The rules by the apps that share them: most files have many apps and few
  /// lists.
  private func ruleLists() -> [RuleListTraffic] {
    var pairs: [ListPair] = []
    var apps: [ListPair: [ApplicationIdentifier]] = [:]
    let (current, legacy) = (site.current.ruleListByApp, site.legacy.ruleListByApp)
    for app in namedApps {
      let pair = ListPair(current: current[app], legacy: legacy[app])
      if apps[pair] == nil { pairs.append(pair) }
      apps[pair, default: []].append(app)
    }
    let shadows = shadowTraffic()
    return pairs.compactMap { pair in
      let rules = rules(of: pair, shadows)
      return rules.isEmpty ? nil : RuleListTraffic(apps: apps[pair] ?? [], rules: rules)
    }
  }

  private func rules(
    of pair: ListPair, _ shadows: [OperatingSystem: [Int: [(decider: Int, traffic: Traffic)]]]
  ) -> [RuleTraffic] {
    var keys: [RuleKey] = []
    var rows: [RuleKey: RuleTraffic] = [:]
    for (matcher, tally) in generations {
      guard let index = matcher.system == .current ? pair.current : pair.legacy else { continue }
      let list = matcher.ruleLists[index]
      let kind = RuleNames.kind(of: list, system: matcher.system)
      let shadows = shadows[matcher.system] ?? [:]
      for position in 0..<(list.definitions?.count ?? 1) {
        let key = RuleKey(
          position: list.position, list: kind, rule: list.definitions == nil ? nil : position)
        let counted =
          list.definitions == nil
          ? GenerationTally.RuleTally(traffic: tally.wholeEntries[index])
          : tally.rules[list.firstRule + position]
        if rows[key] == nil {
          // The old `paths` of an entry that has `components`, too, are worth a
          // line only where an old system came by.
          if matcher.system == .legacy, counted.traffic.requests == 0, counted.shadowed == 0 {
            continue
          }
          keys.append(key)
          rows[key] = row(key, list)
        }
        rows[key]?.traffic += counted.traffic
        rows[key]?.shadowed += counted.shadowed
        rows[key]?.add(
          shadows: (shadows[list.firstRule + position] ?? []).map {
            ShadowingRule(rule: $0.decider - list.firstRule, traffic: $0.traffic)
          })
      }
    }
    return keys.compactMap { key in
      guard var row = rows[key] else { return nil }
      row.shadowedBy.sort { first, second in
        first.traffic == second.traffic
          ? first.rule < second.rule : first.traffic.isHeavier(than: second.traffic, by: weight)
      }
      row.shadowedBy = Array(row.shadowedBy.prefix(RuleTraffic.shadowLimit))
      return row
    }
  }

  /// By system and rule, what decided in its place, and for how much.
  private func shadowTraffic() -> [OperatingSystem: [Int: [(decider: Int, traffic: Traffic)]]] {
    var shadows: [OperatingSystem: [Int: [(decider: Int, traffic: Traffic)]]] = [:]
    for (matcher, tally) in generations {
      tally.forEachShadow { rule, decider, traffic in
        shadows[matcher.system, default: [:]][rule, default: []].append((decider, traffic))
      }
    }
    return shadows
  }

  private func row(_ key: RuleKey, _ list: LinkMatcher.RuleList) -> RuleTraffic {
    let definition = key.rule.flatMap { list.definitions?[$0] }
    return RuleTraffic(
      place: list.filePlace, list: key.list, rule: key.rule,
      pattern: definition.map { RulePattern.text(of: $0, list: key.list) } ?? "*",
      excludes: definition?.excludes ?? false,
      isFragmentDependent: definition?.dependsOnFragment ?? false,
      position: definition?.position)
  }
}

extension RuleTraffic {
  /// Adds traffic that other rules of the same list decided.
  fileprivate mutating func add(shadows: [ShadowingRule]) {
    var positions = Dictionary(
      uniqueKeysWithValues: shadowedBy.enumerated().map { ($0.element.rule, $0.offset) })
    for shadow in shadows {
      shadowTraffic += shadow.traffic
      if let position = positions[shadow.rule] {
        shadowedBy[position].traffic += shadow.traffic
      } else {
        positions[shadow.rule] = shadowedBy.count
        shadowedBy.append(shadow)
      }
    }
  }
}
