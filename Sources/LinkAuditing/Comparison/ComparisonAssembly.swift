internal import UniversalLinks

/// Turns the counts of two files into their comparison.
struct ComparisonAssembly {
  let old: RuleSet.Version
  let new: RuleSet.Version
  let tally: ComparisonTally
  let weight: Traffic.Weight

  private let oldNames: RuleNames
  private let newNames: RuleNames

  init(old: RuleSet.Version, new: RuleSet.Version, tally: ComparisonTally, weight: Traffic.Weight) {
    (self.old, self.new, self.tally, self.weight) = (old, new, tally, weight)
    (oldNames, newNames) = (RuleNames(old), RuleNames(new))
  }

  func comparison() -> Comparison {
    var comparison = Comparison(host: old.site.host)
    for from in Verdict.allCases {
      for to in Verdict.allCases {
        let traffic = tally.transitions[from.number * 4 + to.number]
        comparison.transitions[Transition(from: from, to: to)] = traffic
        comparison.total += traffic
      }
    }
    comparison.opensAnotherApp = tally.opensAnotherApp
    if old.hasRoutes { comparison.newlyClaimedWithoutRoute = tally.newlyClaimedWithoutRoute }
    comparison.newlyClaimedCauses = tally.newlyClaimedCauses.byCase
    comparison.apps = apps()
    comparison.changes = changes()
    comparison.ruleLists = ruleLists()
    return comparison
  }

  // MARK: - Changes

  /// The rules that decide under both files.
  private struct RulePair: Hashable {
    var old: ReportedRule?
    var new: ReportedRule?
  }

  private struct ChangeKey: Hashable {
    var path: String
    var transition: Transition
    var rules: RulePair
    var hasRoute: Bool
  }

  private func changes() -> [PathGroupChange] {
    var sums: [ChangeKey: (traffic: Traffic, samples: [SampleStore.Sample])] = [:]
    let decisions = tally.decisions.decisions
    tally.decisions.forEachCount { path, number, traffic, samples in
      let decision = decisions[number]
      func rule(_ side: ComparisonTally.Side, _ names: RuleNames) -> ReportedRule? {
        side.rule.flatMap { names.rule($0, decision.system) }
      }
      let key = ChangeKey(
        path: path,
        transition: Transition(from: decision.old.verdict, to: decision.new.verdict),
        rules: RulePair(old: rule(decision.old, oldNames), new: rule(decision.new, newNames)),
        hasRoute: decision.hasRoute)
      sums[key, default: (Traffic(), [])].traffic += traffic
      sums[key, default: (Traffic(), [])].samples += samples
    }
    return sums.map { key, sum in
      PathGroupChange(
        path: key.path, transition: key.transition, traffic: sum.traffic, oldRule: key.rules.old,
        newRule: key.rules.new, isImplemented: old.hasRoutes ? key.hasRoute : nil,
        samples: SampleStore.Sample.encodedBest(sum.samples))
    }.sorted { first, second in
      if first.traffic != second.traffic {
        return first.traffic.isHeavier(than: second.traffic, by: weight)
      }
      return first.order < second.order
    }
  }

  // MARK: - Apps

  private func apps() -> [AppChange] {
    let oldApps = Set(old.site.file.entries.flatMap(\.namedApps))
    let newApps = Set(new.site.file.entries.flatMap(\.namedApps))
    var order: [ApplicationIdentifier] = []
    var changes: [ApplicationIdentifier: AppChange] = [:]
    for system in [OperatingSystem.current, .legacy] {
      for (index, pair) in tally.appPairs[system].pairs.enumerated() {
        for app in pair.apps {
          if changes[app] == nil {
            order.append(app)
            let kind: RuleChange.Kind =
              !oldApps.contains(app) ? .added : !newApps.contains(app) ? .removed : .kept
            changes[app] = AppChange(app: app, kind: kind)
          }
          changes[app]?.gained += tally.gained[system][index]
          changes[app]?.lost += tally.lost[system][index]
        }
      }
    }
    return order.compactMap { changes[$0] }
  }

  // MARK: - Rules

  /// The rules by the apps that share them.
  private func ruleLists() -> [RuleListChange] {
    let oldLists = BySystem { old.matchers[$0].ruleListByApp }
    let newLists = BySystem { new.matchers[$0].ruleListByApp }
    return namedApps.grouped { app in
      BySystem { AppPairs.Lists(old: oldLists[$0][app], new: newLists[$0][app]) }
    }.compactMap { lists, apps in
      let rules = rules(of: lists)
      return rules.isEmpty ? nil : RuleListChange(apps: apps, rules: rules)
    }
  }

  /// The apps of both files, in the order in which they are named first.
  private var namedApps: [ApplicationIdentifier] {
    (new.site.file.entries + old.site.file.entries).distinctApps
  }

  /// The rules of some apps, what both generations of systems decide by them added up.
  private func rules(of lists: BySystem<AppPairs.Lists>) -> [RuleChange] {
    var order: [RulePair] = []
    var rows: [RulePair: RuleChange] = [:]
    for system in [OperatingSystem.current, .legacy] {
      for change in rules(of: lists[system], system) {
        let key = RulePair(old: change.old, new: change.new)
        guard var row = rows[key] else {
          // Report a rule that only old systems read if such a system sent a request.
          let traffic = change.oldTraffic.requests + change.newTraffic.requests
          if system == .legacy, traffic + change.newShadowed == 0 { continue }
          order.append(key)
          rows[key] = change
          continue
        }
        row.oldTraffic += change.oldTraffic
        row.newTraffic += change.newTraffic
        row.newShadowed += change.newShadowed
        rows[key] = row
      }
    }
    return order.compactMap { rows[$0] }
  }

  private func rules(of lists: AppPairs.Lists, _ system: OperatingSystem) -> [RuleChange] {
    let oldList = lists.old.map { old.matchers[system].ruleLists[$0] }
    let newList = lists.new.map { new.matchers[system].ruleLists[$0] }

    /// The change of a rule, which has a number in the old file, in the new one, or in both.
    func change(_ old: Int?, _ new: Int?) -> RuleChange {
      var change = RuleChange(kind: old == nil ? .added : new == nil ? .removed : .kept)
      if let old {
        change.old = oldNames.rule(old, system)
        change.oldTraffic = tally.old[system].rules[old].traffic
      }
      if let new {
        change.new = newNames.rule(new, system)
        change.newTraffic = tally.new[system].rules[new].traffic
        change.newShadowed = tally.new[system].rules[new].shadowed
      }
      return change
    }

    // An entry without rules claims everything; no rule of another entry is the same.
    let (oldWhole, newWhole) = (oldList?.wholeEntry, newList?.wholeEntry)
    var changes = oldWhole == nil && newWhole == nil ? [] : [change(oldWhole, newWhole)]
    let alignment = RuleAlignment(
      old: oldList?.definitions ?? [], new: newList?.definitions ?? [])
    let (firstOld, firstNew) = (oldList?.rules.lowerBound ?? 0, newList?.rules.lowerBound ?? 0)
    changes += alignment.pairs.map { pair in
      change(pair.old.map { firstOld + $0 }, pair.new.map { firstNew + $0 })
    }
    return changes
  }
}

extension LinkMatcher.RuleList {
  /// The number of the rule that represents an entry without rules, or `nil` if the entry has
  /// rules.
  fileprivate var wholeEntry: Int? { definitions == nil ? rules.lowerBound : nil }
}

extension PathGroupChange {
  /// The order of changes of the same weight.
  fileprivate var order: (String, Int, Int, Int, String, String) {
    (
      path, transition.from.number, transition.to.number, isImplemented == true ? 1 : 0,
      oldRule.map { "\($0.order)" } ?? "", newRule.map { "\($0.order)" } ?? ""
    )
  }
}

/// The correspondence between the rules of an old list and those of a new one.
struct RuleAlignment {
  /// A pair of positions; one of them is `nil` where a rule was added or removed.
  struct Pair: Hashable {
    var old: Int?
    var new: Int?
  }

  /// The pairs in the order of the new list; a removed rule follows the rule that was before
  /// it.
  let pairs: [Pair]

  /// Aligns two lists.
  init(old: [RuleDefinition], new: [RuleDefinition]) {
    // Equal rules are paired in their order, whatever their positions.
    var waiting: [RuleDefinition: [Int]] = [:]
    for (index, rule) in new.enumerated().reversed() {
      waiting[rule.meaning, default: []].append(index)
    }
    var newPosition: [Int: Int] = [:]
    for (index, rule) in old.enumerated() {
      if let position = waiting[rule.meaning]?.popLast() { newPosition[index] = position }
    }
    let oldPosition = Dictionary(uniqueKeysWithValues: newPosition.map { ($0.value, $0.key) })
    // The removed rules by the rule of the new list that they follow, or -1.
    var removed: [Int: [Int]] = [:]
    var last = -1
    for index in old.indices {
      if let position = newPosition[index] {
        last = position
      } else {
        removed[last, default: []].append(index)
      }
    }
    var pairs = (removed[-1] ?? []).map { Pair(old: $0, new: nil) }
    for index in new.indices {
      pairs.append(Pair(old: oldPosition[index], new: index))
      pairs += (removed[index] ?? []).map { Pair(old: $0, new: nil) }
    }
    self.pairs = pairs
  }
}

extension RuleDefinition {
  /// The meaning of the rule, wherever it is and however it is spelled: equal for rules that mean
  /// the same.
  var meaning: RuleDefinition {
    var meaning = self
    (meaning.source, meaning.position) = ("", nil)
    return meaning
  }
}
