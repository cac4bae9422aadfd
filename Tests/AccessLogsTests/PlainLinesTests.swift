import TestSupport
import Testing

@testable import AccessLogs

/// Detection with and without the lines whose format is certain.
@Suite struct PlainLinesTests {
  private static let line =
    "192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a?b=1 HTTP/1.1\" 200 5 "
    + "\"https://www.example.com/\" \"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5)\""

  private static func chunk(_ lines: [[UInt8]]) -> LineChunk {
    var chunk = LineChunk(capacity: 16)
    for line in lines { chunk.append((line + [0x0A]).span) }
    return chunk
  }

  private static func expectSameFormat(_ lines: [[UInt8]], _ seed: UInt64 = 0) {
    let chunk = chunk(lines)
    let (found, expected) = (
      LogFormat.detect(in: chunk, knowsPlainLines: true),
      LogFormat.detect(in: chunk, knowsPlainLines: false)
    )
    #expect(
      found == expected,
      "seed \(seed): \(lines.map { String(decoding: $0, as: UTF8.self) })")
  }

  private static func isPlain(_ line: [UInt8]) -> Bool {
    var lines = PlainLines(line.span)
    return lines.contain(0..<line.count, of: line.span)
  }

  @Test func usualLinesArePlain() {
    #expect(Self.isPlain(Array(Self.line.utf8)))
    for (one, other) in [
      ("\"https://www.example.com/\"", "\"-\""), ("192.0.2.1", "2001:db8::1"), (" 5 ", " - "),
      ("GET", "POST"), ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5)", "curl/8.6.0"),
    ] {
      #expect(Self.isPlain(Array(Self.line.replacing(one, with: other).utf8)), "\(other)")
    }
  }

  @Test(arguments: [
    ("192.0.2.1", "www.example.com"), ("192.0.2.1", "www.example.com 192.0.2.1"),
    ("192.0.2.1 -", "198.51.100.7 192.0.2.1 -"), ("192.0.2.1", "1.2"), ("- - [", "- bob ["),
    ("- - [", "- - - ["), ("200 5", "200 www.example.com"), ("200 5", "742 5"),
    ("/a?b=1", "/{a}"), ("/a?b=1", "/a|b"), ("/a?b=1", "/a\tb"),
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5)", "0123456789abcdef"),
    ("-0700]", "-0700] ["), ("10/Oct/2000", "2000-10-10T"), ("\" 200", "\" \"200\""),
  ])
  func otherLinesAreNot(part: String, other: String) {
    let line = Array(Self.line.replacing(part, with: other).utf8)
    #expect(!Self.isPlain(line))
    for count in [1, 3, 16, 20] {
      Self.expectSameFormat(Array(repeating: line, count: count))
      Self.expectSameFormat(
        Array(repeating: Array(Self.line.utf8), count: count) + [line])
    }
  }

  @Test(arguments: FormatExample.all) func examplesKeepTheirFormat(example: FormatExample) {
    let heading = example.heading.split(separator: "\n").map { Array($0.utf8) }
    let (line, plain) = (Array(example.line.utf8), Array(Self.line.utf8))
    for count in [1, 8, 20] {
      let lines = Array(repeating: line, count: count)
      Self.expectSameFormat(heading + lines)
      Self.expectSameFormat(heading + [plain] + lines)
      Self.expectSameFormat(heading + lines + Array(repeating: plain, count: count))
    }
  }

  @Test func randomLinesKeepTheirFormat() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var log = RandomLog(seed: seed)
    for _ in 0..<TestRun.size(full: 20_000, usual: 1_500) {
      var lines = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
        Array((Bool.random(using: &generator) ? log.line() : Self.line).utf8)
      }
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let place = Int.random(in: 0..<lines.count, using: &generator)
        guard !lines[place].isEmpty else { continue }
        let index = Int.random(in: 0..<lines[place].count, using: &generator)
        let mark = Array(" \"\\{|[]-.,:/=\t#0aZ\r".utf8).randomElement(using: &generator) ?? 0
        if Bool.random(using: &generator) {
          lines[place][index] = mark
        } else {
          lines[place].insert(mark, at: index)
        }
      }
      Self.expectSameFormat(lines, seed)
    }
  }
}
