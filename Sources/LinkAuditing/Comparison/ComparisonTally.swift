internal import TrafficDigest
internal import UniversalLinks

/// The counts of a comparison of two files of a site.
struct ComparisonTally: Sendable {
  /// The decision under one file.
  struct Side: Hashable, Sendable {
    var verdict: Verdict

    /// The number of the rule that decided.
    var rule: Int?
  }

  /// The decisions under both files.
  struct Decision: Hashable, Sendable {
    var system: OperatingSystem
    var old: Side
    var new: Side

    /// Whether the app has a route, which is `false` where that isn't known.
    var hasRoute: Bool
  }

  var old: BySystem<GenerationTally>
  var new: BySystem<GenerationTally>

  /// By the verdicts' numbers: that of the old one times four plus that of the new one.
  private(set) var transitions = Array(repeating: Traffic(), count: 16)
  var opensAnotherApp = Traffic()
  var newlyClaimedWithoutRoute = Traffic()
  var newlyClaimedCauses = CaseCounts<Cause>()

  /// By system and pair of lists, the traffic that is claimed under the new file only, and
  /// that which is under the old one only.
  private(set) var gained: BySystem<[Traffic]>
  private(set) var lost: BySystem<[Traffic]>

  /// The changes by paths and decisions.
  var decisions: DecisionTally<Decision>

  /// The site with the new file.
  private let candidate: RuleSet.Version

  /// The lists of rules of each app under both files.
  let appPairs: BySystem<AppPairs>

  init(old: RuleSet.Version, new: RuleSet.Version, fanOut: Int) {
    candidate = new
    let appPairs = BySystem { AppPairs($0, old: old, new: new) }
    self.appPairs = appPairs
    gained = BySystem { Array(repeating: Traffic(), count: appPairs[$0].pairs.count) }
    lost = gained
    self.old = BySystem(old)
    self.new = BySystem(new)
    decisions = DecisionTally(fanOut: fanOut)
  }

  /// Counts traffic by its verdicts under both files.
  mutating func add(_ traffic: Traffic, from old: Verdict, to new: Verdict) {
    transitions[old.number * 4 + new.number] += traffic
  }

  /// Counts traffic for the apps whose verdict changes to or from claimed.
  mutating func add(
    _ traffic: Traffic, _ system: OperatingSystem, _ pairs: [AppPairs.Pair],
    old: borrowing Evaluation, new: borrowing Evaluation
  ) {
    for index in pairs.indices {
      var (wasClaimed, isClaimed) = (false, false)
      if let list = pairs[index].lists.old {
        wasClaimed = old.verdict(ofRuleList: list) == .claimed
      }
      if let list = pairs[index].lists.new { isClaimed = new.verdict(ofRuleList: list) == .claimed }
      guard wasClaimed != isClaimed else { continue }
      if isClaimed {
        gained[system][index] += traffic
      } else {
        lost[system][index] += traffic
      }
    }
  }

  /// Adds the counts of another worker.
  mutating func merge(_ other: ComparisonTally) {
    old.merge(other.old)
    new.merge(other.new)
    for index in transitions.indices { transitions[index] += other.transitions[index] }
    opensAnotherApp += other.opensAnotherApp
    for system in OperatingSystem.allCases {
      for index in gained[system].indices {
        gained[system][index] += other.gained[system][index]
        lost[system][index] += other.lost[system][index]
      }
    }
    newlyClaimedWithoutRoute += other.newlyClaimedWithoutRoute
    newlyClaimedCauses += other.newlyClaimedCauses
    decisions.merge(other.decisions)
  }
}

extension ComparisonTally: TargetTally {
  static let followsRoutes = true

  var requests: Int { transitions.reduce(0) { $0 + $1.requests } }

  mutating func addIneligible(
    _ target: borrowing JudgedTarget, _ requests: Span<TrafficDigest.Count>
  ) {
    add(target.traffic.current + target.traffic.legacy, from: .ineligible, to: .ineligible)
  }

  mutating func addGroup(of template: Span<UInt8>, site: Int) -> Int {
    decisions.addGroup(of: template)
  }

  mutating func add(
    _ system: OperatingSystem, _ target: inout JudgedTarget, _ bytes: Span<UInt8>,
    of old: RuleSet.Version, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    let traffic = target.traffic[system]
    let (oldMatcher, newMatcher) = (old.matchers[system], candidate.matchers[system])
    oldMatcher.evaluate(&target.url, into: &target.evaluation)
    newMatcher.evaluate(&target.url, into: &target.otherEvaluation)
    self.old[system].add(traffic, target.evaluation)
    new[system].add(traffic, target.otherEvaluation)
    add(
      traffic, system, appPairs[system].pairs, old: target.evaluation, new: target.otherEvaluation)

    let (from, to) = (target.evaluation.siteVerdict, target.otherEvaluation.siteVerdict)
    add(traffic, from: from, to: to)
    let oldList = oldMatcher.firstList(with: from, target.evaluation)
    let newList = newMatcher.firstList(with: to, target.otherEvaluation)
    if from == to {
      guard from == .claimed, let oldList, let newList,
        !appPairs[system].haveSameOpener(oldList, newList)
      else { return }
      opensAnotherApp += traffic
    } else if to == .claimed {
      if target.route == nil { newlyClaimedWithoutRoute += traffic }
      let signs = target.causeSigns(of: candidate, system, target.otherEvaluation)
      for index in requests.indices {
        let combination = target.names.combinations[requests[index].kind]
        guard combination.isLegacy == (system == .legacy) else { continue }
        newlyClaimedCauses[signs.cause(of: combination)] += target.traffic(of: requests[index])
      }
    }
    let decision = Decision(
      system: system,
      old: Side(
        verdict: from, rule: oldList.flatMap { target.evaluation.decidingRule(ofRuleList: $0) }),
      new: Side(
        verdict: to,
        rule: newList.flatMap { target.otherEvaluation.decidingRule(ofRuleList: $0) }),
      hasRoute: target.route != nil)
    decisions.add(traffic, decision, group: target.group, target: bytes)
  }
}

/// The lists of rules that decide for each app on one generation of systems under two files,
/// grouped by apps with the same lists.
struct AppPairs: Sendable {
  /// The lists of an app under both files; `nil` where a file doesn't name it.
  struct Lists: Hashable, Sendable {
    var old: Int?
    var new: Int?
  }

  /// Some apps and their lists.
  struct Pair: Sendable {
    var apps: [ApplicationIdentifier]
    var lists: Lists
  }

  /// The pairs in the order in which the new file, then the old one, names their first apps.
  let pairs: [Pair]

  /// The app that opens where a list claims, by list of each file, as numbers that both files
  /// share: they are needed for each target, so nothing may be looked up then.
  private let openers: (old: [Int], new: [Int])

  init(_ system: OperatingSystem, old: RuleSet.Version, new: RuleSet.Version) {
    let matchers = (old: old.matchers[system], new: new.matchers[system])
    let lists = (old: matchers.old.ruleListByApp, new: matchers.new.ruleListByApp)
    pairs = (new.site.file.entries + old.site.file.entries).distinctApps
      .grouped { Lists(old: lists.old[$0], new: lists.new[$0]) }
      .filter { $0.lists != Lists() }
      .map { Pair(apps: $0.apps, lists: $0.lists) }
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

  /// Returns a Boolean value indicating whether the same app opens where an old and a new list claim.
  func haveSameOpener(_ oldList: Int, _ newList: Int) -> Bool {
    openers.old[oldList] == openers.new[newList]
  }
}
