internal import AccessLogs
internal import Foundations
internal import TrafficDigest

/// The relation of a file to the logs of the ledger.
///
/// The complete content identifies a log, never only its beginning, because the same health check
/// makes servers write the same first lines.
struct LogIdentification: Sendable {
  let input: LogInput
  let stamp: FileStamp?

  /// The log in the ledger that the file contains completely, perhaps with more lines; or of which
  /// the file is a copy; or `nil`.
  private(set) var known: KnownLog?

  /// A Boolean value indicating whether the file is a counted beginning of a longer log.
  private(set) var isCopy = false

  /// The place from which the file is read, and, after reading, the counts of its new lines; or
  /// `nil` if it isn't read.
  var uncounted: ContinuedLog?

  /// The damage of a file that is completely counted.
  private(set) var damage: LogDamage?

  /// The messages about the file, without those about its new lines.
  private var notes: [IngestNote] = []

  /// All messages about the file.
  var allNotes: [IngestNote] {
    guard let log = uncounted else { return notes }
    let (damage, start) = (log.input.damage, log.input.unreadStart)
    return notes + (damage.map { [.damaged($0, lines: log.added.tally.lines)] } ?? [])
      + (start.isEmpty ? [] : [.unread(start: start)])
  }

  /// Identifies a file by its head and the logs that it may be.
  init(_ head: LogHead, _ candidates: [KnownLog], _ options: ReductionOptions) {
    (input, stamp) = (head.input, head.stamp)
    if let isTorn = head.isTorn {
      // It has no complete line except directives, so it can't be identified yet.
      if let damage = head.damage {
        notes = [.damaged(damage, lines: 0)]
      } else if isTorn {
        notes = [.unfinished]
      }
    } else {
      uncounted = ContinuedLog(input, beginning: head.fingerprint)
      if !candidates.isEmpty { compare(with: candidates, options) }
    }
  }

  /// Reads the file up to the end of one of some logs, to find out which of them it is.
  private mutating func compare(with candidates: [KnownLog], _ options: ReductionOptions) {
    let end = candidates.map(\.content.length).max() ?? 0
    let lengths = candidates.flatMap { $0.checkpoints.map(\.length) + [$0.content.length] }
    var reader = LogReader(
      input, lineLimit: options.lineLimit, expansion: options.expansion,
      trace: ContentTrace(lengths: lengths, keepsCheckpoints: true))
    var chunk = LineChunk()
    while reader.next(into: &chunk), let trace = reader.trace, trace.fingerprint.length <= end {
      // Most files differ early. Reading of compressed data continues, because it may be corrupt.
      if chunk.index == 0, !reader.isCompressed,
        Self.compare(candidates, with: trace)
          .allSatisfy({ $0.differs(upTo: trace.fingerprint.length) })
      {
        break
      }
    }
    guard let trace = reader.trace else { return }
    let (length, damage) = (trace.fingerprint.length, reader.damage)
    let isWhole = reader.isAtEnd && length <= end
    let lastLine = trace.checkpoints.last?.length ?? 0

    let contents = Set(trace.beginnings)
    let best = candidates.filter { contents.contains($0.content) }
      .max { $0.content.length < $1.content.length }
    let others = Self.compare(candidates, with: trace)
      .filter { $0.sharedLength > best?.content.length ?? 0 }
    let longest = others.max { $0.sharedLength < $1.sharedLength }
    let original = others.first { log in
      isWhole && log.content.length > length
        && log.begins(withFileOf: length, lastLine: lastLine)
    }
    if let original {
      (known, isCopy, uncounted) = (original, true, nil)
      if let damage {
        notes = [.damaged(damage, lines: 0)]
      } else if !original.wasReadFromFile {
        notes = [.copy(of: original.path)]
      }
    } else if let longest, isSame(longest, damage) {
      diverge(from: longest, options)
    } else if let best {
      known = best
      let isCounted = isWhole && best.content.length == length
      if isCounted {
        (uncounted, self.damage) = (nil, damage)
      } else {
        uncounted = ContinuedLog(
          input, settledLength: best.settledLength, settledLines: best.settledLines,
          beginning: best.content)
      }
      if isCounted, let damage, best.status == .complete {
        // Damage is reported once.
        notes = [.damaged(damage, lines: best.lines)]
      } else if !best.wasReadFromFile, isHeld(best, options) {
        // Don't report files again that were found before.
        notes = [.twin(of: best.path)]
      }
    } else if let longest, longest.sharedLength >= ContentTrace.headLength {
      notes = [.alike(longest.path)]
    }
  }

  /// Returns logs with the beginnings that they share with a content.
  private static func compare(_ logs: [KnownLog], with trace: ContentTrace) -> [KnownLog] {
    let beginnings = Set(trace.beginnings.map(\.checkpoint))
    return logs.map { $0.compared(with: beginnings) }
  }

  /// Returns a Boolean value indicating whether a file is a log although only its beginning agrees.
  ///
  /// Damaged data can decompress to anything at its end. A server doesn't write the same times
  /// twice under one name, so in that case its log was restored.
  private func isSame(_ log: KnownLog, _ damage: LogDamage?) -> Bool {
    if log.status == .corrupt || InputStatus(damage) == .corrupt { return true }
    return log.isDated && log.path == input.path
  }

  /// Continues a log whose end was replaced, by damage or because a machine was restored, from the
  /// first different line, as a log of its own.
  private mutating func diverge(from log: KnownLog, _ options: ReductionOptions) {
    let length = log.sharedLength
    var reader = LogReader(input, lineLimit: options.lineLimit, expansion: options.expansion)
    var chunk = LineChunk()
    var (start, lines) = (0, 0)
    while reader.next(into: &chunk), chunk.offset < length {
      let count = chunk.wholeLineCount(upTo: length - chunk.offset)
      if count > 0 { start = chunk.offset + count }
      lines += chunk.lineCount(upTo: count)
    }
    guard start > 0, let beginning = uncounted?.beginning else { return }
    uncounted = ContinuedLog(input, settledLength: start, settledLines: lines, beginning: beginning)
    if !log.marksLines(at: length) { notes = [.diverged(from: log.path)] }
  }

  /// Returns a Boolean value indicating whether another file still contains a complete log: the
  /// file last read as that log.
  private func isHeld(_ log: KnownLog, _ options: ReductionOptions) -> Bool {
    guard log.path != input.path, let known = FileStamp(path: log.path),
      let own = FileStamp(path: input.path),
      (known.device, known.inode) != (own.device, own.inode)
    else { return false }
    let first = log.checkpoints.first ?? log.content.checkpoint
    var reader = LogReader(
      LogInput(path: log.path), lineLimit: options.lineLimit, expansion: options.expansion,
      trace: ContentTrace(lengths: [first.length, log.content.length]))
    var chunk = LineChunk()
    while reader.next(into: &chunk), let beginnings = reader.trace?.beginnings {
      if beginnings.contains(log.content) { return true }
      if let found = beginnings.first, found.checkpoint != first { return false }
    }
    return false
  }
}

extension LogHead {
  /// A Boolean value indicating whether an incomplete line follows directives, or `nil` if there is
  /// another complete line.
  ///
  /// A compressed log without damage is complete, so its last line is complete even without an end.
  fileprivate var isTorn: Bool? {
    let directives = directiveLength
    guard isWhole, !bytes[directives...].contains(UInt8(ascii: "\n")) else { return nil }
    let isTorn = directives < bytes.count
    return isTorn && isCompressed && damage == nil ? nil : isTorn
  }
}

extension LogIdentification {
  /// Identifies the files of a batch, ascending by path.
  ///
  /// - Returns: The files, in the same order, except those that haven't changed since they were
  ///   read, and those that contain lines of another one and are identified after it is counted.
  ///   These are waiting.
  static func identify(
    _ inputs: [LogInput], _ store: AuditStore, _ options: ReductionOptions
  ) throws(StoreError) -> (files: [LogIdentification], waiting: [LogInput]) {
    let (changed, shortLengths) = try store.read { database in
      let changed = try inputs.filter { input in
        guard let stamp = FileStamp(path: input.path) else { return true }
        return try !KnownLog.isUnchanged(stamp, options.expansion, in: database)
      }
      return (changed, try KnownLog.shortLengths(in: database))
    }
    let heads = changed.mapInParallel(jobs: options.jobs) { LogHead(of: $0) }
    let candidates = try store.read { database in
      try heads.map { head in
        try KnownLog.candidates(for: head, shortLengths: shortLengths, in: database)
      }
    }
    let files = zip(heads, candidates).map { ($0, $1) }.mapInParallel(jobs: options.jobs) {
      (head: $0, identification: LogIdentification($0, $1, options))
    }
    var waiting: Set<LogInput> = []
    var continued: Set<Int64> = []
    for (head, identification) in files where identification.uncounted != nil {
      // If another file continues the same log, it is clear after that is counted whether this one
      // is a copy.
      if let log = identification.known, !continued.insert(log.id).inserted {
        waiting.insert(head.input)
      }
    }
    let uncounted = files.filter { $1.uncounted != nil && !waiting.contains($0.input) }
    waiting.formUnion(followers(uncounted.map(\.head), options))
    return (
      files.map(\.identification).filter { !waiting.contains($0.input) },
      waiting.sorted { $0.path.precedesByBytes($1.path) }
    )
  }

  /// Finds files that contain the beginning of another one, or the same content as an earlier one.
  private static func followers(
    _ heads: [LogHead], _ options: ReductionOptions
  ) -> Set<LogInput> {
    // A short file is directly before one that begins with it; of equal files, the first is last.
    let sorted = heads.sorted { one, other in
      if one.bytes != other.bytes { return one.bytes.lexicographicallyPrecedes(other.bytes) }
      return one.isWhole == other.isWhole ? one.input.path > other.input.path : one.isWhole
    }
    var followers = Set(
      zip(sorted, sorted.dropFirst())
        .filter { $0.isWhole && $1.bytes.starts(with: $0.bytes) }.map(\.0.input))
    for alike in Dictionary(grouping: heads.filter { !$0.isWhole }, by: \.bytes).values
    where alike.count > 1 {
      followers.formUnion(longFollowers(alike.map(\.input), options))
    }
    return followers
  }

  /// Does the same as ``followers(_:_:)`` for files with the same heads, which are read completely.
  private static func longFollowers(
    _ files: [LogInput], _ options: ReductionOptions
  ) -> [LogInput] {
    @Sendable func trace(_ file: LogInput, lengths: [Int] = []) -> ContentTrace {
      var reader = LogReader(
        file, lineLimit: options.lineLimit, expansion: options.expansion,
        trace: ContentTrace(lengths: lengths))
      var chunk = LineChunk()
      while reader.next(into: &chunk) {}
      return reader.trace ?? ContentTrace()
    }
    let contents = files.mapInParallel(jobs: options.jobs) { trace($0).fingerprint }
    let wanted = Set(contents)
    let lengths = Array(Set(contents.map(\.length)))
    let beginnings = files.indices.mapInParallel(jobs: options.jobs) { index in
      trace(files[index], lengths: lengths.filter { $0 < contents[index].length })
        .beginnings.filter { wanted.contains($0) }
    }
    var known = Set(beginnings.joined())
    return zip(files, contents).filter { !known.insert($1).inserted }.map(\.0)
  }
}
