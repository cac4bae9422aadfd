internal import AccessLogs
public import Foundations

extension TrafficDigest {
  /// Requests of one kind of fetcher for an association file.
  public struct Fetch: Hashable, Sendable {
    /// The path where systems look for an association file first (Matching.md, 6.3).
    public static let wellKnownPath = "/.well-known/apple-app-site-association"

    /// The path where iOS 13 and earlier look for it next.
    public static let rootPath = "/apple-app-site-association"

    /// The name of all hosts that aren't listed; no log has it, because hosts are in lower case.
    public static let otherHosts = "(OTHER HOSTS)"

    /// The host.
    public var host: String

    /// The path, without a query.
    public var path: String

    /// Who asked.
    public var fetcher: Fetcher

    /// The status of the response.
    public var status: UInt16

    /// Their number, their times, and the sizes of the responses.
    var figures: FetchFigures

    public static func == (one: Fetch, other: Fetch) -> Bool {
      one.host.hasSameBytes(as: other.host) && one.path == other.path
        && one.fetcher == other.fetcher && one.status == other.status
        && one.figures == other.figures
    }
  }
}

extension TrafficDigest.Fetch {
  /// The number of requests.
  public var requests: Int { figures.requests }

  /// The time of the first of them, or `nil` if none had a time.
  public var first: LogTime? { figures.times?.lowerBound }

  /// The time of the last of them, or `nil` if none had a time.
  public var last: LogTime? { figures.times?.upperBound }

  /// The smallest and the largest response to a GET request, in bytes as logged, or `nil` if no log
  /// has sizes.
  public var sizes: ClosedRange<Int>? { figures.sizes }
}

extension TrafficDigest.Fetch: SummedCount {
  var key: Self {
    var key = self
    key.figures = FetchFigures()
    return key
  }

  mutating func add(_ other: Self) { figures += other.figures }

  static func precedes(_ one: Self, _ other: Self) -> Bool {
    one.host.hasSameBytes(as: other.host)
      ? (one.path, one.fetcher.rawValue, one.status)
        < (other.path, other.fetcher.rawValue, other.status)
      : one.host.utf8.lexicographicallyPrecedes(other.host.utf8)
  }
}

/// The figures of fetches that have the same key.
struct FetchFigures: Hashable, Sendable {
  /// The number of requests.
  var requests = 0

  /// The times of the first and the last of them, or `nil` if none had a time.
  var times: ClosedRange<LogTime>?

  /// The smallest and the largest response to a GET request, in bytes as logged, or `nil` if no log
  /// has sizes.
  var sizes: ClosedRange<Int>?

  static func += (sum: inout FetchFigures, other: FetchFigures) {
    sum.requests += other.requests
    if let times = other.times { sum.times = sum.times?.union(times) ?? times }
    if let size = other.sizes { sum.add(sizes: size) }
  }

  static func + (one: FetchFigures, other: FetchFigures) -> FetchFigures {
    var sum = one
    sum += other
    return sum
  }

  /// Adds the sizes of responses.
  mutating func add(sizes other: ClosedRange<Int>) {
    sizes = sizes?.union(other) ?? other
  }
}
