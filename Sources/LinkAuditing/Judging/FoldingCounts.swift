internal import TrafficDigest

/// Traffic by keys that hold numbers of templates, and later of path groups, without samples.
///
/// It is to ``CountTable`` as ``FoldingTally`` is to tallies with samples.
struct FoldingCounts: Sendable {
  private var byTemplate = CountTable()
  private var byGroup = CountTable()

  /// The number of counts of path groups when equal keys were last merged.
  private var joinedCount = 0

  /// Counts traffic by a key with numbers of templates.
  @inline(__always)
  mutating func add(_ traffic: Traffic, to key: CountTable.Key) {
    byTemplate.add(traffic, to: key)
  }

  /// Converts counts by template to counts by path group.
  ///
  /// - Parameters:
  ///   - key: A function that returns the current key of path groups for a key of templates.
  ///   - resolve: A function that returns the current key of path groups for an earlier one.
  mutating func fold(
    _ key: (CountTable.Key) -> CountTable.Key, resolve: (CountTable.Key) -> CountTable.Key
  ) {
    add(byTemplate, key)
    byTemplate = CountTable()
    // Path groups that have been joined are still counted apart.
    guard byGroup.count > max(1 << 16, 2 * joinedCount) else { return }
    let old = byGroup
    byGroup = CountTable()
    add(old, resolve)
    joinedCount = byGroup.count
  }

  /// Adds other counts, which are all by path group.
  ///
  /// - Parameters:
  ///   - other: The counts.
  ///   - key: A function that converts a key of the other counts.
  mutating func merge(_ other: FoldingCounts, _ key: (CountTable.Key) -> CountTable.Key) {
    add(other.byGroup, key)
  }

  /// Calls `body` with each key of path groups and its traffic; keys that the tree has merged since
  /// then occur separately.
  func forEachCount(_ body: (CountTable.Key, Traffic) -> Void) { byGroup.forEachCount(body) }

  private mutating func add(_ counts: CountTable, _ newKey: (CountTable.Key) -> CountTable.Key) {
    counts.forEachCount { key, traffic in byGroup.add(traffic, to: newKey(key)) }
  }
}
