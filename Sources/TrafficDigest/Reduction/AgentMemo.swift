/// What user agents tell, found out once for each distinct one.
struct AgentMemo: ~Copyable {
  /// More distinct agents than this are forgotten and found out again: a log can
  /// be made to hold any number of them.
  private static let limit = 1 << 16
  private static let byteLimit = 1 << 24

  private var agents = ByteTable(capacity: 1024)
  private var answers = Slab<UserAgent>()

  /// What a user agent tells.
  @inline(__always)
  mutating func answer(for agent: Span<UInt8>) -> UserAgent {
    let (id, isNew) = agents.insert(agent)
    return isNew ? add(agent) : answers[id]
  }

  @inline(never)
  private mutating func add(_ agent: Span<UInt8>) -> UserAgent {
    let answer = UserAgent(agent)
    answers.append(answer)
    if agents.count >= Self.limit || agents.byteCount > Self.byteLimit {
      agents.removeAll()
      answers.removeAll()
    }
    return answer
  }
}
