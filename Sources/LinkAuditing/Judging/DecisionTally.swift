internal import TrafficDigest
internal import UniversalLinks

/// Traffic by paths and by decisions about it.
struct DecisionTally<Decision: Hashable & Sendable>: Sendable {
  private var numbering = Numbering<Decision>()

  /// The traffic by paths, with the number of a decision as second word.
  private var paths = PathTally()
  private var groups: PathGroupTree

  init(fanOut: Int) { groups = PathGroupTree(fanOut: fanOut) }

  /// The decisions by their numbers.
  var decisions: [Decision] { numbering.values }

  /// Counts the traffic of a target.
  mutating func add(
    _ traffic: Traffic, _ decision: Decision, group: Int, target: Span<UInt8>
  ) {
    let number = UInt64(numbering.number(of: decision))
    paths.add(
      traffic, to: CountTable.Key(first: UInt64(group), second: number), sample: target)
  }

  /// Adds a template of a path.
  ///
  /// - Returns: The number of its path group.
  mutating func addGroup(of template: Span<UInt8>) -> Int { groups.insert(template) }

  /// Adds the counts of another worker.
  mutating func merge(_ other: DecisionTally) {
    let numbers = groups.merge(other.groups)
    let groups = groups
    let decisions = other.decisions.map { numbering.number(of: $0) }
    paths.add(other.paths) { key in
      CountTable.Key(
        first: key.withPath { groups.resolve(numbers[$0]) }.first,
        second: UInt64(decisions[Int(key.second)]))
    }
  }

  /// Calls `body` with a path group, the number of a decision, traffic, and samples; the
  /// same can occur more than once.
  func forEachCount(
    _ body: (_ group: String, _ decision: Int, Traffic, [SampleStore.Sample]) -> Void
  ) {
    var texts: [Int: String] = [:]
    paths.forEachCount { key, traffic, samples in
      body(groups.text(key.path, known: &texts), Int(key.second), traffic, samples)
    }
  }

  /// The traffic of each decision, by its number.
  var sums: [Traffic] {
    var sums = Array(repeating: Traffic(), count: decisions.count)
    paths.forEachCount { key, traffic, _ in sums[Int(key.second)] += traffic }
    return sums
  }
}
