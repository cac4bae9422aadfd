internal import UniversalLinks

/// The counts of a comparison of two files of a site.
struct ComparisonTally: Sendable {
  struct Decision: Hashable, Sendable {
    var system: OperatingSystem
    var transition: Transition

    /// The numbers of the rules that decided.
    var (oldRule, newRule): (Int?, Int?)

    /// Whether the app has a route, which is `false` where that isn't known.
    var hasRoute: Bool
  }

  var old: BySystem<GenerationTally>
  var new: BySystem<GenerationTally>

  private(set) var transitions = CaseCounts<Transition>()
  var newlyClaimedCauses = CaseCounts<Cause>()
  var decisions = DecisionTally<Decision>()
  private let sites: (old: RuleSet.Version, new: RuleSet.Version)
  private(set) var appPairs: BySystem<AppPairs>

  init(old: RuleSet.Version, new: RuleSet.Version) {
    sites = (old, new)
    appPairs = BySystem { AppPairs($0, old: old, new: new) }
    self.old = BySystem(old)
    self.new = BySystem(new)
  }

  mutating func merge(_ other: ComparisonTally, _ groups: [[Int]]) {
    old.merge(other.old)
    new.merge(other.new)
    transitions += other.transitions
    for system in OperatingSystem.allCases { appPairs[system].merge(other.appPairs[system]) }
    newlyClaimedCauses += other.newlyClaimedCauses
    decisions.merge(other.decisions, groups[0])
  }
}

extension ComparisonTally: TargetTally {
  static let followsRoutes = true

  var requests: Int { transitions.total.requests }

  mutating func addIneligible(_ target: borrowing JudgedTarget, _ requests: RequestCounts) {
    transitions[Transition(from: .ineligible, to: .ineligible)] +=
      target.traffic.current + target.traffic.legacy
  }

  mutating func add(
    _ system: OperatingSystem, _ target: inout JudgedTarget, _ bytes: Span<UInt8>,
    of old: RuleSet.Version, _ requests: RequestCounts, _ visits: RequestCounts
  ) {
    let traffic = target.traffic[system]
    let (oldMatcher, newMatcher) = (old.matchers[system], sites.new.matchers[system])
    oldMatcher.evaluate(&target.url, into: &target.evaluation)
    newMatcher.evaluate(&target.url, into: &target.otherEvaluation)
    self.old[system].add(traffic, target.evaluation)
    new[system].add(traffic, target.otherEvaluation)
    appPairs[system].add(traffic, old: target.evaluation, new: target.otherEvaluation)

    let (from, to) = (target.evaluation.siteVerdict, target.otherEvaluation.siteVerdict)
    let transition = Transition(from: from, to: to)
    transitions[transition] += traffic
    let oldList = oldMatcher.firstList(with: from, target.evaluation)
    let newList = newMatcher.firstList(with: to, target.otherEvaluation)
    if from == to {
      guard from == .claimed, let oldList, let newList,
        !appPairs[system].haveSameOpener(oldList, newList)
      else { return }
    } else if to == .claimed {
      target.forEachCause(of: requests, system, under: sites.new, target.otherEvaluation) {
        newlyClaimedCauses[$0] += $2
      }
    }
    let decision = Decision(
      system: system,
      transition: transition,
      oldRule: oldList.flatMap { target.evaluation.decidingRule(ofRuleList: $0) },
      newRule: newList.flatMap { target.otherEvaluation.decidingRule(ofRuleList: $0) },
      hasRoute: target.route != nil)
    decisions.add(traffic, decision, group: target.group, target: bytes)
  }
}

/// The lists of rules that decide for each app on one generation of systems under two files,
/// grouped by apps with the same lists, and the traffic that they gain and lose.
struct AppPairs: Sendable {
  /// The lists of an app under both files; `nil` where a file doesn't name it.
  struct Lists: Hashable, Sendable {
    var old: Int?
    var new: Int?
  }

  /// Some apps, their lists, and the traffic that only the new one claims, or only the old one.
  typealias Pair = (apps: [ApplicationIdentifier], lists: Lists, gained: Traffic, lost: Traffic)

  /// The pairs in the order in which the new file, then the old one, names their first apps.
  private(set) var pairs: [Pair]

  /// The app that opens where a list claims, by list of each file, as numbers that both files
  /// share: they are needed for each target, so nothing may be looked up then.
  private let openers: (old: [Int], new: [Int])

  init(_ system: OperatingSystem, old: RuleSet.Version, new: RuleSet.Version) {
    let matchers = (old: old.matchers[system], new: new.matchers[system])
    let lists = (old: matchers.old.ruleListByApp, new: matchers.new.ruleListByApp)
    pairs = (new.site.file.entries + old.site.file.entries).distinctApps
      .grouped { Lists(old: lists.old[$0], new: lists.new[$0]) }
      .filter { $0.key != Lists() }
      .map { ($0.elements, $0.key, Traffic(), Traffic()) }
    var numbers = Numbering<ApplicationIdentifier>()
    func openers(_ matcher: LinkMatcher) -> [Int] {
      var openers = Array(repeating: -1, count: matcher.ruleLists.count)
      for app in matcher.apps where openers[app.ruleList] < 0 {
        openers[app.ruleList] = numbers.number(of: app.identifier)
      }
      return openers
    }
    self.openers = (openers(matchers.old), openers(matchers.new))
  }

  mutating func add(_ traffic: Traffic, old: borrowing Evaluation, new: borrowing Evaluation) {
    for index in pairs.indices {
      var (wasClaimed, isClaimed) = (false, false)
      if let list = pairs[index].lists.old {
        wasClaimed = old.verdict(ofRuleList: list) == .claimed
      }
      if let list = pairs[index].lists.new { isClaimed = new.verdict(ofRuleList: list) == .claimed }
      if isClaimed, !wasClaimed { pairs[index].gained += traffic }
      if wasClaimed, !isClaimed { pairs[index].lost += traffic }
    }
  }

  mutating func merge(_ other: AppPairs) {
    for index in pairs.indices {
      pairs[index].gained += other.pairs[index].gained
      pairs[index].lost += other.pairs[index].lost
    }
  }

  /// Returns a Boolean value indicating whether the same app opens where an old and a new list claim.
  func haveSameOpener(_ oldList: Int, _ newList: Int) -> Bool {
    openers.old[oldList] == openers.new[newList]
  }
}

// The figures of the comparison.
extension ComparisonTally {
  private var names: (old: RuleNames, new: RuleNames) {
    (RuleNames(sites.old), RuleNames(sites.new))
  }

  func changes(in groups: PathGroupTree, by weight: Traffic.Weight) -> [PathGroupChange] {
    // By changes without their figures.
    var sums: [PathGroupChange: SampledTraffic] = [:]
    let names = names
    decisions.paths.forEachCount(in: groups) { key, path, traffic, samples in
      let decision = decisions.decisions[Int(key.second)]
      func rule(_ number: Int?, _ names: RuleNames) -> ReportedRule? {
        number.flatMap { names.rule($0, decision.system) }
      }
      let change = PathGroupChange(
        path: path, transition: decision.transition,
        oldRule: rule(decision.oldRule, names.old), newRule: rule(decision.newRule, names.new),
        isImplemented: sites.old.hasRoutes ? decision.hasRoute : nil)
      sums[change, default: SampledTraffic()].add(traffic, samples)
    }
    return sums.map { change, sum in
      var change = change
      (change.traffic, change.samples) = (sum.traffic, sum.texts)
      return change
    }.sorted { first, second in
      first.traffic == second.traffic
        ? first.order < second.order : first.traffic.isHeavier(than: second.traffic, by: weight)
    }
  }

  func apps() -> [AppChange] {
    let oldApps = Set(sites.old.site.file.entries.flatMap(\.namedApps))
    let newApps = Set(sites.new.site.file.entries.flatMap(\.namedApps))
    let changes = (appPairs.current.pairs + appPairs.legacy.pairs).flatMap { pair in
      pair.apps.map { (app: $0, gained: pair.gained, lost: pair.lost) }
    }
    return changes.grouped(by: \.app).map { app, changes in
      AppChange(
        app: app, kind: !oldApps.contains(app) ? .added : !newApps.contains(app) ? .removed : .kept,
        gained: changes.sum(\.gained), lost: changes.sum(\.lost))
    }
  }

  func ruleLists() -> [RuleListChange] {
    let (names, shadows) = (names, BySystem { new[$0].deciders })

    /// The change of a rule, which has a number in the old file, in the new one, or in both.
    func change(_ old: Int?, _ new: Int?, _ system: OperatingSystem) -> RuleChange {
      var change = RuleChange(kind: old == nil ? .added : new == nil ? .removed : .kept)
      if let old {
        change.old = names.old.rule(old, system)
        change.oldTraffic = self.old[system].decided[old]
      }
      if let new {
        change.new = names.new.rule(new, system)
        change.newTraffic = self.new[system].decided[new]
        change.newShadowed = (shadows[system][new] ?? []).sum(\.traffic).requests
      }
      return change
    }

    func rules(of lists: AppPairs.Lists, _ system: OperatingSystem) -> [RuleChange] {
      let (oldMatcher, newMatcher) = (sites.old.matchers[system], sites.new.matchers[system])
      let oldList = lists.old.map { oldMatcher.ruleLists[$0] }
      let newList = lists.new.map { newMatcher.ruleLists[$0] }
      /// The number of the rule that represents an entry without rules, or `nil`.
      func whole(_ list: LinkMatcher.RuleList?) -> Int? {
        list.flatMap { $0.entry.rules == nil ? $0.rules.lowerBound : nil }
      }
      // An entry without rules claims everything; no rule of another entry is the same.
      let (oldWhole, newWhole) = (whole(oldList), whole(newList))
      let changes =
        oldWhole == nil && newWhole == nil ? [] : [change(oldWhole, newWhole, system)]
      let (firstOld, firstNew) = (oldList?.rules.lowerBound ?? 0, newList?.rules.lowerBound ?? 0)
      let aligned = RuleDefinition.aligned(
        oldList?.entry.rules ?? [], newList?.entry.rules ?? [])
      return changes
        + aligned.map { old, new in
          change(old.map { firstOld + $0 }, new.map { firstNew + $0 }, system)
        }
    }

    /// The rules of some apps, what both generations of systems decide by them added up.
    func rules(of lists: BySystem<AppPairs.Lists>) -> [RuleChange] {
      let changes = [OperatingSystem.current, .legacy].flatMap { system in
        rules(of: lists[system], system).map { (system: system, change: $0) }
      }
      // Defaults, which only newer systems read, make a rule another one there, in the same place.
      return changes.grouped { [$0.change.old?.id, $0.change.new?.id] }.compactMap { _, changes in
        var sum = changes[0].change
        // Report a rule that only old systems read if such a system sent a request.
        let requests = sum.oldTraffic.requests + sum.newTraffic.requests + sum.newShadowed
        if changes[0].system == .legacy, requests == 0 { return nil }
        for (_, change) in changes.dropFirst() {
          sum.oldTraffic += change.oldTraffic
          sum.newTraffic += change.newTraffic
          sum.newShadowed += change.newShadowed
        }
        return sum
      }
    }

    let oldLists = BySystem { sites.old.matchers[$0].ruleListByApp }
    let newLists = BySystem { sites.new.matchers[$0].ruleListByApp }
    return (sites.new.site.file.entries + sites.old.site.file.entries).distinctApps.grouped { app in
      BySystem { AppPairs.Lists(old: oldLists[$0][app], new: newLists[$0][app]) }
    }.map { lists, apps in (apps, rules(of: lists)) }.filter { !$0.rules.isEmpty }
  }
}

extension PathGroupChange {
  /// The order of changes of the same weight.
  fileprivate var order: (String, Int, Int, String, String) {
    (
      path, transition.number, isImplemented == true ? 1 : 0,
      oldRule.map { "\($0.order)" } ?? "", newRule.map { "\($0.order)" } ?? ""
    )
  }
}

extension RuleDefinition {
  /// Returns the positions of rules of an old list with those of the same rules in a new one; one is
  /// `nil` where a rule was added or removed.
  ///
  /// They are in the order of the new list; a removed rule follows the rule that was before it.
  static func aligned(
    _ old: [RuleDefinition], _ new: [RuleDefinition]
  ) -> [(old: Int?, new: Int?)] {
    // Equal rules are paired in their order, whatever their positions.
    var waiting: [RuleDefinition: [Int]] = [:]
    for (index, rule) in new.enumerated().reversed() {
      waiting[rule.meaning, default: []].append(index)
    }
    var oldPosition: [Int: Int] = [:]
    // The removed rules by the rule of the new list that they follow, or -1.
    var removed: [Int: [Int]] = [:]
    var last = -1
    for (index, rule) in old.enumerated() {
      if let position = waiting[rule.meaning]?.popLast() {
        last = position
        oldPosition[position] = index
      } else {
        removed[last, default: []].append(index)
      }
    }
    var pairs: [(old: Int?, new: Int?)] = (removed[-1] ?? []).map { ($0, nil) }
    for index in new.indices {
      pairs.append((oldPosition[index], index))
      pairs += (removed[index] ?? []).map { ($0, nil) }
    }
    return pairs
  }

  /// The meaning of the rule, wherever it is and however it is spelled: equal for rules that mean
  /// the same.
  var meaning: RuleDefinition {
    var meaning = self
    (meaning.source, meaning.position) = ("", nil)
    return meaning
  }
}
