internal import AccessLogs
internal import Foundations

/// A cache of user agents that classifies each distinct one once, and counts the requests of each
/// kind of client.
struct AgentMemo: ~Copyable {
  /// The classification of an agent, and the number of its kind of client.
  struct Answer: BitwiseCopyable {
    var agent: UserAgent
    var kind: UInt32
  }

  /// The result for requests without an agent.
  private var absent = Answer(agent: .absent, kind: 0)

  /// The requests of a kind on the day of its last request.
  struct Latest: BitwiseCopyable {
    /// The packed day; see ``Dimensions``.
    var day: UInt64
    var requests: Int
  }

  /// The numbers of kinds, by version, client and platform; an agent of each, and its last day.
  private var kindNumbers = WordTable()
  private var kinds = Buffer<UserAgent>()
  private var latest = Buffer<Latest>()

  /// The earlier days of kinds, each with the number of the kind, and the requests of each.
  private var earlierDays = WordTable()
  private var earlierRequests = Buffer<Int>()

  init() { absent.kind = number(ofKind: .absent) }

  private var agents = ByteTable(capacity: 1024)
  private var answers = Buffer<Answer>()

  /// The agents last seen, by some of their bytes, each with its number plus one.
  ///
  /// Most lines have one of a few agents, which are long. Comparing is cheaper than hashing.
  private var recent = Buffer<UInt32>(repeating: 0, count: recentCount)
  private static let recentCount = 1024

  /// The minimum length of an agent for this cache.
  private static let recentLength = 16

  /// Classifies the user agent in a line, if it has one, and counts requests on a packed day.
  @inline(__always)
  mutating func count(
    _ range: Range<Int>?, in line: Span<UInt8>, day: UInt64, requests: Int = 1
  ) -> UserAgent {
    let answer = range.map { self.answer(for: line.extracting($0)) } ?? absent
    add(answer.kind, day: day, requests: requests)
    return answer.agent
  }

  @inline(__always)
  private mutating func answer(for agent: Span<UInt8>) -> Answer {
    guard agent.count >= Self.recentLength else { return lookUp(agent, place: nil) }
    let place = Self.place(agent)
    let known = Int(recent[place]) - 1
    if known >= 0, agents.holds(agent, at: known) { return answers[known] }
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
  private mutating func lookUp(_ agent: Span<UInt8>, place: Int?) -> Answer {
    if agents.isFullCache {
      agents.removeAll()
      answers.removeAll()
      for place in 0..<recent.count { recent[place] = 0 }
    }
    let (id, isNew) = agents.insert(agent)
    if isNew {
      let agent = UserAgent(agent)
      answers.append(Answer(agent: agent, kind: number(ofKind: agent)))
    }
    if let place { recent[place] = UInt32(id + 1) }
    return answers[id]
  }
}

// MARK: - Kinds of clients

// A line costs one comparison and one addition, unless the last line of the same kind has another
// day.

extension AgentMemo {
  /// The number of a kind of client; there are few kinds, whatever a log contains.
  private mutating func number(ofKind agent: UserAgent) -> UInt32 {
    let number = kindNumbers.insert(
      UInt64(agent.systemVersion) | UInt64(agent.client.number) << 8
        | UInt64(agent.platform.rawValue) << 16)
    if Int(number) == latest.count {
      kinds.append(agent)
      latest.append(Latest(day: 0, requests: 0))
    }
    return number
  }

  /// Counts requests of a kind of client on a packed day.
  @inline(__always)
  private mutating func add(_ number: UInt32, day: UInt64, requests: Int) {
    if latest[Int(number)].day != day { begin(day, of: Int(number)) }
    latest[Int(number)].requests += requests
  }

  @inline(never)
  private mutating func begin(_ day: UInt64, of number: Int) {
    let last = latest[number]
    latest[number] = Latest(day: day, requests: 0)
    guard last.requests > 0 else { return }
    // A day is in the highest 24 of 47 bits; there are fewer kinds than three bytes have values.
    let place = Int(earlierDays.insert(last.day << 1 | UInt64(number)))
    if place == earlierRequests.count { earlierRequests.append(0) }
    earlierRequests[place] += last.requests
  }

  /// The requests by kind, each with the number of its day, 0 for none.
  ///
  /// A kind can occur twice on a day.
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
      append(earlierRequests[place], of: kinds[Int(word & 0xFF_FFFF)], on: word >> 1)
    }
    for number in 0..<latest.count where latest[number].requests > 0 {
      append(latest[number].requests, of: kinds[number], on: latest[number].day)
    }
    return counts
  }
}
