internal import AccessLogs
internal import Foundations

/// The work of one worker, which counts chunks.
///
/// This is the hot loop. For each line, it finds the fields, looks up the user agent, classifies
/// the referrer, and records the target. It allocates only when it sees something for the first
/// time.
struct Reducer: ~Copyable {
  private let options: ReductionOptions

  /// The requests for targets, and all other counts.
  private var targets: TargetTally
  private(set) var counts = WorkerCounts()

  /// The rejected lines of the chunk, if they are kept; see ``RejectedLineSpool``.
  var rejectedLines: [UInt8] = []

  private var time: TimeMemo

  /// The start of the current chunk, and whether each of its lines has a time.
  private var place = RejectionTally.Place(input: 0, chunk: 0, line: 0, offset: 0)
  private var namesTime = false

  /// The number of lines of the last chunk, where a row counts once, and the number of those that
  /// rows represent in addition.
  private(set) var lineCount = 0
  private var additionalLines = 0

  /// The number of requests of all rows so far, up to one more than the limit of a digest.
  private var rowRequests = 0

  private var agents = AgentMemo()
  private var referrers: ReferrerMemo
  private var hosts = RequestHosts()

  /// The parser of lines that the fastest one can't read, and its format.
  private var parser: LogParser?
  private var parserFormat: LogFormat?

  private var delimiters: DelimiterIndex?

  init(_ options: ReductionOptions) {
    self.options = options
    targets = TargetTally(memory: options.memoryLimit / max(1, options.jobs))
    referrers = ReferrerMemo(
      ReferrerClassifier(trackers: options.trackers, ownHosts: options.ownHosts))
    time = TimeMemo(options.timeSpan)
    referrers.begin(givenHost: options.defaultHost)
    hosts.begin(givenHost: options.defaultHost, in: &targets.hosts)
  }

  var byteCount: Int { targets.byteCount }

  /// Takes all counts of targets, so that the tables are empty.
  mutating func takePart() -> DigestPart {
    counts.fetches.addRecent(targets.hosts)
    referrers.removeAll()
    let part = targets.takePart()
    hosts.begin(givenHost: referrers.givenHost, in: &targets.hosts)
    return part
  }

  /// Takes the counts other than those of targets, after ``takePart()``.
  mutating func finish() -> WorkerCounts {
    counts.fetches.limit()
    (counts.clients, counts.referringHosts) = (agents.clientCounts, referrers.hostCounts)
    return counts
  }

  /// Counts lines of a chunk.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - range: The range of its bytes that are lines to count.
  ///   - input: The number of its input.
  ///   - reading: How the lines of the chunk are read, from its beginning on.
  mutating func reduce(
    _ chunk: LineChunk, _ range: Range<Int>, input: Int, _ reading: ChunkReading
  ) {
    var reading = reading
    if range.lowerBound > 0 {
      reading.heading.advance(
        over: chunk, upTo: range.lowerBound, in: reading.format, lineLimit: options.lineLimit)
    }
    if reading.defaultHost != referrers.givenHost {
      referrers.begin(givenHost: reading.defaultHost)
      hosts.begin(givenHost: reading.defaultHost, in: &targets.hosts)
    }
    time.dateOrder = reading.dateOrder
    place = RejectionTally.Place(
      input: input, chunk: chunk.index, line: 0, offset: chunk.offset + range.lowerBound)
    namesTime = reading.format.namesTime
    additionalLines = 0
    var share = ContinuedLog.Share()
    share.tally = chunk.withBytes { bytes in
      let bytes = bytes.extracting(range)
      guard !reading.isUnread,
        let parser = reading.format.commonLayout
      else { return reduceAny(bytes, reading) }
      return reduce(bytes, parser.limited(to: options.lineLimit))
    }
    lineCount = share.tally.lines
    share.tally.lines += additionalLines
    share.days = time.takeShares()
    share.rejections = counts.rejections.takeCounts()
    counts.shares[input, default: ContinuedLog.Share()].add(share)
    counts.chunks.append((input, chunk.index, lineCount))
  }

  /// Moves the parser of a format out, so that its text can be read while this value changes.
  private mutating func takeParser(_ reading: ChunkReading) -> LogParser {
    let known = parserFormat == reading.format ? parser.take() : nil
    parserFormat = reading.format
    var parser = known ?? LogParser(reading.format, lineLimit: options.lineLimit)
    parser.begin(after: reading.heading)
    return parser
  }

  /// Counts lines of any format, whose fields are rewritten; a row counts as the lines that it
  /// represents.
  private mutating func reduceAny(_ bytes: Span<UInt8>, _ reading: ChunkReading) -> LineTally {
    var parser = takeParser(reading)
    let hasRows = reading.format.hasRows
    var tally = LineTally()
    var position = 0
    while let range = bytes.nextLine(&position) {
      tally.lines += 1
      let line = bytes.extracting(range)
      switch parser.parse(line) {
      case .request where reading.isUnread:
        parser.reset()
        reject(bytes, range, &position, .noFields, &tally)
      case .request(let record):
        let isSizedFetch =
          hasRows
          ? count(parser.figures(of: line), record, in: parser.text.span, of: line, &tally)
          : count(record, in: parser.text.span, at: 0, of: line, 0..<line.count, &tally)
        if isSizedFetch { counts.fetches.addSize(parser.size(of: record, in: line)) }
        if targets.isFull || parser.text.count > Self.textLimit {
          targets.lookUp(in: parser.text.span)
          parser.reset()
        }
      case .rejected(let reason): reject(bytes, range, &position, reason, &tally)
      }
    }
    targets.lookUp(in: parser.text.span)
    self.parser = parser
    return tally
  }

  /// Counts a row, apart from lines of logs, so that the code for these holds nothing about rows.
  ///
  /// The number of its requests is limited, so that all rows together don't exceed the limit of a
  /// digest.
  @inline(never)
  private mutating func count(
    _ figures: (count: Int, lastTime: Range<Int>?), _ record: LogRecord, in text: Span<UInt8>,
    of line: Span<UInt8>, _ tally: inout LineTally
  ) -> Bool {
    var row = RequestFigures(
      requests: min(figures.count, LogFormat.rowCountLimit + 1 - rowRequests))
    rowRequests += row.requests
    time.read(record.time, in: text)
    if let first = time.time, let range = figures.lastTime {
      let last = LogTime(line.extracting(range))
      if let last, last >= first, last.day == first.day {
        row.times = first...last
      } else {
        row.times = first...first
        tally.unreadTimes += row.requests
      }
    } else {
      row.times = time.time?.day.wholeTimes
    }
    additionalLines += row.requests - 1
    return count(record, in: text, at: 0, of: line, 0..<line.count, row: row, &tally)
  }

  /// The maximum number of bytes of rewritten fields that are kept together.
  private static let textLimit = 1 << 16

  /// Counts lines of a common format: those with the usual delimiters, and others one by one.
  private mutating func reduce(_ bytes: Span<UInt8>, _ parser: LogLineParser) -> LineTally {
    // Moved out, so that it can be read while this value changes.
    var delimiters = delimiters.take() ?? .ofCommonLines()
    delimiters.find(in: bytes)
    var tally = LineTally()
    var (position, next) = (0, 0)
    let namesHost = parser.namesHost
    while position < bytes.count {
      let line =
        bytes.byte(position) == 0
        ? nil : parser.parseUsual(bytes, from: position, delimiters, at: &next)
      if let line, line.status != 0 {
        tally.lines += 1
        let end = delimiters[next]
        var record = line.record
        if namesHost { record.host = parser.host(of: line, at: position..<end, in: bytes) }
        let isSizedFetch = count(
          record, in: bytes, at: 0, of: bytes, position..<end, escapes: false, &tally)
        if isSizedFetch {
          counts.fetches.addSize(
            bytes.extracting(position..<end).size(of: record.moved(by: -position)))
        }
        if targets.isFull { targets.lookUp(in: bytes) }
        (position, next) = (end + 1, next + 1)
      } else {
        reduceLine(of: bytes, &position, parser, &tally)
        while delimiters[next] < min(position, bytes.count) { next += 1 }
      }
    }
    targets.lookUp(in: bytes)
    self.delimiters = consume delimiters
    return tally
  }

  /// Counts the line at a position, and moves the position past it and the empty lines after an
  /// empty one.
  @inline(never)
  private mutating func reduceLine(
    of bytes: Span<UInt8>, _ position: inout Int, _ parser: LogLineParser, _ tally: inout LineTally
  ) {
    guard let range = bytes.nextLine(&position) else { return }
    tally.lines += 1
    let line = bytes.extracting(range)
    switch parser.parse(line) {
    case .request(let record):
      let isSizedFetch = count(
        record, in: line, at: range.lowerBound, of: line, 0..<line.count, &tally)
      if isSizedFetch { counts.fetches.addSize(line.size(of: record)) }
      if targets.isFull { targets.lookUp(in: bytes) }
    case .rejected(let reason): reject(bytes, range, &position, reason, &tally)
    }
  }

  /// Counts the last line, which isn't a request, and keeps it if rejected lines are kept.
  ///
  /// The empty lines after an empty one count, too, unless the place of each is needed; the position
  /// moves past them.
  @inline(never)
  private mutating func reject(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ position: inout Int, _ reason: RejectionReason,
    _ tally: inout LineTally
  ) {
    if bytes.extracting(range).namesAppleBrowser { tally.rejectedAppleLines += 1 }
    var place = place
    place.line = tally.lines
    place.offset += range.lowerBound
    counts.rejections.add(reason, at: place)
    if options.keepsRejectedLines {
      // Keep the same bytes of a line that is too long, wherever a chunk ends.
      let end = min(range.upperBound, range.lowerBound + options.lineLimit + 1)
      rejectedLines.append(bytes.extracting(range.lowerBound..<end), reason, at: place)
    } else if reason == .emptyLine, counts.rejections.hasExamples(of: reason, upTo: place) {
      let count = bytes.skipEmptyLines(&position)
      counts.rejections.add(reason, lines: count)
      tally.lines += count
    }
  }

  /// Counts a request, or leaves it to ``TargetTally/lookUp(in:)``.
  ///
  /// - Parameters:
  ///   - record: The request.
  ///   - line: The bytes that contain its fields.
  ///   - start: The position of these bytes among those of the chunk.
  ///   - logged: The text with the line as logged; the record's fields may have been rewritten.
  ///   - range: The position of the line in that.
  ///   - escapes: Whether a backslash can be in the target.
  ///   - row: The requests of the row, whose time has been read, or `nil` for a line of a log.
  ///   - tally: The lines of the chunk so far.
  /// - Returns: Whether it is a fetch of an association file whose size matters.
  @inline(__always)
  private mutating func count(
    _ record: LogRecord, in line: Span<UInt8>, at start: Int, of logged: Span<UInt8>,
    _ range: Range<Int>, escapes: Bool = true, row: RequestFigures? = nil, _ tally: inout LineTally
  ) -> Bool {
    let requests = row?.requests ?? 1
    if row == nil { time.read(record.time, in: line) }
    if time.time == nil, lacksTime(record, in: line) {
      tally.unreadTimes += requests
      noteDoubt(record, in: line, tally.lines)
    }
    guard time.isInSpan else {
      tally.outside += requests
      return false
    }
    if let times = row?.times { time.widen(to: times) }
    tally.requests += requests
    time.count(requests)
    let agent = agents.count(record.agent, in: line, day: time.packedDay, requests: requests)
    if !line.beginsAsBrowser(record.agent),
      Self.isMisplaced(record.agent, in: line, of: logged.extracting(range))
    {
      tally.misplacedAgents += requests
      noteDoubt(record, in: line, tally.lines)
    }
    let isGet = line.isGet(record.method)

    let field = line.extracting(record.target)
    let isPlain =
      !escapes
      || field[0] == UInt8(ascii: "/") && field.firstIndex(of: UInt8(ascii: "\\")) == nil
    if !isPlain { hosts.target.set(field) }
    hosts.read(record, in: line, &targets.hosts)
    let id = hosts.last.id

    var referral = Referral.none
    var referrerKind = ReferrerKind.unknown
    var page: (range: Range<Int>, pathStart: Int)?
    if let range = record.referrer {
      let isCounted = hosts.last.isGiven && hosts.last.nameLength > 0 && !options.isHostConfirmed
      let answer = referrers.answer(
        line.extracting(range), for: hosts.last, counting: isCounted ? requests : 0)
      page = answer.pathStart.map { (range, $0) }
      (referral, referrerKind) = page == nil ? (.otherHost, answer.kind) : (.sameHost, .unknown)
    }
    let dimensions = Dimensions(
      day: time.packedDay, platform: agent.platform, referral: referral, isGet: isGet,
      status: record.status, referrer: referrerKind, systemAge: agent.systemAge,
      isSubresource: record.isSubresource)
    if isPlain {
      targets.add(
        field, at: start + record.target.lowerBound, host: id, dimensions, count: UInt64(requests),
        from: page, in: line, at: start)
      return countFetch(field, by: agent.client, record.status, row, host: id) && isGet
    }
    let text = hosts.target.text
    targets.add(text, host: id, dimensions, count: UInt64(requests), from: page, in: line)
    return countFetch(text.span, by: agent.client, record.status, row, host: id) && isGet
  }

  /// Counts a request, or those of a row, if their target is the path of an association file, and
  /// returns whether it is.
  @inline(__always)
  private mutating func countFetch(
    _ target: Span<UInt8>, by client: Client, _ status: UInt16, _ row: RequestFigures?,
    host: UInt32
  ) -> Bool {
    guard FetchTally.mayCount(target) else { return false }
    let figures = row ?? RequestFigures(requests: 1, times: time.time.map { $0...$0 })
    return counts.fetches.add(
      target, by: client.fetcher, status, figures, day: time.packedDay, host: host,
      targets.hosts)
  }

  /// Returns a Boolean value indicating whether a line without a readable time should have one.
  ///
  /// An ambiguous day counts as readable.
  @inline(never)
  private func lacksTime(_ record: LogRecord, in line: Span<UInt8>) -> Bool {
    guard let range = record.time else { return namesTime }
    // A dash means that there is no time.
    if range.count == 1, line[range.lowerBound] == UInt8(ascii: "-") { return false }
    return time.dateOrder != nil || NumericDate(line.extracting(range)) == nil
  }

  /// Records how a line was read that contradicts its format.
  @inline(never)
  private mutating func noteDoubt(_ record: LogRecord, in line: Span<UInt8>, _ number: Int) {
    var place = place
    place.line = number
    if let known = counts.doubtfulLines[place.input], known.place < place { return }
    let fields = TrafficDigest.DoubtfulField.all(of: record, in: line)
    counts.doubtfulLines[place.input] = (place, fields)
  }

  /// Returns a Boolean value indicating whether a browser's name is in a line, but not in the user
  /// agent field.
  @inline(never)
  private static func isMisplaced(
    _ agent: Range<Int>?, in line: Span<UInt8>, of logged: Span<UInt8>
  ) -> Bool {
    guard logged.contains("Mozilla/") else { return false }
    return agent.map { !line.extracting($0).contains("Mozilla/") } ?? true
  }
}

extension Span<UInt8> {
  @inline(__always)
  fileprivate func isGet(_ method: Range<Int>) -> Bool {
    // Elastic's collectors write methods in small letters.
    method.count == 3 && self[method.lowerBound] | 0x20 == UInt8(ascii: "g")
      && self[method.lowerBound + 1] | 0x20 == UInt8(ascii: "e")
      && self[method.lowerBound + 2] | 0x20 == UInt8(ascii: "t")
  }

  /// `Mozilla/`.
  private static var browserWord: UInt64 { 0x2F61_6C6C_697A_6F4D }

  /// Returns a Boolean value indicating whether a user agent begins as those of browsers do.
  @inline(__always)
  fileprivate func beginsAsBrowser(_ agent: Range<Int>?) -> Bool {
    guard let agent, agent.count >= 8 else { return false }
    return word(agent.lowerBound) == Self.browserWord
  }
}
