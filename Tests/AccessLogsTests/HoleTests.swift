import Foundation
import TestSupport
import Testing

@testable import AccessLogs

/// Files with holes, which are read as if zeros were stored there.
@Suite struct HoleTests {
  /// The result of a reader for a file.
  private struct Reading: Equatable {
    var lines: [[UInt8]] = []
    var ends: [Int] = []
    var damage: LogDamage?
    var offset = 0

    init(_ path: String, capacity: Int, lineLimit: Int) {
      var reader = LogReader(
        LogInput(path: path), lineLimit: lineLimit, engine: .libz)
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
