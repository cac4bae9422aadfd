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
  var newlyClaimedFromSameHost = Traffic()

  /// By system and pair of lists, the traffic that is claimed under the new file only, and
  /// that which is under the old one only.
  private(set) var gained: [OperatingSystem: [Traffic]] = [:]
  private(set) var lost: [OperatingSystem: [Traffic]] = [:]

  /// The decisions by which changes are counted, numbered.
  private var numbering = Numbering<Decision>()
  var decisions: [Decision] { numbering.values }

  /// The changes by paths, with the number of their decision as second word.
  private var changes = FoldingTally()
  private var families: FamilyTree

  init(old: CompiledSite, new: CompiledSite, pairs: AppPairs, fanOut: Int) {
    for system in OperatingSystem.allCases {
      gained[system] = Array(repeating: Traffic(), count: pairs[system].count)
      lost[system] = gained[system]
    }
    self.old = RuleTallies(old)
    self.new = RuleTallies(new)
    families = FamilyTree(fanOut: fanOut)
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

  /// Counts the traffic of a target for which something changes.
  mutating func add(
    _ traffic: Traffic, _ decision: Decision, template: Int, target: Span<UInt8>
  ) {
    changes.add(
      traffic,
      to: CountTable.Key(first: UInt64(template), second: UInt64(numbering.number(of: decision))),
      sample: target)
  }

  /// The bytes that samples of targets take whose templates aren't folded yet.
  var sampleByteCount: Int { changes.sampleByteCount }

  /// Adds a template of a path.
  ///
  /// - Returns: The number of its family.
  mutating func addFamily(of template: Span<UInt8>) -> Int { families.insert(template) }

  /// Counts by families what has been counted by templates, whose numbers have no
  /// meaning from then on.
  mutating func foldTemplates(_ family: (_ template: Int) -> Int) {
    let families = families
    changes.fold({ families.resolve(family($0)) }, resolve: families.resolve)
  }

  /// Adds the counts of another worker, both by families.
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
    newlyClaimedFromSameHost += other.newlyClaimedFromSameHost
    let numbers = families.merge(other.families)
    let families = families
    let decisions = other.decisions.map { numbering.number(of: $0) }
    changes.merge(
      other.changes, { families.resolve(numbers[$0]) }, second: { UInt64(decisions[Int($0)]) })
  }

  private static func sum(_ one: [Traffic]?, _ other: [Traffic]?) -> [Traffic] {
    zip(one ?? [], other ?? []).map { $0 + $1 }
  }

  /// Calls `body` with the family of each change, its decision, its traffic, and
  /// samples; the same can occur more than once.
  func forEachChange(
    _ body: (_ family: String, Decision, Traffic, [SampleStore.Sample]) -> Void
  ) {
    var texts: [Int: String] = [:]
    changes.forEachCount(resolve: families.resolve) { key, traffic, samples in
      let text = texts[key.path] ?? families.text(key.path)
      texts[key.path] = text
      body(text, decisions[Int(key.second)], traffic, samples)
    }
  }
}
