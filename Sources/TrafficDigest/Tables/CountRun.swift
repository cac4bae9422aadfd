internal import Foundations

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

  /// Sorts keys and counts how often each of them occurs.
  ///
  /// - Parameters:
  ///   - keys: The keys, which are reordered.
  ///   - spare: Space for as many keys.
  convenience init<Key: RadixSorted>(counting keys: inout Buffer<Key>, spare: inout Buffer<Key>) {
    RadixSort.sort(&keys, spare: &spare)
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
