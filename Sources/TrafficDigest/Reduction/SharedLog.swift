internal import AccessLogs
internal import CProcessor
internal import Foundations
internal import Synchronization

/// A log that workers share; each takes chunks in turn.
final class SharedLog: Sendable {
  private struct State: ~Copyable {
    var reader: LogReader
    var formats: ChunkFormats

    /// The log with what is counted so far, if its lines may have been counted before.
    var log: ContinuedLog?

    /// The time that it took to fill the last chunk, in nanoseconds.
    var fillTime = 0
  }

  let number: Int
  let input: LogInput

  private let settings: TrafficDigest.InputSettings
  private let state: Locked<State>

  /// Whether a worker fills a chunk, and whether another one waits until it has without a lock.
  private let isBusy = Atomic(false)
  private let isAwaited = Atomic(false)

  /// The time when that chunk is probably full; see ``elapsed``.
  private let expectedEnd = Atomic(0)
  private let created = ContinuousClock.now

  init(
    _ input: LogInput, number: Int, _ options: ReductionOptions,
    _ settings: TrafficDigest.InputSettings, continuing earlier: ContinuedLog? = nil
  ) {
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
        formats: ChunkFormats(named: options.format, lineLimit: options.lineLimit), log: earlier))
  }

  /// Fills `chunk` with the next lines, and returns how to read them and the number of bytes of the
  /// file that were read for it, or `nil` at the end.
  func next(into chunk: inout LineChunk) -> (reading: ChunkReading, bytesRead: Int)? {
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
      // If a line is too long, the content of a chunk is longer than the chunk. If a day was
      // removed, part of a line may be counted permanently; the rest of it is not a line.
      let counted = state.log?.settledLength ?? 0
      let start =
        chunk.contentEnd <= counted ? chunk.count : chunk.lineStart(from: counted - chunk.offset)
      var reading = state.formats.reading(
        of: chunk, of: input, newFrom: start, isLast: state.reader.isAtEnd)
      reading.defaultHost = settings.defaultHost
      reading.settled = start..<chunk.count
      if let log = state.log {
        // The file was replaced; discard what was read.
        if Self.isOther(state.reader, log) { return nil }
        let end = max(start, Self.settledCount(of: chunk, state.reader, state.formats))
        state.log?.settledLength = max(
          log.settledLength, end == chunk.count ? chunk.contentEnd : chunk.offset + end)
        reading.settled = start..<end
      }
      return (reading, state.reader.offset - before)
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
  func addPending(of chunk: LineChunk, _ reading: ChunkReading, _ options: ReductionOptions) {
    let pending = reading.settled.upperBound..<chunk.count
    guard !pending.isEmpty else { return }
    var reducer = Reducer(options)
    reducer.reduce(chunk, pending, input: 0, reading)
    let part = reducer.takePart()
    var counts = reducer.finish()
    var share = counts.shares[0] ?? ContinuedLog.Share()
    // In an unfinished line, the user agent can seem to be in another field.
    if chunk.count > chunk.wholeLineCount {
      share.tally.misplacedAgents = max(0, share.tally.misplacedAgents - 1)
    }
    counts.shares = [0: share]
    var formats = InputFormatMemo()
    var input = summary(&formats)
    // All lines of the log have these.
    input.doubts = []
    let digest = TrafficDigest(
      DigestSummary(inputs: [input], counts: [counts]), parts: [part], runs: [])
    state.withLock { state in
      state.log?.pending = share
      state.log?.pendingDigest = digest
    }
  }

  /// The log with what was read of it, if its lines may have been counted before.
  var continued: ContinuedLog? {
    var formats = InputFormatMemo()
    let input = summary(&formats)
    return state.withLock { state in
      guard var log = state.log else { return nil }
      log.input = input
      log.isOther = Self.isOther(state.reader, log)
      log.canNameHosts = state.formats.canNameHosts
      log.trace = state.reader.trace ?? ContentTrace()
      log.stamp = state.reader.stamp
      return log
    }
  }

  /// Returns the outcome of the log.
  func summary(_ formats: inout InputFormatMemo) -> TrafficDigest.Input {
    state.withLock { state in
      var summary = TrafficDigest.Input(
        path: input.path, damage: state.reader.damage,
        format: state.formats.format.map { formats.input(of: $0) }, settings: settings)
      summary.fingerprint = state.reader.trace?.fingerprint
      summary.unreadStart = state.formats.unreadStart
      summary.hasAmbiguousDates = state.formats.dates.areAmbiguous
      summary.doubts = state.formats.doubts
      return summary
    }
  }
}

// MARK: - Formats

/// How to read the lines of a chunk.
struct ChunkReading: Sendable {
  var format: LogFormat

  /// The bytes of the chunk whose new lines count permanently; those after them can still change.
  var settled = 0..<0

  /// Whether no format fits the log so far, so that none of the lines counts as a request.
  ///
  /// Some lines may look like requests of ``format``, but all of them together contradict it.
  var isUnread = false

  /// The state that directives before the chunk have set.
  var heading = ColumnHeading()

  /// The host of lines that name none, or `nil` if it isn't known.
  var defaultHost: String?

  /// The position of the month in a day such as `10/06/2000`, or `nil` if it isn't known.
  var dateOrder: DateOrder?
}

/// The formats of the chunks of a log, in the order of the chunks.
struct ChunkFormats: Sendable {
  /// The named format, or that of the first lines; `nil` if none fits.
  private(set) var format: LogFormat?

  /// The beginning of the log if no format fits its first lines.
  private(set) var unreadStart: [UInt8] = []

  /// The oddities of the first lines of the log in its format, and of later ones.
  private(set) var doubts: [FormatReview.Doubt] = []

  /// The review of the first lines, or `nil` for rows and before a format fits.
  private var review: FormatReview?

  /// The number of its chunk, and the position after its last line there.
  private var reviewEnd = (chunk: 0, position: 0)

  /// The last new lines of the chunk before, because the last chunk can have only a few.
  private var tail: [UInt8] = []
  private static let tailLength = 1 << 14

  /// The number of the next chunk of which some lines are reviewed.
  private var nextReview = Self.reviewDistances.lowerBound

  /// A Boolean value indicating whether more lines in the last chunk could have changed how it is
  /// read.
  private(set) var isOpen = false

  /// A Boolean value indicating whether lines can name hosts, judging from the lines so far.
  var canNameHosts: Bool { format?.canNameHosts(under: heading, hasHostKey: hasHostKey) ?? false }

  /// The numeric dates of the lines so far.
  private(set) var dates = NumericDates()

  private let isNamed: Bool
  private var hasHostKey = false
  private var heading = ColumnHeading()
  private var isBegun = false

  private let lineLimit: Int

  init(named format: LogFormat?, lineLimit: Int) {
    self.lineLimit = lineLimit
    self.format = format
    isNamed = format != nil
  }

  /// The number of chunks after which detection stops.
  private static let detectionLimit = 64

  /// The number of bytes of ``unreadStart``.
  private static let startLength = 1 << 14

  /// The numbers of chunks between two reviews, which grow with the log so that reviews take hardly
  /// any time.
  private static let reviewDistances = 16...128

  /// Determines how to read the next chunk.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - input: Its log.
  ///   - start: The position of its first line that hasn't been counted before.
  ///   - isLast: Whether the log ends with it.
  /// - Returns: How to read it.
  mutating func reading(
    of chunk: LineChunk, of input: LogInput, newFrom start: Int, isLast: Bool
  ) -> ChunkReading {
    isOpen = false
    if !isBegun || format == nil, chunk.index < Self.detectionLimit {
      look(at: chunk)
      if let format { dates.begin(chunk, format, heading, of: input) }
    }
    isBegun = true
    let reading = ChunkReading(
      format: format ?? .combined, isUnread: format == nil,
      heading: heading, dateOrder: dates.order)
    // Directives apply from their place on, even if lines that show the format come later.
    if format != nil || chunk.index < Self.detectionLimit {
      heading.advance(
        over: chunk, upTo: chunk.count, in: format ?? .w3c, lineLimit: lineLimit)
    }
    if chunk.index >= nextReview || isLast {
      let distances = Self.reviewDistances
      nextReview =
        chunk.index + min(max(chunk.index, distances.lowerBound), distances.upperBound)
      lookForChange(in: chunk, reading, newFrom: start, isLast: isLast)
    }
    if isLast {
      // There can be a hundred thousand logs, whose outcomes are kept.
      (review, tail) = (nil, [])
    } else if review != nil, format?.hasHeadings == false {
      // In other lines, the directives before them would be needed, too.
      let first = chunk.lineStart(from: max(start, chunk.count - Self.tailLength))
      tail.removeAll(keepingCapacity: true)
      chunk.withBytes { $0.extracting(first..<$0.count).append(to: &tail) }
    }
    return reading
  }

  private mutating func look(at chunk: LineChunk) {
    var format = format
    if isNamed {
      format = format?.unwrapping(chunk)
    } else {
      let detection = LogFormat.detect(in: chunk)
      (format, isOpen) = (detection.format, !detection.isSettled)
    }
    if let format, !isNamed || format.fits(chunk) {
      self.format = format
      hasHostKey = format.hasHostKey(in: chunk)
      unreadStart = []
      guard !format.hasRows else { return }
      let review = FormatReview(chunk, readAs: format, after: heading, isTime: Self.isTime)
      (self.review, reviewEnd) = (review, (chunk.index, review.beginningEnd))
      doubts = review.doubts(isNamed: isNamed)
    } else if !isBegun {
      unreadStart = chunk.start(upTo: Self.startLength)
    }
  }

  private static func isTime(_ bytes: Span<UInt8>) -> Bool {
    LogTime(bytes) != nil || NumericDate(bytes) != nil
  }

  /// Looks at the last new lines of a chunk, in case that the server has got another format.
  private mutating func lookForChange(
    in chunk: LineChunk, _ reading: ChunkReading, newFrom start: Int, isLast: Bool
  ) {
    guard let review else { return }
    let count = FormatReview.laterLineCount
    let reviewed = reviewEnd.chunk == chunk.index ? reviewEnd.position : 0
    var (lines, first, origin) = (chunk, max(start, reviewed, chunk.start(ofLast: count)), start)
    if isLast, first == 0, !tail.isEmpty {
      (lines, origin) = (LineChunk(), tail.count)
      lines.append(tail.span)
      chunk.withBytes { lines.append($0) }
      first = lines.start(ofLast: count)
    }
    guard first < lines.count else { return }
    var heading = reading.heading
    heading.advance(over: lines, upTo: first, in: reading.format, lineLimit: lineLimit)
    let later = FormatReview(
      lines, from: first, readAs: reading.format, after: heading, isTime: Self.isTime)
    for var doubt in later.changes(since: review)
    where !doubts.contains(where: { $0.oddity == doubt.oddity }) {
      doubt.line = 1 + lines.lineCount(upTo: first) - lines.lineCount(upTo: origin)
      doubt.chunk = chunk.index
      doubts.append(doubt)
    }
  }
}
