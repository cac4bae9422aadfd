public import AccessLogs
internal import Dispatch
internal import Foundations
internal import Synchronization

// All that this project does in parallel starts here. Everything below is
// synchronous: a worker owns what it writes, and what workers share is behind a
// lock that is taken once a chunk.

/// Calls `body` once for each of `jobs` workers at the same time.
///
/// - Returns: The results in the order of the workers' numbers.
package func inParallel<Result: Sendable>(
  jobs: Int, _ body: @Sendable (_ worker: Int) -> Result
) -> [Result] {
  guard jobs > 1 else { return [body(0)] }
  let results = Locked<[(worker: Int, result: Result)]>([])
  DispatchQueue.concurrentPerform(iterations: jobs) { worker in
    let result = body(worker)
    results.withLock { $0.append((worker, result)) }
  }
  return results.withLock { $0.sorted { $0.worker < $1.worker }.map(\.result) }
}

/// A counter from which workers draw the numbers of pieces of work.
package final class WorkCounter: Sendable {
  private let next = Atomic(0)
  private let end: Int

  /// Creates a counter of the numbers from 0 up to `end`.
  package init(upTo end: Int) { self.end = end }

  /// The next number, or `nil` if all have been drawn.
  package func draw() -> Int? {
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < end ? number : nil
  }
}

extension TrafficDigest {
  /// Reduces logs.
  ///
  /// A worker takes a file of its own while there are any, the largest first,
  /// and then helps with one that others have begun. On a file, it decodes the
  /// next chunk while it holds the file's lock, and parses the chunk after it has
  /// let go: so one huge file keeps every core busy, too, and there are never
  /// more chunks than workers.
  ///
  /// - Parameters:
  ///   - inputs: The logs. The outcome doesn't depend on their order.
  ///   - options: How to reduce them.
  ///   - progress: A function that is called with the numbers of bytes, as they are
  ///     stored, and of lines that have been read since the last call, from any thread.
  /// - Returns: The digest of all logs together.
  /// - Throws: ``DigestFileError`` if a temporary file can't be written or read.
  public static func reduce(
    _ inputs: [LogInput], options: ReductionOptions,
    progress: (@Sendable (_ bytes: Int, _ lines: Int) -> Void)? = nil
  ) throws(DigestFileError) -> TrafficDigest {
    let inputs = inputs.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    let files = inputs.enumerated().map { SharedLog($0.element, number: $0.offset, options) }
    let spool =
      options.keepsRejectedLines
      ? RejectedLineSpool(try .temporary(in: options.temporaryDirectory)) : nil
    let work = try ReductionWork.reduce(files, options, spool, progress)
    try spool?.check()
    return TrafficDigest(
      inputs: files.map { $0.summary() }, parts: work.parts, runs: work.runs,
      rejectedLineSpool: spool)
  }

  /// Reduces the lines of logs that haven't been counted before.
  ///
  /// Lines that can still become others when their log grows are kept apart. The outcome
  /// is that of ``reduce(_:options:progress:)`` if nothing has been counted before and all
  /// is put together.
  ///
  /// - Parameters:
  ///   - logs: The logs, ascending by path.
  ///   - options: How to reduce them. Rejected lines are not kept.
  ///   - progress: As for ``reduce(_:options:progress:)``.
  /// - Returns: The digest of all lines that count for good, and what became of each log,
  ///   in order.
  /// - Throws: ``DigestFileError`` if a temporary file can't be written or read.
  public static func reduce(
    continuing logs: [LogContinuation], options: ReductionOptions,
    progress: (@Sendable (_ bytes: Int, _ lines: Int) -> Void)? = nil
  ) throws(DigestFileError) -> (digest: TrafficDigest, logs: [ContinuedLog]) {
    var options = options
    options.countsLogsByDay = true
    let files = logs.enumerated().map { number, log in
      SharedLog(log.input, number: number, options, continuing: log)
    }
    let work = try ReductionWork.reduce(files, options, nil, progress)
    var summary = DigestSummary(inputs: files.map { $0.summary() }, parts: work.parts)
    summary.moveRejectedLines(logs)
    let digest = TrafficDigest(summary, parts: work.parts, runs: work.runs)
    return (digest, zip(files, logs).map { $0.continued(settled: work.shares[$0.number], $1) })
  }
}

/// The results of the workers.
private struct ReductionWork {
  var parts: [DigestPart]
  var runs: [DigestRun]

  /// The counts of each log, by number, if logs are continued.
  var shares: [Int: LogShare]

  static func reduce(
    _ files: [SharedLog], _ options: ReductionOptions, _ spool: RejectedLineSpool?,
    _ progress: (@Sendable (_ bytes: Int, _ lines: Int) -> Void)?
  ) throws(DigestFileError) -> ReductionWork {
    let schedule = Schedule(files)
    let spilling = Spilling(options)
    let results = inParallel(jobs: options.jobs) { _ in
      var reducer = Reducer(options)
      var chunk = LineChunk()
      var tallies: [ChunkTally] = []
      var runs: [DigestRun] = []
      var shares: [Int: LogShare] = [:]
      while let file = schedule.next(), !spilling.hasFailed {
        while !spilling.hasFailed, let step = file.next(into: &chunk) {
          let rejections = file.isContinued ? reducer.rejections.counts : [:]
          let tally = reducer.reduce(chunk, step.settled, input: file.number, step.reading)
          tallies.append(
            ChunkTally(
              input: file.number, chunk: chunk.index, tally: tally, lines: reducer.lineCount,
              times: reducer.times))
          if file.isContinued {
            shares[file.number, default: LogShare()].add(
              LogShare(tally, reducer, rejectionsBefore: rejections))
            file.addPending(of: chunk, step, options)
          }
          spilling.relieve(&reducer, &runs)
          spool?.add(&reducer.rejectedLines, input: file.number, chunk: chunk.index)
          progress?(step.bytesRead, reducer.lineCount)
        }
        // Others may wait for what it holds.
        if file.isContinued || spilling.hasFailed { file.close() }
        schedule.finish(file)
      }
      spilling.add(runs)
      return (part: DigestPart(consume reducer, tallies: tallies), shares: shares)
    }
    var shares: [Int: LogShare] = [:]
    for result in results {
      for (number, share) in result.shares { shares[number, default: LogShare()].add(share) }
    }
    return ReductionWork(
      parts: results.map(\.part), runs: try spilling.finish(jobs: options.jobs), shares: shares)
  }
}

extension LogShare {
  /// Creates the counts of a chunk.
  init(
    _ tally: LineTally, _ reducer: borrowing Reducer,
    rejectionsBefore before: [RejectionReason: Int] = [:]
  ) {
    self.init()
    (self.tally, days) = (tally, reducer.dayShares)
    guard tally.rejected > 0 else { return }
    for (reason, lines) in reducer.rejections.counts where lines != before[reason] ?? 0 {
      rejections[reason] = lines - (before[reason] ?? 0)
    }
  }
}

extension DigestSummary {
  /// Counts the lines before which the reading of a log went on.
  fileprivate mutating func moveRejectedLines(_ logs: [LogContinuation]) {
    let lines = Dictionary(
      logs.map { (Array($0.input.path.utf8), $0.settledLines) },
      uniquingKeysWith: { one, _ in one })
    for index in rejectedLines.indices {
      rejectedLines[index].line += lines[Array(rejectedLines[index].path.utf8)] ?? 0
    }
  }
}

/// The lines of one chunk.
struct ChunkTally: Sendable {
  var input: Int
  var chunk: Int
  var tally: LineTally

  /// The number of lines of the file; a row counts as all the lines that it stands for.
  var lines: Int

  /// The times of the first and the last request.
  var times: ClosedRange<LogTime>?
}

/// Which log a worker turns to next.
private final class Schedule: Sendable {
  private struct State {
    /// Logs that nobody has begun, the largest last.
    var waiting: [SharedLog]

    /// Logs that have been begun and not ended.
    var active: [SharedLog] = []
  }

  private let state: Locked<State>

  init(_ files: [SharedLog]) {
    state = Locked(State(waiting: files.sorted { Self.weight($0) < Self.weight($1) }))
  }

  /// Pipes come first: nobody knows how much there is in them.
  private static func weight(_ file: SharedLog) -> Int { file.input.size ?? .max }

  func next() -> SharedLog? {
    state.withLock { state in
      if let file = state.waiting.popLast() {
        state.active.append(file)
        return file
      }
      return state.active.max { Self.weight($0) < Self.weight($1) }
    }
  }

  func finish(_ file: SharedLog) {
    state.withLock { $0.active.removeAll { $0 === file } }
  }
}
