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
}

extension TrafficDigest {
  /// The number of requests from which on missing user agents are not an accident, as they are in
  /// those of a few scanners.
  private static let lackingAgentsLimit = 100

  /// A Boolean value indicating whether there are enough requests, and none of them names its user
  /// agent.
  package var lacksAgents: Bool {
    tally.requests >= Self.lackingAgentsLimit && !clients.isEmpty
      && clients.allSatisfy { $0.client == .absent }
  }
}

extension TrafficDigest {
  /// The names of the clients on a platform, in descending order of their requests to any host.
  package func clientNames(on platform: Platform) -> [String] {
    var sums: [String: Int] = [:]
    for count in clients where count.platform == platform {
      sums[count.client.name, default: 0] += count.requests
    }
    return sums.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map(\.key)
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
