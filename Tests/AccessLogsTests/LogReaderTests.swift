import Foundation
import TestSupport
import Testing

@testable import AccessLogs

@Suite struct LogReaderTests {
  /// Reads a file with every available library and returns its lines and its damage.
  static func read(
    _ bytes: [UInt8], capacity: Int = 64, lineLimit: Int = LogReader.defaultLineLimit,
    ratio: Int = ExpansionLimit.defaultRatio, window: Int = ExpansionLimit.defaultWindow
  ) throws -> (lines: [String], damage: LogDamage?) {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "log")
    let results = try GzipEngine.allCases.map {
      try read(
        LogInput(path: path, size: bytes.count), capacity, lineLimit, $0, ratio: ratio,
        window: window)
    }
    let first = try #require(results.first)
    for other in results.dropFirst() {
      #expect(other.lines == first.lines)
      #expect(other.damage?.kind == first.damage?.kind)
    }
    return first
  }

  static func read(
    _ input: LogInput, _ capacity: Int, _ lineLimit: Int, _ engine: GzipEngine,
    ratio: Int = ExpansionLimit.defaultRatio, window: Int = ExpansionLimit.defaultWindow
  ) throws -> (lines: [String], damage: LogDamage?) {
    var reader = LogReader(
      input, lineLimit: lineLimit, expansion: ExpansionLimit(ratio: ratio, window: window),
      engine: engine)
    var lines: [String] = []
    var expectedIndex = 0
    var chunk = LineChunk(capacity: capacity)
    while reader.next(into: &chunk) {
      #expect(chunk.index == expectedIndex)
      expectedIndex += 1
      chunk.withBytes { bytes in
        var position = 0
        while let range = bytes.nextLine(&position) {
          lines.append(String(decoding: range.map { bytes[$0] }, as: UTF8.self))
        }
      }
    }
    return (lines, reader.damage)
  }

  static let text = "one\ntwo\r\n\nfour is longer\nfive\n"
  static let lines = ["one", "two", "", "four is longer", "five"]

  @Test(arguments: 1...40)
  func chunkingDoesNotChangeTheLines(capacity: Int) throws {
    let plain = try Self.read(Array(Self.text.utf8), capacity: capacity)
    #expect(plain.lines == Self.lines && plain.damage == nil)
  }

  @Test func emptyLinesAreSkippedAsTheyAreRead() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let pieces = ["\n", "\n\n\n\n\n\n\n\n\n", "\r\n", "\r\n\r\n\r\n\r\n\r\n", "\r", "x"]
      let text = (0..<12).map { _ in pieces[Int.random(in: 0..<6, using: &generator)] }.joined()
      let bytes = Array(text.utf8)
      var start = 0
      while start < bytes.count {
        var (position, expected, end) = (start, 0, start)
        while let line = bytes.span.nextLine(&position), line.isEmpty, position <= bytes.count {
          expected += 1
          end = position
        }
        var skipped = start
        #expect(bytes.span.skipEmptyLines(&skipped) == expected, "seed: \(seed)")
        #expect(skipped == end, "seed: \(seed)")
        start += 1
      }
    }
  }

  @Test func theLastLineMayLackItsEnd() throws {
    #expect(try Self.read(Array("a\nb".utf8)).lines == ["a", "b"])
    #expect(try Self.read(Array("b".utf8)).lines == ["b"])
    #expect(try Self.read([]).lines == [])
    #expect(try Self.read(Array("\n".utf8)).lines == [""])
  }

  @Test(arguments: [1, 7, 64])
  func tooLongLinesAreCutAndTheRestSkipped(capacity: Int) throws {
    let long = String(repeating: "x", count: 5_000)
    let text = "before\n\(long)\nafter\n"
    let (lines, damage) = try Self.read(Array(text.utf8), capacity: capacity, lineLimit: 100)
    #expect(lines.first == "before" && lines.last == "after" && lines.count == 3)
    #expect(lines[1].utf8.count > 100)
    #expect(damage == nil)
    #expect(
      try Self.read(Array(long.utf8), capacity: capacity, lineLimit: 100).lines.count == 1)
  }

  /// A log that was truncated while its server continued at the old position begins with a hole.
  @Test(arguments: [1, 7, 64, 1_000]) func zerosBeforeLinesDoNotCount(capacity: Int) throws {
    for hole in [1, 8, 63, 99, 100, 101, 5_000] {
      let zeros = String(repeating: "\0", count: hole)
      let text = zeros + "one\n" + zeros + "two\r\n" + zeros + "\nthree" + zeros
      let (lines, damage) = try Self.read(Array(text.utf8), capacity: capacity, lineLimit: 100)
      #expect(lines.prefix(3) == ["one", "two", ""] && lines.count == 4)
      #expect(lines[3].hasPrefix("three"))
      #expect(damage == nil)
      #expect(
        try Self.read(Array(("a\n" + zeros).utf8), capacity: capacity, lineLimit: 100)
          .lines.count == 2)
    }
  }

  /// Positions in a log include the zeros.
  @Test func chunksAfterAHoleHaveTheirPlaces() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "\0", count: 3_000) + "one\ntwo\n"
    let path = try folder.write(text.utf8, to: "log")
    var reader = LogReader(LogInput(path: path), lineLimit: 100)
    var chunk = LineChunk(capacity: 64)
    var ends: [Int] = []
    while reader.next(into: &chunk) {
      #expect(chunk.contentEnd == chunk.offset + chunk.count)
      ends.append(chunk.contentEnd)
    }
    #expect(ends.last == 3_008)
  }

  @Test func aFileThatIsNotThereIsUnreadable() {
    var reader = LogReader(LogInput(path: "/nonexistent/log"))
    var chunk = LineChunk()
    let hasLines = reader.next(into: &chunk)
    #expect(!hasLines)
    #expect(InputStatus(reader.damage) == .unreadable)
  }

  @Test func aCarriageReturnAtTheLimitDoesNotShortenALongLine() throws {
    let text = String(repeating: "x", count: 100) + "\r" + String(repeating: "y", count: 900) + "\n"
    let (lines, _) = try Self.read(Array(text.utf8), capacity: 16, lineLimit: 100)
    #expect(lines.count == 1 && lines[0].utf8.count > 100)
  }
}
