/// The number of requests by day and kind of client.
///
/// Each distinct user agent is classified once, and its kind numbered once. A line costs one
/// comparison and one addition, unless the last line of the same kind has another day.
struct ClientTally: ~Copyable {
  /// The key of a count of requests.
  struct Key: Hashable, Sendable {
    /// The day as in ``Dimensions/dayNumber``, 0 for none.
    var day: Int
    var kind: ClientKind
  }

  /// The requests of a kind on the day of its last request.
  struct Latest: BitwiseCopyable {
    /// The packed day; see ``Dimensions``.
    var day: UInt64
    var requests: Int
  }

  /// The kinds, packed, and the last day of each.
  private var kinds = WordTable()
  private var latest = Buffer<Latest>()

  /// The earlier days of kinds, packed, and the requests of each.
  private var earlierDays = WordTable()
  private var earlierRequests = Buffer<Int>()

  /// The number of a kind of client; there are few kinds, whatever a log contains.
  mutating func number(of agent: UserAgent) -> UInt32 {
    let number = kinds.insert(ClientKind(agent).packed)
    if Int(number) == latest.count { latest.append(Latest(day: 0, requests: 0)) }
    return number
  }

  /// Counts requests.
  ///
  /// - Parameters:
  ///   - number: The number of the kind of client.
  ///   - day: The packed day; see ``Dimensions``.
  ///   - requests: The number of requests.
  @inline(__always)
  mutating func add(_ number: UInt32, day: UInt64, requests: Int) {
    if latest[Int(number)].day != day { begin(day, of: Int(number)) }
    latest[Int(number)].requests += requests
  }

  @inline(never)
  private mutating func begin(_ day: UInt64, of number: Int) {
    let last = latest[number]
    latest[number] = Latest(day: day, requests: 0)
    guard last.requests > 0 else { return }
    // A day is in the highest 24 of 47 bits, a kind takes 24.
    let place = Int(earlierDays.insert(last.day << 1 | kinds[number]))
    if place == earlierRequests.count { earlierRequests.append(0) }
    earlierRequests[place] += last.requests
  }

  /// The requests by day and kind.
  var counts: [Key: Int] {
    var counts: [Key: Int] = [:]
    for place in 0..<earlierRequests.count {
      let word = earlierDays[place]
      counts[Key(day: word >> 1, kind: word & 0xFF_FFFF)] = earlierRequests[place]
    }
    for number in 0..<latest.count where latest[number].requests > 0 {
      counts[Key(day: latest[number].day, kind: kinds[number]), default: 0] +=
        latest[number].requests
    }
    return counts
  }
}

extension ClientTally.Key {
  fileprivate init(day: UInt64, kind: UInt64) {
    self.init(day: Dimensions(bits: day).dayNumber, kind: ClientKind(packed: kind))
  }
}

/// The key of a count of clients.
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
