/// Traffic by keys with numbers of templates, and later of path groups.
///
/// Templates are renumbered from time to time. Then their counts become counts by path group.
struct Folding<Counts: TrafficCounts>: Sendable {
  private(set) var byTemplate = Counts()
  private(set) var byGroup = Counts()

  /// The number of counts of path groups when equal keys were last merged.
  private var mergedCount = 0

  /// Converts counts by template to counts by path group.
  ///
  /// - Parameters:
  ///   - key: A function that returns the current key of path groups for a key of templates.
  ///   - resolve: A function that returns the current key of path groups for an earlier one.
  mutating func fold(
    _ key: (CountTable.Key) -> CountTable.Key, resolve: (CountTable.Key) -> CountTable.Key
  ) {
    byGroup.add(byTemplate, key)
    byTemplate = Counts()
    // Path groups that have been joined are still counted apart.
    guard byGroup.count > max(1 << 16, 2 * mergedCount) else { return }
    let old = byGroup
    byGroup = Counts()
    byGroup.add(old, resolve)
    mergedCount = byGroup.count
  }

  /// Adds other counts, which are all by path group.
  ///
  /// - Parameters:
  ///   - other: The counts.
  ///   - key: A function that converts a key of the other counts.
  mutating func merge(_ other: Folding, _ key: (CountTable.Key) -> CountTable.Key) {
    byGroup.add(other.byGroup, key)
  }
}

/// Traffic by keys of two words.
protocol TrafficCounts: Sendable {
  init()

  /// The number of keys.
  var count: Int { get }

  /// Adds other counts, with other keys.
  mutating func add(_ other: Self, _ newKey: (CountTable.Key) -> CountTable.Key)
}

extension CountTable: TrafficCounts {
  mutating func add(_ other: CountTable, _ newKey: (Key) -> Key) {
    other.forEachCount { key, traffic in add(traffic, to: newKey(key)) }
  }
}

extension PathTally: TrafficCounts {}

extension Folding where Counts == CountTable {
  /// Counts traffic by a key with numbers of templates.
  @inline(__always)
  mutating func add(_ traffic: Traffic, to key: CountTable.Key) {
    byTemplate.add(traffic, to: key)
  }

  /// Calls `body` with each key of path groups and its traffic; keys that the tree has merged since
  /// then occur separately.
  func forEachCount(_ body: (CountTable.Key, Traffic) -> Void) { byGroup.forEachCount(body) }
}

extension Folding where Counts == PathTally {
  /// Counts the traffic of a target by a key that begins with the number of a template.
  @inline(__always)
  mutating func add(_ traffic: Traffic, to key: CountTable.Key, sample: Span<UInt8>) {
    byTemplate.add(traffic, to: key, sample: sample)
  }

  /// The bytes that samples of targets take whose templates aren't folded yet.
  var sampleByteCount: Int { byTemplate.sampleByteCount }

  /// Calls `body` with each key, its traffic, and samples; the same key can occur more
  /// than once.
  func forEachCount(
    resolve: (Int) -> Int, _ body: (CountTable.Key, Traffic, [SampleStore.Sample]) -> Void
  ) {
    byGroup.forEachCount { body($0.withPath(resolve), $1, $2) }
  }
}

extension CountTable.Key {
  /// The number of the path's template or path group, which takes the lower half of the
  /// first word.
  var path: Int { Int(first & 0xFFFF_FFFF) }

  func withPath(_ number: (Int) -> Int) -> CountTable.Key {
    CountTable.Key(first: first & ~0xFFFF_FFFF | UInt64(number(path)), second: second)
  }
}
