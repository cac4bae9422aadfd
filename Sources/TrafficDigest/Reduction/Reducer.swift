internal import AccessLogs

/// What one worker makes of the chunks that it is given.
///
/// This is the hot loop: for each line it finds the fields, looks up the user
/// agent, looks at the referrer, and notes the target. Nothing in it allocates
/// unless something is seen for the first time.
struct Reducer: ~Copyable {
  private let options: ReductionOptions
  private(set) var hosts = ByteTable(capacity: 16)

  /// The targets; the scope is the number of the host.
  private(set) var targets = ByteTable(capacity: 1024)

  /// The combinations of dimensions, and the requests for a target with each.
  private(set) var combinations = WordTable()
  private(set) var requests = NoteCounter()

  /// The pages that same-host visits came from, by ``PageKey``, and the visits of
  /// a target from each.
  private(set) var pages = WordTable()
  private(set) var pageVisits = NoteCounter()
  private(set) var referringPages = ReferringPages()

  private(set) var rejections = RejectionTally()
  private(set) var fetches = FetchTally()
  private(set) var firstTime: LogTime?
  private(set) var lastTime: LogTime?

  private var agents = AgentMemo()
  private var pending = PendingRequests()
  private var touched: UInt64 = 0

  /// A target that isn't simply a path.
  private var target = RequestTarget()

  /// The host of lines that name none.
  private let defaultHost: [UInt8]
  private let defaultHostID: UInt32
  private let defaultHostNameLength: Int

  /// The host field of the last line that had one, with what it is.
  private var hostField: [UInt8] = []
  private var host: [UInt8] = []
  private var hostID: UInt32 = 0
  private var hostNameLength = 0

  /// The time field of the last line, with what it says.
  private var timeField: [UInt8] = []
  private var time: LogTime?
  private var packedDay: UInt64 = 0

  init(_ options: ReductionOptions) {
    self.options = options
    var bytes: [UInt8] = []
    HostName.append(normalizing: Array((options.defaultHost ?? "").utf8).span, to: &bytes)
    defaultHost = bytes
    defaultHostNameLength = HostName.withoutPort(bytes.span).count
    defaultHostID = UInt32(hosts.insert(bytes).id)
  }

  /// The requests of all targets, when there are no more.
  mutating func finishRequests() -> CellRun { requests.finish() }

  /// The visits of all targets from pages of the same host.
  mutating func finishPageVisits() -> CellRun { pageVisits.finish() }

  /// Counts the lines of a chunk.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - input: The number of its input.
  ///   - format: The format of its lines.
  /// - Returns: The number of lines, and of requests among them.
  mutating func reduce(_ chunk: borrowing LineChunk, input: Int, format: LogFormat) -> LineTally {
    let index = chunk.index
    return chunk.withBytes { bytes in
      reduce(bytes, input: input, chunk: index, format: format)
    }
  }

  private mutating func reduce(
    _ bytes: Span<UInt8>, input: Int, chunk: Int, format: LogFormat
  ) -> LineTally {
    let parser = LogLineParser(format: format, lineLimit: options.lineLimit)
    var tally = LineTally()
    var position = 0
    while let range = bytes.nextLine(&position) {
      tally.lines += 1
      let line = bytes.extracting(range)
      switch parser.parse(line) {
      case .request(let record):
        tally.requests += 1
        count(record, in: line, at: range.lowerBound)
        if pending.isFull { lookUpPending(in: bytes) }
      case .rejected(let reason):
        rejections.add(
          reason, at: RejectionTally.Place(input: input, chunk: chunk, line: tally.lines))
      }
    }
    lookUpPending(in: bytes)
    return tally
  }

  /// Counts a request, or leaves it to ``lookUpPending(in:)``.
  @inline(__always)
  private mutating func count(_ record: LogRecord, in line: Span<UInt8>, at start: Int) {
    readTime(record, in: line)
    let agent = record.agent.map { agents.answer(for: line.extracting($0)) } ?? .absent
    let isGet = line.isGet(record.method)

    let field = line.extracting(record.target)
    let isPlain =
      field[0] == UInt8(ascii: "/") && field.firstIndex(of: UInt8(ascii: "\\")) == nil
    if !isPlain { target.set(field) }
    let ownHost = readHost(record, in: line)

    var referral = Referral.none
    var path: Range<Int>?
    if let range = record.referrer {
      path = sameHostPath(in: line.extracting(range), host: ownHost)
      referral = path == nil ? .otherHost : .sameHost
    }
    let dimensions = PackedDimensions(
      day: packedDay, platform: agent.platform, referral: referral, isGet: isGet,
      status: record.status)
    var page: UInt32 = 0
    if let path, let range = record.referrer, dimensions.isVisitLike {
      let template = referringPages.template(of: line.extracting(range).extracting(path))
      page = pages.insert(PageKey(template: template, dimensions: dimensions).bits) + 1
    }
    let combination = combinations.insert(dimensions.bits)
    let id = id(of: ownHost)
    if isPlain {
      pending.add(
        PendingRequests.Request(
          hash: targets.hash.hash(field, scope: id),
          start: UInt32(truncatingIfNeeded: start + record.target.lowerBound),
          length: UInt32(truncatingIfNeeded: field.count), host: id, combination: combination,
          page: page))
    } else {
      note(target: targets.insert(target.text, scope: id).id, combination, page: page)
    }
    if let fetcher = agent.fetcher {
      countFetch(
        by: fetcher, host: ownHost, path: isPlain ? nil : target.text, field, record.status)
    }
  }

  @inline(__always)
  private mutating func note(target: Int, _ combination: UInt32, page: UInt32) {
    requests.note(Cell.key(target: target, other: combination))
    if page != 0 { pageVisits.note(Cell.key(target: target, other: page - 1)) }
  }

  /// Looks up the targets of requests that wait for it.
  @inline(never)
  private mutating func lookUpPending(in bytes: Span<UInt8>) {
    let count = pending.requests.count
    var sum = touched
    for index in 0..<count { sum &+= targets.touchSlot(pending.requests[index].hash) }
    for index in 0..<count { sum &+= targets.touchRecord(pending.requests[index].hash) }
    // Kept, so that the compiler can't leave the reading out.
    touched = sum
    for index in 0..<count {
      let request = pending.requests[index]
      let start = Int(request.start)
      let id = targets.insert(
        bytes.extracting(start..<(start + Int(request.length))), scope: request.host,
        hash: request.hash
      ).id
      note(target: id, request.combination, page: request.page)
    }
    pending.removeAll()
  }

  @inline(__always)
  private func sameHostPath(in referrer: Span<UInt8>, host ownHost: OwnHost) -> Range<Int>? {
    switch ownHost {
    case .lineHost:
      ReferringPages.sameHostPath(in: referrer, host: host, nameLength: hostNameLength)
    case .defaultHost:
      ReferringPages.sameHostPath(
        in: referrer, host: defaultHost, nameLength: defaultHostNameLength)
    case .target:
      ReferringPages.sameHostPath(
        in: referrer, host: target.host,
        nameLength: HostName.withoutPort(target.host.span).count)
    }
  }

  /// Which host a request asked for.
  private enum OwnHost {
    case defaultHost
    case lineHost
    case target(id: UInt32)
  }

  private func id(of host: OwnHost) -> UInt32 {
    switch host {
    case .defaultHost: defaultHostID
    case .lineHost: hostID
    case .target(let id): id
    }
  }

  @inline(__always)
  private mutating func readHost(_ record: LogRecord, in line: Span<UInt8>) -> OwnHost {
    // A target in absolute form brings its own host; `target` is up to date only
    // if this request's isn't a plain path.
    if line[record.target.lowerBound] != UInt8(ascii: "/"), !target.host.isEmpty {
      return .target(id: UInt32(hosts.insert(target.host).id))
    }
    guard let range = record.host else { return .defaultHost }
    let field = line.extracting(range)
    if !field.isEqual(to: hostField.span) || hostField.isEmpty {
      hostField.removeAll(keepingCapacity: true)
      field.append(to: &hostField)
      host.removeAll(keepingCapacity: true)
      HostName.append(normalizing: field, to: &host)
      hostID = UInt32(hosts.insert(host).id)
      hostNameLength = HostName.withoutPort(host.span).count
    }
    return .lineHost
  }

  /// Lines that follow one another mostly have the same time, to the second.
  @inline(__always)
  private mutating func readTime(_ record: LogRecord, in line: Span<UInt8>) {
    guard let range = record.time else {
      packedDay = 0
      time = nil
      timeField.removeAll(keepingCapacity: true)
      return
    }
    let field = line.extracting(range)
    guard timeField.isEmpty || !field.isEqual(to: timeField.span) else { return }
    timeField.removeAll(keepingCapacity: true)
    field.append(to: &timeField)
    time = LogTime(field)
    packedDay = PackedDimensions.bits(time?.day)
    guard let time else { return }
    firstTime = min(firstTime ?? time, time)
    lastTime = max(lastTime ?? time, time)
  }

  /// Counts a request for an association file, whose target is `text`, or `field`
  /// as logged if it is a plain path.
  private mutating func countFetch(
    by fetcher: Fetcher, host: OwnHost, path text: [UInt8]?, _ field: Span<UInt8>, _ status: UInt16
  ) {
    var bytes = text ?? []
    if text == nil { field.append(to: &bytes) }
    let path = String(decoding: bytes.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    guard FetchTally.paths.contains(path) else { return }
    fetches.add(
      FetchTally.Key(
        host: hosts.string(Int(id(of: host))), path: path, fetcher: fetcher, status: status),
      FetchTally.Value(requests: 1, last: time))
  }
}

extension Span<UInt8> {
  @inline(__always)
  fileprivate func isGet(_ method: Range<Int>) -> Bool {
    method.count == 3 && self[method.lowerBound] == UInt8(ascii: "G")
      && self[method.lowerBound + 1] == UInt8(ascii: "E")
      && self[method.lowerBound + 2] == UInt8(ascii: "T")
  }
}
