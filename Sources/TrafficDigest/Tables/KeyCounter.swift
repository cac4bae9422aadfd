/// Counts how often each key occurs.
///
/// Each occurrence is appended as a key, because updating the key's count in place would wait for
/// memory once more. When there are many keys, they are sorted and counted. The resulting runs of
/// counts are merged only with others of about their length, so that none is copied often.
struct KeyCounter: ~Copyable {
  /// The number of keys that are sorted at a time.
  private let keyLimit: Int

  private var keys = Buffer<UInt64>(capacity: 1024)
  private var spare = Buffer<UInt64>(capacity: 1024)
  private var runs: [CountRun] = []

  /// Keys with several occurrences each, which are sorted in the same way.
  private var sums = Buffer<TrafficDigest.Count>()
  private var spareSums = Buffer<TrafficDigest.Count>()

  /// Creates a counter of nothing.
  ///
  /// - Parameter memory: The number of bytes that a worker's tables may have, of which keys take a
  ///   small part.
  init(memory: Int = .max) { keyLimit = min(1 << 19, max(1 << 16, memory >> 8)) }

  /// The number of bytes of keys and counts.
  var byteCount: Int {
    let stride = MemoryLayout<TrafficDigest.Count>.stride
    return runs.reduce(keys.count * 16 + sums.count * 2 * stride) {
      $0 + $1.counts.count * stride
    }
  }

  /// Appends an occurrence of a key.
  @inline(__always)
  mutating func add(_ key: UInt64) {
    keys.append(key)
    if keys.count == keyLimit { Self.count(&keys, &spare, into: &runs) }
  }

  /// Appends a number of occurrences of a key.
  @inline(__always)
  mutating func add(_ key: UInt64, count: UInt64) {
    if count == 1 { return add(key) }
    sums.append(TrafficDigest.Count(key: key, count: count))
    if sums.count == keyLimit { Self.count(&sums, &spareSums, into: &runs) }
  }

  /// Moves keys to a run of their counts, which is merged with others of about its length.
  @inline(never)
  private static func count<Key: RadixSorted>(
    _ keys: inout Buffer<Key>, _ spare: inout Buffer<Key>, into runs: inout [CountRun]
  ) {
    guard keys.count > 0 else { return }
    runs.append(CountRun(counting: &keys, spare: &spare))
    keys.removeAll()
    while runs.count > 1, runs[runs.count - 2].counts.count < 2 * runs[runs.count - 1].counts.count
    {
      mergeLast(&runs)
    }
  }

  private static func mergeLast(_ runs: inout [CountRun]) {
    let last = runs.removeLast()
    let other = runs.removeLast()
    runs.append(CountRun(merging: other, last))
  }

  /// All counts.
  mutating func finish() -> CountRun {
    Self.count(&keys, &spare, into: &runs)
    Self.count(&sums, &spareSums, into: &runs)
    while runs.count > 1 { Self.mergeLast(&runs) }
    return runs.popLast() ?? CountRun(Buffer())
  }
}
