internal import AccessLogs
internal import CProcessor
internal import Foundations
internal import Synchronization

/// A log that workers share; each takes chunks in turn.
final class SharedLog: Sendable {
  private struct State: ~Copyable {
    var reader: LogReader
    var formats: ChunkFormats

    /// The number of bytes whose lines are counted permanently so far.
    var settledLength = 0

    /// The time that it took to fill the last chunk, in nanoseconds.
    var fillTime = 0

    /// The counts and the digest of the lines after those.
    var pending = LogShare()
    var pendingDigest: TrafficDigest?
  }

  /// A chunk that has been filled.
  struct Step {
    /// The bytes of the chunk whose lines count permanently, and how to read them.
    var settled: Range<Int>
    var reading: ChunkReading

    /// The bytes of the chunk whose lines can still change, and how to read them.
    var pending: Range<Int>
    var pendingReading: ChunkReading

    /// The number of bytes of the file that were read for it.
    var bytesRead: Int
  }

  let number: Int
  let input: LogInput

  /// The size of the log.
  var weight: Int { Self.weight(input) }

  /// Returns the size of a log; pipes come first, because theirs is unknown.
  static func weight(_ input: LogInput) -> Int { input.size ?? .max }

  private let settings: TrafficDigest.InputSettings

  /// The log before this run, if its lines may have been counted before.
  private let earlier: ContinuedLog?
  private let state: Locked<State>

  /// Whether a worker fills a chunk, and whether another one waits until it has without a lock.
  private let isBusy = Atomic(false)
  private let isAwaited = Atomic(false)

  /// The time when that chunk is probably full; see ``elapsed``.
  private let expectedEnd = Atomic(0)
  private let created = ContinuousClock.now

  /// A Boolean value indicating whether lines may have been counted in an earlier run.
  var isContinued: Bool { earlier != nil }

  init(
    _ input: LogInput, number: Int, _ options: ReductionOptions,
    _ settings: TrafficDigest.InputSettings, continuing earlier: ContinuedLog? = nil
  ) {
    self.earlier = earlier
    self.number = number
    self.input = input
    var settings = settings
    settings.defaultHost = options.host(ofLogAt: input.path)
    self.settings = settings
    state = Locked(
      State(
        reader: LogReader(
          input, lineLimit: options.lineLimit, expansion: options.expansion,
          trace: options.fingerprintsContent || earlier != nil
            ? ContentTrace(
              lengths: (earlier?.beginning).map { [$0.length] } ?? [],
              keepsCheckpoints: earlier != nil)
            : nil),
        formats: ChunkFormats(
          named: options.format, defaultHost: settings.defaultHost, lineLimit: options.lineLimit)))
  }

  /// Fills `chunk` with the next lines, or returns `nil` at the end.
  func next(into chunk: inout LineChunk) -> Step? {
    awaitTurn()
    return state.withLock { state in
      let begun = elapsed
      expectedEnd.store(begun + state.fillTime, ordering: .relaxed)
      isBusy.store(true, ordering: .relaxed)
      defer {
        isBusy.store(false, ordering: .relaxed)
        state.fillTime = elapsed - begun
      }
      let before = state.reader.offset
      guard state.reader.next(into: &chunk) else { return nil }
      let reading = state.formats.reading(of: chunk, of: input)
      guard let earlier else {
        return Step(
          settled: 0..<chunk.count, reading: reading, pending: 0..<0, pendingReading: reading,
          bytesRead: state.reader.offset - before)
      }
      // The file was replaced; discard what was read.
      if Self.isOther(state.reader, earlier) { return nil }
      // If a line is too long, the content of a chunk is longer than the chunk. If a day was
      // removed, part of a line may be counted permanently; the rest of it is not a line.
      let start =
        chunk.contentEnd <= earlier.settledLength
        ? chunk.count : chunk.lineStart(from: earlier.settledLength - chunk.offset)
      let end = max(start, Self.settledCount(of: chunk, state.reader, state.formats))
      state.settledLength = end == chunk.count ? chunk.contentEnd : chunk.offset + end
      return Step(
        settled: start..<end, reading: state.formats.reading(reading, from: start, of: chunk),
        pending: end..<chunk.count,
        pendingReading: state.formats.reading(reading, from: end, of: chunk),
        bytesRead: state.reader.offset - before)
    }
  }

  /// The time since this was created, in nanoseconds.
  private var elapsed: Int {
    let (seconds, attoseconds) = (ContinuousClock.now - created).components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }

  /// Waits for a while until no other worker fills a chunk.
  ///
  /// Filling a chunk takes about as long as counting its lines, so two workers want the lock in turn.
  /// Waking a thread takes a tenth of that time, for which all workers would wait. So one worker
  /// wakes before the chunk is probably full, and spins. The others sleep and leave their cores to
  /// other work.
  private func awaitTurn() {
    guard isBusy.load(ordering: .relaxed), !isAwaited.exchange(true, ordering: .relaxed) else {
      return
    }
    let rest = expectedEnd.load(ordering: .relaxed) - elapsed - Self.wakingTime
    if rest > 0 { usleep(UInt32(clamping: min(rest, Self.sleepLimit) / 1_000)) }
    var turns = 0
    while turns < Self.turnLimit, isBusy.load(ordering: .relaxed) {
      relax()
      turns += 1
    }
    isAwaited.store(false, ordering: .relaxed)
  }

  /// The time in which a sleeping thread certainly wakes, in nanoseconds; timers of Linux are late
  /// by 50 microseconds.
  private static let wakingTime = 100_000

  /// The longest sleep, in nanoseconds; a pipe can make a chunk take any time.
  private static let sleepLimit = 2_000_000

  /// The maximum number of turns of the loop, which takes some tenths of a millisecond.
  private static let turnLimit = 10_000

  /// Releases the file, even before its end.
  func close() { state.withLock { $0.reader.close() } }

  /// The number of bytes of a chunk whose lines can't change when the log grows.
  private static func settledCount(
    of chunk: LineChunk, _ reader: borrowing LogReader, _ formats: ChunkFormats
  ) -> Int {
    guard reader.isAtEnd else { return chunk.count }
    // Compressed logs seldom grow, and only by complete lines.
    if formats.isOpen, !reader.isCompressed || reader.damage != nil { return 0 }
    return chunk.wholeLineCount
  }

  /// Whether the content begins differently than expected.
  private static func isOther(
    _ reader: borrowing LogReader, _ expected: ContinuedLog
  ) -> Bool {
    guard let beginning = expected.beginning, let trace = reader.trace else { return false }
    if let found = trace.beginnings.first { return found != beginning }
    return reader.isAtEnd && trace.fingerprint != beginning
  }

  /// Counts the lines of a chunk that can still change.
  func addPending(of chunk: LineChunk, _ step: Step, _ options: ReductionOptions) {
    guard !step.pending.isEmpty else { return }
    var reducer = Reducer(options)
    var tally = reducer.reduce(chunk, step.pending, input: 0, step.pendingReading)
    // In an unfinished line, the user agent can seem to be in another field.
    if step.pending.upperBound > chunk.wholeLineCount {
      tally.misplacedAgents = max(0, tally.misplacedAgents - 1)
    }
    let share = LogShare(tally, reducer)
    let part = reducer.takePart()
    var counts = reducer.finish()
    for index in counts.tallies.indices { counts.tallies[index].tally = tally }
    var formats = InputFormatMemo()
    var log = summary(&formats)
    log.tally = tally
    let digest = TrafficDigest(
      DigestSummary(inputs: [log], counts: [counts]), parts: [part], runs: [])
    state.withLock { ($0.pending, $0.pendingDigest) = (share, digest) }
  }

  /// Returns a log that was continued, with the counts of its new lines.
  func continued(_ log: ContinuedLog, settled: LogShare?) -> ContinuedLog {
    var formats = InputFormatMemo()
    var log = log
    return state.withLock { state in
      log.input = Self.summary(input, settings, state, &formats)
      log.isOther = Self.isOther(state.reader, log)
      log.canNameHosts = state.formats.canNameHosts
      log.trace = state.reader.trace ?? ContentTrace()
      log.stamp = state.reader.stamp
      log.settledLength = max(state.settledLength, log.settledLength)
      log.settled = settled ?? LogShare()
      (log.pending, log.pendingDigest) = (state.pending, state.pendingDigest)
      return log
    }
  }

  /// Returns the outcome of the log.
  func summary(_ formats: inout InputFormatMemo) -> TrafficDigest.Input {
    state.withLock { Self.summary(input, settings, $0, &formats) }
  }

  private static func summary(
    _ input: LogInput, _ settings: TrafficDigest.InputSettings, _ state: borrowing State,
    _ formats: inout InputFormatMemo
  ) -> TrafficDigest.Input {
    var summary = TrafficDigest.Input(
      path: input.path, damage: state.reader.damage,
      format: state.formats.format.map { formats.input(of: $0) }, settings: settings,
      fingerprint: state.reader.fingerprint, unreadStart: state.formats.unreadStart,
      hasAmbiguousDates: state.formats.dates.areAmbiguous)
    summary.doubts = state.formats.doubts.map { TrafficDigest.FormatDoubt($0) }
    return summary
  }
}
