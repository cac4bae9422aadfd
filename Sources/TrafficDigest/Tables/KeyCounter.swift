internal import Foundations

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

  /// Creates a counter, whose keys take a small part of the memory of a worker's tables.
  init(memory: Int = .max) { keyLimit = min(1 << 19, max(1 << 16, memory >> 8)) }

  var byteCount: Int {
    let stride = MemoryLayout<TrafficDigest.Count>.stride
    return runs.reduce(keys.count * 16 + sums.count * 2 * stride) {
      $0 + $1.counts.count * stride
    }
  }

  @inline(__always)
  mutating func add(_ key: UInt64) {
    keys.append(key)
    if keys.count == keyLimit { Self.count(&keys, &spare, into: &runs) }
  }

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

  mutating func finish() -> CountRun {
    Self.count(&keys, &spare, into: &runs)
    Self.count(&sums, &spareSums, into: &runs)
    while runs.count > 1 { Self.mergeLast(&runs) }
    return runs.popLast() ?? CountRun(Buffer())
  }
}

extension TrafficDigest {
  /// A number of requests or visits of one target with the same combination or page.
  package struct Count: RadixSorted, Sendable {
    /// The number of the target in the upper half, that of the combination or page in the lower.
    var key: UInt64

    var count: UInt64

    package var sortKey: UInt64 { key }
    var occurrences: UInt64 { count }
    var target: Int { Int(key >> 32) }

    /// The number, in the part, of the combination of dimensions, or of the page with the link.
    @inlinable
    package var kind: Int { Int(key & 0xFFFF_FFFF) }

    /// The number of requests or visits.
    @inlinable
    package var requests: Int { Int(truncatingIfNeeded: count) }

    /// The key of a target and a combination or page.
    @inline(__always)
    static func key(target: Int, other: UInt32) -> UInt64 {
      UInt64(target) << 32 | UInt64(other)
    }
  }
}

/// Counts in ascending order of their keys, each key once.
final class CountRun: Sendable {
  let counts: Buffer<TrafficDigest.Count>

  init(_ counts: consuming Buffer<TrafficDigest.Count>) {
    self.counts = counts
  }

  /// Sorts keys and counts how often each of them occurs; `spare` is space for as many.
  convenience init<Key: RadixSorted>(counting keys: inout Buffer<Key>, spare: inout Buffer<Key>) {
    keys.sort(spare: &spare)
    var counts = Buffer<TrafficDigest.Count>(capacity: max(16, keys.count / 4))
    var index = 0
    while index < keys.count {
      let key = keys[index].sortKey
      var count: UInt64 = 0
      while index < keys.count, keys[index].sortKey == key {
        count += keys[index].occurrences
        index += 1
      }
      counts.append(TrafficDigest.Count(key: key, count: count))
    }
    self.init(counts)
  }

  /// Merges two runs and adds up the counts of keys in both.
  convenience init(merging first: CountRun, _ second: CountRun) {
    var counts = Buffer<TrafficDigest.Count>(capacity: first.counts.count + second.counts.count)
    var (one, other) = (0, 0)
    while one < first.counts.count, other < second.counts.count {
      let (left, right) = (first.counts[one], second.counts[other])
      if left.key < right.key {
        counts.append(left)
        one += 1
      } else if right.key < left.key {
        counts.append(right)
        other += 1
      } else {
        counts.append(TrafficDigest.Count(key: left.key, count: left.count + right.count))
        one += 1
        other += 1
      }
    }
    while one < first.counts.count {
      counts.append(first.counts[one])
      one += 1
    }
    while other < second.counts.count {
      counts.append(second.counts[other])
      other += 1
    }
    self.init(counts)
  }

  /// The position of the first count of each of some targets, or of a later one, and the position
  /// after the last.
  func starts(ofTargets count: Int) -> Buffer<UInt32> {
    var starts = Buffer<UInt32>(capacity: count + 1)
    for index in 0..<counts.count {
      while starts.count <= counts[index].target { starts.append(UInt32(index)) }
    }
    while starts.count <= count { starts.append(UInt32(counts.count)) }
    return starts
  }

  /// The position of the first count of a target, or of a later one.
  func firstCount(ofTarget target: Int) -> Int {
    (0..<counts.count).partitioningIndex { counts[$0].target >= target }
  }

  /// The positions of the counts of a target, which begin at `start` if there are any.
  @inline(__always)
  func range(ofTarget target: Int, from start: Int) -> Range<Int> {
    var end = start
    while end < counts.count, counts[end].target == target { end += 1 }
    return start..<end
  }
}

/// An element that is sorted by a word, and counted.
protocol RadixSorted: BitwiseCopyable {
  var sortKey: UInt64 { get }

  /// The number of times that the word occurs.
  var occurrences: UInt64 { get }
}

extension UInt64: RadixSorted {
  var sortKey: UInt64 { self }
  var occurrences: UInt64 { 1 }
}

extension Buffer where Element: RadixSorted {
  /// Sorts the elements in ascending order of their words; `spare` is space for as many.
  ///
  /// It is a radix sort from the lowest digit to the highest, for words that differ in some bits
  /// only.
  mutating func sort(spare: inout Buffer<Element>) {
    guard count > 1 else { return }
    // Skip bits that are the same in all words; there are many.
    var (all, any): (UInt64, UInt64) = (.max, 0)
    for index in 0..<count {
      all &= self[index].sortKey
      any |= self[index].sortKey
    }
    var differing = all ^ any
    spare.setCount(count, filling: self[0])
    let digitBits: UInt64 = 11
    var starts = Buffer<UInt32>(repeating: 0, count: 1 << Int(digitBits))
    while differing != 0 {
      let shift = UInt64(differing.trailingZeroBitCount)
      distribute(to: &spare, shift: shift, starts: &starts)
      swap(&self, &spare)
      differing &= shift + digitBits < 64 ? ~UInt64(0) << (shift + digitBits) : 0
    }
  }

  /// Distributes the elements by a digit, and keeps the order of elements with equal digits.
  private func distribute(
    to output: inout Buffer<Element>, shift: UInt64, starts: inout Buffer<UInt32>
  ) {
    let mask = UInt64(starts.count - 1)
    for digit in 0..<starts.count { starts[digit] = 0 }
    for index in 0..<count { starts[Int(self[index].sortKey >> shift & mask)] += 1 }
    var sum: UInt32 = 0
    for digit in 0..<starts.count {
      let number = starts[digit]
      starts[digit] = sum
      sum += number
    }
    for index in 0..<count {
      let element = self[index]
      let digit = Int(element.sortKey >> shift & mask)
      output[Int(starts[digit])] = element
      starts[digit] += 1
    }
  }
}
