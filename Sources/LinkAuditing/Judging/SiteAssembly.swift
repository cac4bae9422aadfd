internal import TrafficDigest
internal import UniversalLinks

/// Turns the counts of a site into its audit.
struct SiteAssembly {
  let site: CompiledSite
  let tally: SiteTally

  private let paths: [(key: SiteTally.PathKey, value: Traffic)]

  init(site: CompiledSite, tally: SiteTally) {
    self.site = site
    self.tally = tally
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

  private func coverage() -> Coverage {
    var coverage = Coverage()
    if site.hasRoutes {
      coverage.claimedNotImplemented = families { $0.verdict == .claimed && $0.route == nil }
      // An app has routes on the systems that it runs on; what older ones can't
      // read is no gap in the rules.
      let unclaimed = paths.filter {
        $0.key.verdict == .unclaimed && $0.key.route != nil && $0.key.system == .current
      }
      coverage.implementedNotClaimed = rows(
        unclaimed, number: { $0.route ?? 0 },
        text: { site.site.routes?.routes[$0].source ?? "" })
    }
    coverage.excludedHeavy = families { $0.verdict == .excluded }
    coverage.unclaimedHeavy = families { $0.verdict == .unclaimed }
    return coverage
  }

  private func families(where isIncluded: (SiteTally.PathKey) -> Bool) -> [FamilyTraffic] {
    rows(
      paths.filter { isIncluded($0.key) }, number: { $0.path },
      text: { tally.text(ofFamily: $0) })
  }

  /// Adds up paths by numbers that stand for texts, the heaviest first.
  private func rows(
    _ paths: [(key: SiteTally.PathKey, value: Traffic)],
    number: (SiteTally.PathKey) -> Int, text: (Int) -> String
  ) -> [FamilyTraffic] {
    struct Rule: Hashable {
      var system: OperatingSystem
      var list: Int
      var rule: Int?
    }
    struct Sum {
      var traffic = Traffic()
      var rules: [Rule: Traffic] = [:]
    }
    var sums: [Int: Sum] = [:]
    for (key, traffic) in paths {
      let number = number(key)
      sums[number, default: Sum()].traffic += traffic
      if let list = key.list {
        let rule = Rule(system: key.system, list: list, rule: key.rule)
        sums[number, default: Sum()].rules[rule, default: Traffic()] += traffic
      }
    }
    // Many families share few rules, and two rules can look the same.
    var references: [Rule: RuleReference] = [:]
    for sum in sums.values {
      for rule in sum.rules.keys where references[rule] == nil {
        references[rule] = reference(rule.system, list: rule.list, rule: rule.rule)
      }
    }
    var rows: [String: (traffic: Traffic, rules: [RuleReference: Traffic])] = [:]
    for (number, sum) in sums {
      let name = text(number)
      rows[name, default: (Traffic(), [:])].traffic += sum.traffic
      for (rule, traffic) in sum.rules {
        guard let reference = references[rule] else { continue }
        rows[name, default: (Traffic(), [:])].rules[reference, default: Traffic()] += traffic
      }
    }
    return rows.map { name, sum in
      let heaviest = sum.rules.max { first, second in
        first.value == second.value
          ? second.key.order < first.key.order : second.value.isHeavier(than: first.value)
      }
      return FamilyTraffic(path: name, traffic: sum.traffic, rule: heaviest?.key)
    }.sorted {
      $0.traffic == $1.traffic ? $0.path < $1.path : $0.traffic.isHeavier(than: $1.traffic)
    }
  }

  private func reference(_ system: OperatingSystem, list index: Int, rule: Int?) -> RuleReference? {
    let matcher = site.matcher(system)
    let list = matcher.ruleLists[index]
    guard let app = matcher.apps.first(where: { $0.ruleList == index }) else { return nil }
    let definition = rule.flatMap { list.definitions?[$0] }
    let kind = kind(of: list, system: system)
    return RuleReference(
      app: app.identifier, place: list.filePlace, list: kind, rule: rule,
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
