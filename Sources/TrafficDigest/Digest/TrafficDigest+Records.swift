extension TrafficDigest {
  /// A line of a digest in its canonical form.
  public struct Record: Hashable, Sendable {
    /// The host, normalised; empty if no line and no option names it.
    public var host: String

    /// The target, as bytes.
    public var target: [UInt8]

    /// What the requests agree in.
    public var dimensions: Dimensions

    /// The template of the referring page, as bytes, for visits from the same
    /// host.
    public var referrer: [UInt8]?

    /// The number of requests.
    public var requests: Int
  }

  /// All counts, each combination once, in ascending order: the form in which
  /// two digests of the same requests are the same.
  ///
  /// - Complexity: O(*n* log *n*), and a copy of every target.
  public func records() -> [Record] {
    var sums: [Record: Int] = [:]
    for slice in slices {
      let hosts = hosts(ofPart: slice.part)
      let referrers = referrers(ofPart: slice.part)
      forEachTarget(in: slice) { target, host, counts in
        var bytes: [UInt8] = []
        target.append(to: &bytes)
        for count in counts {
          let record = Record(
            host: hosts[host], target: bytes, dimensions: Dimensions(count.dimensions),
            referrer: count.referrer.map { referrers[$0] }, requests: 0)
          sums[record, default: 0] += count.requests
        }
      }
    }
    return sums.map { record, requests in
      var record = record
      record.requests = requests
      return record
    }.sorted(by: Self.precedes)
  }

  private static func precedes(_ first: Record, _ second: Record) -> Bool {
    if first.host != second.host { return first.host < second.host }
    if first.target != second.target {
      return first.target.lexicographicallyPrecedes(second.target)
    }
    if first.dimensions != second.dimensions {
      return PackedDimensions(first.dimensions).bits < PackedDimensions(second.dimensions).bits
    }
    return (first.referrer ?? []).lexicographicallyPrecedes(second.referrer ?? [])
  }
}
