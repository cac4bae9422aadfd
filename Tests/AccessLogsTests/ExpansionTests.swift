import TestSupport
import Testing

@testable import AccessLogs

/// Compressed data that decompresses to much more than a log would.
@Suite struct ExpansionTests {
  /// A megabyte of zeros in one member.
  static func bomb(_ codec: Codec) throws -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    guard codec.compression == .gzip else { return codec.member(zeros, blockSize: 1 << 20) }
    let compressed = RawDeflate.compress(zeros.span)
    let data = try #require(compressed)
    return GzipWriter.member(
      deflated: data, checksum: Checksum.crc32(zeros.span), count: zeros.count)
  }

  /// The output of a reader.
  struct Reading: Equatable {
    var bytes = 0
    var text = ""
    var damage: LogDamage?
  }

  static func read(
    _ bytes: [UInt8], ratio: Int, capacity: Int, _ engine: GzipEngine
  ) throws -> Reading {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "log")
    var reader = LogReader(
      LogInput(path: path, size: bytes.count), lineLimit: 1 << 21,
      expansion: ExpansionLimit(ratio: ratio), engine: engine)
    var chunk = LineChunk(capacity: capacity)
    var reading = Reading()
    while reader.next(into: &chunk) {
      reading.bytes = chunk.contentEnd
      reading.text += String(
        decoding: chunk.start(upTo: chunk.count).filter { $0 > 0 }, as: UTF8.self)
    }
    reading.damage = reader.damage
    return reading
  }

  static func engines(_ codec: Codec) -> [GzipEngine] {
    codec.compression == .gzip ? GzipEngine.allCases : [.libz]
  }

  /// The reading ends at the same byte, whatever the buffers and the library.
  @Test(arguments: Codec.all, [1, 10, 100])
  func endsAtTheLimit(codec: Codec, ratio: Int) throws {
    let front = codec.member(LogReaderTests.text.utf8)
    let bytes = front + (try Self.bomb(codec)) + front
    let limit = max(1 << 16, ratio * bytes.count)
    for engine in Self.engines(codec) {
      for capacity in [700, 65_536, 100_001] {
        let reading = try Self.read(bytes, ratio: ratio, capacity: capacity, engine)
        #expect(reading.bytes == limit)
        #expect(reading.text.hasPrefix("one\ntwo"))
        #expect(
          reading.damage
            == LogDamage(.expansionLimit(ratio: ratio, length: limit), offset: front.count))
        #expect(InputStatus(reading.damage) == .truncated)
      }
    }
  }

  @Test(arguments: Codec.all)
  func moreCanBeAllowed(codec: Codec) throws {
    let bytes = codec.member(LogReaderTests.text.utf8) + (try Self.bomb(codec))
    for engine in Self.engines(codec) {
      let reading = try Self.read(bytes, ratio: 100_000, capacity: 65_536, engine)
      #expect(reading.bytes == LogReaderTests.text.utf8.count + 1 << 20 && reading.damage == nil)
    }
  }

  /// The beginning of a file is compared with the complete file.
  @Test func aHoleAtTheBeginningOfALogIsNoBomb() throws {
    var log = RandomLog(seed: 7)
    let lines = Array((0..<2_000).map { _ in log.line() + "\n" }.joined().utf8)
    let bytes = (try Self.bomb(.gzip)) + GzipWriter.member(lines)
    for engine in GzipEngine.allCases {
      let reading = try Self.read(bytes, ratio: 10, capacity: 65_536, engine)
      #expect(reading.bytes == 1 << 20 + lines.count && reading.damage == nil)
    }
  }

  @Test func fewBytesAreAlwaysAllowed() {
    let limit = ExpansionLimit(ratio: 10)
    #expect(limit.length(ofSize: 0) == 1 << 16 && limit.length(ofSize: 6_553) == 1 << 16)
    #expect(limit.length(ofSize: 6_554) == 65_540 && limit.length(ofSize: .max) == .max)
    #expect(ExpansionLimit(ratio: -3).ratio == 1)
    #expect(
      [0, 63, 64, 4_095, 4_096, 8_191].map(ExpansionLimit.blockEnd)
        == [64, 64, 128, 4_096, 8_192, 8_192])
  }

  #if Zstd
  /// Frames with large windows wait for one another, and all get their turn.
  @Test func greatWindowsAreForOneFileAtATime() throws {
    var frame = CompressedWriter.zstdFrame(LogReaderTests.text.utf8, blockSize: 7).flatMap(\.self)
    frame[5] = 21 << 3
    for _ in 0..<3 {
      let (lines, damage) = try LogReaderTests.read(
        frame + frame, window: ExpansionLimit.greatestWindow)
      #expect(lines == LogReaderTests.lines + LogReaderTests.lines && damage == nil)
    }
  }
  #endif
}
