import TestSupport
import Testing

@testable import AccessLogs

@Suite struct LogFormatTests {
  /// Parses the last line of a text.
  static func parse(_ format: LogFormat, _ text: String) -> (line: LogLine, text: [UInt8]) {
    var parser = LogParser(format)
    var outcome = LogLine.rejected(.emptyLine)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      parser.reset()
      outcome = parser.parse(Array(line.utf8).span)
    }
    return (outcome, parser.text)
  }

  /// Parses the last line of a text, which has to be a request.
  static func request(
    _ format: LogFormat, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (record: LogRecord, text: [UInt8]) {
    let (line, text) = parse(format, text)
    let record: LogRecord? = if case .request(let record) = line { record } else { nil }
    return (try #require(record, "\(line)", sourceLocation: sourceLocation), text)
  }

  static func field(_ range: Range<Int>?, _ text: [UInt8]) -> String? {
    guard let range else { return nil }
    var bytes: [UInt8] = []
    LogEscapes.append(undoing: text.span.extracting(range), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: FormatExample.all)
  func readsAllFieldsOfALine(example: FormatExample) throws {
    let format = try #require(LogFormat(named: example.format))
    try Self.expect(example, in: example.heading + example.line, format)
  }

  /// Expects that the last line of a text has the fields of an example.
  static func expect(_ example: FormatExample, in text: String, _ format: LogFormat) throws {
    let (record, text) = try Self.request(format, text)
    #expect(Self.field(record.host, text) == example.host)
    #expect(Self.field(record.method, text) == example.method)
    #expect(Self.field(record.target, text) == example.target)
    #expect(Int(record.status) == example.status)
    #expect(Self.field(record.referrer, text) == example.referrer)
    #expect(Self.field(record.agent, text) == example.agent)
  }

  @Test(arguments: FormatExample.all)
  func detectsTheFormat(example: FormatExample) {
    let text = example.heading + String(repeating: example.line + "\n", count: 3)
    #expect(LogFormatDetectionTests.detect(text)?.name == example.format)
  }

  @Test(arguments: FormatExample.all)
  func fitsNoForeignFormat(example: FormatExample) {
    // Formats that share their lines with others, or have a status in another place.
    let kin: Set = [
      "combined", "common", "vcombined", "vcommon", "lighttpd", "traefik", "nginx-proxy-manager",
      "w3c", "cloudfront", "fastly", "nginx-json", "awss3", "envoy-json", "vercel", "alibaba-cdn",
      "tencent-cdn", "confluence",
    ]
    guard !kin.contains(example.format) else { return }
    let text = example.heading + example.line + "\n"
    var chunk = LineChunk(capacity: 16)
    chunk.append(Array(text.utf8).span)
    for format in LogFormat.named where format.name != example.format && !kin.contains(format.name)
    {
      #expect(!format.fits(chunk), "\(format.name)")
    }
  }

  /// Cut or modified lines give a request or a rejection in any format, and positions are in the
  /// text.
  @Test(arguments: FormatExample.all)
  func damagedLinesAreHarmless(example: FormatExample) throws {
    var generator = SeededGenerator()
    let whole = Array(example.line.utf8)
    var lines = (0...whole.count).map { Array(whole[..<$0]) }
    for _ in 0..<200 {
      var line = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let byte = UInt8.random(in: 0...255, using: &generator)
        let marks = Bool.random(using: &generator) ? [byte] : Array(#""\{[ "#.utf8)
        line.changeByte(to: marks, using: &generator)
        if line.isEmpty { break }
      }
      lines.append(line)
    }
    for format in LogFormat.named
    where format.name == example.format || Bool.random(using: &generator) {
      var parser = LogParser(format)
      for line in example.heading.split(separator: "\n") { _ = parser.parse(Array(line.utf8).span) }
      for line in lines {
        if case .request(let record) = parser.parse(line.span) {
          for range in [
            record.host, record.time, record.method, record.target, record.referrer, record.agent,
          ] {
            guard let range else { continue }
            #expect(range.upperBound <= parser.text.count)
          }
          #expect(!record.target.isEmpty)
          #expect(record.status < 1_000)
        }
      }
    }
  }

  /// Kubernetes' prefix is skipped, wherever the line is cut.
  @Test(arguments: [
    "2026-11-19T12:00:00.123456789+00:00 stdout F ", "2026-11-19T12:00:00Z stderr F ",
  ])
  func collectorPrefixesAreSkipped(prefix: String) throws {
    let format = try #require(LogFormat(named: "w3c"))
    let heading = prefix + "#Fields: time cs-uri-stem sc-status\n"
    let (record, text) = try Self.request(format, heading + prefix + "08:00:00 /a 200")
    #expect(Self.field(record.target, text) == "/a")
    for length in 0...prefix.count {
      let cut = String(prefix.prefix(length))
      for format in LogFormat.named { _ = Self.parse(format, cut) }
      _ = LogFormatDetectionTests.detect(cut + "\n")
    }
    // For chunks that begin after the heading.
    var chunk = LineChunk(capacity: 16)
    chunk.append(Array(("x\n" + heading).utf8).span)
    var advanced = ColumnHeading()
    advanced.advance(over: chunk, upTo: chunk.count, in: format, lineLimit: 1 << 20)
    #expect(advanced.columns.compactMap { $0 } == [.time, .target, .status])
  }

  /// The heading determines the names of columns, whatever visitors request.
  @Test func visitorsNameNoColumns() throws {
    let format = try #require(LogFormat(named: "cloudstorage"))
    let row = #""1734524400000000","192.0.2.1","1","","GET","/a?cs_uri=sc_status","200","0""#
    let (record, text) = try Self.request(format, row + "\n" + row)
    #expect(Self.field(record.target, text) == "/a?cs_uri=sc_status")
  }

  @Test func namesAreDistinctAndFound() {
    #expect(Set(LogFormat.named.map(\.name)).count == LogFormat.named.count)
    #expect(LogFormat.nearestName(to: "clodfront") == "cloudfront")
    #expect(LogFormat.nearestName(to: "combned") == "combined")
    #expect(LogFormat.nearestName(to: "qqqqqq") == nil)
  }

  @Test func listsOfRequestsAreRejected() throws {
    let record = #"{"uri":"/a","status":200}"#
    let chosen = LogFormat(jsonKeys: [(.target, "records.uri"), (.status, "records.status")])
    for format in [chosen, .nginxJSON] {
      let one = Self.parse(format, #"{"records":[\#(record)]}"#)
      guard case .request = one.line else {
        Issue.record("\(one.line)")
        continue
      }
      let three = #"{"records":[\#(record),\#(record),\#(record)]}"#
      #expect(Self.parse(format, three).line == .rejected(.severalRequests))
    }
    #expect(Self.parse(.nginxJSON, record + record).line == .rejected(.severalRequests))
    let message = #"{"message":"{\"uri\":\"/a\",\"status\":200}{\"uri\":\"/a\",\"status\":200}"}"#
    #expect(Self.parse(.nginxJSON, message).line == .rejected(.severalRequests))
  }

  @Test func chosenKeysOfJSON() throws {
    let format = LogFormat(jsonKeys: [(.target, "req.uri"), (.status, "res.code")])
    let (record, text) = try Self.request(
      format, #"{"req":{"uri":"/a","method":"GET"},"res":{"code":201},"uri":"/no","referer":"x"}"#)
    #expect(Self.field(record.target, text) == "/a")
    #expect(record.status == 201)
    #expect(Self.field(record.referrer, text) == "x")
    let flat = try Self.request(format, #"{"req.uri":"/b","res.code":"404"}"#)
    #expect(Self.field(flat.record.target, flat.text) == "/b")
  }
}

/// Lines that Docker has wrapped in JSON can have any format.
@Suite struct DockerLogTests {
  static func wrapped(_ line: Substring, end: String = "\\n") -> String {
    var text = ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\t": text += "\\t"
      case "<", ">", "&": text += "\\u00" + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return #"{"log":"\#(text)\#(end)","stream":"stdout","time":"2026-11-19T08:00:01.5Z"}"#
  }

  static let examples = FormatExample.all.filter { !$0.line.contains(#""stream":"#) }

  @Test(arguments: examples)
  func anyFormatIsUnwrapped(example: FormatExample) throws {
    let text = (example.heading + example.line).split(separator: "\n").map { Self.wrapped($0) }
      .joined(separator: "\n")
    var chunk = LineChunk(capacity: 16)
    chunk.append(Array((text + "\n").utf8).span)
    let format = try #require(LogFormat.detect(in: chunk).format)
    #expect(format.name == example.format && format.isDockerLog && format.commonLayout == nil)
    try LogFormatTests.expect(example, in: text, format)
    // A named format.
    let named = try #require(LogFormat(named: example.format)).unwrapping(chunk)
    #expect(named.fits(chunk))
    try LogFormatTests.expect(example, in: text, named)
  }

  @Test func lineEndsAndSizesAreThoseOfTheInnerLine() throws {
    let line =
      #"www.example.com 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 512"#
    let json = #"{"status":200,"request_uri":"/a","bytes_sent":512}"#
    for (format, line) in [(LogFormat.vcommon, line), (.nginxJSON, json)] {
      for end in ["\\n", "\\r\\n", ""] {
        let text = Array(Self.wrapped(line[...], end: end).utf8)
        var parser = LogParser(format.inDockerLog)
        guard case .request(let record) = parser.parse(text.span) else {
          Issue.record("\(line)")
          continue
        }
        #expect(LogFormatTests.field(record.target, parser.text) == "/a")
        #expect(parser.size(of: record, in: text.span) == 512)
      }
    }
  }

  /// Docker cuts lines after 16 KiB; neither part is a request.
  @Test func partsOfLinesAreNoRequests() throws {
    let start =
      #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 512 "-" "curl/8" "#
    let first = start + String(repeating: "x", count: 16_384 - start.utf8.count)
    let lines = [
      Self.wrapped(first[...], end: ""), Self.wrapped(start[...]), Self.wrapped(start[...]),
    ]
    var parser = LogParser(.combined.inDockerLog)
    let outcomes = lines.map { parser.parse(Array($0.utf8).span) }
    #expect(outcomes[0] == .rejected(.partialLine) && outcomes[1] == .rejected(.partialLine))
    guard case .request = outcomes[2] else {
      Issue.record("\(outcomes[2])")
      return
    }
  }

  /// Kubernetes marks parts, by stream.
  @Test(arguments: [LogFormat.combined, .nginxJSON])
  func markedPartsAreNoRequests(format: LogFormat) throws {
    let json = #"{"method":"GET","path":"/a","status":200}"#
    let line =
      format == .combined
      ? #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 512"# : json
    var parser = LogParser(format)
    let time = "2026-11-19T12:00:00.123456789Z "
    let outcomes = ["stdout P ", "stderr F ", "stdout P ", "stdout F ", "stdout F "].map { tag in
      if case .request = parser.parse(Array((time + tag + line).utf8).span) { return true }
      return false
    }
    #expect(outcomes == [false, true, false, false, true])
    // The fastest parser doesn't use previous lines, and reads nothing of a line that ends too
    // early.
    let cut = time + "stdout P " + line
    #expect(LogLineParser(format: .common).parse(Array(cut.utf8).span) == .rejected(.partialLine))
  }

  /// Unwrapped lines are read directly.
  @Test func otherLinesStay() throws {
    let line = #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 512"#
    for text in [line, #"{"log":"x","stream":"x"}"#, #"{"log":""#, ""] {
      var (one, other) = (LogParser(.common.inDockerLog), LogParser(.common))
      #expect(one.parse(Array(text.utf8).span) == other.parse(Array(text.utf8).span))
    }
  }
}

/// A timestamp or a syslog header before a line is ignored.
@Suite struct LineHeaderTests {
  static let headers = [
    "2026-06-03T12:00:00.123456789Z ", "2026-06-03T12:00:00.123Z\t", "2026-06-03T12:00:00+02:00 ",
    "Jun  3 12:00:00 web nginx[12]: ", "Jun 13 12:00:00 web.example.net nginx: ",
    "Jun  3 12:00:00 nginx: ", "<134>Jun  3 12:00:00 web nginx: ",
    "2026-06-03T12:00:00+00:00 web nginx: ", "2026-06-03T12:00:00.123456+00:00 web nginx[12]: ",
    "<134>1 2026-06-03T12:00:00Z web nginx 12 - - ",
    "<134>1 2026-06-03T12:00:00Z web nginx - ID47 [x@1 a=\"b\"] ",
    "[pod/web-7d4b9/nginx] 2026-06-03T12:00:00.123456789Z ",
  ]

  /// Examples without any prefix, in formats that servers can write to a pipe.
  static let examples = FormatExample.all.filter {
    $0.format != "cloudstorage" && Array($0.line.utf8).span.collectorPrefixEnd == nil
      && Array($0.heading.utf8).span.collectorPrefixEnd == nil
  }

  @Test(arguments: headers, examples)
  func headersAreIgnored(header: String, example: FormatExample) throws {
    let text = (example.heading + example.line).split(separator: "\n").map { header + $0 }
      .joined(separator: "\n")
    #expect(LogFormatDetectionTests.detect(text + "\n")?.name == example.format)
    let format = try #require(LogFormat(named: example.format))
    try LogFormatTests.expect(example, in: text, format)
  }

  static let time = "[03/Jun/2026:12:00:00 +0000]"
  static let request = "\(time) \"GET /a HTTP/1.1\" 200 5 \"-\" \"curl/8\""

  @Test(
    arguments: headers,
    [
      ("192.0.2.1 - - ", "combined", nil), ("www.example.com 192.0.2.1 - - ", "vcombined", 1),
      ("203.0.113.9 www.example.com - ", "lighttpd", 1),
    ] as [(String, String, Int?)])
  func hostsAreThoseOfTheLine(header: String, line: (String, String, Int?)) throws {
    let text = header + line.0 + Self.request
    let format = try #require(LogFormatDetectionTests.detect(text + "\n"))
    #expect(format.name == line.1)
    let layout = try #require(format.commonLayout)
    // In one pass, field by field, and with the parsers of other formats.
    let bytes = Array(text.utf8)
    let parser = LogLineParser(format: layout)
    for parsed in [parser.parse(bytes.span), parser.parse(bytes.span)] {
      guard case .request(let record) = parsed else {
        Issue.record("\(parsed)")
        continue
      }
      #expect(LogFormatTests.field(record.host, bytes) == line.2.map { _ in "www.example.com" })
      #expect(LogFormatTests.field(record.time, bytes) == "03/Jun/2026:12:00:00 +0000")
    }
  }

  @Test(
    arguments: [
      ("203.0.113.9 www.example.com - ", "lighttpd"),
      ("2001:db8::1 example.com:8080 bob ", "lighttpd"),
      ("203.0.113.9 - john.doe ", "combined"), ("203.0.113.9 ident bob ", "combined"),
      ("client.example.net www.example.com - ", "combined"),
    ])
  func theHostAfterTheClientIsDetected(line: String, format: String) {
    #expect(LogFormatDetectionTests.detect(line + Self.request + "\n")?.name == format)
  }

  @Test(arguments: [
    "Jun  3 12:00:00 192.0.2.1 - - ", "Jux  3 12:00:00 web nginx: ",
    "2026-06-03T12:00:00 web nginx: ",
    "2026-06-03 12:00:00 ", "<134> ", "Jun  3 12:00:00 web nginx[x]: ",
    "www.example.com 2001:db8:: ",
    "2026-06-03T12:00:00Z",
  ])
  func otherWordsAreNoHeader(start: String) {
    #expect(Array((start + Self.request).utf8).span.lineHeaderEnd == nil)
  }

  @Test(arguments: ["", "2026-06-04T00:00:00Z ", "Jun  4 00:00:00 web nginx: "])
  func theTimeOfALineStays(header: String) throws {
    let format = try LogFormat(definition: "$time_iso8601 $host \"$request\" $status")
    let (record, text) = try LogFormatTests.request(
      format, header + "2026-06-03T12:00:00+00:00 www.example.com \"GET /a HTTP/1.1\" 200")
    #expect(LogFormatTests.field(record.time, text) == "2026-06-03T12:00:00+00:00")
    #expect(LogFormatTests.field(record.host, text) == "www.example.com")
  }

  /// A pattern that begins with an ignored value gets the line with the header if needed.
  @Test func aPatternCanHaveAHeader() throws {
    let format = try LogFormat(
      definition: "$ignored $host $ignored [$time_local] \"$request\" $status")
    let (record, text) = try LogFormatTests.request(
      format, "2026-06-03T12:00:00Z www.example.com - \(Self.time) \"GET /a HTTP/1.1\" 200")
    #expect(LogFormatTests.field(record.host, text) == "www.example.com")
  }
}
