import Foundation
import SystemPackage
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
    var generator = SeededGenerator()
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
        #expect(bytes.span.skipEmptyLines(&skipped) == expected)
        #expect(skipped == end)
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
    #expect(try Self.read(Array(long.utf8), capacity: capacity, lineLimit: 100).lines.count == 1)
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

/// Files with holes, which are read as if zeros were stored there.
@Suite struct HoleTests {
  /// The result of a reader for a file.
  private struct Reading: Equatable {
    var lines: [[UInt8]] = []
    var ends: [Int] = []
    var damage: LogDamage?
    var offset = 0

    init(_ path: String, capacity: Int, lineLimit: Int) {
      var reader = LogReader(LogInput(path: path), lineLimit: lineLimit, engine: .libz)
      var chunk = LineChunk(capacity: capacity)
      while reader.next(into: &chunk) {
        ends.append(chunk.contentEnd)
        chunk.withBytes { bytes in
          var position = 0
          while let range = bytes.nextLine(&position) { lines.append(range.map { bytes[$0] }) }
        }
      }
      (damage, offset) = (reader.damage, reader.offset)
    }
  }

  /// Writes pieces with holes of a given length between them.
  private static func write(
    _ pieces: [[UInt8]], hole: Int, isStored: Bool, to name: String, in folder: TemporaryFolder
  ) throws -> String {
    let path = try folder.write([UInt8](), to: name)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var end = 0
    for (number, piece) in pieces.enumerated() {
      if number > 0 {
        if isStored { try file.write(contentsOf: Data(count: hole)) }
        end += hole
        try file.truncate(atOffset: UInt64(end))
        try file.seek(toOffset: UInt64(end))
      }
      try file.write(contentsOf: piece)
      end += piece.count
    }
    return path
  }

  static let first = Array("one\ntwo\nthree".utf8)

  @Test(
    arguments: [
      [first, Array("\nfour\n".utf8)], [first, Array("tail\nfour".utf8), Array("\nend\n".utf8)],
      [first, []], [Array("one\n".utf8), Array("two\n".utf8)],
    ], [4_000, 300_000, 5_000_001])
  func areReadAsStoredZeros(pieces: [[UInt8]], hole: Int) throws {
    let folder = try TemporaryFolder()
    let holes = try Self.write(pieces, hole: hole, isStored: false, to: "holes", in: folder)
    let zeros = try Self.write(pieces, hole: hole, isStored: true, to: "zeros", in: folder)
    for (capacity, lineLimit) in [(64, 100), (256 * 1024, 1 << 20)] {
      let reading = Reading(holes, capacity: capacity, lineLimit: lineLimit)
      #expect(reading == Reading(zeros, capacity: capacity, lineLimit: lineLimit))
      #expect(reading.damage == nil && reading.ends.last == reading.offset)
    }
  }

  /// Zeros after a compressed log are padding, however many there are.
  @Test(arguments: Codec.all.filter { $0.compression != .xz })
  func holesAfterCompressedLogsArePadding(codec: Codec) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(codec.member(Array("one\n".utf8)), to: "log")
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 3 << 20)
    let reading = Reading(path, capacity: 64, lineLimit: 100)
    #expect(reading.lines == [Array("one".utf8)] && reading.damage == nil)
    #expect(reading.offset == 3 << 20)
  }
}

/// Logs that become shorter while they are read.
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
    var reader = LogReader(
      LogInput(path: path, size: bytes.count), lineLimit: 1 << 20, engine: engine)
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
    for engine in codec.compression == .gzip ? GzipEngine.allCases : [.libz] {
      let place = Comment(rawValue: "\(engine)")
      #expect(
        try Self.damage(of: bytes, cutTo: end, engine) == LogDamage(.shortened, offset: end), place)
      #expect(
        try Self.damage(of: bytes, cutTo: end - 1_000, engine)
          == LogDamage(.truncated, offset: end - 1_000), place)
      #expect(try Self.damage(of: bytes, cutTo: bytes.count, engine) == nil, place)
    }
  }

  @Test func isDetectedInPlainLogs() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 20)
    #expect(
      try Self.damage(of: bytes, cutTo: 900_000, .libz) == LogDamage(.shortened, offset: 900_000))
  }
}

@Suite struct LogDamageTests {
  private static let kinds: [LogDamage.Kind] =
    [
      .truncated, .shortened, .invalidData, .wrongChecksum,
      .expansionLimit(ratio: 1_000, length: 65_536), .memoryLimit(needed: 5, allowed: 4),
      .windowLimit(needed: 5, allowed: 4), .archive,
      .outOfMemory, .system(.ioError),
    ] + ForeignContent.allCases.map { .foreign($0) }
    + Compression.allCases.flatMap { compression -> [LogDamage.Kind] in
      [
        .trailingGarbage(after: compression), .unsupported(compression), .nested(compression),
        .compressedTail(compression),
      ]
    }

  @Test(arguments: kinds) func codesAreReadBack(kind: LogDamage.Kind) {
    let damage = LogDamage(kind, offset: 42)
    #expect(LogDamage(code: damage.code) == damage)
    for other in [damage.code + " ", " " + damage.code, damage.code + " 7", damage.description, ""]
    {
      #expect(LogDamage(code: other) == nil, "\(other)")
    }
  }

  /// Stores contain codes, so they never change.
  @Test func codesStay() {
    #expect(
      LogDamage(.trailingGarbage(after: .gzip), offset: 1_446).code == "trailingGarbage 1446 gzip")
    #expect(
      LogDamage(.expansionLimit(ratio: 10, length: 65_536), offset: 0).code
        == "expansionLimit 0 10 65536")
    for text in [
      "truncated", "truncated x", "truncated 01", "trailingGarbage 5", "expansionLimit 0 1",
    ] {
      #expect(LogDamage(code: text) == nil, "\(text)")
    }
  }
}
