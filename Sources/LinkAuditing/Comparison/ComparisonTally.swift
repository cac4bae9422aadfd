internal import TrafficDigest
internal import UniversalLinks

/// The counts of one worker, or of all of them, when two files are compared.
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

  var old: RuleTallies
  var new: RuleTallies

  /// By the verdicts' numbers: that of the old one times four plus that of the new one.
  private(set) var transitions = Array(repeating: Traffic(), count: 16)
  var opensAnotherApp = Traffic()
  var newlyClaimedWithoutRoute = Traffic()
  var newlyClaimedCauses = CaseCounts<Cause>()

  /// By system and pair of lists, the traffic that is claimed under the new file only, and
  /// that which is under the old one only.
  private(set) var gained: [OperatingSystem: [Traffic]] = [:]
  private(set) var lost: [OperatingSystem: [Traffic]] = [:]

  /// The changes by paths and decisions.
  var changes: DecisionTally<Decision>

  init(old: CompiledSite, new: CompiledSite, pairs: AppPairs, fanOut: Int) {
    for system in OperatingSystem.allCases {
      gained[system] = Array(repeating: Traffic(), count: pairs[system].count)
      lost[system] = gained[system]
    }
    self.old = RuleTallies(old)
    self.new = RuleTallies(new)
    changes = DecisionTally(fanOut: fanOut)
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
      if let list = pairs[index].old { wasClaimed = old.verdict(ofRuleList: list) == .claimed }
      if let list = pairs[index].new { isClaimed = new.verdict(ofRuleList: list) == .claimed }
      guard wasClaimed != isClaimed else { continue }
      if isClaimed {
        gained[system]?[index] += traffic
      } else {
        lost[system]?[index] += traffic
      }
    }
  }

  /// Adds the counts of another worker, both by path groups.
  mutating func merge(_ other: ComparisonTally) {
    old.merge(other.old)
    new.merge(other.new)
    for index in transitions.indices { transitions[index] += other.transitions[index] }
    opensAnotherApp += other.opensAnotherApp
    for system in OperatingSystem.allCases {
      gained[system] = Self.sum(gained[system], other.gained[system])
      lost[system] = Self.sum(lost[system], other.lost[system])
    }
    newlyClaimedWithoutRoute += other.newlyClaimedWithoutRoute
    newlyClaimedCauses += other.newlyClaimedCauses
    changes.merge(other.changes)
  }

  private static func sum(_ one: [Traffic]?, _ other: [Traffic]?) -> [Traffic] {
    zip(one ?? [], other ?? []).map { $0 + $1 }
  }
}
