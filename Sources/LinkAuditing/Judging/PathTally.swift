internal import TrafficDigest

/// Traffic by what paths are counted by, with samples of their targets.
struct PathTally: Sendable {
  private var traffic = CountTable()
  private var samples = SampleStore()

  /// Counts the traffic of a target.
  @inline(__always)
  mutating func add(
    _ amount: Traffic, to key: CountTable.Key, sample: Span<UInt8>
  ) {
    let number = traffic.add(amount, to: key)
    samples.offer(sample, isVisited: amount.visits > 0, for: number)
  }

  /// Adds the counts of another, whose keys may have other names here.
  mutating func add(_ other: PathTally, _ rename: (CountTable.Key) -> CountTable.Key) {
    var theirs = 0
    other.traffic.forEachCount { key, amount in
      let number = traffic.add(amount, to: rename(key))
      samples.offer(other.samples, theirs, for: number)
      theirs += 1
    }
  }

  /// Calls `body` with each key, its traffic, and samples of its targets.
  func forEachCount(_ body: (CountTable.Key, Traffic, [SampleStore.Sample]) -> Void) {
    var number = 0
    traffic.forEachCount { key, amount in
      body(key, amount, samples.samples(number))
      number += 1
    }
  }
}
