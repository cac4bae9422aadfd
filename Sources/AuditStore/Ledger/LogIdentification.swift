internal import AccessLogs
internal import TrafficDigest

/// The log of the ledger that a file holds.
struct LogIdentification: Sendable {
  var input: LogInput
  var stamp: FileStamp?

  /// The next step for a file.
  enum Answer: Sendable {
    /// It is empty, or none of it could be read.
    case nothing(LogDamage?)

    /// It holds no whole line but directives, so it can't be known again yet. `isTorn` says whether
    /// part of another line follows them.
    case unfinished(isTorn: Bool, LogDamage?)

    /// All of it counts already, as a log.
    case counted(KnownLog, LogDamage?)

    /// It is a beginning of a log, which counts already; `isSeen` is whether all of it
    /// was seen to agree.
    case copy(KnownLog, isSeen: Bool, LogDamage?)

    /// Some of it counts already, or nothing does: `log` is `nil` then.
    case uncounted(LogContinuation, log: KnownLog?)

    /// It is a known log whose end was replaced, by damage or after a machine was set back. Lines
    /// after the last place at which both were seen to agree are counted, as a log of its own.
    case diverged(LogContinuation, from: KnownLog, isExact: Bool)
  }

  var answer: Answer

  /// The path of another log that begins with as many bytes as a head has, or `nil`.
  ///
  /// Both go on in different ways, so they are two logs, and all lines of both count.
  var alike: String?

  /// The path of another file that holds all of the known log, or `nil`.
  ///
  /// Lines that both files hold count once.
  var twin: String?

  init(
    input: LogInput, stamp: FileStamp? = nil, answer: Answer, alike: String? = nil,
    twin: String? = nil
  ) {
    (self.input, self.stamp, self.answer) = (input, stamp, answer)
    (self.alike, self.twin) = (alike, twin)
  }
}

/// A log that is read to its end, or to where the longest of some logs ended, to see
/// which of them it is.
///
/// A log is its whole content, never its beginning alone: servers that are asked by the same health
/// check write the same first lines.
struct LogComparison {
  private let input: LogInput
  private let head: LogHead
  private let candidates: [KnownLog]

  init(_ input: LogInput, _ head: LogHead, _ candidates: [KnownLog]) {
    (self.input, self.head, self.candidates) = (input, head, candidates)
  }

  /// Finds out which of the logs it is.
  func identify(lineLimit: Int, expansion: ExpansionLimit) -> LogIdentification {
    let (answer, alike) = answer(lineLimit: lineLimit, expansion: expansion)
    var identification = LogIdentification(
      input: input, stamp: head.stamp, answer: answer, alike: alike)
    switch answer {
    case .counted(let log, _), .uncounted(_, let log?):
      // Files that were found once are not reported again.
      if !log.wasReadFromFile, log.isHeld(byAnotherFileThan: input, lineLimit, expansion) {
        identification.twin = log.path
      }
    case .copy, .diverged, .nothing, .unfinished, .uncounted: break
    }
    return identification
  }

  private func answer(
    lineLimit: Int, expansion: ExpansionLimit
  ) -> (LogIdentification.Answer, alike: String?) {
    let isShort = head.isWhole && head.damage == nil
    if candidates.isEmpty {
      return (.uncounted(LogContinuation(input, beginning: head.fingerprint), log: nil), nil)
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
    guard let trace = reader.trace else { return (.nothing(reader.damage), nil) }
    let (answer, alike) = answer(
      Reading(
        trace: trace, isWhole: reader.isAtEnd, damage: reader.damage, starts: starts,
        wholeLength: wholeLength))
    guard case .diverged(var continuation, let log, let isExact) = answer else {
      return (answer, alike)
    }
    continuation.settledLines = lineCount(
      upTo: continuation.settledLength, lineLimit: lineLimit, expansion: expansion)
    return (.diverged(continuation, from: log, isExact: isExact), nil)
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

  /// The part of a file that was read.
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

  private func answer(_ reading: Reading) -> (LogIdentification.Answer, alike: String?) {
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
          return (.copy(log, isSeen: true, reading.damage), nil)
        }
        // Up to the last checkpoint all is the same, and nothing else is seen behind it.
        if !agreement.isEndSeen, agreement.length >= ContentTrace.lastCheckpoint(in: length) {
          return (.copy(log, isSeen: false, reading.damage), nil)
        }
      }
    }
    let longest = rest.max { $0.1.length < $1.1.length }
    if let (log, agreement) = longest, isSame(log, reading) {
      return (diverged(from: log, agreement, reading), nil)
    }
    let alike = longest.flatMap { $0.1.length >= ContentTrace.headLength ? $0.0.path : nil }
    guard let best else {
      return (.uncounted(LogContinuation(input, beginning: head.fingerprint), log: nil), alike)
    }
    if reading.isWhole, best.content.length == length {
      return (.counted(best, reading.damage), nil)
    }
    return (
      .uncounted(
        LogContinuation(
          input, settledLength: best.settledLength, settledLines: best.settledLines,
          beginning: best.content),
        log: best), nil
    )
  }

  /// Returns a Boolean value indicating whether a file that begins as a log and goes on in another
  /// way is that log all the same.
  ///
  /// Damaged data can decompress to anything at its end. And a server doesn't write the same times
  /// twice under one name, so there its log was set back.
  private func isSame(_ log: KnownLog, _ reading: Reading) -> Bool {
    if log.isCorrupt || InputStatus(reading.damage) == .corrupt { return true }
    return log.isDated && log.path == input.path
  }

  /// Continues a log whose end was replaced after the line, or the checkpoint, up to which both
  /// agree.
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

extension KnownLog {
  /// Returns a Boolean value indicating whether the file that was last read as this log still holds
  /// it, and is another file than the one that was just read.
  fileprivate func isHeld(
    byAnotherFileThan input: LogInput, _ lineLimit: Int, _ expansion: ExpansionLimit
  ) -> Bool {
    guard path != input.path, let known = FileStamp(path: path),
      let own = FileStamp(path: input.path),
      (known.device, known.inode) != (own.device, own.inode)
    else { return false }
    let input = LogInput(path: path)
    guard
      LogHead(of: input).fingerprint(ofFirst: min(content.length, ContentTrace.headLength)).first
        == headWord
    else { return false }
    var reader = LogReader(
      input, lineLimit: lineLimit, expansion: expansion,
      trace: ContentTrace(lengths: [content.length]))
    var chunk = LineChunk()
    while reader.trace?.beginnings.isEmpty == true, reader.next(into: &chunk) {}
    return reader.trace?.beginnings.first == content
  }
}
