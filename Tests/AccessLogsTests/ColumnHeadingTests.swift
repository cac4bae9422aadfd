import TestSupport
import Testing

@testable import AccessLogs

/// What is known of columns where a chunk begins is what reading all lines in front of it, one by
/// one, comes to: whichever worker reads a chunk, it reads the same.
@Suite struct ColumnHeadingTests {
  static let prefix = "2026-11-19T12:00:00Z stdout F "
  static let pieces = [
    "\u{FEFF}", prefix, "2026-11-19T12:00:00.123456789+00:00 stderr P ", "\n", "\n", "\r\n",
    "#Fields: time cs-uri-stem sc-status", "#Date: 2026-11-20",
    "#Date: " + String(repeating: "2", count: 40),
    "#Software: x", "#", "date\ttime\tcs-uri-stem\tsc-status\tx-edge-location",
    "timestamp\tcs-uri-stem\tsc-status", "time_micros,cs_method,cs_uri,sc_status",
    "\"time_micros\",\"cs_uri\"", "08:00:00 /a#b 200", "x",
    // Too long for a line.
    String(repeating: "y", count: 300),
  ]

  @Test(arguments: ["w3c", "cloudfront", "cloudstorage", "combined"])
  func chunksBeginAsLinesGoOn(name: String) throws {
    let format = try #require(LogFormat(named: name))
    let seed = TestRun.seed
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4_000 {
      let text = (0..<Int.random(in: 1...12, using: &random))
        .map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
      let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map { Array($0) }
      let cut = Int.random(in: 0...lines.count, using: &random)
      var parser = LogParser(format, lineLimit: 256)
      var advanced = ColumnHeading()
      for part in [Array(lines[..<cut]), Array(lines[cut...])] {
        var chunk = LineChunk(capacity: 16)
        for line in part {
          let end = line.last == 0x0D ? line.count - 1 : line.count
          _ = parser.parse(line.span.extracting(0..<end))
          let whole = line + [0x0A]
          chunk.append(whole.span)
        }
        advanced.advance(over: chunk, upTo: chunk.count, in: format, lineLimit: 256)
        #expect(advanced == parser.heading, "seed \(seed): \(text.debugDescription)")
      }
    }
  }
}
