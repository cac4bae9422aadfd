import TestSupport
import Testing

@testable import AccessLogs

extension LogParser {
  mutating func request(_ line: [UInt8]) throws -> LogRecord {
    switch parse(line.span) {
    case .request(let record): return record
    case .rejected(let reason): throw PlainLineParser.Rejection(reason: reason)
    }
  }
}

@Suite struct LogFormatTests {
  static func parse(_ format: LogFormat, _ text: String) -> PlainLineParser.Outcome {
    var parser = LogParser(format)
    var outcome = LogLine.rejected(.emptyLine)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      parser.reset()
      outcome = parser.parse(Array(line.utf8).span)
    }
    return PlainLineParser.Outcome(outcome, in: parser.text, undoesEscapes: true)
  }

  static func request(_ format: LogFormat, _ text: String) throws -> PlainLineParser.Fields {
    try parse(format, text).get()
  }

  /// Expects that the last line of a text has the fields of an example.
  static func expect(
    _ example: FormatExample, in text: String, _ format: LogFormat, hasItsTime: Bool = false
  ) throws {
    let fields = try request(format, text)
    #expect(fields.host == example.host && fields.method == example.method, "\(fields)")
    #expect(fields.target == example.target && fields.status == example.status, "\(fields)")
    #expect(fields.referrer == example.referrer && fields.agent == example.agent, "\(fields)")
    #expect(!hasItsTime || fields.time == example.time)
  }

  @Test(arguments: FormatExample.all)
  func detectsTheFormatAndReadsAllFields(example: FormatExample) throws {
    let text = example.heading + String(repeating: example.line + "\n", count: 3)
    #expect(LogFormatDetectionTests.detect(text)?.name == example.format)
    let format = try #require(LogFormat(named: example.format))
    try Self.expect(example, in: example.heading + example.line, format)
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
    let chunk = LineChunk((example.heading + example.line + "\n").utf8)
    for format in LogFormat.named where format.name != example.format && !kin.contains(format.name)
    {
      #expect(!format.fits(chunk), "\(format.name)")
    }
  }

  /// Cut or modified lines are requests or rejected in any format, and positions are in the text.
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
          #expect((record.ranges.map(\.upperBound).max() ?? 0) <= parser.text.count)
          #expect(!record.target.isEmpty && record.status < 1_000)
        }
      }
    }
  }

  /// Kubernetes' prefix is skipped, wherever the line is cut.
  @Test(arguments: [
    "2026-11-19T12:00:00.123456789+00:00 stdout F ", "2026-11-19T12:00:00Z stderr F ",
  ])
  func collectorPrefixesAreSkipped(prefix: String) throws {
    let heading = prefix + "#Fields: time cs-uri-stem sc-status\n"
    #expect(try Self.request(.w3c, heading + prefix + "08:00:00 /a 200").target == "/a")
    for length in 0...prefix.count {
      let cut = String(prefix.prefix(length))
      for format in LogFormat.named { _ = Self.parse(format, cut) }
      _ = LogFormatDetectionTests.detect(cut + "\n")
    }
    // For chunks that begin after the heading.
    let chunk = LineChunk(("x\n" + heading).utf8)
    var advanced = ColumnHeading()
    advanced.advance(over: chunk, upTo: chunk.count, in: .w3c, lineLimit: 1 << 20)
    #expect(advanced.columns.compactMap { $0 } == [.time, .target, .status])
  }

  /// The heading determines the names of columns, whatever visitors request.
  @Test func visitorsNameNoColumns() throws {
    let row = #""1734524400000000","192.0.2.1","1","","GET","/a?cs_uri=sc_status","200","0""#
    #expect(try Self.request(.cloudStorage, row + "\n" + row).target == "/a?cs_uri=sc_status")
  }

  @Test func namesAreDistinctAndFound() {
    #expect(Set(LogFormat.named.map(\.name)).count == LogFormat.named.count)
    let names = ["clodfront", "combned", "qqqqqq"].map { LogFormat.nearestName(to: $0) }
    #expect(names == ["cloudfront", "combined", nil])
  }

  @Test func listsOfRequestsAreRejected() throws {
    let record = #"{"uri":"/a","status":200}"#
    let chosen = LogFormat(jsonKeys: [(.target, "records.uri"), (.status, "records.status")])
    let rejection = PlainLineParser.Rejection(reason: .severalRequests)
    for format in [chosen, .nginxJSON] {
      _ = try Self.request(format, #"{"records":[\#(record)]}"#)
      let three = #"{"records":[\#(record),\#(record),\#(record)]}"#
      #expect(Self.parse(format, three) == .failure(rejection))
    }
    let message = #"{"message":"{\"uri\":\"/a\",\"status\":200}{\"uri\":\"/a\",\"status\":200}"}"#
    #expect(Self.parse(.nginxJSON, message) == .failure(rejection))
    let entry = #"192.0.2.1:5 [19/Nov/2026:08:00:00.1] web app/a 0/0/1/2/3 200 5 "GET /a HTTP/1.1""#
    #expect(Self.parse(.haproxy, entry + " " + entry) == .failure(rejection))
  }

  @Test func chosenKeysOfJSON() throws {
    let format = LogFormat(jsonKeys: [(.target, "req.uri"), (.status, "res.code")])
    let fields = try Self.request(
      format, #"{"req":{"uri":"/a","method":"GET"},"res":{"code":201},"uri":"/no","referer":"x"}"#)
    #expect(fields.target == "/a" && fields.status == 201 && fields.referrer == "x")
    #expect(try Self.request(format, #"{"req.uri":"/b","res.code":"404"}"#).target == "/b")
  }
}

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
  static let line = #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 512"#

  @Test(arguments: examples)
  func anyFormatIsUnwrapped(example: FormatExample) throws {
    let text = (example.heading + example.line).split(separator: "\n").map { Self.wrapped($0) }
      .joined(separator: "\n")
    let chunk = LineChunk((text + "\n").utf8)
    let format = try #require(LogFormat.detect(in: chunk).format)
    #expect(format.name == example.format && format.isDockerLog && format.commonLayout == nil)
    try LogFormatTests.expect(example, in: text, format)
    // A named format.
    let named = try #require(LogFormat(named: example.format)).unwrapping(chunk)
    #expect(named.fits(chunk))
    try LogFormatTests.expect(example, in: text, named)
  }

  @Test func lineEndsAndSizesAreThoseOfTheInnerLine() throws {
    let line = "www.example.com " + Self.line
    let json = #"{"status":200,"request_uri":"/a","bytes_sent":512}"#
    for (format, line) in [(LogFormat.vcommon, line), (.nginxJSON, json)] {
      for end in ["\\n", "\\r\\n", ""] {
        let text = Array(Self.wrapped(line[...], end: end).utf8)
        var parser = LogParser(format.inDockerLog)
        let record = try parser.request(text)
        #expect(parser.text[record.target].elementsEqual("/a".utf8))
        #expect(parser.size(of: record, in: text.span) == 512)
      }
    }
  }

  /// Docker cuts lines after 16 KiB; neither part is a request.
  @Test func partsOfLinesAreNoRequests() throws {
    let start = Self.line + #" "-" "curl/8" "#
    let first = start + String(repeating: "x", count: 16_384 - start.utf8.count)
    var parser = LogParser(.combined.inDockerLog)
    for line in [Self.wrapped(first[...], end: ""), Self.wrapped(start[...])] {
      #expect(parser.parse(Array(line.utf8).span) == .rejected(.partialLine))
    }
    _ = try parser.request(Array(Self.wrapped(start[...]).utf8))
  }

  /// Kubernetes marks parts, by stream.
  @Test(arguments: [LogFormat.combined, .nginxJSON])
  func markedPartsAreNoRequests(format: LogFormat) throws {
    let json = #"{"method":"GET","path":"/a","status":200}"#
    let line = format == .nginxJSON ? json : Self.line
    var parser = LogParser(format)
    let time = "2026-11-19T12:00:00.123456789Z "
    let outcomes = ["stdout P ", "stderr F ", "stdout P ", "stdout F ", "stdout F "].map { tag in
      (try? parser.request(Array((time + tag + line).utf8))) != nil
    }
    #expect(outcomes == [false, true, false, false, true])
    // The fastest parser doesn't use previous lines, and reads nothing of a line that ends too
    // early.
    let cut = time + "stdout P " + line
    #expect(LogLineParser.common.parse(Array(cut.utf8).span) == .rejected(.partialLine))
  }

  /// Unwrapped lines are read directly.
  @Test func otherLinesStay() throws {
    for text in [Self.line, #"{"log":"x","stream":"x"}"#, #"{"log":""#, ""] {
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
      ("192.0.2.1 - - ", "combined", nil),
      ("www.example.com 192.0.2.1 - - ", "vcombined", "www.example.com"),
      ("203.0.113.9 www.example.com - ", "lighttpd", "www.example.com"),
    ] as [(String, String, String?)])
  func hostsAreThoseOfTheLine(header: String, line: (String, String, String?)) throws {
    let text = header + line.0 + Self.request
    let format = try #require(LogFormatDetectionTests.detect(text + "\n"))
    #expect(format.name == line.1)
    let layout = try #require(format.commonLayout)
    let fields = try LogLineParserTests.parse(text, format: layout).get()
    #expect(fields.host == line.2 && fields.time == "03/Jun/2026:12:00:00 +0000")
  }

  @Test(arguments: [
    "Jun  3 12:00:00 192.0.2.1 - - ", "Jux  3 12:00:00 web nginx: ",
    "2026-06-03T12:00:00 web nginx: ", "2026-06-03 12:00:00 ", "<134> ",
    "Jun  3 12:00:00 web nginx[x]: ", "www.example.com 2001:db8:: ", "2026-06-03T12:00:00Z",
  ])
  func otherWordsAreNoHeader(start: String) {
    #expect(Array((start + Self.request).utf8).span.lineHeaderEnd == nil)
  }

  @Test(arguments: ["", "2026-06-04T00:00:00Z ", "Jun  4 00:00:00 web nginx: "])
  func theTimeOfALineStays(header: String) throws {
    let format = try LogFormat(definition: "$time_iso8601 $host \"$request\" $status")
    let fields = try LogFormatTests.request(
      format, header + "2026-06-03T12:00:00+00:00 www.example.com \"GET /a HTTP/1.1\" 200")
    #expect(fields.time == "2026-06-03T12:00:00+00:00" && fields.host == "www.example.com")
  }
}
