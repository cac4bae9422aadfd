internal import TrafficDigest
internal import UniversalLinks

/// Turns the decisions of a site's rules into the tables of its apps and rules.
struct RuleAssembly {
  let versions: JudgedVersions

  /// The decisions of rules, by the position of the version in the history.
  let tallies: [RuleTallies]
  let paths: [SiteTally.PathTraffic]

  /// The traffic that rules don't apply to.
  let ineligible: Traffic
  let weight: Traffic.Weight

  /// The rules of one generation of systems, and their decisions.
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

  /// The apps in the order of the newest file, then those that only older files name.
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
  /// The lists of rules that decide for an app, for current and for old systems.
  private struct ListPair: Hashable {
    var current: Int?
    var legacy: Int?
  }

  /// The rules of all versions, the newest first.
  func ruleLists() -> [RuleListTraffic] { versions.versions.reversed().flatMap(ruleLists) }

  /// The rules of a version by the apps that share them.
  private func ruleLists(of version: JudgedVersions.Version) -> [RuleListTraffic] {
    let site = version.site
    let (current, legacy) = (site.current.ruleListByApp, site.legacy.ruleListByApp)
    let groups = site.site.file.entries.distinctApps.grouped {
      ListPair(current: current[$0], legacy: legacy[$0])
    }
    let generations = generations(of: version)
    let shadows = shadowTraffic(generations)
    return groups.compactMap { pair, apps in
      guard let app = apps.first else { return nil }
      let rules = rules(of: pair, generations, shadows) { id, definition in
        ReportedRule(id, definition, of: app, version: version.name)
      }
      return rules.isEmpty ? nil : RuleListTraffic(apps: apps, rules: rules)
    }
  }

  private func rules(
    of pair: ListPair, _ generations: [Generation],
    _ shadows: [OperatingSystem: [Int: [(decider: Int, traffic: Traffic)]]],
    report: (RuleID, RuleDefinition?) -> ReportedRule
  ) -> [RuleTraffic] {
    var rows: [RuleTraffic] = []
    // The row of each rule of the last list or -1: a table of all rules would take more memory than
    // they do.
    var (numbers, last): ([Int], LinkMatcher.RuleList?) = ([], nil)
    for generation in generations {
      let (matcher, tally) = (generation.matcher, generation.tally)
      guard let index = matcher.system == .current ? pair.current : pair.legacy else { continue }
      let list = matcher.ruleLists[index]
      if last.map({ !$0.hasSameRules(as: list) }) ?? true { numbers = [] }
      last = list
      let shadows = shadows[matcher.system] ?? [:]
      numbers += Array(repeating: -1, count: max(0, list.rules.count - numbers.count))
      for (position, rule) in list.rules.enumerated() {
        let counted = tally.rules[rule]
        if numbers[position] < 0 {
          // Report the old `paths` of an entry that also has `components` only if an old system
          // sent a request.
          if matcher.system == .legacy, counted.traffic.requests == 0, counted.shadowed == 0 {
            continue
          }
          numbers[position] = rows.count
          rows.append(
            RuleTraffic(rule: report(list.id(ofRule: rule), list.definition(ofRule: rule))))
        }
        rows[numbers[position]].traffic += counted.traffic
        rows[numbers[position]].shadowed += counted.shadowed
        guard let deciders = shadows[rule] else { continue }
        rows[numbers[position]].add(
          shadows: deciders.map {
            ShadowingRule(rule: list.id(ofRule: $0.decider), traffic: $0.traffic)
          })
      }
    }
    for index in rows.indices where !rows[index].shadowedBy.isEmpty {
      rows[index].shadowedBy = Array(
        rows[index].shadowedBy.heaviestFirst(
          by: weight, \.traffic, name: { $0.rule.position ?? 0 }
        ).prefix(RuleTraffic.shadowLimit))
    }
    return rows
  }

  /// By system and rule, the rules that decided in its place, and the traffic.
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
}

extension LinkMatcher.RuleList {
  /// Returns a Boolean value indicating whether both are the same array of one file, or both the
  /// same entry without any.
  fileprivate func hasSameRules(as other: Self) -> Bool {
    entry == other.entry && list == other.list
      && (definitions == nil) == (other.definitions == nil)
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
