internal import TrafficDigest
internal import UniversalLinks

/// Turns the decisions of a site's rules into the tables of its apps and rules.
struct RuleAssembly {
  let versions: JudgedVersions

  /// The decisions of rules, by the position of the version in the history.
  let tallies: [BySystem<GenerationTally>]
  let paths: [SiteTally.PathTraffic]

  /// The traffic that rules don't apply to.
  let ineligible: Traffic
  let weight: Traffic.Weight

  /// The apps in the order of the newest file, then those that only older files name.
  private var namedApps: [ApplicationIdentifier] {
    versions.versions.reversed().flatMap(\.site.site.file.entries).distinctApps
  }

  func apps() -> [AppTraffic] {
    let order = namedApps
    var unknown = versions.versions.map { _ in BySystem { _ in CaseCounts<Verdict>() } }
    let places = Dictionary(
      uniqueKeysWithValues: versions.versions.enumerated().map { ($1.position, $0) })
    for path in paths {
      if let place = places[path.key.version] {
        unknown[place][path.key.system][.unclaimed] += path.traffic
      }
    }
    var traffic: [ApplicationIdentifier: CaseCounts<Verdict>] = [:]
    for (version, unknown) in zip(versions.versions, unknown) {
      for system in OperatingSystem.allCases {
        let known = version.site.matchers[system].ruleListByApp
        let tally = tallies[version.position][system]
        for app in order {
          // An app that this generation doesn't find in the file claims nothing.
          let verdicts = known[app].map { tally.verdicts(ofRuleList: $0) } ?? unknown[system]
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
}

// MARK: - Rules

extension RuleAssembly {
  /// The rules of all versions, the newest first.
  func ruleLists() -> [RuleListTraffic] { versions.versions.reversed().flatMap(ruleLists) }

  /// The rules of a version by the apps that share them.
  private func ruleLists(of version: JudgedVersions.Version) -> [RuleListTraffic] {
    let lists = BySystem { version.site.matchers[$0].ruleListByApp }
    let deciders = BySystem { tallies[version.position][$0].deciders }
    return version.site.site.file.entries.distinctApps.grouped { app in
      BySystem { lists[$0][app] }
    }.compactMap { lists, apps in
      guard let app = apps.first else { return nil }
      let rules = rules(of: lists, version, deciders) { id, definition in
        ReportedRule(id, definition, of: app, version: version.name)
      }
      return rules.isEmpty ? nil : RuleListTraffic(apps: apps, rules: rules)
    }
  }

  private func rules(
    of lists: BySystem<Int?>, _ version: JudgedVersions.Version,
    _ deciders: BySystem<[Int: [(rule: Int, traffic: Traffic)]]>,
    report: (RuleID, RuleDefinition?) -> ReportedRule
  ) -> [RuleTraffic] {
    var rows: [RuleTraffic] = []
    // Both generations of systems can read the same rules.
    var numbers: [RuleID: Int] = [:]
    for system in [OperatingSystem.current, .legacy] {
      guard let index = lists[system] else { continue }
      let list = version.site.matchers[system].ruleLists[index]
      let tally = tallies[version.position][system]
      for rule in list.rules {
        let (id, counted) = (list.id(ofRule: rule), tally.rules[rule])
        let number = numbers[id] ?? rows.count
        if number == rows.count {
          // Report the old `paths` of an entry that also has `components` only if an old system
          // sent a request.
          if system == .legacy, counted.traffic.requests == 0, counted.shadowed == 0 { continue }
          numbers[id] = number
          rows.append(RuleTraffic(rule: report(id, list.definition(ofRule: rule))))
        }
        rows[number].traffic += counted.traffic
        rows[number].shadowed += counted.shadowed
        rows[number].withFragment += counted.withFragment
        guard let deciders = deciders[system][rule] else { continue }
        rows[number].add(
          shadows: deciders.map {
            ShadowingRule(rule: list.id(ofRule: $0.rule), traffic: $0.traffic)
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
