import TestSupport
import Testing

@testable import AccessLogs

/// All workers read a chunk with the columns that are known after its earlier lines.
@Suite struct ColumnHeadingTests {
  static let prefix = "2026-11-19T12:00:00Z stdout F "
  static let pieces = [
    "\u{FEFF}", prefix, "2026-11-19T12:00:00.123456789+00:00 stderr P ", "\n", "\n", "\r\n",
    "#Fields: time cs-uri-stem sc-status", "#Date: 2026-11-20",
    "#Date: " + String(repeating: "2", count: 40),
    "#Date: 2026-12-31 22:00:00", "23:59:59 /b 200", "00:00:01 /c 200", "12:00:00 /d 200",
    "9:00:00 /e 200 torn", "Jun  3 12:00:00 web nginx[12]: ", "2026-06-03T12:00:00.123Z ",
    "#Fields: date time cs-uri-stem sc-status", "#Fields: cs-uri-stem time sc-status",
    "/f 03:00:00 200", DockerLogTests.wrapped("#Date: 2026-02-28"), "\n", "\n",
    DockerLogTests.wrapped("04:00:00 /g 200"),
    "#Software: x", "#", "date\ttime\tcs-uri-stem\tsc-status\tx-edge-location",
    "timestamp\tcs-uri-stem\tsc-status", "time_micros,cs_method,cs_uri,sc_status",
    "\"time_micros\",\"cs_uri\"", "08:00:00 /a#b 200", "x",
    "nginx.1    | ", "\u{1B}[0;33;1mweb-1  | \u{1B}[0m",
    "target,status,count", "\"count\",,\"status\",\"target\"", "/a,200,3", "{\"status\":200}",
    // Too long for a line.
    String(repeating: "y", count: 300),
  ]

  @Test(arguments: ["w3c", "cloudfront", "cloudstorage", "combined", "rows"])
  func chunksBeginAsLinesGoOn(name: String) throws {
    let plain = name == "rows" ? .rows : try #require(LogFormat(named: name))
    var random = SeededGenerator()
    for round in 0..<4_000 {
      let format = round % 3 == 0 && !plain.hasRows ? plain.inDockerLog : plain
      let text = random.text(of: Self.pieces, 1...12)
      let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map { Array($0) }
      let cut = Int.random(in: 0...lines.count, using: &random)
      var parser = LogParser(format, lineLimit: 256)
      var advanced = ColumnHeading()
      for part in [lines[..<cut], lines[cut...]] {
        for line in part {
          let end = line.last == 0x0D ? line.count - 1 : line.count
          _ = parser.parse(line.span.extracting(0..<end))
        }
        let chunk = LineChunk(part.map { $0 + [0x0A] }.joined())
        advanced.advance(over: chunk, upTo: chunk.count, in: format, lineLimit: 256)
        #expect(advanced == parser.heading, "\(text.debugDescription)")
      }
    }
  }

  /// The time in front of a service's name can be read as the line's own, if nothing else fits.
  @Test func timesOfServicesDateLinesInAllChunks() {
    let fields = "#Fields: time cs-uri-stem sc-status cs-method"
    let lines = ["#Date: 2026-06-03", fields, "12:00:00 web.1  | x"]
    let chunk = LineChunk(lines.map { $0 + "\n" }.joined().utf8)
    var (parser, advanced) = (LogParser(.w3c), ColumnHeading())
    for line in lines { _ = parser.parse(Array(line.utf8).span) }
    advanced.advance(over: chunk, upTo: chunk.count, in: .w3c, lineLimit: 256)
    #expect(advanced == parser.heading)
  }

  /// Lines without a day have that of `#Date:`, and the next day after their time goes back.
  @Test(
    arguments: [
      (["08:00:00", "23:00:00", "22:30:00"], ["03", "03", "03"]),
      (
        ["23:59:58", "00:00:01", "23:59:59", "00:00:02", "12:00:00"],
        ["03", "04", "03", "04", "04"]
      ),
      (["23:00:00", "9:00:00", "23:59:00"], ["03", "04", "04"]),
      (["12:00:00", "08:00:00", "07:00:00", "01:00:00"], ["03", "04", "04", "05"]),
      (["23:00:00", "01:00:00", "#Date: 2026-06-03", "02:00:00"], ["03", "04", "03"]),
      (["23:00:00", "x", "-", "01:00:00"], ["03", "03", "03", "04"]),
    ] as [([String], [String])])
  func midnightBeginsADay(times: [String], days: [String]) {
    let lines = times.map { $0.hasPrefix("#") ? $0 : "\($0) /a 200" }
    #expect(Self.days(lines, from: "2026-06-03") == days.map { "2026-06-\($0)" })
  }

  @Test(arguments: [
    ("2026-12-31", "2027-01-01"), ("2026-02-28", "2026-03-01"), ("2028-02-28", "2028-02-29"),
    ("2026-06-30", "2026-07-01"), ("06/03/2026", ""), ("2026-13-01", ""),
  ])
  func monthsAndYearsEnd(day: String, next: String) {
    #expect(Self.days(["23:00:00 /a 200", "01:00:00 /a 200"], from: day) == [day, next])
  }

  static func days(_ lines: [String], from day: String) -> [String] {
    var parser = LogParser(.w3c)
    return (["#Date: " + day, "#Fields: time cs-uri-stem sc-status"] + lines).compactMap { line in
      guard case .request = parser.parse(Array(line.utf8).span) else { return nil }
      return String(decoding: parser.heading.lineDay, as: UTF8.self)
    }
  }
}
