import Foundation
import TestSupport
import Testing

@testable import AccessLogs

/// Logs that become shorter while they are read.
@Suite struct ShortenedLogTests {
  /// Members that are together longer than the read-ahead.
  private static func members(of codec: Codec) -> (members: [[UInt8]], seed: UInt64) {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let members = (0..<8).map { _ in
      let line = (0..<100_000).map { _ in UInt8.random(in: 0x80...0xFF, using: &generator) }
      return codec.member(line + [UInt8(ascii: "\n")], blockSize: 50_000)
    }
    return (members, seed)
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
    let (members, seed) = Self.members(of: codec)
    let bytes = members.flatMap(\.self)
    let end = members[..<7].reduce(0) { $0 + $1.count }
    for engine in codec.compression == .gzip ? GzipEngine.allCases : [.libz] {
      let place = Comment(rawValue: "\(engine), seed \(seed)")
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
