internal import AccessLogs
public import Foundations

extension TrafficDigest {
  /// Requests of one kind of fetcher for an association file.
  public struct Fetch: Codable, Hashable, Sendable {
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
    var figures: RequestFigures

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
    key.figures = RequestFigures()
    return key
  }

  mutating func add(_ other: Self) { figures += other.figures }

  static func precedes(_ one: Self, _ other: Self) -> Bool {
    one.host.hasSameBytes(as: other.host)
      ? (one.path, one.fetcher.rawValue, one.status)
        < (other.path, other.fetcher.rawValue, other.status)
      : one.host.precedesByBytes(other.host)
  }
}

/// The figures of requests that are counted together: those of a day, or fetches with the same key.
public struct RequestFigures: Codable, Hashable, Sendable {
  /// The number of requests.
  public var requests: Int

  /// The times of the first and the last of them, or `nil` if none had a time.
  public var times: ClosedRange<LogTime>?

  /// The smallest and the largest response to a GET request for an association file, in bytes as
  /// logged, or `nil` if no log has sizes.
  var sizes: ClosedRange<Int>?

  /// Creates the figures of requests.
  public init(
    requests: Int = 0, times: ClosedRange<LogTime>? = nil, sizes: ClosedRange<Int>? = nil
  ) {
    (self.requests, self.times, self.sizes) = (requests, times, sizes)
  }

  /// Adds the figures of other requests.
  public static func += (sum: inout RequestFigures, other: RequestFigures) {
    sum.requests += other.requests
    sum.times.widen(to: other.times)
    sum.sizes.widen(to: other.sizes)
  }
}

extension TrafficDigest {
  /// The requests of clients that agree in name and system.
  public struct ClientCount: Hashable, Sendable {
    /// The kind of client.
    public var platform: Platform

    /// The client by name.
    public var client: Client

    /// The major version of iOS, or `nil` if it isn't iOS or isn't named.
    public var systemVersion: Int?

    /// The number of requests.
    public var requests: Int
  }

  /// The number of requests from which on missing user agents are not an accident, as they are in
  /// those of a few scanners.
  private static let lackingAgentsLimit = 100

  /// A Boolean value indicating whether there are enough requests, and none of them names its user
  /// agent.
  package var lacksAgents: Bool {
    tally.requests >= Self.lackingAgentsLimit && !clients.isEmpty
      && clients.allSatisfy { $0.client == .absent }
  }

  /// The names of the clients on a platform, in descending order of their requests to any host.
  package func clientNames(on platform: Platform) -> [String] {
    var sums: [String: Int] = [:]
    for count in clients where count.platform == platform {
      sums[count.client.name, default: 0] += count.requests
    }
    return sums.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map(\.key)
  }
}

/// A list without names, because a digest of many years has a million of them.
extension TrafficDigest.ClientCount: Codable {
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    platform = try values.decode(Platform.self)
    client = Client(named: try values.decode(String.self))
    requests = try values.decode(Int.self)
    systemVersion = values.isAtEnd ? nil : try values.decode(Int.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(platform)
    try values.encode(client.name)
    try values.encode(requests)
    if let systemVersion { try values.encode(systemVersion) }
  }
}

extension TrafficDigest.ClientCount: SummedCount {
  var key: Self {
    var key = self
    key.requests = 0
    return key
  }

  mutating func add(_ other: Self) { requests += other.requests }

  /// Returns a Boolean value indicating whether a count is heavier, or the first by name of two
  /// equal ones.
  static func precedes(_ one: Self, _ other: Self) -> Bool {
    if one.requests != other.requests { return one.requests > other.requests }
    return (one.client.name, one.platform.name, one.systemVersion ?? 0)
      < (other.client.name, other.platform.name, other.systemVersion ?? 0)
  }
}

extension TrafficDigest {
  /// The maximum number of requests in a digest.
  ///
  /// Sums of lines, clients, fetches and referring hosts must stay within
  /// ``DigestSummary/countLimit``.
  public static let lineLimit = DigestSummary.countLimit.upperBound / 4

  /// This digest without information about logs and times of day.
  ///
  /// Its bytes depend only on the counts of requests by day.
  ///
  /// It has one input for each day, named as the day, with as many lines as requests and a
  /// fingerprint of their counts, as ``writeByDay(jobs:temporaryDirectory:daysAtATime:to:)`` has.
  /// Rejected lines, hosts that referrers name, and sizes of responses are left out; times of first
  /// and last requests are those of their days.
  public var countsOnly: TrafficDigest {
    var kept = DigestSummary()
    var requests: [Day?: Int] = [:]
    for daily in summary.dailyClients {
      requests[daily.day, default: 0] += daily.counts.reduce(0) { $0 + $1.requests }
    }
    for (day, requests) in requests {
      var input = Input(of: day, requests: requests)
      input.times = day?.wholeTimes
      kept.inputs.append(input)
      if let times = input.times { kept.dayTimes.add(times) }
    }
    kept.inputs.sort(by: Input.precedes)
    kept.dailyClients = summary.dailyClients
    kept.dailyFetches = summary.dailyFetches.map(\.withoutTimesAndSizes)
    kept.firstUnlistedFetchHost = summary.firstUnlistedFetchHost
    return TrafficDigest(kept, parts: parts, runs: runs, inputsAreDays: true)
  }
}

extension TrafficDigest.Input {
  /// The path of the input that represents the requests of a day.
  static func name(of day: Day?) -> String { day?.description ?? "undated" }

  /// Creates the input that represents the requests of a day, which have neither format nor times.
  init(of day: Day?, requests: Int) {
    self.init(path: Self.name(of: day))
    (tally.lines, tally.requests) = (requests, requests)
  }
}

extension TrafficDigest.Daily<TrafficDigest.Fetch> {
  /// These fetches without times of day.
  var withoutTimesAndSizes: Self {
    var counts = self
    for index in counts.counts.indices {
      counts.counts[index].figures = RequestFigures(
        requests: counts.counts[index].requests, times: day?.wholeTimes)
    }
    return counts
  }
}

extension Day {
  /// The bounds of the times of requests of which only the day is known.
  var wholeTimes: ClosedRange<LogTime> {
    let start = LogTime(secondsSince1970: daysSince1970 * 86_400, offsetInMinutes: 0)
    var end = start
    end.secondsSince1970 += 86_399
    return start...end
  }
}
