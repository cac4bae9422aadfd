internal import TrafficDigest
internal import UniversalLinks

/// Turns what the rules of a site decided into the tables of its apps and rules.
struct RuleAssembly {
  let versions: JudgedVersions

  /// The decisions of rules, by the position of the version in the history.
  let tallies: [RuleTallies]
  let paths: [SiteTally.PathTraffic]

  /// The traffic that no rule is asked about.
  let ineligible: Traffic
  let weight: Traffic.Weight

  /// The rules of one generation of systems, and what they decided.
  private struct Generation {
    var matcher: LinkMatcher
    var tally: GenerationTally
  }

  private func generations(of version: JudgedVersions.Version) -> [Generation] {
    let tallies = tallies[version.position]
    return [
      Generation(matcher: version.site.current, tally: tallies.current),
      Generation(matcher: version.site.legacy, tally: tallies.legacy),
    ]
  }

  /// The apps in the order in which the newest file names them first; then those that only
  /// older ones do.
  private var namedApps: [ApplicationIdentifier] {
    versions.versions.reversed().flatMap(\.site.site.file.entries).distinctApps
  }

  func apps() -> [AppTraffic] {
    let order = namedApps
    var traffic: [ApplicationIdentifier: CaseCounts<Verdict>] = [:]
    for version in versions.versions {
      for generation in generations(of: version) {
        let known = generation.matcher.ruleListByApp
        let unknownVerdicts = verdicts(of: version, generation.matcher.system)
        for app in order {
          // An app that this generation doesn't find in the file claims nothing.
          let verdicts =
            known[app].map { generation.tally.verdicts(ofRuleList: $0) } ?? unknownVerdicts
          traffic[app, default: CaseCounts()] += verdicts
        }
      }
    }
    return order.map { app in
      var verdicts = traffic[app] ?? CaseCounts()
      verdicts[.ineligible] = ineligible
      return AppTraffic(app: app, verdicts: verdicts.byCase)
    }
  }

  /// The traffic of one generation under a version, as unclaimed.
  private func verdicts(
    of version: JudgedVersions.Version, _ system: OperatingSystem
  ) -> CaseCounts<Verdict> {
    var counts = CaseCounts<Verdict>()
    for path in paths
    where path.key.version == version.position && path.key.system == system {
      counts[.unclaimed] += path.traffic
    }
    return counts
  }
}

// MARK: - Rules

extension RuleAssembly {
  /// The key of a list among those of one app.
  private struct ListKey: Hashable {
    var position: Int
    var list: RuleListKind

    /// Whether the entry has rules.
    var hasRules: Bool
  }

  /// The lists of rules that decide for an app, for current and for old systems.
  private struct ListPair: Hashable {
    var current: Int?
    var legacy: Int?
  }

  /// The rules of all versions, the newest first.
  func ruleLists() -> [RuleListTraffic] { versions.versions.reversed().flatMap(ruleLists) }

  /// The rules of a version by the apps that share them: most files have many apps and few
  /// lists.
  private func ruleLists(of version: JudgedVersions.Version) -> [RuleListTraffic] {
    var pairs: [ListPair] = []
    var apps: [ListPair: [ApplicationIdentifier]] = [:]
    let site = version.site
    let (current, legacy) = (site.current.ruleListByApp, site.legacy.ruleListByApp)
    for app in site.site.file.entries.distinctApps {
      let pair = ListPair(current: current[app], legacy: legacy[app])
      if apps[pair] == nil { pairs.append(pair) }
      apps[pair, default: []].append(app)
    }
    let generations = generations(of: version)
    let shadows = shadowTraffic(generations)
    return pairs.compactMap { pair in
      let rules = rules(of: pair, generations, shadows, version.name)
      return rules.isEmpty ? nil : RuleListTraffic(apps: apps[pair] ?? [], rules: rules)
    }
  }

  private func rules(
    of pair: ListPair, _ generations: [Generation],
    _ shadows: [OperatingSystem: [Int: [(decider: Int, traffic: Traffic)]]],
    _ version: SiteVersion?
  ) -> [RuleTraffic] {
    var rows: [RuleTraffic] = []
    // By list, the row of each rule or -1: a table of all rules would take more memory than they do.
    var numbers: [ListKey: [Int]] = [:]
    for generation in generations {
      let (matcher, tally) = (generation.matcher, generation.tally)
      guard let index = matcher.system == .current ? pair.current : pair.legacy else { continue }
      let list = matcher.ruleLists[index]
      let key = ListKey(
        position: list.position, list: RuleNames.kind(of: list, system: matcher.system),
        hasRules: list.definitions != nil)
      let shadows = shadows[matcher.system] ?? [:]
      let count = list.definitions?.count ?? 1
      var own = numbers[key] ?? []
      while own.count < count { own.append(-1) }
      for position in 0..<count {
        let counted =
          list.definitions == nil
          ? GenerationTally.RuleTally(traffic: tally.wholeEntries[index])
          : tally.rules[list.firstRule + position]
        if own[position] < 0 {
          // The old `paths` of an entry that has `components`, too, are worth a
          // line only where an old system came by.
          if matcher.system == .legacy, counted.traffic.requests == 0, counted.shadowed == 0 {
            continue
          }
          own[position] = rows.count
          rows.append(row(key.list, list, list.definitions == nil ? nil : position, version))
        }
        rows[own[position]].traffic += counted.traffic
        rows[own[position]].shadowed += counted.shadowed
        guard let deciders = shadows[list.firstRule + position] else { continue }
        rows[own[position]].add(
          shadows: deciders.map {
            ShadowingRule(rule: $0.decider - list.firstRule, traffic: $0.traffic)
          })
      }
      numbers[key] = own
    }
    for index in rows.indices where !rows[index].shadowedBy.isEmpty {
      rows[index].shadowedBy.sort { first, second in
        first.traffic == second.traffic
          ? first.rule < second.rule : first.traffic.isHeavier(than: second.traffic, by: weight)
      }
      rows[index].shadowedBy = Array(rows[index].shadowedBy.prefix(RuleTraffic.shadowLimit))
    }
    return rows
  }

  /// By system and rule, what decided in its place, and for how much.
  private func shadowTraffic(
    _ generations: [Generation]
  ) -> [OperatingSystem: [Int: [(decider: Int, traffic: Traffic)]]] {
    var shadows: [OperatingSystem: [Int: [(decider: Int, traffic: Traffic)]]] = [:]
    for generation in generations {
      generation.tally.forEachShadow { rule, decider, traffic in
        shadows[generation.matcher.system, default: [:]][rule, default: []].append(
          (decider, traffic))
      }
    }
    return shadows
  }

  private func row(
    _ kind: RuleListKind, _ list: LinkMatcher.RuleList, _ rule: Int?, _ version: SiteVersion?
  ) -> RuleTraffic {
    let definition = rule.flatMap { list.definitions?[$0] }
    return RuleTraffic(
      place: list.filePlace, list: kind, rule: rule,
      pattern: definition.map { RulePattern.text(of: $0, list: kind) } ?? "*",
      excludes: definition?.excludes ?? false,
      isFragmentDependent: definition?.dependsOnFragment ?? false,
      position: definition?.position, version: version)
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
