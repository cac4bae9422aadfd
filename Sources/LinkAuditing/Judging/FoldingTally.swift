/// Traffic by keys that begin with the number of a path's template, and later of its path group.
///
/// Templates are renumbered from time to time. Then their counts become counts by path group.
struct FoldingTally: Sendable {
  private var byTemplate = PathTally()
  private var byGroup = PathTally()

  /// The number of counts of path groups when equal keys were last merged.
  private var joinedCount = 0

  /// The bytes that samples of targets take whose templates aren't folded yet.
  var sampleByteCount: Int { byTemplate.sampleByteCount }

  /// Counts the traffic of a target.
  @inline(__always)
  mutating func add(_ traffic: Traffic, to key: CountTable.Key, sample: Span<UInt8>) {
    byTemplate.add(traffic, to: key, sample: sample)
  }

  /// Converts counts by template to counts by path group.
  ///
  /// - Parameters:
  ///   - group: A function that returns the current number of a template's path group.
  ///   - resolve: A function that returns the current number for an earlier number of a path group.
  mutating func fold(_ group: (_ template: Int) -> Int, resolve: (_ group: Int) -> Int) {
    byGroup.add(byTemplate) { $0.withPath(group) }
    byTemplate = PathTally()
    // Path groups that have been joined are still counted apart.
    guard byGroup.count > max(1 << 16, 2 * joinedCount) else { return }
    let old = byGroup
    byGroup = PathTally()
    byGroup.add(old) { $0.withPath(resolve) }
    joinedCount = byGroup.count
  }

  /// Adds other counts, which are all by path group.
  ///
  /// - Parameters:
  ///   - other: The counts.
  ///   - group: A function that converts the number of a path group there.
  ///   - second: A function that converts the second word of a key there.
  mutating func merge(
    _ other: FoldingTally, _ group: (Int) -> Int, second: (UInt64) -> UInt64 = { $0 }
  ) {
    byGroup.add(other.byGroup) { key in
      var key = key.withPath(group)
      key.second = second(key.second)
      return key
    }
  }

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
