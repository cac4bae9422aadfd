internal import Foundations

/// A detector of the format, which looks at the first lines of a log.
struct FormatDetector: ~Copyable {
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

  /// The first lines, without the prefixes of collectors.
  private var sample: [[UInt8]] = []

  /// The numbers of lines with fields that hold something unexpected, of unreadable lines among
  /// them, and of lines that no format fits.
  private var doubts = 0
  private var contradictions = 0
  private var unread = 0

  /// The number of requests with an address, or a dash, before the client's address.
  ///
  /// In a log with hosts there, the address is a host; otherwise, a proxy forwarded it. Dashes
  /// alone are hosts that aren't known.
  private var wordsInFront = (combined: 0, common: 0)
  private var hasAddressInFront = false
  private var heading = ColumnHeading()
  private var requests = 0
  private var text: [UInt8] = []
  private var fields = LineFields()

  /// The signs that the usual key of JSON, `host`, names the site or the server beside another key.
  ///
  /// These are numbers of lines: a referrer, or the other key, names the host under the usual key; a
  /// referrer names the one under the other key; and the usual key holds a name, or doesn't.
  private var hostKeys = (usual: 0, other: 0, names: 0, addresses: 0)

  /// The numbers of lines, and of lines that Docker has wrapped in JSON.
  private var lines = 0
  private var dockerLines = 0

  private let parser = LogLineParser.combined
  private let knowsPlainLines: Bool

  /// The delimiters of a plain line.
  private var delimiters = DelimiterIndex.ofCommonLines()

  /// The greatest number of bytes in a plain line; it bounds the memory of ``delimiters``.
  private static let plainLimit = 1 << 14

  /// Creates a detector that counts lines that are certainly requests in the combined format without
  /// trying other formats, which changes no result, or not.
  init(knowsPlainLines: Bool) { self.knowsPlainLines = knowsPlainLines }

  var hasRequests: Bool { requests > 0 }

  var isCertain: Bool {
    guard requests >= Self.unanimousDistinctCount, votes.count(where: { $0.requests > 0 }) == 1
    else { return false }
    if doubts > 0 || unread > 0 { return requests >= Self.doubtedCount }
    return requests >= Self.unanimousCount
      || votes.allSatisfy { $0.requests == 0 || $0.format.commonLayout == nil }
  }

  var format: LogFormat? {
    // If read as lines, rows would count once each.
    if let first = sample.first, LogFormat.isRow(first.span) { return nil }
    guard
      var format = votedFormat.flatMap({ isDoubtful ? undoubted($0) : $0 }) ?? madeFormat?.format
    else { return nil }
    if format == .nginxJSON, hostKeys.usual == 0,
      hostKeys.other > 0 || hostKeys.addresses > 0 && hostKeys.names == 0
    {
      format = .nginxJSONWithServer
    }
    return dockerLines * 2 > lines ? format.inDockerLog : format
  }

  /// Whether too many lines contradict the format that most of them have.
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
    if votes.count == 1, wordsInFront == (0, 0) { return votes[0].format }
    var votes = votes
    func has(_ formats: LogFormat...) -> Bool {
      votes.contains { $0.requests > 0 && formats.contains($0.format) }
    }
    let hasHosts = has(.vcombined, .vcommon) || !hasAddressInFront && !has(.combined, .common)
    for (format, count) in [
      (hasHosts ? LogFormat.vcombined : .combined, wordsInFront.combined),
      (hasHosts ? LogFormat.vcommon : .common, wordsInFront.common),
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
    return votes.max { ($0.requests, $0.lines) < ($1.requests, $1.lines) }?.format
  }

  private mutating func add(_ format: LogFormat, isRequest: Bool) {
    let index = votes.firstIndex { $0.format.name == format.name } ?? votes.count
    if index == votes.count { votes.append((format, 0, 0)) }
    if isRequest {
      votes[index].requests += 1
      requests += 1
    } else {
      votes[index].lines += 1
    }
  }

  private mutating func addSample(_ line: Span<UInt8>) {
    guard sample.count < Self.sampleCount, line[0] != UInt8(ascii: "{"), line.count < 1 << 14
    else { return }
    sample.append(line.array)
  }

  /// Looks at a line.
  mutating func look(at line: Span<UInt8>) {
    guard line.count > 0 else { return }
    lines += 1
    // The result is the same, unless a line before names the columns of the next ones.
    if knowsPlainLines, heading.columns.isEmpty, isPlain(line) {
      addSample(line)
      return add(.combined, isRequest: true)
    }
    var (inner, escaped): ([UInt8], [UInt8]) = ([], [])
    guard line.isDockerLine(), line.appendDockerLine(to: &inner, &escaped) else {
      return lookAfterPrefix(at: line)
    }
    dockerLines += 1
    lookAfterPrefix(at: inner.span)
  }

  /// Returns whether a line, such as this one, is certainly a request in the combined format.
  ///
  ///     192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0"
  ///
  /// Trying the other formats, too, would count one request in this one without a doubt; every
  /// condition below rules out something else.
  mutating func isPlain(_ line: Span<UInt8>) -> Bool {
    guard line.count <= Self.plainLimit else { return false }
    delimiters.find(in: line)
    var end = 0
    let usual = parser.parseUsual(line, from: 0, delimiters, at: &end)
    // Six quotation marks, of which the last one ends the line.
    guard usual.status != 0, end == 6, delimiters[5] == line.count - 1 else { return false }
    let (client, time) = (delimiters[0] - 34, delimiters[0] - 28)
    let size = ((delimiters[1] + 6)..<delimiters[2]).dropLast()
    // A shorter address could be read as a collector's time.
    guard client >= 7, line[0].isDigit, line.begins(with: " - - ", at: client),
      line.extracting(0..<client).isAddress,
      line.hasShape("00/aaa/0000:00:00:00 ?0000", at: time), line.isCommonTime(from: time),
      line[time + 21] == UInt8(ascii: "+") || line[time + 21] == UInt8(ascii: "-"),
      !size.isEmpty, line[size.upperBound] == UInt8(ascii: " "),
      line.isAbsent(size) || line.decimal(size) != nil
    else { return false }
    // JSON, or a format that is tried before the combined one; Amazon S3's has more columns.
    guard line.firstIndex(of: UInt8(ascii: "{")) == nil,
      line.firstIndex(of: UInt8(ascii: "|")) == nil, line.firstIndex(of: 0x09) == nil
    else { return false }
    let record = usual.record
    if let agent = record.agent, line.begins(with: "Mozilla/", at: agent.lowerBound),
      record.referrer.map({ line.extracting($0).beginsAsURL }) ?? true
    {
      return ValueLooks.isKnown(status: Int(record.status))
    }
    return !line.contradicts(record, in: line)
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
    if !heading.columns.isEmpty, reads(Self.w3c, line, after: heading) {
      return add(columnsFormat, isRequest: true)
    }
    if line.firstIndex(of: UInt8(ascii: "{")) != nil, lookForJSON(line) { return }
    lookForText(line)
  }

  private static let w3c = LogFormat.Layout.columns(.w3c)

  private var columnsFormat: LogFormat { heading.isCloudFront ? .cloudfront : .w3c }

  private mutating func lookForJSON(_ line: Span<UInt8>) -> Bool {
    for candidate in FormatCandidate.json where candidate.sign(line) {
      guard case .json(let keys) = candidate.layouts[0] else { continue }
      var fields = LineFields()
      switch keys.scan(line, into: &fields) {
      case nil: break
      case .severalRequests: continue
      default: return false
      }
      text.removeAll(keepingCapacity: true)
      guard case .request(let record) = fields.record(in: line, into: &text) else { continue }
      add(candidate.format, isRequest: true)
      if candidate.format == .nginxJSON { countHostKeys(record, of: line) }
      return true
    }
    return true
  }

  /// Counts the signs of a line whose record is in ``text``.
  private mutating func countHostKeys(_ record: LogRecord, of line: Span<UInt8>) {
    var (fields, copy): (LineFields, [UInt8]) = (LineFields(), [])
    guard let range = record.host, JSONKeyTree.namesWithServer.scan(line, into: &fields) == nil,
      case .request(let found) = fields.record(in: line, into: &copy), let place = found.host,
      case let site = copy.span.extracting(place), site.isHostName, !site.isInternalHost
    else { return }
    let host = Array(text[range])
    let referring = record.referrer.flatMap { text.span.extracting($0).hostOfURL }
    if site.isEqual(to: host.span) || referring == host {
      hostKeys.usual += 1
    } else if let referring, site.isEqual(to: referring.span) {
      hostKeys.other += 1
    } else if host.span.isHostName, !host.span.isInternalHost {
      hostKeys.names += 1
    } else {
      hostKeys.addresses += 1
    }
  }

  private mutating func lookForText(_ line: Span<UInt8>) {
    if look(for: FormatCandidate.textBeforeCommon, at: line) { return }
    // The size after the request can look like a status, so such a line is never a common one.
    if !line.hasStatusBeforeRequest {
      switch parser.parse(line) {
      case .request(let record): return addCommon(line, record)
      case .rejected(.noTarget):
        return add(line.commonFormat(of: nil) ?? .combined, isRequest: false)
      case .rejected: break
      }
    }
    _ = look(for: FormatCandidate.textAfterCommon, at: line)
  }

  /// Counts a request of the first of some formats that reads a line, and returns whether one does.
  private mutating func look(for candidates: [FormatCandidate], at line: Span<UInt8>) -> Bool {
    for candidate in candidates where candidate.sign(line) {
      // One format's heading means nothing to another.
      let heading = candidate.followsDirectives ? heading : ColumnHeading()
      for layout in candidate.layouts where reads(layout, line, after: heading) {
        add(candidate.format, isRequest: true)
        return true
      }
    }
    return false
  }

  /// Counts a request that one of the common formats reads.
  private mutating func addCommon(_ line: Span<UInt8>, _ record: LogRecord) {
    guard let format = line.commonFormat(of: record) else {
      if line[0] != UInt8(ascii: "-") { hasAddressInFront = true }
      if line.hasReferrer(after: record) {
        wordsInFront.combined += 1
      } else {
        wordsInFront.common += 1
      }
      requests += 1
      return check(line, record)
    }
    add(format, isRequest: true)
    guard format != .traefik else { return }
    if let layout = format.commonLayout, layout.namesHost,
      case .request(let hosted) = layout.parse(line)
    {
      return check(line, hosted)
    }
    check(line, record)
  }

  /// Records whether a line contradicts how one of the common formats read it.
  private mutating func check(_ line: Span<UInt8>, _ record: LogRecord) {
    let read = [record.target, record.host, record.referrer, record.agent, record.time]
    let hasTime = record.time.map { ValueLooks(line.extracting($0)).contains(.time) } ?? false
    doubt(line, record, in: line, read: read.compactMap(\.self), lacksTime: !hasTime)
  }

  /// Records whether a line contradicts how it was read, or leaves doubts because a field in it was
  /// not read, or because it lacks the time that it should have.
  private mutating func doubt(
    _ line: Span<UInt8>, _ record: LogRecord, in text: Span<UInt8>, read: [Range<Int>],
    lacksTime: Bool = false
  ) {
    if line.contradicts(record, in: text) {
      doubts += 1
      contradictions += 1
    } else if lacksTime || line.holdsUnreadField(beside: read) {
      doubts += 1
    }
  }

  /// Returns whether a line is a request of some layout's after a heading.
  private mutating func reads(
    _ layout: LogFormat.Layout, _ line: Span<UInt8>, after heading: ColumnHeading
  ) -> Bool {
    var heading = heading
    text.removeAll(keepingCapacity: true)
    var shape = JSONLineShape.none
    guard
      case .request(let record) = layout.parse(
        line, heading: &heading, &fields, &shape, into: &text)
    else { return false }
    guard case .template = layout else { return true }
    // A line that a pattern fits only at the beginning is probably another format's.
    if fields.failure > 0 { return false }
    let read = [LogField.request, .target, .host, .referrer, .agent, .time]
      .filter { fields.holds($0) }.map { fields[$0].range }
    let text = text
    doubt(line, record, in: text.span, read: read)
    return true
  }
}
