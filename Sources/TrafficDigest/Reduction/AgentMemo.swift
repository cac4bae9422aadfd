internal import AccessLogs

/// What user agents tell, found out once for each distinct one.
struct AgentMemo: ~Copyable {
  /// More distinct agents than this are forgotten and found out again: a log can
  /// be made to hold any number of them.
  private static let limit = 1 << 16
  private static let byteLimit = 1 << 24

  private var agents = ByteTable(capacity: 1024)
  private var answers = Slab<UserAgent>()

  /// The agents last seen, by some of their bytes, each with its number plus one:
  /// most lines have one of a few agents, which are long, and comparing costs less
  /// than hashing.
  private var recent = Slab<UInt32>(repeating: 0, count: recentCount)
  private static let recentCount = 1024

  /// The least length of an agent that is looked for among those last seen.
  private static let recentLength = 48

  /// What a user agent tells.
  @inline(__always)
  mutating func answer(for agent: Span<UInt8>) -> UserAgent {
    guard agent.count >= Self.recentLength else { return lookUp(agent, place: nil) }
    let place = Self.place(agent)
    let known = Int(recent[place]) - 1
    if known >= 0, agents.holds(agent, at: known) { return answers[known] }
    return lookUp(agent, place: place)
  }

  /// A place by bytes in which agents differ: the system's version, the browser's,
  /// and the end.
  @inline(__always)
  private static func place(_ agent: Span<UInt8>) -> Int {
    let bytes =
      (agent.word(24) &* 0x9E37_79B9_7F4A_7C15)
      ^ (agent.word(agent.count >> 1) &* 0xC2B2_AE3D_27D4_EB4F)
      ^ (agent.word(agent.count - 20) &+ UInt64(agent.count)) &* 0x1656_67B1_9E37_79F9
    return Int(truncatingIfNeeded: bytes >> 48) & (recentCount - 1)
  }

  @inline(never)
  private mutating func lookUp(_ agent: Span<UInt8>, place: Int?) -> UserAgent {
    if agents.count >= Self.limit || agents.byteCount > Self.byteLimit { forget() }
    let (id, isNew) = agents.insert(agent)
    if isNew { answers.append(UserAgent(agent)) }
    if let place { recent[place] = UInt32(id + 1) }
    return answers[id]
  }

  private mutating func forget() {
    agents.removeAll()
    answers.removeAll()
    for place in 0..<recent.count { recent[place] = 0 }
  }
}
