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

    /// All of it counts already, as a log.
    case counted(KnownLog, LogDamage?)

    /// It is a beginning of a log, which counts already; `isSeen` is whether all of it
    /// was seen to agree.
    case copy(KnownLog, isSeen: Bool, LogDamage?)

    /// Some of it counts already, or nothing does: `log` is `nil` then.
    case uncounted(LogContinuation, log: KnownLog?)

    /// It begins as a log and goes on otherwise: what is behind the last place at which
    /// both were seen to agree is counted, as a log of its own.
    case diverged(LogContinuation, from: KnownLog, isExact: Bool)
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
  func answer(lineLimit: Int, expansion: ExpansionLimit) -> LogIdentification.Answer {
    let isShort = head.isWhole && head.damage == nil
    if candidates.isEmpty {
      return .uncounted(LogContinuation(input, beginning: head.fingerprint), log: nil)
    }
    let end = candidates.map(\.content.length).max() ?? 0
    // All lines that some of the logs have marks of.
    let firstMark = min(
      end, candidates.filter { !$0.lineHashes.isEmpty }.map(\.markedFrom).min() ?? end)
    var reader = LogReader(
      input, lineLimit: lineLimit, expansion: expansion,
      trace: ContentTrace(
        lengths: candidates.map(\.content.length), markedPart: firstMark..<(end + 1)))
    var chunk = LineChunk()
    var starts: [Int] = []
    var wholeLength = 0
    while reader.next(into: &chunk) {
      starts.append(chunk.offset)
      wholeLength = chunk.offset + chunk.wholeLineCount
      if !isShort, (reader.trace?.fingerprint.length ?? 0) > end { break }
    }
    guard let trace = reader.trace else { return .nothing(reader.damage) }
    let answer = answer(
      Reading(
        trace: trace, isWhole: reader.isAtEnd, damage: reader.damage, starts: starts,
        wholeLength: wholeLength))
    guard case .diverged(var continuation, let log, let isExact) = answer else { return answer }
    continuation.settledLines = lineCount(
      upTo: continuation.settledLength, lineLimit: lineLimit, expansion: expansion)
    return .diverged(continuation, from: log, isExact: isExact)
  }

  /// The number of lines in front of a place: their ends aren't all marked.
  private func lineCount(upTo offset: Int, lineLimit: Int, expansion: ExpansionLimit) -> Int {
    var reader = LogReader(input, lineLimit: lineLimit, expansion: expansion)
    var chunk = LineChunk()
    var count = 0
    while reader.next(into: &chunk), chunk.offset < offset {
      count += chunk.lineCount(upTo: offset - chunk.offset)
    }
    return count
  }

  /// What was read.
  private struct Reading {
    var trace: ContentTrace

    /// Whether that is the whole content.
    var isWhole: Bool
    var damage: LogDamage?

    /// Where chunks begin.
    var starts: [Int]

    /// The number of bytes up to the end of the last whole line.
    var wholeLength: Int
  }

  private func answer(_ reading: Reading) -> LogIdentification.Answer {
    let trace = reading.trace
    let length = trace.fingerprint.length
    let found = Set(trace.beginnings)
    let best = candidates.filter { found.contains($0.content) }
      .max { $0.content.length < $1.content.length }
    let rest = candidates.map { ($0, $0.agreement(with: trace)) }
      .filter { $0.1.length > best?.content.length ?? 0 }
    // A copy of a known log that was made before that was as long as it is now.
    if reading.isWhole {
      for (log, agreement) in rest where log.content.length > length {
        if agreement.isExact, agreement.length >= reading.wholeLength {
          return .copy(log, isSeen: true, reading.damage)
        }
        // Up to the last checkpoint all is the same, and nothing else is seen behind it.
        if !agreement.isEndSeen, agreement.length >= ContentTrace.lastCheckpoint(in: length) {
          return .copy(log, isSeen: false, reading.damage)
        }
      }
    }
    if let (log, agreement) = rest.max(by: { $0.1.length < $1.1.length }) {
      return diverged(from: log, agreement, reading)
    }
    guard let best else {
      return .uncounted(LogContinuation(input, beginning: head.fingerprint), log: nil)
    }
    if reading.isWhole, best.content.length == length { return .counted(best, reading.damage) }
    return .uncounted(
      LogContinuation(
        input, settledLength: best.settledLength, settledLines: best.settledLines,
        beginning: best.content),
      log: best)
  }

  /// A log that agrees with another up to a line, or to a checkpoint.
  private func diverged(
    from log: KnownLog, _ agreement: KnownLog.Agreement, _ reading: Reading
  ) -> LogIdentification.Answer {
    let offset =
      agreement.isExact
      ? agreement.length : reading.starts.last { $0 <= agreement.length } ?? 0
    guard offset > 0 else {
      return .uncounted(LogContinuation(input, beginning: head.fingerprint), log: nil)
    }
    return .diverged(
      LogContinuation(input, settledLength: offset, beginning: head.fingerprint),
      from: log, isExact: agreement.isExact)
  }
}
