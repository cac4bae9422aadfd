internal import AccessLogs
internal import Foundations

/// The work of one worker, which counts chunks.
///
/// This is the hot loop. For each line, it finds the fields, looks up the user agent, classifies
/// the referrer, and records the target. It allocates only when it sees something for the first
/// time.
struct Reducer: ~Copyable {
  private let options: ReductionOptions
  private var hosts = ByteTable(capacity: 16)

  /// The targets; the scope is the number of the host.
  private var targets = ByteTable(capacity: 1024)

  /// The combinations of dimensions, and the requests for a target with each.
  private var combinations = WordTable()
  private var requests: KeyCounter

  /// The pages with links that same-host visits followed, by ``PageKey``, and the visits of a
  /// target from each.
  private var pages = WordTable()
  private var pageVisits: KeyCounter
  private var referringPages = ReferringPages()

  private(set) var rejections = RejectionTally()
  /// The rejected lines of the chunk, if they are kept.
  var rejectedLines = RejectedLinePiece()

  private var fetches = FetchTally()
  private var time: TimeMemo

  /// The first line of each input that contradicts how it was read.
  private var doubtfulLines = DoubtfulLines()

  /// The start of the current chunk, and whether each of its lines has a time.
  private var place = RejectionTally.Place(input: 0, chunk: 0, line: 0, offset: 0)
  private var namesTime = false

  /// The requests of the last chunk by day.
  private(set) var days: [Day?: DayRequests] = [:]

  /// The times of the first and the last request of each day.
  private var dayTimes = DayTimes()

  /// The number of lines of the last chunk, where a row counts once.
  private(set) var lineCount = 0

  /// The number of requests of all rows so far, up to one more than the limit of a digest.
  private var rowRequests = 0

  private var agents = AgentMemo()
  private var referrers: ReferrerMemo

  /// The parser of lines that the fastest one can't read, and its format.
  private var parser: LogParser?
  private var parserFormat: LogFormat?

  /// The delimiters of the chunk.
  private var delimiters: DelimiterIndex?

  /// The requests whose targets have not been looked up yet.
  private var pending = Buffer<PendingRequest>(capacity: PendingRequest.limit)

  /// A target that isn't just a path.
  private var target = RequestTarget()

  /// The host of lines that name none.
  private var defaultHost = RequestHost()
  private var defaultHostName: String?

  /// The last host field, and its meaning.
  private var hostField: [UInt8] = []
  private var lineHost = RequestHost()

  /// The host of a target in absolute form.
  private var targetHost = RequestHost()

  init(_ options: ReductionOptions) {
    self.options = options
    let memory = options.memoryLimit / max(1, options.jobs)
    requests = KeyCounter(memory: memory)
    pageVisits = KeyCounter(memory: memory)
    referrers = ReferrerMemo(
      ReferrerClassifier(trackers: options.trackers, ownHosts: options.ownHosts))
    time = TimeMemo(options.timeSpan)
    defaultHostName = options.defaultHost
    setDefaultHost()
  }

  private mutating func setDefaultHost() {
    defaultHost.set(named: defaultHostName ?? "", in: &hosts)
  }

  /// The number of bytes of the tables.
  var byteCount: Int {
    // Requesting all counts merges them, which takes as much space again. Sorting targets takes a
    // key of 16 bytes each. Judging keeps names and counts of hosts.
    targets.byteCount + targets.count * 16 + 2 * (requests.byteCount + pageVisits.byteCount)
      + pages.byteCount + referringPages.templates.byteCount + combinations.byteCount
      + hosts.byteCount + hosts.count * Self.hostByteCount
  }

  /// The number of bytes that judging takes for each host.
  private static let hostByteCount = 256

  /// Takes all counts of targets, so that the tables are empty.
  mutating func takePart() -> DigestPart {
    fetches.addRecent(hosts)
    referrers.removeAll(defaultHostName)
    let part = DigestPart(
      hosts: exchange(&hosts, with: ByteTable(capacity: 16)),
      targets: exchange(&targets, with: ByteTable(capacity: 1024)), requests: requests.finish(),
      combinations: exchange(&combinations, with: WordTable()), pageVisits: pageVisits.finish(),
      pages: exchange(&pages, with: WordTable()), templates: referringPages.takeTemplates())
    setDefaultHost()
    // Looked up again at the next line, because their numbers have changed.
    hostField.removeAll()
    targetHost = RequestHost()
    return part
  }

  /// Takes the counts other than those of targets, after ``takePart()``.
  ///
  /// - Parameter tallies: The lines of each chunk.
  /// - Returns: The counts.
  mutating func finish(_ tallies: [ChunkTally]) -> WorkerCounts {
    fetches.limit()
    return WorkerCounts(
      rejections: rejections, doubtfulLines: doubtfulLines, fetches: fetches,
      clients: agents.clientCounts, referringHosts: referrers.hosts.counts,
      dayTimes: dayTimes, tallies: tallies)
  }

  /// The times of the first and the last request of the last chunk.
  var times: ClosedRange<LogTime>? {
    days.values.map(\.times).reduce(nil, DigestSummary.union)
  }

  /// Counts lines of a chunk.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - range: The range of its bytes that are lines to count.
  ///   - input: The number of its input.
  ///   - reading: How its lines are read.
  /// - Returns: The number of lines, and of requests among them.
  mutating func reduce(
    _ chunk: borrowing LineChunk, _ range: Range<Int>, input: Int, _ reading: ChunkReading
  ) -> LineTally {
    if reading.defaultHost != defaultHostName {
      referrers.finish(defaultHostName)
      defaultHostName = reading.defaultHost
      setDefaultHost()
    }
    time.dateOrder = reading.dateOrder
    let place = RejectionTally.Place(
      input: input, chunk: chunk.index, line: 0, offset: chunk.offset + range.lowerBound)
    (self.place, namesTime) = (place, reading.format.namesTime)
    let tally = chunk.withBytes { bytes in
      let bytes = bytes.extracting(range)
      guard !reading.isUnread,
        let parser = LogLineParser(reading.format, lineLimit: options.lineLimit)
      else {
        return reduceAny(bytes, at: place, reading)
      }
      let tally = reduce(bytes, at: place, parser)
      lineCount = tally.lines
      return tally
    }
    days = time.takeShares()
    for times in days.values.lazy.compactMap(\.times) { dayTimes.add(times) }
    return tally
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
  private mutating func reduceAny(
    _ bytes: Span<UInt8>, at place: RejectionTally.Place, _ reading: ChunkReading
  ) -> LineTally {
    var parser = takeParser(reading)
    let hasRows = reading.format.hasRows
    var tally = LineTally()
    var position = 0
    lineCount = 0
    while let range = bytes.nextLine(&position) {
      lineCount += 1
      let line = bytes.extracting(range)
      switch parser.parse(line) {
      case .request where reading.isUnread:
        tally.lines += 1
        parser.reset()
        reject(bytes, range, .noFields, at: place, line: lineCount, &tally)
      case .request(let record):
        let isSizedFetch: Bool
        if hasRows {
          let row = row(parser.figures(of: line), record, in: parser.text.span, of: line, &tally)
          isSizedFetch = count(row, record, in: parser.text.span, of: line, &tally)
        } else {
          tally.lines += 1
          isSizedFetch = count(
            record, in: parser.text.span, at: 0, of: line, 0..<line.count, &tally)
        }
        if isSizedFetch { fetches.addSize(parser.size(of: record, in: line)) }
        if pending.count == PendingRequest.limit || parser.text.count > Self.textLimit {
          lookUpPending(in: parser.text.span)
          parser.reset()
        }
      case .rejected(let reason):
        tally.lines += 1
        reject(bytes, range, reason, at: place, line: lineCount, &tally)
        if reason == .emptyLine {
          let count = countEmptyLines(of: bytes, &position, at: place, line: lineCount)
          lineCount += count
          tally.lines += count
        }
      }
    }
    lookUpPending(in: parser.text.span)
    self.parser = parser
    return tally
  }

  /// Counts a row, whose time has been read.
  ///
  /// It is apart from lines of logs, so that the code for them holds nothing about rows.
  @inline(never)
  private mutating func count(
    _ row: Row, _ record: LogRecord, in text: Span<UInt8>, of line: Span<UInt8>,
    _ tally: inout LineTally
  ) -> Bool {
    tally.lines += row.requests
    return count(record, in: text, at: 0, of: line, 0..<line.count, row: row, &tally)
  }

  /// The requests of a row, in the forms that each count takes.
  private struct Row {
    var requests: Int

    /// The times of the first and the last of them, or `nil` without times.
    var times: ClosedRange<LogTime>?
  }

  /// Reads the times of a row and the number of its requests.
  ///
  /// The number is limited, so that all rows together don't exceed the limit of a digest.
  private mutating func row(
    _ figures: RowFigures, _ record: LogRecord, in text: Span<UInt8>, of line: Span<UInt8>,
    _ tally: inout LineTally
  ) -> Row {
    var row = Row(requests: min(figures.count, RowFigures.countLimit + 1 - rowRequests))
    rowRequests += row.requests
    time.read(record.time, in: text)
    guard let first = time.time else { return row }
    if let range = figures.lastTime {
      let last = LogTime(line.extracting(range))
      if let last, last >= first, last.day == first.day {
        row.times = first...last
      } else {
        row.times = first...first
        tally.unreadTimes += row.requests
      }
    } else {
      row.times = first.day.wholeTimes
    }
    return row
  }

  /// The maximum number of bytes of rewritten fields that are kept together.
  private static let textLimit = 1 << 16

  /// Counts lines of a common format: those with the usual delimiters, and others one by one.
  private mutating func reduce(
    _ bytes: Span<UInt8>, at place: RejectionTally.Place, _ parser: LogLineParser
  ) -> LineTally {
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
          fetches.addSize(
            bytes.extracting(position..<end).size(of: record.moved(by: -position)))
        }
        if pending.count == PendingRequest.limit { lookUpPending(in: bytes) }
        (position, next) = (end + 1, next + 1)
      } else {
        reduceLine(of: bytes, &position, at: place, parser, &tally)
        while delimiters[next] < min(position, bytes.count) { next += 1 }
      }
    }
    lookUpPending(in: bytes)
    self.delimiters = consume delimiters
    return tally
  }

  /// Counts the line at a position and the empty ones after it, and moves the position past them.
  @inline(never)
  private mutating func reduceLine(
    of bytes: Span<UInt8>, _ position: inout Int, at place: RejectionTally.Place,
    _ parser: LogLineParser, _ tally: inout LineTally
  ) {
    guard let range = bytes.nextLine(&position) else { return }
    tally.lines += 1
    let line = bytes.extracting(range)
    switch parser.parse(line) {
    case .request(let record):
      let isSizedFetch = count(
        record, in: line, at: range.lowerBound, of: line, 0..<line.count, &tally)
      if isSizedFetch { fetches.addSize(line.size(of: record)) }
      if pending.count == PendingRequest.limit { lookUpPending(in: bytes) }
    case .rejected(let reason):
      reject(bytes, range, reason, at: place, line: tally.lines, &tally)
      if reason == .emptyLine {
        tally.lines += countEmptyLines(of: bytes, &position, at: place, line: tally.lines)
      }
    }
  }

  /// Counts a line that isn't a request, and keeps it if rejected lines are kept.
  @inline(never)
  private mutating func reject(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ reason: RejectionReason,
    at chunk: RejectionTally.Place, line: Int, _ tally: inout LineTally
  ) {
    if bytes.extracting(range).namesAppleBrowser { tally.rejectedAppleLines += 1 }
    var place = chunk
    place.line = line
    place.offset += range.lowerBound
    rejections.add(reason, at: place)
    if options.keepsRejectedLines {
      // Keep the same bytes of a line that is too long, wherever a chunk ends.
      let end = min(range.upperBound, range.lowerBound + options.lineLimit + 1)
      rejectedLines.add(bytes.extracting(range.lowerBound..<end), reason, at: place)
    }
  }

  /// Counts the empty lines after one, unless the place of each is needed.
  ///
  /// - Parameters:
  ///   - bytes: The lines.
  ///   - position: The position after the empty line; it moves past those that are counted.
  ///   - chunk: The place of `bytes`.
  ///   - line: The number of lines so far.
  /// - Returns: The number of lines that were counted.
  private mutating func countEmptyLines(
    of bytes: Span<UInt8>, _ position: inout Int, at chunk: RejectionTally.Place, line: Int
  ) -> Int {
    var next = chunk
    next.line = line + 1
    guard !options.keepsRejectedLines, rejections.hasExamples(of: .emptyLine, before: next) else {
      return 0
    }
    let count = bytes.skipEmptyLines(&position)
    if count > 0 { rejections.add(.emptyLine, lines: count) }
    return count
  }

  /// Counts a request, or leaves it to ``lookUpPending(in:)``.
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
    _ range: Range<Int>, escapes: Bool = true, row: Row? = nil, _ tally: inout LineTally
  ) -> Bool {
    let requests = row?.requests ?? 1
    if row == nil { time.read(record.time, in: line) }
    if time.time == nil, lacksTime(record, in: line) {
      tally.unreadTimes += requests
      noteDoubt(record, in: line, row == nil ? tally.lines : lineCount)
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
      noteDoubt(record, in: line, row == nil ? tally.lines : lineCount)
    }
    let isGet = line.isGet(record.method)

    let field = line.extracting(record.target)
    let isPlain =
      !escapes
      || field[0] == UInt8(ascii: "/") && field.firstIndex(of: UInt8(ascii: "\\")) == nil
    if !isPlain { target.set(field) }
    let ownHost = readHost(record, in: line)
    let id = id(of: ownHost)

    var referral = Referral.none
    var referrerKind = ReferrerKind.unknown
    var pathStart: Int?
    if let range = record.referrer {
      let referrer = line.extracting(range)
      let isCounted =
        ownHost == .defaultHost && defaultHost.nameLength > 0 && !options.isHostConfirmed
      // Access properties one by one: a method call would copy the complete reducer.
      switch ownHost {
      case .defaultHost: pathStart = defaultHost.usualPathStart(in: referrer)
      case .lineHost: pathStart = lineHost.usualPathStart(in: referrer)
      case .target: pathStart = targetHost.usualPathStart(in: referrer)
      }
      if pathStart != nil {
        referral = .sameHost
        if isCounted { referrers.addOwn(requests: requests) }
      } else {
        let counted = isCounted ? requests : 0
        let answer =
          switch ownHost {
          case .defaultHost: referrers.answer(referrer, for: defaultHost, counting: counted)
          case .lineHost: referrers.answer(referrer, for: lineHost, counting: counted)
          case .target: referrers.answer(referrer, for: targetHost, counting: counted)
          }
        pathStart = answer.pathStart
        referral = pathStart == nil ? .otherHost : .sameHost
        if pathStart == nil { referrerKind = answer.kind }
        if referrers.isFull { referrers.removeAll(defaultHostName) }
      }
    }
    let dimensions = Dimensions(
      day: time.packedDay, platform: agent.platform, referral: referral, isGet: isGet,
      status: record.status, referrer: referrerKind, systemAge: agent.systemAge,
      isSubresource: record.isSubresource)
    let combination = combinations.insert(dimensions.bits)
    var page = ReferringPages.Page.none
    if let pathStart, let range = record.referrer, dimensions.mayBeVisit {
      page = referringPages.page(in: line.extracting(range), from: pathStart)
      page.start &+= UInt32(truncatingIfNeeded: start + range.lowerBound)
    }
    if isPlain {
      let request = PendingRequest(
        hash: targets.hash.hash(field, scope: id),
        start: UInt32(truncatingIfNeeded: start + record.target.lowerBound),
        length: UInt32(truncatingIfNeeded: field.count), host: id, combination: combination,
        count: UInt64(requests), page: page)
      targets.prefetchSlot(request.hash)
      if page.kind == .text { referringPages.templates.prefetchSlot(page.hashOrNumber) }
      pending.append(request)
    } else {
      let target = targets.insert(target.text, scope: id).id
      self.requests.add(
        TrafficDigest.Count.key(target: target, other: combination), count: UInt64(requests))
      addVisit(page, combination, of: target, line: line, at: start, count: UInt64(requests))
    }
    if isPlain {
      guard FetchTally.mayCount(field) else { return false }
      return fetches.add(
        field, by: agent.fetcher ?? .other, record.status, figures(of: row), day: time.packedDay,
        host: id, hosts) && isGet
    }
    let text = target.text
    guard FetchTally.mayCount(text.span) else { return false }
    return fetches.add(
      text.span, by: agent.fetcher ?? .other, record.status, figures(of: row),
      day: time.packedDay, host: id, hosts) && isGet
  }

  /// The figures of the line's request, or of a row's.
  @inline(__always)
  private func figures(of row: Row?) -> FetchFigures {
    guard let row else { return FetchFigures(requests: 1, times: time.time.map { $0...$0 }) }
    return FetchFigures(requests: row.requests, times: row.times)
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
    doubtfulLines.add(record, in: line, at: place)
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

  /// Records visits of a target from a page.
  private mutating func addVisit(
    _ page: ReferringPages.Page, _ combination: UInt32, of target: Int, line: Span<UInt8>,
    at start: Int, count: UInt64
  ) {
    guard page.kind != .none else { return }
    let template = referringPages.number(of: page, at: Int(page.start) - start, in: line)
    let number = pages.insert(PageKey(template: template, combination: combination).bits)
    pageVisits.add(TrafficDigest.Count.key(target: target, other: number), count: count)
  }

  /// Looks up the targets of waiting requests, and the pages with their links.
  ///
  /// Each step prefetches data of the next step for all requests, so that the processor waits for
  /// memory once for all of them.
  @inline(never)
  private mutating func lookUpPending(in bytes: Span<UInt8>) {
    for index in 0..<pending.count {
      let request = pending[index]
      pending[index].record = targets.prefetchRecord(request.hash, length: Int(request.length))
      if request.page.kind == .text {
        _ = referringPages.templates.prefetchRecord(
          request.page.hashOrNumber, length: Int(request.page.length))
      }
    }
    for index in 0..<pending.count {
      let request = pending[index]
      guard request.page.kind != .none else { continue }
      let template = referringPages.number(
        of: request.page, at: Int(request.page.start), in: bytes)
      let key = PageKey(template: template, combination: request.combination).bits
      let hash = pages.hash(of: key)
      pages.prefetchSlot(hash)
      pending[index].pageKey = key
      pending[index].pageHash = hash
    }
    for index in 0..<pending.count where pending[index].page.kind != .none {
      pages.prefetchWord(pending[index].pageHash)
    }
    for index in 0..<pending.count {
      let request = pending[index]
      let start = Int(request.start)
      let target = targets.insert(
        bytes.extracting(start..<(start + Int(request.length))), scope: request.host,
        hash: request.hash, record: Int(request.record)
      ).id
      requests.add(
        TrafficDigest.Count.key(target: target, other: request.combination), count: request.count)
      if request.page.kind != .none {
        let page = pages.insert(request.pageKey, hash: request.pageHash)
        pageVisits.add(TrafficDigest.Count.key(target: target, other: page), count: request.count)
      }
    }
    pending.removeAll()
  }

  /// Determines the host of a request.
  private enum OwnHost {
    case defaultHost
    case lineHost
    case target
  }

  @inline(__always)
  private func id(of host: OwnHost) -> UInt32 {
    switch host {
    case .defaultHost: defaultHost.id
    case .lineHost: lineHost.id
    case .target: targetHost.id
    }
  }

  @inline(__always)
  private mutating func readHost(_ record: LogRecord, in line: Span<UInt8>) -> OwnHost {
    // A target in absolute form has its own host; `target` is up to date only if this request's
    // target isn't a plain path.
    if line[record.target.lowerBound] != UInt8(ascii: "/"), !target.host.isEmpty {
      targetHost.set(target.host, in: &hosts)
      return .target
    }
    guard let range = record.host else { return .defaultHost }
    let field = line.extracting(range)
    if !field.isEqual(to: hostField.span) || hostField.isEmpty {
      hostField.removeAll(keepingCapacity: true)
      field.append(to: &hostField)
      lineHost.set(field, in: &hosts)
    }
    return .lineHost
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
