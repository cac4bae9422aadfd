public import AccessLogs
internal import Foundations

extension TrafficDigest {
  /// Reduces logs.
  ///
  /// A worker takes unread files, the largest first, and then helps with files that others have
  /// begun. It decodes the next chunk of a file while it holds the file's lock, and parses the
  /// chunk after releasing the lock. So one huge file keeps every core busy, too, and there are
  /// never more chunks than workers.
  ///
  /// - Parameters:
  ///   - inputs: The logs. The outcome doesn't depend on their order.
  ///   - options: The options for reducing them.
  ///   - progress: A function that is called from any thread with the numbers of stored bytes and
  ///     of lines that have been read since the last call.
  /// - Returns: The digest of all logs.
  /// - Throws: ``DigestFileError`` if a temporary file can't be written or read.
  public static func reduce(
    _ inputs: [LogInput], options: ReductionOptions,
    progress: (@Sendable (_ bytes: Int, _ lines: Int) -> Void)? = nil
  ) throws(DigestFileError) -> TrafficDigest {
    let inputs = inputs.sorted { $0.path.precedesByBytes($1.path) }
    let settings = TrafficDigest.InputSettings(options)
    // A log takes memory only while it is read. Making it under the schedule's lock takes no time.
    let schedule = Schedule(inputs) { SharedLog(inputs[$0], number: $0, options, settings) }
    return try reduce(schedule, options, progress).digest
  }

  /// Reduces the lines of logs that haven't been counted before.
  ///
  /// Lines that can still change when their log grows are counted separately. If nothing was
  /// counted before, permanent and pending counts together equal those of
  /// ``reduce(_:options:progress:)``.
  ///
  /// - Parameters:
  ///   - logs: The logs, ascending by path.
  ///   - options: The options for reducing them. Rejected lines that can still change aren't kept.
  ///   - progress: As for ``reduce(_:options:progress:)``.
  /// - Returns: The digest of all lines that count permanently, and the logs with the counts of
  ///   their new lines, in order.
  /// - Throws: ``DigestFileError`` if a temporary file can't be written or read.
  public static func reduce(
    continuing logs: [ContinuedLog], options: ReductionOptions,
    progress: (@Sendable (_ bytes: Int, _ lines: Int) -> Void)? = nil
  ) throws(DigestFileError) -> (digest: TrafficDigest, logs: [ContinuedLog]) {
    let settings = TrafficDigest.InputSettings(options)
    let files = logs.enumerated().map { number, log in
      SharedLog(log.file, number: number, options, settings, continuing: log)
    }
    let schedule = Schedule(files.map(\.input)) { files[$0] }
    let (digest, counts) = try reduce(
      schedule, options, linesBefore: logs.map(\.settledLines), progress)
    let continued = files.enumerated().compactMap { number, file in
      file.continued.map { log in
        var log = log
        for share in counts.compactMap({ $0.shares[number] }) { log.settled.add(share) }
        // These know the numbers of their lines.
        log.input.doubts = digest.inputs[number].doubts
        return log
      }
    }
    return (digest, continued)
  }

  /// Reduces the logs of a schedule.
  ///
  /// - Returns: The digest, and the counts of the workers.
  private static func reduce(
    _ schedule: Schedule, _ options: ReductionOptions, linesBefore: [Int] = [],
    _ progress: (@Sendable (_ bytes: Int, _ lines: Int) -> Void)?
  ) throws(DigestFileError) -> (digest: TrafficDigest, counts: [WorkerCounts]) {
    let spool =
      options.keepsRejectedLines
      ? RejectedLineSpool(try .temporary(in: options.temporaryDirectory)) : nil
    let spilling = Spilling(options)
    let results = inParallel(jobs: options.jobs) { _ in
      var reducer = Reducer(options)
      var chunk = LineChunk()
      var runs: [DigestRun] = []
      var formats = InputFormatMemo()
      var logs: [(number: Int, log: TrafficDigest.Input)] = []
      while let file = schedule.next(), !spilling.hasFailed {
        while !spilling.hasFailed, let (reading, bytesRead) = file.next(into: &chunk) {
          reducer.reduce(chunk, reading.settled, input: file.number, reading)
          file.addPending(of: chunk, reading, options)
          spilling.spillIfNeeded(&reducer, &runs)
          spool?.add(&reducer.rejectedLines, input: file.number, chunk: chunk.index)
          progress?(bytesRead, reducer.lineCount)
        }
        // Release the file, because others may wait for its resources.
        file.close()
        if schedule.finish(file) { logs.append((file.number, file.summary(&formats))) }
      }
      spilling.add(runs)
      let part = reducer.takePart()
      return (part: part, counts: reducer.finish(), logs: logs)
    }
    // Sorting numbers is faster than sorting logs.
    let unordered = results.flatMap(\.logs)
    let order = unordered.indices.sorted { unordered[$0].number < unordered[$1].number }
    let logs = order.map { unordered[$0].log }
    let runs = try spilling.finish(jobs: options.jobs)
    try spool?.check()
    let counts = results.map(\.counts)
    let keptLines = spool.map { spool in
      (
        spool: spool,
        numbers: LineNumbers(counts.flatMap(\.chunks), paths: logs.map(\.path), linesBefore)
      )
    }
    let digest = TrafficDigest(
      DigestSummary(inputs: logs, counts: counts, linesBefore: linesBefore),
      parts: results.map(\.part), runs: runs, keptLines: keptLines)
    return (digest, counts)
  }
}

/// The choice of the next log for a worker.
private final class Schedule: Sendable {
  /// The numbers of logs that no worker has begun, the largest log last, and the logs that have begun
  /// but not ended.
  private let state: Locked<(waiting: [Int], active: [SharedLog])>
  private let log: @Sendable (_ number: Int) -> SharedLog

  /// Creates a schedule of logs, which `log` makes when a worker begins them.
  init(_ inputs: [LogInput], log: @escaping @Sendable (_ number: Int) -> SharedLog) {
    let weights = inputs.map(\.weight)
    state = Locked((inputs.indices.sorted { weights[$0] < weights[$1] }, []))
    self.log = log
  }

  func next() -> SharedLog? {
    state.withLock { state in
      if let number = state.waiting.popLast() {
        let file = log(number)
        state.active.append(file)
        return file
      }
      return state.active.max { $0.input.weight < $1.input.weight }
    }
  }

  /// Ends a log, after which no worker takes it; the result is false if another worker has ended
  /// it.
  func finish(_ file: SharedLog) -> Bool {
    state.withLock { state in
      guard let place = state.active.firstIndex(where: { $0 === file }) else { return false }
      state.active.remove(at: place)
      return true
    }
  }
}

extension LogInput {
  /// The size of a log; pipes come first, because theirs is unknown.
  fileprivate var weight: Int { size ?? .max }
}

/// The limit on the memory of all workers' tables; beyond it, they spill to files.
final class Spilling: Sendable {
  /// The runs of all workers, or the error that prevented one from being written.
  private let outcome = Locked<Result<[DigestRun], DigestFileError>>(.success([]))

  private let directory: String
  private let limitPerWorker: Int

  /// The number of runs at which a worker merges the shorter half.
  ///
  /// Each run is an open file, and some systems allow 256.
  private let runLimit: Int

  /// Upper bound for a table: records have 32-bit positions in words of eight bytes.
  private static let greatestLimit = 16 << 30

  init(_ options: ReductionOptions) {
    directory = options.temporaryDirectory
    limitPerWorker = min(options.memoryLimit / options.jobs, Self.greatestLimit)
    runLimit = max(2, DigestRun.fanIn / options.jobs)
  }

  /// A Boolean value indicating whether a worker has failed, so that the others can stop.
  var hasFailed: Bool { outcome.withLock { if case .failure = $0 { true } else { false } } }

  /// Spills the counts of a worker to a run if they take too much memory.
  func spillIfNeeded(_ reducer: inout Reducer, _ runs: inout [DigestRun]) {
    guard reducer.byteCount > limitPerWorker else { return }
    do throws(DigestFileError) {
      let part = reducer.takePart()
      guard part.targets.count > 0 else { return }
      runs.append(try .merging(TargetSources(parts: [SortedPart(part)]), in: directory))
      guard runs.count >= runLimit else { return }
      runs.sort { $0.byteCount < $1.byteCount }
      let count = runLimit / 2 + 1
      let merged = TargetSources(runs: Array(runs[..<count]))
      runs = [try .merging(merged, in: directory)] + runs[count...]
    } catch {
      outcome.withLock { if case .success = $0 { $0 = .failure(error) } }
    }
  }

  /// Adds the runs of a worker that has finished.
  func add(_ runs: [DigestRun]) {
    outcome.withLock { outcome in
      if case .success(let others) = outcome { outcome = .success(others + runs) }
    }
  }

  /// The runs of all workers, at most as many as can be read at a time.
  func finish(jobs: Int) throws(DigestFileError) -> [DigestRun] {
    try DigestRun.limiting(try outcome.withLock { $0 }.get(), in: directory, jobs: jobs)
  }
}
