extension TrafficDigest {
  /// The requests of clients that agree in name and system.
  public struct ClientCount: Hashable, Sendable {
    /// The kind of client.
    public var platform: Platform

    /// The client by name.
    public var client: Client

    /// The major version of iOS, or `nil` if it isn't iOS or doesn't say.
    public var systemVersion: Int?

    /// The number of requests.
    public var requests: Int
  }

  /// The counts of all parts, the heaviest first.
  static func clients(of parts: [DigestPart]) -> [ClientCount] {
    var sums: [ClientKind: Int] = [:]
    for part in parts { sums.merge(part.clients, uniquingKeysWith: +) }
    return sums.map { kind, requests in
      ClientCount(
        platform: kind.platform, client: kind.client,
        systemVersion: kind.systemVersion == 0 ? nil : Int(kind.systemVersion),
        requests: requests)
    }.sorted { first, second in
      if first.requests != second.requests { return first.requests > second.requests }
      return (first.client.name, first.platform.name, first.systemVersion ?? 0)
        < (second.client.name, second.platform.name, second.systemVersion ?? 0)
    }
  }
}
