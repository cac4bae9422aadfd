import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AccessLogs

/// Reads a file with every available library.
func contents(
  of bytes: [UInt8], capacity: Int, lineLimit: Int = LogReader.defaultLineLimit,
  expansion: ExpansionLimit = ExpansionLimit()
) throws -> [LogContents] {
  let folder = try TemporaryFolder()
  let path = try folder.write(bytes, to: "log")
  return GzipEngine.allCases.map { engine in
    LogContents(
      LogInput(path: path, size: bytes.count), capacity: capacity, lineLimit: lineLimit,
      expansion: expansion, engine: engine)
  }
}

/// Reads a file with every available library and returns its lines and its damage.
func readLog(
  _ bytes: [UInt8], capacity: Int = 64, lineLimit: Int = LogReader.defaultLineLimit,
  expansion: ExpansionLimit = ExpansionLimit()
) throws -> (lines: [String], damage: LogDamage?) {
  let results = try contents(
    of: bytes, capacity: capacity, lineLimit: lineLimit, expansion: expansion)
  for result in results {
    #expect(result.chunks.map(\.index) == Array(result.chunks.indices))
    #expect(result.lines == results[0].lines)
    #expect(result.damage?.kind == results[0].damage?.kind)
  }
  return (results[0].lines.map { String(decoding: $0, as: UTF8.self) }, results[0].damage)
}

func expectLog(
  _ lines: [String], _ damage: LogDamage? = nil, in bytes: [UInt8], capacity: Int = 64,
  expansion: ExpansionLimit = ExpansionLimit(), sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let found = try readLog(bytes, capacity: capacity, expansion: expansion)
  #expect(found.lines == lines, sourceLocation: sourceLocation)
  #expect(found.damage == damage, sourceLocation: sourceLocation)
}

@Suite struct LogReaderTests {
  static let text = "one\ntwo\r\n\nfour is longer\nfive\n"
  static let lines = ["one", "two", "", "four is longer", "five"]

  @Test(arguments: 1...40)
  func chunkingDoesNotChangeTheLines(capacity: Int) throws {
    try expectLog(Self.lines, in: Array(Self.text.utf8), capacity: capacity)
  }

  @Test func emptyLinesAreSkippedAsTheyAreRead() {
    var generator = SeededGenerator()
    for _ in 0..<300 {
      let pieces = ["\n", "\n\n\n\n\n\n\n\n\n", "\r\n", "\r\n\r\n\r\n\r\n\r\n", "\r", "x"]
      let text = (0..<12).map { _ in pieces[Int.random(in: 0..<6, using: &generator)] }.joined()
      let bytes = Array(text.utf8)
      for start in bytes.indices {
        var (position, expected, end) = (start, 0, start)
        while let line = bytes.span.nextLine(&position), line.isEmpty, position <= bytes.count {
          expected += 1
          end = position
        }
        var skipped = start
        #expect(bytes.span.skipEmptyLines(&skipped) == expected)
        #expect(skipped == end)
      }
    }
  }

  @Test func theLastLineMayLackItsEnd() throws {
    for (text, lines) in [("a\nb", ["a", "b"]), ("b", ["b"]), ("", []), ("\n", [""])] {
      #expect(try readLog(Array(text.utf8)).lines == lines)
    }
  }

  @Test(arguments: [1, 7, 64])
  func tooLongLinesAreCutAndTheRestSkipped(capacity: Int) throws {
    let long = String(repeating: "x", count: 5_000)
    let text = "before\n\(long)\nafter\n"
    let (lines, damage) = try readLog(Array(text.utf8), capacity: capacity, lineLimit: 100)
    #expect(lines.first == "before" && lines.last == "after" && lines.count == 3)
    #expect(lines[1].utf8.count > 100)
    #expect(damage == nil)
    #expect(try readLog(Array(long.utf8), capacity: capacity, lineLimit: 100).lines.count == 1)
  }

  /// A log that was truncated while its server continued at the old position begins with a hole.
  @Test(arguments: [1, 7, 64, 1_000]) func zerosBeforeLinesDoNotCount(capacity: Int) throws {
    for hole in [1, 8, 63, 99, 100, 101, 5_000] {
      let zeros = String(repeating: "\0", count: hole)
      let text = zeros + "one\n" + zeros + "two\r\n" + zeros + "\nthree" + zeros
      let (lines, damage) = try readLog(Array(text.utf8), capacity: capacity, lineLimit: 100)
      #expect(lines.prefix(3) == ["one", "two", ""] && lines.count == 4)
      #expect(lines[3].hasPrefix("three"))
      #expect(damage == nil)
      #expect(
        try readLog(Array(("a\n" + zeros).utf8), capacity: capacity, lineLimit: 100)
          .lines.count == 2)
    }
  }

  @Test func chunksAfterAHoleHaveTheirPlaces() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "\0", count: 3_000) + "one\ntwo\n"
    let input = LogInput(path: try folder.write(text.utf8, to: "log"))
    let chunks = LogContents(input, capacity: 64, lineLimit: 100, engine: .preferred).chunks
    #expect(chunks.allSatisfy { $0.contentEnd == $0.offset + $0.count })
    #expect(chunks.last?.contentEnd == 3_008)
  }

  @Test func aFileThatIsNotThereIsUnreadable() {
    let contents = LogContents(LogInput(path: "/nonexistent/log"), capacity: 64, engine: .preferred)
    #expect(contents.chunks.isEmpty && InputStatus(contents.damage) == .unreadable)
  }

  @Test func aCarriageReturnAtTheLimitDoesNotShortenALongLine() throws {
    let text = String(repeating: "x", count: 100) + "\r" + String(repeating: "y", count: 900) + "\n"
    let (lines, _) = try readLog(Array(text.utf8), capacity: 16, lineLimit: 100)
    #expect(lines.count == 1 && lines[0].utf8.count > 100)
  }
}

@Suite struct HoleTests {
  private static func read(_ path: String, _ capacity: Int, _ lineLimit: Int) -> LogContents {
    LogContents(LogInput(path: path), capacity: capacity, lineLimit: lineLimit, engine: .libz)
  }

  static let first = Array("one\ntwo\nthree".utf8)

  @Test(
    arguments: [
      [first, Array("\nfour\n".utf8)], [first, Array("tail\nfour".utf8), Array("\nend\n".utf8)],
      [first, []], [Array("one\n".utf8), Array("two\n".utf8)],
    ], [4_000, 300_000, 5_000_001])
  func areReadAsStoredZeros(pieces: [[UInt8]], hole: Int) throws {
    let folder = try TemporaryFolder()
    let holes = try folder.write([UInt8](), to: "holes")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: holes))
    defer { try? file.close() }
    var end: UInt64 = 0
    for piece in pieces {
      try file.truncate(atOffset: end)
      try file.seek(toOffset: end)
      try file.write(contentsOf: piece)
      end += UInt64(piece.count + hole)
    }
    let zeros = [UInt8](repeating: 0, count: hole)
    let stored = try folder.write(
      pieces.dropFirst().reduce(pieces[0]) { $0 + zeros + $1 }, to: "zeros")
    for (capacity, lineLimit) in [(64, 100), (256 * 1024, 1 << 20)] {
      let reading = Self.read(holes, capacity, lineLimit)
      let expected = Self.read(stored, capacity, lineLimit)
      #expect(reading.lines == expected.lines && reading.offset == expected.offset)
      #expect(reading.chunks.map(\.contentEnd) == expected.chunks.map(\.contentEnd))
      #expect(reading.damage == nil && expected.damage == nil)
      #expect(reading.chunks.last?.contentEnd == reading.offset)
    }
  }

  @Test(arguments: Codec.all.filter { $0.compression != .xz })
  func holesAfterCompressedLogsArePadding(codec: Codec) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(codec.member(Array("one\n".utf8)), to: "log")
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 3 << 20)
    let reading = Self.read(path, 64, 100)
    #expect(reading.lines == [Array("one".utf8)] && reading.damage == nil)
    #expect(reading.offset == 3 << 20)
  }
}

@Suite struct ShortenedLogTests {
  /// Members that are together longer than the read-ahead.
  private static func members(of codec: Codec) -> [[UInt8]] {
    var generator = SeededGenerator()
    return (0..<8).map { _ in
      let line = (0..<100_000).map { _ in UInt8.random(in: 0x80...0xFF, using: &generator) }
      return codec.member(line + [UInt8(ascii: "\n")], blockSize: 50_000)
    }
  }

  /// The damage of a log that is cut after its first lines have been read.
  private static func damage(
    of bytes: [UInt8], cutTo length: Int, _ engine: GzipEngine
  ) throws -> LogDamage? {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "log")
    var reader = LogReader(LogInput(path: path, size: bytes.count), lineLimit: 1 << 20)
    reader.engine = engine
    var chunk = LineChunk(capacity: 1_000)
    let hasLines = reader.next(into: &chunk)
    #expect(hasLines)
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: UInt64(length))
    while reader.next(into: &chunk) {}
    return reader.damage
  }

  /// A log cut between two members looks complete; within one, it looks truncated, like an
  /// unfinished log; both are detected.
  @Test(arguments: Codec.all)
  func isDetectedAtAnyCut(codec: Codec) throws {
    let members = Self.members(of: codec)
    let bytes = members.flatMap(\.self)
    let end = members[..<7].reduce(0) { $0 + $1.count }
    for engine in codec.engines {
      let cuts: [(Int, LogDamage.Kind?)] = [
        (end, .shortened), (end - 1_000, .truncated), (bytes.count, nil),
      ]
      for (length, kind) in cuts {
        let damage = try Self.damage(of: bytes, cutTo: length, engine)
        #expect(damage == kind.map { LogDamage($0, offset: length) }, "\(engine)")
      }
    }
  }

  @Test func isDetectedInPlainLogs() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 20)
    #expect(
      try Self.damage(of: bytes, cutTo: 900_000, .libz) == LogDamage(.shortened, offset: 900_000))
  }
}

@Suite struct LogDamageTests {
  private static let kinds: [(LogDamage.Kind, InputStatus)] = {
    var kinds: [(LogDamage.Kind, InputStatus)] = [
      (.truncated, .truncated), (.shortened, .truncated), (.invalidData, .corrupt),
      (.wrongChecksum, .corrupt), (.expansionLimit(ratio: 1_000, length: 65_536), .truncated),
      (.memoryLimit(needed: 5, allowed: 4), .unreadable),
      (.windowLimit(needed: 5, allowed: 4), .unreadable), (.archive, .unreadable),
      (.outOfMemory, .unreadable), (.system(.ioError), .unreadable),
    ]
    for content in ForeignContent.allCases { kinds.append((.foreign(content), .unreadable)) }
    for compression in Compression.allCases {
      kinds.append((.trailingGarbage(after: compression), .corrupt))
      kinds.append((.compressedTail(compression), .corrupt))
      kinds.append((.unsupported(compression), .unreadable))
      kinds.append((.nested(compression), .unreadable))
    }
    return kinds
  }()

  /// Digests and stores contain damage as JSON.
  @Test(arguments: kinds)
  func damageIsReadBackAndHasAStatus(kind: LogDamage.Kind, status: InputStatus) throws {
    let damage = LogDamage(kind, offset: 42)
    let read = try JSONDecoder().decode(LogDamage.self, from: try JSONEncoder().encode(damage))
    #expect(read == damage && InputStatus(damage) == status)
  }
}
