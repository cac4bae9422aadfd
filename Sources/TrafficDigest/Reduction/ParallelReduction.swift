public import AccessLogs
internal import Dispatch
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
  let results = Mutex<[(worker: Int, result: Result)]>([])
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
    let schedule = Schedule(files)

    let spilling = Spilling(options)
    let spool =
      options.keepsRejectedLines
      ? RejectedLineSpool(try .temporary(in: options.temporaryDirectory)) : nil
    let parts = inParallel(jobs: options.jobs) { _ in
      var reducer = Reducer(options)
      var chunk = LineChunk()
      var tallies: [ChunkTally] = []
      var runs: [DigestRun] = []
      while let file = schedule.next(), !spilling.hasFailed {
        while !spilling.hasFailed, let step = file.next(into: &chunk) {
          let tally = reducer.reduce(chunk, input: file.number, step.reading)
          tallies.append(
            ChunkTally(
              input: file.number, chunk: chunk.index, tally: tally, times: reducer.times))
          spilling.relieve(&reducer, &runs)
          spool?.add(&reducer.rejectedLines, input: file.number, chunk: chunk.index)
          progress?(step.bytesRead, tally.lines)
        }
        schedule.finish(file)
      }
      spilling.add(runs)
      return DigestPart(consume reducer, tallies: tallies)
    }
    let runs = try spilling.finish(jobs: options.jobs)
    try spool?.check()
    return TrafficDigest(
      inputs: files.map { $0.summary() }, parts: parts, runs: runs, rejectedLineSpool: spool)
  }
}

/// The lines of one chunk.
struct ChunkTally: Sendable {
  var input: Int
  var chunk: Int
  var tally: LineTally

  /// The times of the first and the last request.
  var times: ClosedRange<LogTime>?
}

/// A log that workers take chunks from in turn.
private final class SharedLog: Sendable {
  private struct State: ~Copyable {
    var reader: LogReader
    var formats: ChunkFormats
  }

  /// A chunk that has been filled.
  struct Step {
    var reading: ChunkReading
    var bytesRead: Int
  }

  let number: Int
  let input: LogInput
  private let settings: TrafficDigest.InputSettings
  private let state: Mutex<State>

  init(_ input: LogInput, number: Int, _ options: ReductionOptions) {
    self.number = number
    self.input = input
    settings = TrafficDigest.InputSettings(options, path: input.path)
    state = Mutex(
      State(
        reader: LogReader(
          input, lineLimit: options.lineLimit, fingerprintsContent: options.fingerprintsContent),
        formats: ChunkFormats(
          named: options.format, defaultHost: settings.defaultHost, lineLimit: options.lineLimit)))
  }

  /// Fills `chunk` with the next lines, or returns `nil` at the end.
  func next(into chunk: inout LineChunk) -> Step? {
    state.withLock { state in
      let before = state.reader.offset
      guard state.reader.next(into: &chunk) else { return nil }
      return Step(
        reading: state.formats.reading(of: chunk), bytesRead: state.reader.offset - before)
    }
  }

  /// What became of the log.
  func summary() -> TrafficDigest.Input {
    state.withLock { state in
      TrafficDigest.Input(
        path: input.path, damage: state.reader.damage,
        format: state.formats.format.map { TrafficDigest.InputFormat($0) }, settings: settings,
        fingerprint: state.reader.fingerprint, unreadStart: state.formats.unreadStart)
    }
  }
}

/// Which log a worker turns to next.
private final class Schedule: Sendable {
  private struct State {
    /// Logs that nobody has begun, the largest last.
    var waiting: [SharedLog]

    /// Logs that have been begun and not ended.
    var active: [SharedLog] = []
  }

  private let state: Mutex<State>

  init(_ files: [SharedLog]) {
    state = Mutex(State(waiting: files.sorted { Self.weight($0) < Self.weight($1) }))
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
