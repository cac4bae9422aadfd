internal import AccessLogs
internal import TrafficDigest

/// What the ledger knows of a file.
struct LogIdentification: Sendable {
  var input: LogInput
  var stamp: FileStamp?

  /// What is to be done about it.
  enum Answer: Sendable {
    /// There is nothing in it, or nothing could be read.
    case nothing(LogDamage?)

    /// All of it counts already, as a log or as a beginning of one.
    case counted(KnownLog, isWhole: Bool, LogDamage?)

    /// Some of it counts already, or nothing does: `log` is `nil` then.
    case uncounted(LogContinuation, log: KnownLog?)

    /// It begins as a log and goes on otherwise: what is behind the last place at which
    /// both were seen to agree is counted, as a log of its own.
    case diverged(LogContinuation, from: KnownLog)
  }

  var answer: Answer
}

/// A log that is read to its end, or to where the longest of some logs ended, to see
/// which of them it is.
struct LogComparison {
  private let input: LogInput
  private let head: LogHead
  private let candidates: [KnownLog]

  init(_ input: LogInput, _ head: LogHead, _ candidates: [KnownLog]) {
    (self.input, self.head, self.candidates) = (input, head, candidates)
  }

  /// Which of the logs it is.
  func answer(lineLimit: Int) -> LogIdentification.Answer {
    let isShort = head.isWhole && head.damage == nil
    if candidates.isEmpty {
      return .uncounted(LogContinuation(input, beginning: head.fingerprint), log: nil)
    }
    let end = candidates.map(\.content.length).max() ?? 0
    var reader = LogReader(
      input, lineLimit: lineLimit,
      trace: ContentTrace(lengths: candidates.map(\.content.length)))
    var chunk = LineChunk()
    var starts: [(offset: Int, line: Int)] = []
    var lines = 0
    while reader.next(into: &chunk) {
      starts.append((chunk.offset, lines))
      lines += chunk.lineCount
      if !isShort, (reader.trace?.fingerprint.length ?? 0) > end { break }
    }
    guard let trace = reader.trace else { return .nothing(reader.damage) }
    let isWhole = reader.isAtEnd
    let length = trace.fingerprint.length
    let found = Set(trace.beginnings)

    // A copy of a known log that was made before that was as long as it is now.
    if isWhole {
      let longer = candidates.first {
        $0.content.length > length && $0.checkpoints.starts(with: trace.checkpoints)
      }
      if let longer { return .counted(longer, isWhole: false, reader.damage) }
    }
    if let best = candidates.filter({ found.contains($0.content) })
      .max(by: { $0.content.length < $1.content.length })
    {
      if isWhole, best.content.length == length {
        return .counted(best, isWhole: true, reader.damage)
      }
      return .uncounted(
        LogContinuation(
          input, settledLength: best.settledLength, settledLines: best.lines - best.pendingLines,
          beginning: best.content),
        log: best)
    }
    return diverged(trace, starts)
  }

  /// A log that agrees with another up to a checkpoint, or with none.
  private func diverged(
    _ trace: ContentTrace, _ starts: [(offset: Int, line: Int)]
  ) -> LogIdentification.Answer {
    func agreement(_ log: KnownLog) -> Int {
      zip(log.checkpoints, trace.checkpoints).prefix { $0 == $1 }.count
        * ContentTrace.checkpointInterval
    }
    guard let other = candidates.max(by: { agreement($0) < agreement($1) }),
      let start = starts.last(where: { $0.offset <= agreement(other) }), start.offset > 0
    else {
      return .uncounted(LogContinuation(input, beginning: head.fingerprint), log: nil)
    }
    return .diverged(
      LogContinuation(
        input, settledLength: start.offset, settledLines: start.line,
        beginning: head.fingerprint),
      from: other)
  }
}
