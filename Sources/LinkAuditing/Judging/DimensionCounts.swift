internal import TrafficDigest
internal import UniversalLinks

/// Requests by site, dimensions, verdict, cause, and whether they were for a page.
///
/// There are few such combinations, however many targets there are. So figures by platform, day and
/// referral are computed once for each combination.
struct DimensionCounts {
  /// A number of requests that agree in all that they are counted by.
  struct Count {
    var site: Int
    var dimensions: Dimensions
    var verdict: Verdict

    /// The cause of claimed requests, or `nil` for others.
    var cause: Cause?
    var isPage: Bool
    var requests: Int
  }

  /// More counts than this are to be added up before more come.
  private static let limit = 1 << 16

  private var table = CountTable()

  /// A Boolean value indicating whether the counts are to be added up and removed.
  var isFull: Bool { table.count >= Self.limit }

  /// Counts requests.
  @inline(__always)
  mutating func add(
    _ requests: Int, site: Int, _ dimensions: Dimensions, _ verdict: Verdict, _ cause: Cause?,
    isPage: Bool
  ) {
    let causeNumber = cause?.number ?? Cause.count
    let second =
      UInt64(site) << 7 | UInt64(causeNumber) << 3 | UInt64(verdict.number) << 1 | (isPage ? 1 : 0)
    table.add(
      Traffic(requests: requests), to: CountTable.Key(first: dimensions.bits, second: second))
  }

  /// Calls `body` with each count.
  func forEachCount(_ body: (Count) -> Void) {
    table.forEachCount { key, traffic in
      let cause = Int(key.second >> 3 & 15)
      body(
        Count(
          site: Int(key.second >> 7), dimensions: Dimensions(bits: key.first),
          verdict: Verdict(number: Int(key.second >> 1 & 3)),
          cause: cause < Cause.count ? Cause(number: cause) : nil, isPage: key.second & 1 == 1,
          requests: traffic.requests))
    }
  }

  /// Forgets all counts.
  mutating func removeAll() { table = CountTable() }
}
