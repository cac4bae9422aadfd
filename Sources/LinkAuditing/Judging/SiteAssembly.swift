internal import TrafficDigest
internal import UniversalLinks

/// Turns the counts of a site into its audit.
struct SiteAssembly {
  let site: CompiledSite
  let tally: SiteTally

  /// The families of templates, by the templates' numbers.
  let families: [Int: String]

  private let paths: [(key: SiteTally.PathKey, value: Traffic)]

  init(site: CompiledSite, tally: SiteTally, families: [Int: String]) {
    self.site = site
    self.tally = tally
    self.families = families
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
    audit.coverage = coverage()
    audit.fetches = fetches
    return audit
  }

  private func family(_ template: Int) -> String { families[template] ?? "" }
}

// MARK: - Apps and rules

extension SiteAssembly {
  /// The tables of both generations.
  private var generations: [(matcher: LinkMatcher, tally: GenerationTally)] {
    [(site.current, tally.current), (site.legacy, tally.legacy)]
  }

  /// The apps in the order in which the file names them first.
  private var namedApps: [ApplicationIdentifier] {
    var known: Set<ApplicationIdentifier> = []
    return site.site.file.entries.flatMap(\.namedApps).filter { known.insert($0).inserted }
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
    for (key, traffic) in paths where key.system == system { counts[.unclaimed] += traffic }
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
    return pairs.compactMap { pair in
      let rules = rules(of: pair)
      return rules.isEmpty ? nil : RuleListTraffic(apps: apps[pair] ?? [], rules: rules)
    }
  }

  private func rules(of pair: ListPair) -> [RuleTraffic] {
    var keys: [RuleKey] = []
    var rows: [RuleKey: RuleTraffic] = [:]
    for (matcher, tally) in generations {
      guard let index = matcher.system == .current ? pair.current : pair.legacy else { continue }
      let list = matcher.ruleLists[index]
      let kind = kind(of: list, system: matcher.system)
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
      }
    }
    return keys.compactMap { rows[$0] }
  }

  private func kind(of list: LinkMatcher.RuleList, system: OperatingSystem) -> RuleListKind {
    system == .current && list.hasComponents ? .components : .paths
  }

  private func row(_ key: RuleKey, _ list: LinkMatcher.RuleList) -> RuleTraffic {
    let definition = key.rule.flatMap { list.definitions?[$0] }
    return RuleTraffic(
      place: list.filePlace, list: key.list, rule: key.rule,
      pattern: definition.map { RulePattern.text(of: $0, list: key.list) } ?? "*",
      excludes: definition?.excludes ?? false,
      isFragmentDependent: definition?.dependsOnFragment ?? false)
  }
}

// MARK: - Pages and coverage

extension SiteAssembly {
  private func pairs() -> [PagePair] {
    var visits: [[String]: Int] = [:]
    tally.forEachPair { pair, count in
      visits[[family(pair.from), family(pair.to)], default: 0] += count
    }
    return visits.map { PagePair(from: $0.key[0], to: $0.key[1], visits: $0.value) }.sorted {
      $0.visits != $1.visits ? $0.visits > $1.visits : ($0.from, $0.to) < ($1.from, $1.to)
    }
  }

  private func coverage() -> Coverage {
    var coverage = Coverage()
    if site.hasRoutes {
      coverage.claimedNotImplemented = families { $0.verdict == .claimed && $0.route == nil }
      // An app has routes on the systems that it runs on; what older ones can't
      // read is no gap in the rules.
      coverage.implementedNotClaimed = rows(
        paths.filter {
          $0.key.verdict == .unclaimed && $0.key.route != nil && $0.key.system == .current
        }
      ) { key in key.route.flatMap { site.site.routes?.routes[$0].source } ?? "" }
    }
    coverage.excludedHeavy = families { $0.verdict == .excluded }
    coverage.unclaimedHeavy = families { $0.verdict == .unclaimed }
    return coverage
  }

  private func families(where isIncluded: (SiteTally.PathKey) -> Bool) -> [FamilyTraffic] {
    rows(paths.filter { isIncluded($0.key) }) { family($0.template) }
  }

  /// Adds up paths under names, the heaviest first.
  private func rows(
    _ paths: [(key: SiteTally.PathKey, value: Traffic)], name: (SiteTally.PathKey) -> String
  ) -> [FamilyTraffic] {
    struct Sum {
      var traffic = Traffic()
      var rules: [RuleReference: Traffic] = [:]
    }
    var sums: [String: Sum] = [:]
    for (key, traffic) in paths {
      let name = name(key)
      sums[name, default: Sum()].traffic += traffic
      if let rule = reference(key) {
        sums[name, default: Sum()].rules[rule, default: Traffic()] += traffic
      }
    }
    return sums.map { name, sum in
      let heaviest = sum.rules.max { first, second in
        first.value == second.value
          ? second.key.order < first.key.order : second.value.isHeavier(than: first.value)
      }
      return FamilyTraffic(path: name, traffic: sum.traffic, rule: heaviest?.key)
    }.sorted {
      $0.traffic == $1.traffic ? $0.path < $1.path : $0.traffic.isHeavier(than: $1.traffic)
    }
  }

  private func reference(_ key: SiteTally.PathKey) -> RuleReference? {
    guard let index = key.list else { return nil }
    let matcher = site.matcher(key.system)
    let list = matcher.ruleLists[index]
    guard let app = matcher.apps.first(where: { $0.ruleList == index }) else { return nil }
    let definition = key.rule.flatMap { list.definitions?[$0] }
    let kind = kind(of: list, system: key.system)
    return RuleReference(
      app: app.identifier, place: list.filePlace, list: kind, rule: key.rule,
      pattern: definition.map { RulePattern.text(of: $0, list: kind) } ?? "*")
  }
}

extension RuleReference {
  /// What rules of the same weight are ordered by.
  fileprivate var order: (String, String, String, Int, String) {
    (app.text, String(describing: place), list.rawValue, rule ?? -1, pattern)
  }
}

extension LinkMatcher {
  /// The position of the rules that decide for each app.
  fileprivate var ruleListByApp: [ApplicationIdentifier: Int] {
    Dictionary(apps.map { ($0.identifier, $0.ruleList) }) { first, _ in first }
  }
}
