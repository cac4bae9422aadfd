extension TrafficDigest {
  /// Requests of one of Apple's fetchers for an association file.
  public struct Fetch: Hashable, Sendable {
    /// The path at which systems look for an association file first
    /// (MATCHING.md, 6.3).
    public static let wellKnownPath = "/.well-known/apple-app-site-association"

    /// The host.
    public var host: String

    /// The path, without a query.
    public var path: String

    /// Who asked.
    public var fetcher: Fetcher

    /// The status of the response.
    public var status: UInt16

    /// The number of requests.
    public var requests: Int

    /// The time of the last of them, or `nil` if none had a time.
    public var last: LogTime?
  }
}

extension TrafficDigest.Fetch {
  /// Adds up fetches that agree, in a fixed order.
  static func sums(_ fetches: [Self]) -> [Self] {
    var sums: [Self: Self] = [:]
    for fetch in fetches {
      var key = fetch
      (key.requests, key.last) = (0, nil)
      var sum = sums[key] ?? key
      sum.requests += fetch.requests
      sum.last = [sum.last, fetch.last].compactMap { $0 }.max()
      sums[key] = sum
    }
    return sums.values.sorted {
      ($0.host, $0.path, $0.fetcher.rawValue, $0.status)
        < ($1.host, $1.path, $1.fetcher.rawValue, $1.status)
    }
  }
}
