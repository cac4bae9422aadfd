/// The number of requests by day and kind of client.
///
/// Each distinct user agent is classified once, and its kind numbered once. A line costs one
/// comparison and one addition, unless the last line of the same kind has another day.
struct ClientTally: ~Copyable {
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
    let number = kinds.insert(agent.packed)
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

  /// The requests by kind, each with the number of its day, 0 for none.
  ///
  /// A kind can occur twice on a day.
  var counts: [(day: Int, count: TrafficDigest.ClientCount)] {
    var counts: [(day: Int, count: TrafficDigest.ClientCount)] = []
    func append(_ requests: Int, of kind: UInt64, on day: UInt64) {
      counts.append(
        (
          Dimensions(bits: day).dayNumber,
          TrafficDigest.ClientCount(packed: kind, requests: requests)
        ))
    }
    for place in 0..<earlierRequests.count {
      let word = earlierDays[place]
      append(earlierRequests[place], of: word & 0xFF_FFFF, on: word >> 1)
    }
    for number in 0..<latest.count where latest[number].requests > 0 {
      append(latest[number].requests, of: kinds[number], on: latest[number].day)
    }
    return counts
  }
}

// A kind of client in a word, from the lowest bit: version 8, client 8, platform 8.

extension UserAgent {
  /// The kind of client, packed.
  fileprivate var packed: UInt64 {
    UInt64(systemVersion) | UInt64(client.number) << 8 | UInt64(platform.rawValue) << 16
  }
}

extension TrafficDigest.ClientCount {
  /// Creates a count of a packed kind of client.
  fileprivate init(packed: UInt64, requests: Int) {
    let version = UInt8(truncatingIfNeeded: packed)
    self.init(
      platform: Platform(rawValue: UInt8(truncatingIfNeeded: packed >> 16)) ?? .other,
      client: Client(number: UInt8(truncatingIfNeeded: packed >> 8)),
      systemVersion: version == 0 ? nil : Int(version), requests: requests)
  }
}
