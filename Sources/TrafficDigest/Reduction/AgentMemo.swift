internal import AccessLogs
internal import Foundations

/// A cache of user agents that classifies each distinct one once, and counts the requests of each
/// kind of client.
struct AgentMemo: ~Copyable {
  /// The classification of an agent.
  struct Answer: BitwiseCopyable {
    var platform: Platform
    var systemAge: SystemAge
    var fetcher: Fetcher?

    /// The number of the kind of client.
    fileprivate var kind: UInt32
  }

  private var clients = ClientTally()

  /// The result for requests without an agent.
  private let absent: Answer

  init() { absent = Self.answer(.absent, &clients) }

  /// The requests by kind of client, each with the number of its day; see ``ClientTally/counts``.
  var clientCounts: [(day: Int, count: TrafficDigest.ClientCount)] { clients.counts }

  /// The maximum number of distinct agents; beyond it, all are discarded and classified again.
  ///
  /// An attacker can send any number of them.
  private static let limit = 1 << 16
  private static let byteLimit = 1 << 24

  private var agents = ByteTable(capacity: 1024)
  private var answers = Buffer<Answer>()

  /// The agents last seen, by some of their bytes, each with its number plus one.
  ///
  /// Most lines have one of a few agents, which are long. Comparing is cheaper than hashing.
  private var recent = Buffer<UInt32>(repeating: 0, count: recentCount)
  private static let recentCount = 1024

  /// The minimum length of an agent for this cache.
  private static let recentLength = 16

  /// Classifies the user agent of a request, and counts the request.
  ///
  /// - Parameters:
  ///   - range: The position of the agent, or `nil` if the line has none.
  ///   - line: The line.
  ///   - day: The packed day of the request; see ``Dimensions``.
  ///   - requests: The number of requests that this one counts as.
  /// - Returns: The platform and client of the agent.
  @inline(__always)
  mutating func count(
    _ range: Range<Int>?, in line: Span<UInt8>, day: UInt64, requests: Int = 1
  ) -> Answer {
    let answer = range.map { self.answer(for: line.extracting($0)) } ?? absent
    clients.add(answer.kind, day: day, requests: requests)
    return answer
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
    if agents.count >= Self.limit || agents.byteCount > Self.byteLimit { forget() }
    let (id, isNew) = agents.insert(agent)
    if isNew { answers.append(Self.answer(UserAgent(agent), &clients)) }
    if let place { recent[place] = UInt32(id + 1) }
    return answers[id]
  }

  private static func answer(_ agent: UserAgent, _ clients: inout ClientTally) -> Answer {
    Answer(
      platform: agent.platform, systemAge: agent.systemAge, fetcher: agent.fetcher,
      kind: clients.number(of: agent))
  }

  private mutating func forget() {
    agents.removeAll()
    answers.removeAll()
    for place in 0..<recent.count { recent[place] = 0 }
  }
}
