/// Traffic by keys that begin with the number of a path's template, and later of its
/// family.
///
/// Templates are numbered anew from time to time; what has been counted by them is
/// counted by families from then on.
struct FoldingTally: Sendable {
  private var byTemplate = PathTally()
  private var byFamily = PathTally()

  /// The number of counts of families when the same ones were last joined.
  private var joinedCount = 0

  /// The bytes that samples of targets take whose templates aren't folded yet.
  var sampleByteCount: Int { byTemplate.sampleByteCount }

  /// Counts the traffic of a target.
  @inline(__always)
  mutating func add(_ traffic: Traffic, to key: CountTable.Key, sample: Span<UInt8>) {
    byTemplate.add(traffic, to: key, sample: sample)
  }

  /// Counts by families what has been counted by templates.
  ///
  /// - Parameters:
  ///   - family: The number of a template's family, as the tree has it by now.
  ///   - resolve: The number that the tree has by now for that of a family.
  mutating func fold(_ family: (_ template: Int) -> Int, resolve: (_ family: Int) -> Int) {
    byFamily.add(byTemplate) { $0.withPath(family) }
    byTemplate = PathTally()
    // Families that have been joined are still counted apart.
    guard byFamily.count > max(1 << 16, 2 * joinedCount) else { return }
    let old = byFamily
    byFamily = PathTally()
    byFamily.add(old) { $0.withPath(resolve) }
    joinedCount = byFamily.count
  }

  /// Adds the counts of another, of which all are by families.
  ///
  /// - Parameters:
  ///   - other: The counts.
  ///   - family: The number here of a family there.
  ///   - second: The second word here of one there.
  mutating func merge(
    _ other: FoldingTally, _ family: (Int) -> Int, second: (UInt64) -> UInt64 = { $0 }
  ) {
    byFamily.add(other.byFamily) { key in
      var key = key.withPath(family)
      key.second = second(key.second)
      return key
    }
  }

  /// Calls `body` with each key, its traffic, and samples; the same key can occur more
  /// than once.
  func forEachCount(
    resolve: (Int) -> Int, _ body: (CountTable.Key, Traffic, [SampleStore.Sample]) -> Void
  ) {
    byFamily.forEachCount { body($0.withPath(resolve), $1, $2) }
  }
}

extension CountTable.Key {
  /// The number of the path's template or family, which takes the lower half of the
  /// first word.
  var path: Int { Int(first & 0xFFFF_FFFF) }

  func withPath(_ number: (Int) -> Int) -> CountTable.Key {
    CountTable.Key(first: first & ~0xFFFF_FFFF | UInt64(number(path)), second: second)
  }
}
