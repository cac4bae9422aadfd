internal import TrafficDigest
internal import UniversalLinks

// The tables of apps and rules.
extension SiteAssembly {
  /// The apps in the order of the newest file, then those that only older files name.
  private var namedApps: [ApplicationIdentifier] {
    names.judged.reversed().flatMap(\.version.site.file.entries).distinctApps
  }

  func apps() -> [AppTraffic] {
    let order = namedApps
    var unknown = names.judged.map { _ in BySystem { _ in CaseCounts<Verdict>() } }
    let places = Dictionary(
      uniqueKeysWithValues: names.judged.enumerated().map { ($1.position, $0) })
    for path in paths {
      if let place = places[path.key.version] {
        unknown[place][path.key.system][.unclaimed] += path.traffic
      }
    }
    var traffic: [ApplicationIdentifier: CaseCounts<Verdict>] = [:]
    for (judged, unknown) in zip(names.judged, unknown) {
      for system in OperatingSystem.allCases {
        let known = judged.version.matchers[system].ruleListByApp
        let tally = ruleTallies[judged.position][system]
        for app in order {
          // An app that this generation doesn't find in the file claims nothing.
          let verdicts = known[app].map { tally.verdicts(ofRuleList: $0) } ?? unknown[system]
          traffic[app, default: CaseCounts()] += verdicts
        }
      }
    }
    return order.map { app in
      var verdicts = traffic[app] ?? CaseCounts()
      verdicts[.ineligible] = total.verdicts[.ineligible]
      return AppTraffic(app: app, verdicts: verdicts.byCase)
    }
  }
}

// MARK: - Rules

extension SiteAssembly {
  /// The rules of all versions, the newest first.
  func ruleLists() -> [RuleListTraffic] { names.judged.reversed().flatMap(ruleLists) }

  /// The rules of a version by the apps that share them.
  private func ruleLists(of judged: RuleNames.Judged) -> [RuleListTraffic] {
    let lists = BySystem { judged.version.matchers[$0].ruleListByApp }
    let deciders = BySystem { ruleTallies[judged.position][$0].deciders }
    return judged.version.site.file.entries.distinctApps.grouped { app in
      BySystem { lists[$0][app] }
    }.compactMap { lists, apps in
      guard let app = apps.first else { return nil }
      let rules = rules(of: lists, judged, deciders) { id, definition in
        ReportedRule(id, definition, of: app, version: judged.name)
      }
      return rules.isEmpty ? nil : RuleListTraffic(apps: apps, rules: rules)
    }
  }

  private func rules(
    of lists: BySystem<Int?>, _ judged: RuleNames.Judged,
    _ deciders: BySystem<[Int: [(rule: Int, traffic: Traffic)]]>,
    report: (RuleID, RuleDefinition?) -> ReportedRule
  ) -> [RuleTraffic] {
    var rows: [RuleTraffic] = []
    // Both generations of systems can read the same rules.
    var numbers: [RuleID: Int] = [:]
    for system in [OperatingSystem.current, .legacy] {
      guard let index = lists[system] else { continue }
      let list = judged.version.matchers[system].ruleLists[index]
      let tally = ruleTallies[judged.position][system]
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
