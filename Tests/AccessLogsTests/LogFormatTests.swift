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
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let whole = Array(example.line.utf8)
    var lines = (0...whole.count).map { Array(whole[..<$0]) }
    for _ in 0..<200 {
      var line = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<line.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: line[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: line.remove(at: index)
        default:
          line.insert(
            [0x22, 0x5C, 0x7B, 0x5B, 0x20].randomElement(using: &generator) ?? 0, at: index)
        }
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
            #expect(range.upperBound <= parser.text.count, "seed \(seed)")
          }
          #expect(!record.target.isEmpty, "seed \(seed)")
          #expect(record.status < 1_000, "seed \(seed)")
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

  /// A line with several requests doesn't count as one, whatever gives their place.
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
