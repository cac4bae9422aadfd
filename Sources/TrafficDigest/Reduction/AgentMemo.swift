internal import AccessLogs
internal import Foundations

/// A cache of user agents that classifies each distinct one once, and counts the requests of each
/// kind of client.
struct AgentMemo: ~Copyable {
  /// The kinds of clients by number, each with the packed day of its last request (see
  /// ``Dimensions``) and its requests on that day.
  ///
  /// There are few kinds, whatever a log contains. The first is that of requests without an agent.
  private var kinds = Buffer<(agent: UserAgent, day: UInt64, requests: Int)>()
  private var kindNumbers = WordTable()

  /// The earlier days of kinds, each with the number of the kind, and the requests of each.
  private var earlierDays = WordTable()
  private var earlierRequests = Buffer<Int>()

  /// The agents, and the number of the kind of each.
  private var agents = ByteTable(capacity: 1024)
  private var agentKinds = Buffer<UInt32>()

  /// The agents last seen, by some of their bytes, each with its number plus one.
  ///
  /// Most lines have one of a few agents, which are long. Comparing is cheaper than hashing.
  private var recent = Buffer<UInt32>(repeating: 0, count: recentCount)
  private static let recentCount = 1024

  /// The minimum length of an agent for this cache.
  private static let recentLength = 16

  init() { _ = number(ofKind: .absent) }

  /// Classifies the user agent in a line, if it has one, and counts requests on a packed day.
  ///
  /// A line costs one comparison and one addition, unless the last line of the same kind has another
  /// day.
  @inline(__always)
  mutating func count(
    _ range: Range<Int>?, in line: Span<UInt8>, day: UInt64, requests: Int = 1
  ) -> UserAgent {
    let kind = Int(range.map { kindNumber(of: line.extracting($0)) } ?? 0)
    if kinds[kind].day != day { begin(day, of: kind) }
    kinds[kind].requests += requests
    return kinds[kind].agent
  }

  @inline(__always)
  private mutating func kindNumber(of agent: Span<UInt8>) -> UInt32 {
    guard agent.count >= Self.recentLength else { return lookUp(agent, place: nil) }
    let place = Self.place(agent)
    let known = Int(recent[place]) - 1
    if known >= 0, agents.holds(agent, at: known) { return agentKinds[known] }
    return lookUp(agent, place: place)
  }

  /// A slot chosen by bytes that differ between agents.
  ///
  /// Browsers have the versions of the system and of the browser, and the model of the device
  /// there.
  @inline(__always)
  private static func place(_ agent: Span<UInt8>) -> Int {
    guard agent.count >= 48 else {
      let bytes =
        (agent.word(0) &* 0x9E37_79B9_7F4A_7C15)
        ^ (agent.word(agent.count >> 1 - 4) &* 0xC2B2_AE3D_27D4_EB4F)
        ^ (agent.word(agent.count - 8) &+ UInt64(agent.count)) &* 0x1656_67B1_9E37_79F9
      return Int(truncatingIfNeeded: bytes >> 48) & (recentCount - 1)
    }
    let bytes =
      (agent.word(32) &* 0x9E37_79B9_7F4A_7C15)
      ^ (agent.word(agent.count >> 1) &* 0xC2B2_AE3D_27D4_EB4F)
      ^ (agent.word(agent.count - 26) &+ UInt64(agent.count)) &* 0x1656_67B1_9E37_79F9
      ^ agent.word(agent.count - 34) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: bytes >> 48) & (recentCount - 1)
  }

  @inline(never)
  private mutating func lookUp(_ agent: Span<UInt8>, place: Int?) -> UInt32 {
    if agents.isFullCache {
      agents.removeAll()
      agentKinds.removeAll()
      for place in 0..<recent.count { recent[place] = 0 }
    }
    let (id, isNew) = agents.insert(agent)
    if isNew { agentKinds.append(number(ofKind: UserAgent(agent))) }
    if let place { recent[place] = UInt32(id + 1) }
    return agentKinds[id]
  }

  private mutating func number(ofKind agent: UserAgent) -> UInt32 {
    let number = kindNumbers.insert(
      UInt64(agent.systemVersion) | UInt64(agent.client.number) << 8
        | UInt64(agent.platform.rawValue) << 16 | UInt64(agent.systemAge.rawValue) << 24)
    if number == kinds.count { kinds.append((agent, 0, 0)) }
    return number
  }

  @inline(never)
  private mutating func begin(_ day: UInt64, of number: Int) {
    let last = kinds[number]
    kinds[number] = (last.agent, day, 0)
    guard last.requests > 0 else { return }
    // A day is in the highest 24 of 47 bits; there are fewer kinds than three bytes have values.
    let place = Int(earlierDays.insert(last.day << 1 | UInt64(number)))
    if place == earlierRequests.count { earlierRequests.append(0) }
    earlierRequests[place] += last.requests
  }

  /// The requests by kind, each with the number of its day, 0 for none.
  ///
  /// A kind can occur several times on a day.
  var clientCounts: [(day: Int, count: TrafficDigest.ClientCount)] {
    var counts: [(day: Int, count: TrafficDigest.ClientCount)] = []
    func append(_ requests: Int, of kind: UserAgent, on day: UInt64) {
      let version = kind.systemVersion
      let count = TrafficDigest.ClientCount(
        platform: kind.platform, client: kind.client,
        systemVersion: version == 0 ? nil : Int(version), requests: requests)
      counts.append((Dimensions(bits: day).dayNumber, count))
    }
    for place in 0..<earlierRequests.count {
      let word = earlierDays[place]
      append(earlierRequests[place], of: kinds[Int(word & 0xFF_FFFF)].agent, on: word >> 1)
    }
    for number in 0..<kinds.count where kinds[number].requests > 0 {
      append(kinds[number].requests, of: kinds[number].agent, on: kinds[number].day)
    }
    return counts
  }
}
