import Testing

@testable import AccessLogs

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

  /// A format whose lines begin with a time keeps it.
  @Test(arguments: [
    "", "2026-06-04T00:00:00Z ", "Jun  4 00:00:00 web nginx: ",
  ])
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
