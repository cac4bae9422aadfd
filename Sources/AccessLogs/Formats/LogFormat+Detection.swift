extension LogFormat {
  /// The number of lines that detection looks at, if there is a request among
  /// them.
  public static let detectionLineCount = 1_000

  /// Tells the format of a log from its first lines.
  ///
  /// - Parameter chunk: The first chunk of the log, or the next one if there is
  ///   no request in those before.
  /// - Returns: The format that most of the requests have; without any, the one that
  ///   most lines look like; or `nil` if there is none. It is settled if more lines
  ///   couldn't change it.
  public static func detect(in chunk: LineChunk) -> (format: LogFormat?, isSettled: Bool) {
    chunk.withBytes { bytes in
      var detector = FormatDetector()
      var (position, seen) = (0, 0)
      while seen < detectionLineCount || !detector.hasRequests,
        let range = bytes.nextLine(&position)
      {
        seen += 1
        detector.look(at: bytes.extracting(range))
        if detector.isCertain { break }
      }
      let isSettled =
        detector.isCertain || seen >= detectionLineCount && detector.hasRequests
      return (detector.format, isSettled)
    }
  }

  /// Returns a Boolean value indicating whether this format fits any of the lines of a chunk, as
  /// many as are looked at to tell a format.
  public func fits(_ chunk: LineChunk) -> Bool {
    chunk.withBytes { bytes in
      var parser = LogParser(self)
      var position = 0
      while let range = bytes.nextLine(&position) {
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

/// What the first lines of a log say of its format.
private struct FormatDetector {
  /// The number of requests that are enough if all of them have the same format: lines
  /// of the common formats differ little.
  private static let unanimousCount = 16
  private static let unanimousDistinctCount = 8

  /// The number of requests of each format, and of lines that have its form but no
  /// request.
  private var votes: [(format: LogFormat, requests: Int, lines: Int)] = []
  private var heading = ColumnHeading()
  private var requests = 0
  private var text: [UInt8] = []
  private var fields = LineFields()

  /// The number of lines, and of those among them that Docker has written as JSON.
  private var lines = 0
  private var dockerLines = 0

  var hasRequests: Bool { requests > 0 }

  var isCertain: Bool {
    guard requests >= Self.unanimousDistinctCount,
      votes.count(where: { $0.requests > 0 }) == 1,
      let vote = votes.first(where: { $0.requests > 0 })
    else { return false }
    return vote.format.commonLayout == nil || requests >= Self.unanimousCount
  }

  var format: LogFormat? {
    var votes = votes
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
    let best = votes.reduce(nil as (format: LogFormat, requests: Int, lines: Int)?) { best, vote in
      guard let best else { return vote }
      return (vote.requests, vote.lines) > (best.requests, best.lines) ? vote : best
    }
    return dockerLines * 2 > lines ? best?.format.inDockerLog : best?.format
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

  mutating func look(at line: Span<UInt8>) {
    guard line.count > 0 else { return }
    lines += 1
    var (inner, escaped): ([UInt8], [UInt8]) = ([], [])
    guard line.isDockerLine(), line.appendDockerLine(to: &inner, &escaped) else {
      return lookBehindPrefix(at: line)
    }
    dockerLines += 1
    lookBehindPrefix(at: inner.span)
  }

  private mutating func lookBehindPrefix(at line: Span<UInt8>) {
    let line = line.extracting((line.collectorPrefixEnd ?? 0)..<line.count)
    guard line.count > 0 else { return }
    let (seen, seenVotes) = (requests, votes.count)
    if let start = line.lineHeaderEnd {
      lookBehindHeader(at: line.extracting(start..<line.count))
      if requests > seen || votes.count > seenVotes { return }
    }
    // The time may be the line's own.
    lookBehindHeader(at: line)
  }

  private mutating func lookBehindHeader(at line: Span<UInt8>) {
    if heading.readDirective(line) {
      if !heading.columns.isEmpty { add(columnsFormat, isRequest: false) }
      return
    }
    if !heading.columns.isEmpty {
      if readsBehindHeading(Engines.w3c, line) { return add(columnsFormat, isRequest: true) }
    }
    if line.firstIndex(of: UInt8(ascii: "{")) != nil, lookForJSON(line) { return }
    lookForText(line)
  }

  private var columnsFormat: LogFormat { heading.isCloudFront ? .cloudfront : .w3c }

  /// The formats of JSON, those whose keys nobody else uses first.
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
    static let ltsv = LineEngine(.pairs(.ltsv))
    static let logfmt = LineEngine(.pairs(.logfmt))
    static let simpleStorage = LineEngine(.columns(.simpleStorage))
    static let cloudFront = [
      LineEngine(.columns(.cloudFront)), LineEngine(.columns(.cloudFrontRealTime)),
      LineEngine(.columns(.cloudFrontRealTimeWithServer)),
    ]

    /// Formats whose lines none of the others has.
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
    if line.beginsAsBunny, reads(Engines.bunny, line) { return add(.bunny, isRequest: true) }
    // Every value has a label, so no other format's line is one of these.
    if line.firstIndex(of: 0x09) != nil, reads(Engines.ltsv, line) {
      return add(.ltsv, isRequest: true)
    }
    // The owner of a bucket, in 64 hexadecimal digits.
    if line.count > 65, line[64] == UInt8(ascii: " "), line[63].isHexadecimalDigit,
      reads(Engines.simpleStorage, line)
    {
      return add(.simpleStorage, isRequest: true)
    }
    // The size behind the request can look like a status, so such a line is never a common one.
    if line.hasStatusBeforeRequest {
      if Engines.nginxVariants.contains(where: { reads($0, line) }) {
        return add(.nginxVariants, isRequest: true)
      }
    } else {
      switch LogLineParser(format: .combined).parse(line) {
      case .request(let record):
        return add(Self.commonFormat(of: line, record), isRequest: true)
      case .rejected(.noTarget): return add(Self.commonFormat(of: line, nil), isRequest: false)
      case .rejected: break
      }
    }
    // Dates and times of day alone: CloudFront without its heading.
    if line[0].isDigit, line.firstIndex(of: 0x09) != nil,
      Engines.cloudFront.contains(where: { readsBehindHeading($0, line) })
    {
      return add(.cloudfront, isRequest: true)
    }
    if Engines.nginxVariants.contains(where: { reads($0, line) }) {
      return add(.nginxVariants, isRequest: true)
    }
    if line.hasDashBehindFirstWord, reads(Engines.quotedStatus, line) {
      return add(.nginxVariants, isRequest: true)
    }
    for (format, engine) in Engines.distinct where reads(engine, line) {
      return add(format, isRequest: true)
    }
    if reads(Engines.logfmt, line) { add(.logfmt, isRequest: true) }
  }

  /// Returns a Boolean value indicating whether a line is a request of some engine's.
  private mutating func reads(_ engine: LineEngine, _ line: Span<UInt8>) -> Bool {
    // One format's heading means nothing to another.
    var none = ColumnHeading()
    return parses(engine, line, &none)
  }

  /// The same behind the directives so far, which stay as they are.
  private mutating func readsBehindHeading(_ engine: LineEngine, _ line: Span<UInt8>) -> Bool {
    var own = heading
    return parses(engine, line, &own)
  }

  private mutating func parses(
    _ engine: LineEngine, _ line: Span<UInt8>, _ heading: inout ColumnHeading
  ) -> Bool {
    text.removeAll(keepingCapacity: true)
    if case .request = engine.parse(line, heading: &heading, &fields, into: &text) { return true }
    return false
  }

  private static func commonFormat(of line: Span<UInt8>, _ record: LogRecord?) -> LogFormat {
    var hasReferrer = true
    if let record, record.referrer == nil, record.agent == nil {
      let quote = UInt8(ascii: "\"")
      let requestEnd = line.firstIndex(of: quote, from: record.target.upperBound) ?? line.count
      hasReferrer = line.firstIndex(of: quote, from: requestEnd + 1) != nil
    }
    if line.beginsWithHost { return hasReferrer ? .vcombined : .vcommon }
    guard hasReferrer else { return .common }
    if line.hasHostBehindClient { return .lighttpd }
    return line.endsAsTraefik ? .traefik : .combined
  }
}

extension Span<UInt8> {
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
  fileprivate var hasDashBehindFirstWord: Bool {
    guard let space = firstIndex(of: UInt8(ascii: " ")) else { return false }
    return begins(with: " - ", at: space)
  }

  /// A Boolean value indicating whether a status stands between the time and the request:
  /// `] 200 "GET`.
  fileprivate var hasStatusBeforeRequest: Bool {
    guard let quote = firstIndex(of: UInt8(ascii: "\"")), quote > 6, quote + 1 < count else {
      return false
    }
    return begins(with: "] ", at: quote - 6) && self[quote - 4].isDigit && self[quote - 3].isDigit
      && self[quote - 2].isDigit && self[quote - 1] == UInt8(ascii: " ")
      && self[quote + 1].isLetter
  }

  /// A Boolean value indicating whether a line begins with a host in front of the
  /// client's address: what has no full stop can be a user, a session or the number of a request
  /// as well.
  fileprivate var beginsWithHost: Bool {
    let quote = requestQuote ?? count
    let bracket = firstIndex(of: UInt8(ascii: "["), from: bracketedWordEnd, to: quote) ?? quote
    func isList(_ word: Range<Int>) -> Bool {
      self[word.lowerBound] == UInt8(ascii: "\"") || self[word.upperBound - 1] == UInt8(ascii: ",")
    }
    guard let first = word(from: 0, to: bracket),
      let second = word(from: first.upperBound, to: bracket), !isList(first)
    else {
      // `203.0.113.9, 192.0.2.1 - -`: the addresses that a proxy forwarded.
      return false
    }
    func isDash(_ word: Range<Int>) -> Bool {
      word.count == 1 && self[word.lowerBound] == UInt8(ascii: "-")
    }
    guard isDash(first) || extracting(first).canBeHost else { return false }
    if isList(second) { return true }
    if extracting(second).isAddress { return true }
    // Client names that were looked up: `www.example.com client.isp.net - -`.
    guard let third = word(from: second.upperBound, to: bracket),
      word(from: third.upperBound, to: bracket) != nil
    else { return false }
    return !isDash(second) && isDash(third)
  }

  /// A Boolean value indicating whether the client's address, a host and a user stand in front of
  /// the time, as lighttpd writes them.
  fileprivate var hasHostBehindClient: Bool {
    let quote = requestQuote ?? count
    let bracket = firstIndex(of: UInt8(ascii: "["), from: 0, to: quote) ?? quote
    guard let client = word(from: 0, to: bracket), extracting(client).isAddress,
      let host = word(from: client.upperBound, to: bracket),
      let user = word(from: host.upperBound, to: bracket),
      word(from: user.upperBound, to: bracket) == nil
    else { return false }
    let name = extracting(host)
    return name.firstIndex(of: UInt8(ascii: ".")) != nil && !name.isAddress
      && name.indices.allSatisfy {
        name[$0].isInHostLabel || name[$0] == UInt8(ascii: ".") || name[$0] == UInt8(ascii: ":")
      }
  }

  /// A Boolean value indicating whether these bytes can be a host, by their looks.
  private var canBeHost: Bool {
    begins(with: "localhost") || count == 1 && self[0] == UInt8(ascii: "_")
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

  /// A Boolean value indicating whether these bytes read as an IP address.
  private var isAddress: Bool {
    var (stops, colons) = (0, 0)
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "."): stops += 1
      case UInt8(ascii: ":"): colons += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        if stops > 0, colons == 0 { return false }
      default: return false
      }
    }
    return stops == 3 && colons == 0 || colons >= 2
  }
}
