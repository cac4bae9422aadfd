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

extension TrafficDigest.ClientCount {
  init(_ kind: ClientKind, requests: Int) {
    self.init(
      platform: kind.platform, client: kind.client,
      systemVersion: kind.systemVersion == 0 ? nil : Int(kind.systemVersion), requests: requests)
  }

  /// Adds up the counts of clients that agree, the heaviest first.
  static func sums(_ counts: [Self]) -> [Self] {
    var sums: [Self: Int] = [:]
    for count in counts {
      var key = count
      key.requests = 0
      sums[key, default: 0] += count.requests
    }
    return sums.map { key, requests in
      var count = key
      count.requests = requests
      return count
    }.sorted { first, second in
      if first.requests != second.requests { return first.requests > second.requests }
      return (first.client.name, first.platform.name, first.systemVersion ?? 0)
        < (second.client.name, second.platform.name, second.systemVersion ?? 0)
    }
  }
}
