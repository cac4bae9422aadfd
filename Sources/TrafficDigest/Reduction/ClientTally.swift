/// The number of requests by kind of client.
///
/// What a user agent tells is found out once for each distinct one, and so is the
/// number of its kind; a line costs one addition.
struct ClientTally: ~Copyable {
  /// The kinds, packed, and the requests of each.
  private var kinds = WordTable()
  private var requests = Slab<Int>()

  /// The number of a kind of client, of which there are few, whatever a log holds.
  mutating func number(of agent: UserAgent) -> UInt32 {
    let number = kinds.insert(ClientKind(agent).packed)
    if Int(number) == requests.count { requests.append(0) }
    return number
  }

  /// Counts a request.
  @inline(__always)
  mutating func add(_ number: UInt32) { requests[Int(number)] += 1 }

  /// The requests by kind.
  var counts: [ClientKind: Int] {
    var counts: [ClientKind: Int] = [:]
    for number in 0..<requests.count where requests[number] > 0 {
      counts[ClientKind(packed: kinds[number])] = requests[number]
    }
    return counts
  }
}

/// What clients are counted by.
struct ClientKind: Hashable, Sendable {
  var platform: Platform
  var client: Client

  /// The major version of iOS, or 0.
  var systemVersion: UInt8

  init(_ agent: UserAgent) {
    (platform, client, systemVersion) = (agent.platform, agent.client, agent.systemVersion)
  }

  // From the lowest bit: version 8, client 8, platform 8.
  fileprivate var packed: UInt64 {
    UInt64(systemVersion) | UInt64(client.number) << 8 | UInt64(platform.rawValue) << 16
  }

  fileprivate init(packed: UInt64) {
    systemVersion = UInt8(truncatingIfNeeded: packed)
    client = Client(number: UInt8(truncatingIfNeeded: packed >> 8))
    platform = Platform(rawValue: UInt8(truncatingIfNeeded: packed >> 16)) ?? .other
  }
}
