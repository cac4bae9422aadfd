internal import Foundations

extension LogFormat {
  /// The number of lines that detection looks at, if there is a request among
  /// them.
  public static let detectionLineCount = 1_000

  /// Detects the format of a log from its first lines.
  ///
  /// - Parameter chunk: The first chunk of the log, or the next one if there is no request in those
  ///   before.
  /// - Returns: The format of most requests; without requests, the one that most lines look like;
  ///   or `nil`. It is settled if more lines can't change it.
  public static func detect(in chunk: LineChunk) -> (format: LogFormat?, isSettled: Bool) {
    detect(in: chunk, knowsPlainLines: true)
  }

  /// Detects the format of a log from its first lines, as ``detect(in:)`` does.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - knowsPlainLines: Whether ``PlainLines`` are counted without trying other formats, which
  ///     changes no result.
  /// - Returns: The format, and whether it is settled.
  static func detect(
    in chunk: LineChunk, knowsPlainLines: Bool
  ) -> (format: LogFormat?, isSettled: Bool) {
    chunk.withBytes { bytes in
      var detector = FormatDetector(upTo: bytes.count)
      var plainLines = PlainLines(bytes)
      var (position, seen) = (0, 0)
      while seen < detectionLineCount || !detector.hasRequests,
        let range = bytes.nextLine(&position)
      {
        seen += 1
        if range.isEmpty { seen += bytes.skipEmptyLines(&position) }
        if knowsPlainLines, detector.lacksColumns, plainLines.contain(range, of: bytes) {
          detector.addPlain(bytes.extracting(range))
        } else {
          detector.look(at: bytes.extracting(range))
        }
        if detector.isCertain { break }
      }
      let format = detector.format
      let isSettled =
        detector.isCertain
        || seen >= detectionLineCount && (detector.hasRequests || format != nil)
      return (format, isSettled)
    }
  }

  /// Returns a Boolean value indicating whether this format fits any of the lines of a chunk, as
  /// many as are used to detect a format.
  public func fits(_ chunk: LineChunk) -> Bool {
    chunk.withBytes { bytes in
      var parser = LogParser(self)
      var position = 0
      while let range = bytes.nextLine(&position) {
        if range.isEmpty { _ = bytes.skipEmptyLines(&position) }
        parser.reset()
        switch parser.parse(bytes.extracting(range)) {
        // There is a status, and something in the place of the request.
        case .request, .rejected(.noTarget), .rejected(.severalRequests): return true
        case .rejected(.heading) where !parser.heading.columns.isEmpty: return true
        case .rejected: continue
        }
      }
      return bytes.count == 0
    }
  }
}

/// A detector of the format, which looks at the first lines of a log.
private struct FormatDetector {
  /// The number of requests that is enough if all of them have the same format, because the common
  /// formats differ little.
  private static let unanimousCount = 16
  private static let unanimousDistinctCount = 8

  /// The number of requests that is enough if some of them contradict the way they are read.
  private static let doubtedCount = 200

  /// The number of lines from which a format is inferred if no named format fits.
  private static let sampleCount = 500

  /// The numbers of requests of each format, and of lines that look like it but hold no request.
  private var votes: [(format: LogFormat, requests: Int, lines: Int)] = []

  /// Creates a detector that has seen nothing.
  ///
  /// - Parameter length: The number of bytes that it may see.
  init(upTo length: Int) {
    // Growing step by step takes a while, if there are many small logs.
    sampleText.reserveCapacity(min(length, 1 << 13))
    sampleEnds.reserveCapacity(Self.unanimousCount)
  }

  /// The position of the combined format among the votes, or `nil` if it has none.
  private var combinedVote: Int?

  /// The first lines, without the prefixes of collectors, one after another, and their ends.
  private var sampleText: [UInt8] = []
  private var sampleEnds: [Int] = []

  /// The numbers of lines with fields that hold something unexpected, of unreadable lines among
  /// them, and of lines that no format fits.
  private var doubts = 0
  private var contradictions = 0
  private var unread = 0

  /// The number of requests with an address, or a dash, before the client's address.
  ///
  /// In a log with hosts there, the address is a host; otherwise, a proxy forwarded it.
  private var addressesInFront: (combined: Int, common: Int) = (0, 0)
  private var dashesInFront: (combined: Int, common: Int) = (0, 0)
  private var heading = ColumnHeading()
  private var requests = 0
  private var text: [UInt8] = []
  private var fields = LineFields()

  /// The numbers of lines, and of lines that Docker has wrapped in JSON.
  private var lines = 0
  private var dockerLines = 0

  var hasRequests: Bool { requests > 0 }

  /// A Boolean value indicating whether no line so far names the columns of the next ones.
  var lacksColumns: Bool { heading.columns.isEmpty }

  /// The first lines.
  private var sample: [[UInt8]] {
    var start = 0
    return sampleEnds.map { end in
      defer { start = end }
      return Array(sampleText[start..<end])
    }
  }

  var isCertain: Bool {
    guard requests >= Self.unanimousDistinctCount else { return false }
    var only: Int?
    for index in votes.indices where votes[index].requests > 0 {
      if only != nil { return false }
      only = index
    }
    guard let only else { return false }
    if doubts > 0 || unread > 0 { return requests >= Self.doubtedCount }
    return requests >= Self.unanimousCount || votes[only].format.commonLayout == nil
  }

  /// The format, or `nil` if none fits.
  var format: LogFormat? {
    // If read as lines, rows would count once each.
    if let end = sampleEnds.first, RowLayout.isRow(sampleText.span.extracting(0..<end)) {
      return nil
    }
    guard
      let format = votedFormat.flatMap({ isDoubtful ? undoubted($0) : $0 }) ?? madeFormat?.format
    else { return nil }
    return dockerLines * 2 > lines ? format.inDockerLog : format
  }

  /// A Boolean value indicating whether too many lines contradict the format that most of them have.
  private var isDoubtful: Bool { (doubts + unread) * 16 > requests }

  /// A format that is inferred from the lines, and the number of requests that it reads; `nil` if
  /// it reads none.
  ///
  /// Quotes in a field can keep a pattern from reading the lines that it was made from.
  private var madeFormat: (format: LogFormat, requests: Int)? {
    guard let format = FormatInference.format(of: sample) else { return nil }
    let requests = format.requestCount(of: sample)
    return requests > 0 ? (format, requests) : nil
  }

  /// The better one of a format and of an inferred one, or `nil` if the lines contradict it and
  /// there is no other.
  private func undoubted(_ format: LogFormat) -> LogFormat? {
    guard format.hasLooseLines else { return format }
    guard let made = madeFormat else { return contradictions * 2 > requests ? nil : format }
    let isKept =
      made.requests * 10 < format.requestCount(of: sample) * 9
      || contradictions * 8 <= requests && format.reads(sample, asWellAs: made.format)
    return isKept ? format : made.format
  }

  private var votedFormat: LogFormat? {
    if votes.count == 1, addressesInFront == (0, 0), dashesInFront == (0, 0) {
      return votes[0].format
    }
    var votes = votes
    func has(_ formats: LogFormat...) -> Bool {
      votes.contains { $0.requests > 0 && formats.contains($0.format) }
    }
    // Dashes alone are hosts that aren't known.
    let hasHosts =
      has(.vcombined, .vcommon) || addressesInFront == (0, 0) && !has(.combined, .common)
    for (format, count) in [
      (
        hasHosts ? LogFormat.vcombined : .combined,
        addressesInFront.combined + dashesInFront.combined
      ),
      (hasHosts ? LogFormat.vcommon : .common, addressesInFront.common + dashesInFront.common),
    ] where count > 0 {
      if let index = votes.firstIndex(where: { $0.format == format }) {
        votes[index].requests += count
      } else {
        votes.append((format, count, 0))
      }
    }
    func merge(_ lesser: LogFormat, into greater: LogFormat) {
      guard let from = votes.firstIndex(where: { $0.format == lesser }),
        let to = votes.firstIndex(where: { $0.format == greater })
      else { return }
      votes[to].requests += votes[from].requests
      votes[to].lines += votes[from].lines
      votes.remove(at: from)
    }
    // A log with some lines that lack their end is still combined.
    merge(.common, into: .combined)
    merge(.vcommon, into: .vcombined)
    // The first of those with the most.
    return votes.reduce(nil as (format: LogFormat, requests: Int, lines: Int)?) { best, vote in
      guard let best else { return vote }
      return (vote.requests, vote.lines) > (best.requests, best.lines) ? vote : best
    }?.format
  }

  private mutating func add(_ format: LogFormat, isRequest: Bool) {
    let index =
      votes.firstIndex { $0.format.name == format.name }
      ?? {
        votes.append((format, 0, 0))
        return votes.count - 1
      }()
    if isRequest {
      votes[index].requests += 1
      requests += 1
    } else {
      votes[index].lines += 1
    }
  }

  private mutating func addSample(_ line: Span<UInt8>) {
    guard sampleEnds.count < Self.sampleCount, line[0] != UInt8(ascii: "{"), line.count < 1 << 14
    else { return }
    line.append(to: &sampleText)
    sampleEnds.append(sampleText.count)
  }

  /// Counts one of the ``PlainLines``, with the same result as ``look(at:)``.
  mutating func addPlain(_ line: Span<UInt8>) {
    lines += 1
    addSample(line)
    guard let combinedVote else {
      add(.combined, isRequest: true)
      combinedVote = votes.firstIndex { $0.format.name == LogFormat.combined.name }
      return
    }
    votes[combinedVote].requests += 1
    requests += 1
  }

  mutating func look(at line: Span<UInt8>) {
    guard line.count > 0 else { return }
    lines += 1
    var (inner, escaped): ([UInt8], [UInt8]) = ([], [])
    guard line.isDockerLine(), line.appendDockerLine(to: &inner, &escaped) else {
      return lookAfterPrefix(at: line)
    }
    dockerLines += 1
    lookAfterPrefix(at: inner.span)
  }

  private mutating func lookAfterPrefix(at line: Span<UInt8>) {
    if line.collectorPart?.isPartial == true { return }
    let line = line.extracting((line.collectorPrefixEnd ?? 0)..<line.count)
    guard line.count > 0 else { return }
    addSample(line)
    let (seen, seenVotes) = (requests, votes.count)
    // Unreadable requests; every log has some bytes of scanners.
    defer { if requests == seen, line.contains(" HTTP/") { unread += 1 } }
    if let start = line.lineHeaderEnd {
      lookAfterHeader(at: line.extracting(start..<line.count))
      if requests > seen || votes.count > seenVotes { return }
    }
    // The time may be the line's own.
    lookAfterHeader(at: line)
  }

  private mutating func lookAfterHeader(at line: Span<UInt8>) {
    if heading.readDirective(line) {
      if !heading.columns.isEmpty { add(columnsFormat, isRequest: false) }
      return
    }
    if !heading.columns.isEmpty {
      if readsAfterHeading(Engines.w3c, line) { return add(columnsFormat, isRequest: true) }
    }
    if line.firstIndex(of: UInt8(ascii: "{")) != nil, lookForJSON(line) { return }
    lookForText(line)
  }

  private var columnsFormat: LogFormat { heading.isCloudFront ? .cloudfront : .w3c }

  /// The JSON formats; those with keys that nobody else uses come first.
  private static let jsonFormats: [(format: LogFormat, scanner: JSONLineScanner)] = [
    (.caddy, JSONLineScanner(.caddy)), (.cloudflare, JSONLineScanner(.cloudflare)),
    (.googleLoadBalancer, JSONLineScanner(.googleLoadBalancer)),
    (.azureGateway, JSONLineScanner(.azureGateway)), (.traefik, JSONLineScanner(.traefik)),
    (.vercel, JSONLineScanner(.vercel)), (.akamai, JSONLineScanner(.akamai)),
    (.pino, JSONLineScanner(.pino)), (.envoy, JSONLineScanner(.envoy)),
    (.nginxJSON, JSONLineScanner(.usualNames)),
  ]

  /// The engines of text, made once rather than for each line.
  private enum Engines {
    static let w3c = LineEngine(.columns(.w3c))
    static let envoy = LineEngine(.template(.envoyText))
    static let nginxProxyManager = [
      LineEngine(.template(.nginxProxyManager)), LineEngine(.template(.nginxProxyManagerPlain)),
    ]
    static let nginxVariants = [
      LineEngine(.template(.statusFirst)), LineEngine(.template(.kinsta)),
    ]
    static let quotedStatus = LineEngine(.template(.quotedStatus))
    static let bunny = LineEngine(.template(.bunny))
    static let contentNetworks = [LogFormat.alibaba, .huawei].map {
      (format: $0, engine: LineEngine($0.layouts[0]))
    }
    static let applications = [
      LogFormat.gin, .uwsgi, .confluence, .bitbucket, .tencent, .morgan,
    ].map { format in (format: format, engines: format.layouts.map { LineEngine($0) }) }
    static let ltsv = LineEngine(.pairs(.ltsv))
    static let logfmt = LineEngine(.pairs(.logfmt))
    static let simpleStorage = LineEngine(.columns(.simpleStorage))
    static let cloudFront = [
      LineEngine(.columns(.cloudFront)), LineEngine(.columns(.cloudFrontRealTime)),
      LineEngine(.columns(.cloudFrontRealTimeWithServer)),
    ]

    /// Formats whose lines fit no other format.
    static let distinct = [
      LogFormat.applicationLoadBalancer, .classicLoadBalancer, .haproxy, .squid, .cloudStorage,
      .iis, .zoraxy,
    ].map { (format: $0, engine: LineEngine($0.layouts[0])) }
  }

  private mutating func lookForJSON(_ line: Span<UInt8>) -> Bool {
    for (format, scanner) in Self.jsonFormats {
      var fields = LineFields()
      switch scanner.scan(line, into: &fields) {
      case nil: break
      case .severalRequests: continue
      default: return false
      }
      text.removeAll(keepingCapacity: true)
      guard case .request = fields.record(in: line, into: &text) else { continue }
      let isFastly =
        format == .nginxJSON && (line.contains("fastly") || line.contains("\"service_version\""))
      let isCloudFront =
        format == .nginxJSON && (line.contains("\"x-edge-") || line.contains("\"cs-uri-stem\""))
      add(isFastly ? .fastly : isCloudFront ? .cloudfront : format, isRequest: true)
      return true
    }
    return true
  }

  private mutating func lookForText(_ line: Span<UInt8>) {
    if line[0] == UInt8(ascii: "[") || line.begins(with: "ACCESS ["),
      line.beginsWithISODay(at: line[0] == UInt8(ascii: "[") ? 1 : 8), reads(Engines.envoy, line)
    {
      return add(.envoy, isRequest: true)
    }
    if line[0] == UInt8(ascii: "["),
      Engines.nginxProxyManager.contains(where: { reads($0, line) })
    {
      return add(.nginxProxyManager, isRequest: true)
    }
    if line[0] == UInt8(ascii: "[") {
      for (format, engine) in Engines.contentNetworks where reads(engine, line) {
        return add(format, isRequest: true)
      }
    }
    if line.count > 20,
      line[0] == UInt8(ascii: "[") || line[0] == 0x1B || line[0].isLetter
        || line[0].isDigit || line[0] == UInt8(ascii: ":")
    {
      for (format, engines) in Engines.applications
      where line.beginsAs(format) && engines.contains(where: { reads($0, line) }) {
        return add(format, isRequest: true)
      }
    }
    if line.beginsAsBunny, reads(Engines.bunny, line) { return add(.bunny, isRequest: true) }
    // Every value has a label, so no line of another format fits.
    if line.firstIndex(of: 0x09) != nil, reads(Engines.ltsv, line) {
      return add(.ltsv, isRequest: true)
    }
    // The owner of a bucket, in 64 hexadecimal digits.
    if line.count > 65, line[64] == UInt8(ascii: " "), line[63].isHexadecimalDigit,
      reads(Engines.simpleStorage, line)
    {
      return add(.simpleStorage, isRequest: true)
    }
    // The size after the request can look like a status, so such a line is never a common one.
    if line.hasStatusBeforeRequest {
      if Engines.nginxVariants.contains(where: { reads($0, line) }) {
        return add(.nginxVariants, isRequest: true)
      }
    } else {
      switch LogLineParser(format: .combined).parse(line) {
      case .request(let record): return addCommon(line, record)
      case .rejected(.noTarget):
        return add(Self.commonFormat(of: line, nil) ?? .combined, isRequest: false)
      case .rejected: break
      }
    }
    // Dates and times of day alone, or seconds: CloudFront without its heading.
    if line[0].isDigit, let tab = line.firstIndex(of: 0x09),
      line.beginsWithISODay(at: 0) && tab == 10 || line.extracting(0..<tab).isNumber,
      Engines.cloudFront.contains(where: { readsAfterHeading($0, line) })
    {
      return add(.cloudfront, isRequest: true)
    }
    if Engines.nginxVariants.contains(where: { reads($0, line) }) {
      return add(.nginxVariants, isRequest: true)
    }
    if line.hasDashAfterFirstWord, reads(Engines.quotedStatus, line) {
      return add(.nginxVariants, isRequest: true)
    }
    for (format, engine) in Engines.distinct where line.mayBe(format) && reads(engine, line) {
      return add(format, isRequest: true)
    }
    if reads(Engines.logfmt, line) { add(.logfmt, isRequest: true) }
  }

  /// Counts a request that one of the common formats reads.
  private mutating func addCommon(_ line: Span<UInt8>, _ record: LogRecord) {
    guard let format = Self.commonFormat(of: line, record) else {
      let (combined, common) = Self.hasReferrer(line, record) ? (1, 0) : (0, 1)
      if line[0] == UInt8(ascii: "-") {
        dashesInFront.combined += combined
        dashesInFront.common += common
      } else {
        addressesInFront.combined += combined
        addressesInFront.common += common
      }
      requests += 1
      return check(line, record, in: line)
    }
    add(format, isRequest: true)
    guard format != .traefik else { return }
    var record = record
    if format.commonLayout?.namesHost == true,
      case .request(let hosted) = LogLineParser(format: format.commonLayout ?? .combined).parse(
        line)
    {
      record = hosted
    }
    check(line, record, in: line)
  }

  /// Records whether a line contradicts how one of the common formats read it.
  private mutating func check(_ line: Span<UInt8>, _ record: LogRecord, in text: Span<UInt8>) {
    let read = [record.target, record.host, record.referrer, record.agent, record.time]
    if line.contradicts(record, in: text) {
      doubts += 1
      contradictions += 1
    } else if !(record.time.map { ValueLooks(text.extracting($0)).contains(.time) } ?? false)
      || line.holdsUnreadField(beside: read.compactMap { $0 })
    {
      doubts += 1
    }
  }

  /// Returns a Boolean value indicating whether a line is a request of some engine's.
  private mutating func reads(_ engine: LineEngine, _ line: Span<UInt8>) -> Bool {
    // One format's heading means nothing to another.
    var none = ColumnHeading()
    return parses(engine, line, &none)
  }

  /// Returns the same after the directives so far, without changing them.
  private mutating func readsAfterHeading(_ engine: LineEngine, _ line: Span<UInt8>) -> Bool {
    var own = heading
    return parses(engine, line, &own)
  }

  private mutating func parses(
    _ engine: LineEngine, _ line: Span<UInt8>, _ heading: inout ColumnHeading
  ) -> Bool {
    text.removeAll(keepingCapacity: true)
    var memory = JSONLineMemory.none
    guard
      case .request(let record) = engine.parse(
        line, heading: &heading, &fields, &memory, into: &text)
    else { return false }
    guard case .template = engine else { return true }
    // A line that a pattern fits only at the beginning is probably another format's.
    if fields.failure > 0 { return false }
    if line.contradicts(record, in: text.span) {
      doubts += 1
      contradictions += 1
    } else {
      let read = [LogField.request, .target, .host, .referrer, .agent, .time]
        .filter { fields[$0].isPresent }.map { fields[$0].range }
      if line.holdsUnreadField(beside: read) { doubts += 1 }
    }
    return true
  }

  private static func hasReferrer(_ line: Span<UInt8>, _ record: LogRecord) -> Bool {
    guard record.referrer == nil, record.agent == nil else { return true }
    let quote = UInt8(ascii: "\"")
    let requestEnd = line.firstIndex(of: quote, from: record.target.upperBound) ?? line.count
    return line.firstIndex(of: quote, from: requestEnd + 1) != nil
  }

  /// The common format of a line, or `nil` if only other lines show whether a host begins it.
  private static func commonFormat(of line: Span<UInt8>, _ record: LogRecord?) -> LogFormat? {
    let hasReferrer = record.map { Self.hasReferrer(line, $0) } ?? true
    switch line.hostInFront {
    case .name: return hasReferrer ? .vcombined : .vcommon
    case .address: return nil
    case .none: break
    }
    guard hasReferrer else { return .common }
    if line.hasHostAfterClient { return .lighttpd }
    return line.endsAsTraefik ? .traefik : .combined
  }
}

/// The word before the client's address.
private enum HostInFront {
  case none
  case name

  /// An address or a dash, which can also come from a proxy.
  case address
}

extension LogFormat {
  /// A Boolean value indicating whether lines of other formats fit this one, too.
  fileprivate var hasLooseLines: Bool {
    layouts.allSatisfy { layout in
      switch layout {
      case .common, .template, .haproxy, .rows: true
      case .columns(let columns): columns.heading == .none
      case .json, .pairs: false
      }
    }
  }

  /// The number of requests among some lines.
  fileprivate func requestCount(of lines: [[UInt8]]) -> Int {
    var parser = LogParser(self)
    return lines.count { line in
      parser.reset()
      if case .request = parser.parse(line.span) { return true }
      return false
    }
  }

  /// Returns a Boolean value indicating whether this format finds exactly what another one finds in
  /// some lines.
  fileprivate func reads(_ lines: [[UInt8]], asWellAs other: LogFormat) -> Bool {
    var (own, others) = (LogParser(self), LogParser(other))
    for line in lines.prefix(Self.comparedLines) {
      own.reset()
      others.reset()
      guard case .request(let theirs) = others.parse(line.span) else { continue }
      guard case .request(let ours) = own.parse(line.span), ours.status == theirs.status else {
        return false
      }
      func agree(_ field: KeyPath<LogRecord, Range<Int>?>) -> Bool {
        guard let range = theirs[keyPath: field] else { return true }
        return ours[keyPath: field].map {
          own.text.span.extracting($0).isEqual(to: others.text.span.extracting(range))
        } ?? false
      }
      guard
        own.text.span.extracting(ours.target).isEqual(
          to: others.text.span.extracting(theirs.target)),
        agree(\.host), agree(\.referrer), agree(\.agent), theirs.time == nil || ours.time != nil
      else { return false }
    }
    return true
  }

  /// The number of lines that are enough to compare two formats.
  private static let comparedLines = 100
}

extension Span<UInt8> {
  /// Returns a Boolean value indicating whether a line contradicts how it was read: a field holds
  /// the value of another one.
  ///
  /// - Parameters:
  ///   - record: The fields.
  ///   - text: The bytes that contain them.
  /// - Returns: Whether it does.
  func contradicts(_ record: LogRecord, in text: Span<UInt8>) -> Bool {
    if !ValueLooks.isKnown(status: Int(record.status)) { return true }
    if text.extracting(record.target).contains("\" \"") { return true }
    let agent = record.agent.map { ValueLooks(text.extracting($0)) } ?? .absent
    if let range = record.agent, text.extracting(range).isIdentifier { return true }
    if !agent.contains(.browser), contains("Mozilla/") { return true }
    if !agent.contains(.browser), !agent.isDisjoint(with: [.url, .address, .host, .number, .time]) {
      return true
    }
    guard let range = record.referrer else { return false }
    let referrer = text.extracting(range)
    let looks = ValueLooks(referrer)
    return !looks.contains(.url)
      && (referrer.isIdentifier
        || !looks.isDisjoint(with: [.browser, .product, .address, .host, .number, .time, .path]))
  }

  /// A Boolean value indicating whether these bytes are hexadecimal digits, as identifiers of
  /// requests are.
  private var isIdentifier: Bool {
    count >= 8
      && indices.allSatisfy { self[$0].isHexadecimalDigit || self[$0] == UInt8(ascii: "-") }
  }

  /// Returns a Boolean value indicating whether a line holds something that was not read: a host, a
  /// URL or a quoted user agent.
  fileprivate func holdsUnreadField(beside read: [Range<Int>]) -> Bool {
    guard let tokens = LineTokens(betweenBlanks: self) else { return false }
    return zip(tokens.values, tokens.marks).contains { value, mark in
      guard !read.contains(where: { $0.overlaps(value) || $0 == value }) else { return false }
      let field = extracting(value)
      return field.beginsAsURL || field.isHostName && !field.isInternalHost
        || mark == UInt8(ascii: "\"") && ValueLooks(field).contains(.product)
    }
  }

  /// Returns a Boolean value indicating whether a line begins as those of a format that fits many
  /// lines.
  fileprivate func mayBe(_ format: LogFormat) -> Bool {
    switch format {
    case .haproxy: holdsHAProxyTime
    case .classicLoadBalancer:
      beginsWithISODay(at: 0)
        && firstIndex(of: UInt8(ascii: " ")).map { begins(with: "Z", at: $0 - 1) } ?? false
    case .squid: firstIndex(of: UInt8(ascii: ".")) == 10
    case .cloudStorage:
      firstIndex(of: UInt8(ascii: ",")).map { (16...18).contains($0) } ?? false
    case .iis: beginsWithAddress
    // `https 2018-07-02T22:23:00.186641Z`
    case .applicationLoadBalancer:
      firstIndex(of: UInt8(ascii: " ")).map { $0 <= 5 && beginsWithISODay(at: $0 + 1) } ?? false
    default: true
    }
  }

  /// A Boolean value indicating whether a line has timers, or a time without a zone in brackets.
  private var holdsHAProxyTime: Bool {
    guard let bracket = firstIndex(of: UInt8(ascii: "[")),
      let end = firstIndex(of: UInt8(ascii: "]"), from: bracket)
    else { return false }
    return firstIndex(of: UInt8(ascii: " "), from: bracket, to: end) == nil
      || LineTokens(betweenBlanks: self).map { tokens in
        tokens.values.contains { value in
          value.count { self[$0] == UInt8(ascii: "/") } >= 3
            && value.allSatisfy { self[$0].isDigit || "/+-".utf8.contains(self[$0]) }
        }
      } ?? false
  }
}

extension Span<UInt8> {
  /// Returns a Boolean value indicating whether a line begins as those of a server or framework
  /// whose lines have few other signs.
  fileprivate func beginsAs(_ format: LogFormat) -> Bool {
    switch format {
    case .gin: begins(with: "[GIN] ")
    case .uwsgi: begins(with: "[pid: ")
    case .confluence: self[0] == UInt8(ascii: "[") && beginsWithTime(at: 1) && contains("ms ")
    case .bitbucket:
      firstIndex(of: UInt8(ascii: "|")) != nil && (contains(" | o@") || contains(" | o*"))
    case .tencent: count > 30 && self[14] == UInt8(ascii: " ") && decimal(0..<14) != nil
    case .morgan:
      begins(with: "\u{1B}[0m") && contains(" ms")
        || firstIndex(of: UInt8(ascii: "\"")) == nil && (endsInMilliseconds || contains(" ms - "))
    default: false
    }
  }

  private var endsInMilliseconds: Bool { begins(with: " ms", at: count - 3) }

  /// A Boolean value indicating whether a line ends as Traefik's do: with a number, a
  /// router, an address, and milliseconds.
  fileprivate var endsAsTraefik: Bool {
    guard count > 8, self[count - 1] == UInt8(ascii: "s"), self[count - 2] == UInt8(ascii: "m")
    else { return false }
    var index = count - 3
    while index > 0, self[index].isDigit { index -= 1 }
    return index < count - 3 && self[index] == UInt8(ascii: " ")
      && self[index - 1] == UInt8(ascii: "\"")
  }

  /// A Boolean value indicating whether a line begins with the result of a cache, a status, and
  /// thousandths of seconds since 1970: `HIT|200|1507167062421|`.
  fileprivate var beginsAsBunny: Bool {
    let bar = UInt8(ascii: "|")
    guard let first = firstIndex(of: bar, from: 0, to: Swift.min(count, 24)), first + 19 < count,
      self[first + 4] == bar, self[first + 18] == bar
    else { return false }
    return (0..<first).allSatisfy { self[$0].isLetter || self[$0] == UInt8(ascii: "-") }
      && (first + 1..<first + 18).allSatisfy { $0 == first + 4 || self[$0].isDigit }
  }

  /// A Boolean value indicating whether a dash follows the first word, as in lines that begin with
  /// the client and not with a host.
  fileprivate var hasDashAfterFirstWord: Bool {
    guard let space = firstIndex(of: UInt8(ascii: " ")) else { return false }
    return begins(with: " - ", at: space)
  }

  /// A Boolean value indicating whether a status is between the time and the request: `] 200 "GET`.
  fileprivate var hasStatusBeforeRequest: Bool {
    guard let quote = firstIndex(of: UInt8(ascii: "\"")), quote > 6, quote + 1 < count else {
      return false
    }
    return begins(with: "] ", at: quote - 6) && self[quote - 4].isDigit && self[quote - 3].isDigit
      && self[quote - 2].isDigit && self[quote - 1] == UInt8(ascii: " ")
      && self[quote + 1].isLetter
  }

  /// The word before the client's address; without a full stop, it can be a user, a session, a
  /// request's number or a host.
  fileprivate var hostInFront: HostInFront {
    let quote = requestQuote ?? count
    let bracket = firstIndex(of: UInt8(ascii: "["), from: bracketedWordEnd, to: quote) ?? quote
    func isList(_ word: Range<Int>) -> Bool {
      self[word.lowerBound] == UInt8(ascii: "\"") || self[word.upperBound - 1] == UInt8(ascii: ",")
    }
    guard let first = word(from: 0, to: bracket),
      let second = word(from: first.upperBound, to: bracket), !isList(first)
    else {
      // `203.0.113.9, 192.0.2.1 - -`: the addresses that a proxy forwarded.
      return .none
    }
    func isDash(_ word: Range<Int>) -> Bool {
      word.count == 1 && self[word.lowerBound] == UInt8(ascii: "-")
    }
    guard isDash(first) || extracting(first).canBeHost else { return .none }
    let isAddress = extracting(first).isAddress
    let kind = isDash(first) || isAddress ? HostInFront.address : .name
    if isList(second) || extracting(second).isAddress { return kind }
    // Client names that were looked up: `www.example.com client.isp.net - -`.
    guard let third = word(from: second.upperBound, to: bracket),
      word(from: third.upperBound, to: bracket) != nil
    else { return .none }
    return !isAddress && !isDash(second) && isDash(third) ? kind : .none
  }

  /// A Boolean value indicating whether the client's address, a host and a user precede
  /// the time, as lighttpd writes them.
  fileprivate var hasHostAfterClient: Bool {
    let quote = requestQuote ?? count
    let bracket = firstIndex(of: UInt8(ascii: "["), from: 0, to: quote) ?? quote
    guard let client = word(from: 0, to: bracket), extracting(client).isAddress,
      let host = word(from: client.upperBound, to: bracket),
      let user = word(from: host.upperBound, to: bracket),
      word(from: user.upperBound, to: bracket) == nil
    else { return false }
    let name = extracting(host)
    return name.firstIndex(of: UInt8(ascii: ".")) != nil && !name.isAddress && !name.isNumber
      && name.indices.allSatisfy {
        name[$0].isInHostLabel || name[$0] == UInt8(ascii: ".") || name[$0] == UInt8(ascii: ":")
      }
  }

  /// A Boolean value indicating whether these bytes look like a host.
  private var canBeHost: Bool {
    if isNumber || secondOfDay != nil { return false }
    return begins(with: "localhost") || count == 1 && self[0] == UInt8(ascii: "_")
      || firstIndex(of: UInt8(ascii: "=")) == nil
        && (firstIndex(of: UInt8(ascii: ".")) != nil || firstIndex(of: UInt8(ascii: ":")) != nil)
  }

  /// Returns the next bytes between spaces from `start` on, or `nil` if there are
  /// none.
  private func word(from start: Int, to end: Int) -> Range<Int>? {
    var first = start
    while first < end, self[first] == UInt8(ascii: " ") { first += 1 }
    guard first < end else { return nil }
    return first..<(firstIndex(of: UInt8(ascii: " "), from: first, to: end) ?? end)
  }
}
