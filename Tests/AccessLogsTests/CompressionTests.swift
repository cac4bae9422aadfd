import Foundation
import TestSupport
import Testing

@testable import AccessLogs

/// Properties of every compression.
@Suite struct CompressionTests {
  static let text = LogReaderTests.text
  static let lines = LogReaderTests.lines

  @Test(arguments: Codec.all, 1...40)
  func chunkingDoesNotChangeTheLines(codec: Codec, capacity: Int) throws {
    let (lines, damage) = try LogReaderTests.read(
      codec.member(Self.text.utf8, blockSize: 7), capacity: capacity)
    #expect(lines == Self.lines && damage == nil)
  }

  @Test(arguments: Codec.all, 1...30)
  func membersAfterOneAnotherAreOneText(codec: Codec, split: Int) throws {
    let text = Array(Self.text.utf8)
    let bytes =
      codec.member(text[..<split]) + codec.member([UInt8]()) + codec.member(text[split...])
    for padding in [0, 4, 8] {
      let (lines, damage) = try LogReaderTests.read(bytes + [UInt8](repeating: 0, count: padding))
      #expect(lines == Self.lines)
      #expect(damage == nil)
    }
  }

  @Test(arguments: Codec.all)
  func everyTruncationKeepsIntactLines(codec: Codec) throws {
    let pieces = codec.pieces(Array(Self.text.utf8), 5)
    let whole = pieces.flatMap(\.self)
    for length in codec.startLength..<whole.count {
      let (lines, damage) = try LogReaderTests.read(Array(whole[..<length]))
      #expect(damage == LogDamage(.truncated, offset: length), "length \(length)")
      #expect(InputStatus(damage) == .truncated)
      // The last line may be cut anywhere, so it is a prefix of the real one.
      let text = lines.joined(separator: "\n")
      let expected = Self.lines.joined(separator: "\n")
      #expect(expected.hasPrefix(text), "length \(length)")
      #expect(text.utf8.count + 2 >= 5 * Self.completeBlocks(pieces, before: length))
    }
  }

  /// The number of blocks that have certainly ended before a position.
  static func completeBlocks(_ pieces: [[UInt8]], before position: Int) -> Int {
    var (end, count) = (0, 0)
    for piece in pieces {
      end += piece.count
      // The last bits of a bzip2 block come with the next one.
      guard end + 4 < position else { break }
      count += 1
    }
    return count
  }

  @Test(arguments: Codec.all)
  func damageKeepsEarlierBlocks(codec: Codec) throws {
    var generator = SeededGenerator()
    let text = (0..<400).map { _ in "line \(UInt64.random(in: 0...UInt64.max, using: &generator))" }
    let bytes = Array(text.map { $0 + "\n" }.joined().utf8)
    let pieces = codec.pieces(bytes, 2_000)
    let whole = pieces.flatMap(\.self)
    for _ in 0..<TestRun.size(full: 200, usual: 60) {
      var damaged = whole
      let position = Int.random(in: 10..<whole.count, using: &generator)
      damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      let (lines, damage) = try LogReaderTests.read(damaged, capacity: 700)
      guard let damage else {
        #expect(lines == text, "position \(position)")
        continue
      }
      #expect((0...whole.count).contains(damage.offset))
      #expect(InputStatus(damage) != .complete && InputStatus(damage) != .unreadable)
      let good = bytes[..<min(bytes.count, 2_000 * Self.completeBlocks(pieces, before: position))]
      let kept = good.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      }
      .dropLast()
      #expect(lines.starts(with: kept), "position \(position)")
    }
  }

  @Test(arguments: Codec.all)
  func buffersOfAnySizeGiveTheSame(codec: Codec) throws {
    var generator = SeededGenerator()
    let text = (0..<3_000).flatMap { _ in
      Array(
        repeating: UInt8.random(in: 0...255, using: &generator),
        count: Int.random(in: 1...40, using: &generator))
    }
    let whole = codec.member(text, blockSize: 9_000) + codec.member(text.prefix(50))
    let engines: [GzipEngine] = codec.compression == .gzip ? GzipEngine.allCases : [.libz]
    for round in 0..<TestRun.size(full: 40, usual: 12) {
      var bytes = whole
      if round % 2 == 1 {
        bytes[Int.random(in: 10..<whole.count, using: &generator)] ^= 1
      }
      for engine in engines {
        let first = try Self.decode(bytes, codec, engine, input: .max...Int.max, output: 1 << 20)
        if round % 2 == 0 { #expect(first.output == text + text.prefix(50) && first.damage == nil) }
        for limit in [1, 10, 1_000] where round < 4 || limit > 1 {
          let output = Int.random(in: 1...10_000, using: &generator)
          let other = try Self.decode(
            bytes, codec, engine, input: 1...limit, output: output, &generator)
          let place = Comment(rawValue: "round \(round), limit \(limit), \(output)")
          let dependsOnRoom = [.bzip2, .xz].contains(codec.compression) && first.damage != nil
          // Whether liblzma detects damage in the data or by the checksum depends on it, too.
          if dependsOnRoom {
            #expect(InputStatus(other.damage) == InputStatus(first.damage), place)
          } else {
            #expect(other.damage?.kind == first.damage?.kind, place)
          }
          // libz delivers what ISA-L holds back of damaged data. How much of a damaged block libbz2
          // and liblzma deliver depends on the room for it.
          guard engine == .libz else { continue }
          let distance = (other.damage?.offset ?? 0) - (first.damage?.offset ?? 0)
          // Where invalid data is detected, some bytes may have been read ahead.
          if !dependsOnRoom {
            #expect(abs(distance) <= (first.damage?.kind == .invalidData ? 16 : 0), place)
          }
          if dependsOnRoom {
            let pair = [first.output, other.output].sorted { $0.count < $1.count }
            #expect(pair[1].starts(with: pair[0]), place)
          } else {
            #expect(other.output == first.output, place)
          }
        }
      }
    }
  }

  /// After damage, reading continues in the log that was opened, whatever has its path by now.
  @Test(arguments: GzipEngine.allCases)
  func aLogThatIsRotatedStaysTheSame(engine: GzipEngine) throws {
    let codec = try #require(Codec.all.first { $0.compression == .gzip })
    let lines = (0..<40_000).map { "line \($0) \($0 &* 2_654_435_761 % 1_000_003)\n" }
    var damaged = codec.member(lines.joined().utf8, blockSize: 10_000)
    damaged[damaged.count * 3 / 4] ^= 0x55
    let folder = try TemporaryFolder()
    let path = try folder.write(damaged, to: "log.gz")
    let input = LogInput(path: path, size: damaged.count)
    var stream = try DecodedStream(input, engine: engine)
    let other = codec.member(lines.map { "other " + $0 }.joined().utf8)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    _ = try folder.write(other, to: "log.gz")
    var (output, damage): ([UInt8], LogDamage?) = ([], nil)
    while damage == nil {
      var buffer = [UInt8](repeating: 0, count: 70_000)
      var (count, offset) = (0, 0)
      do throws(LogDamage) {
        var span = buffer.mutableSpan
        try stream.read(into: &span, count: &count, offset: &offset)
        if count == 0 { break }
      } catch {
        damage = error
      }
      output += buffer[..<count]
    }
    #expect(damage != nil && output.count > 200_000)
    // The damage can change some bytes before the place where it is detected.
    let text = Array(lines.joined().utf8)
    #expect(output.prefix(200_000) == text.prefix(200_000))
  }

  private static func decode(
    _ bytes: [UInt8], _ codec: Codec, _ engine: GzipEngine, input: ClosedRange<Int>, output: Int
  ) throws -> (output: [UInt8], damage: LogDamage?) {
    var generator = SeededGenerator(seed: 0)
    return try decode(bytes, codec, engine, input: input, output: output, &generator)
  }

  private static func decode(
    _ bytes: [UInt8], _ codec: Codec, _ engine: GzipEngine, input: ClosedRange<Int>, output: Int,
    _ generator: inout SeededGenerator
  ) throws -> (output: [UInt8], damage: LogDamage?) {
    var decoder = try MemberDecoder(codec.compression, engine: engine)
    var (result, position): ([UInt8], Int) = ([], 0)
    var buffer = [UInt8](repeating: 0, count: output)
    while position < bytes.count || decoder.holdsOutput {
      let end = position + min(bytes.count - position, Int.random(in: input, using: &generator))
      var target = buffer.mutableSpan
      var produced = 0
      do throws(LogDamage) {
        position += try decoder.decode(
          bytes.span.extracting(position..<end), at: position, into: &target, produced: &produced)
      } catch {
        return (result + buffer[..<produced], error)
      }
      result += buffer[..<produced]
    }
    return (result, decoder.isAtEnd ? nil : LogDamage(.truncated, offset: position))
  }

  /// Much output from little input waits until there is room.
  @Test(arguments: Codec.all)
  func repeatedBytesAreDeliveredCompletely(codec: Codec) throws {
    let line = String(repeating: "a", count: 99)
    let count = TestRun.size(full: 30_000, usual: 3_000)
    let text = String(repeating: line + "\n", count: count)
    for capacity in [4_096, 1 << 20] {
      let (lines, damage) = try LogReaderTests.read(
        codec.member(text.utf8, blockSize: 60_000), capacity: capacity, ratio: 100_000)
      #expect(lines.count == count && lines.allSatisfy { $0 == line } && damage == nil)
    }
  }

  @Test(arguments: Codec.all)
  func aWrongChecksumKeepsTheLines(codec: Codec) throws {
    let pieces = codec.pieces(Array(Self.text.utf8), 100)
    let whole = pieces.flatMap(\.self)
    let places: [Int] =
      switch codec.compression {
      case .gzip: [whole.count - 8, whole.count - 1]
      case .zstd: [whole.count - 4, whole.count - 1]
      // That of the block, after its mark, and that of all blocks.
      case .bzip2: [10, 13, whole.count - 3]
      default: [28 + Self.paddedLZMA2Size(whole), 35 + Self.paddedLZMA2Size(whole)]
      }
    for place in places {
      var bytes = whole
      bytes[place] ^= 0x10
      let (lines, damage) = try LogReaderTests.read(bytes)
      #expect(lines == Self.lines, "\(place)")
      #expect(damage?.kind == .wrongChecksum, "\(place)")
      #expect(InputStatus(damage) == .corrupt)
    }
  }

  /// The size of one LZMA2 chunk after headers of 24 bytes, less 4.
  private static func paddedLZMA2Size(_ stream: [UInt8]) -> Int {
    let isCompressed = stream[24] >= 0x80
    let size =
      isCompressed
      ? Int(stream[27]) << 8 + Int(stream[28]) + 1 + 6 : Int(stream[25]) << 8 + Int(stream[26]) + 4
    return (size + 1 + 3) / 4 * 4 - 4
  }

  @Test(arguments: Codec.all)
  func garbageAfterAMemberIsDamageAndLinesCount(codec: Codec) throws {
    let member = codec.member(Self.text.utf8)
    let kind = LogDamage.Kind.trailingGarbage(after: codec.compression)
    for (garbage, distance) in [
      (Array("garbage".utf8), 0), ([0, 0, 0, 0, 1], 4), ([0, 0, 1], 2), ([0x0A], 0),
    ] {
      let (lines, damage) = try LogReaderTests.read(member + garbage)
      #expect(lines == Self.lines)
      #expect(damage == LogDamage(kind, offset: member.count + distance))
    }
    // Data that begins like a member but isn't one.
    guard codec.compression != .gzip else { return }
    let (lines, damage) = try LogReaderTests.read(
      member + [member[0]] + [UInt8](repeating: 0x7A, count: 30))
    #expect(lines == Self.lines)
    #expect(damage == LogDamage(kind, offset: member.count))
  }
}

@Suite struct GzipBytesTests {
  static let text = Array("the quick brown fox jumps over the lazy dog".utf8)

  @Test(arguments: 0...80)
  func limitsAreKept(limit: Int) {
    let content = GzipBytes(decompressing: GzipWriter.member(Self.text, blockSize: 7), limit: limit)
    #expect(content.bytes == Array(Self.text.prefix(limit)))
    #expect(content.isBeyondLimit == (limit < Self.text.count))
    #expect(content.damage == nil)
  }

  @Test func membersAreOneText() {
    let member = GzipWriter.member(Self.text)
    let content = GzipBytes(decompressing: member + member, limit: 1_000)
    #expect(content.bytes == Self.text + Self.text && content.damage == nil)
  }

  @Test func everyTruncationIsDetected() {
    let member = GzipWriter.member(Self.text, blockSize: 7)
    for length in 1..<member.count {
      let content = GzipBytes(decompressing: Array(member[..<length]), limit: 1_000)
      #expect(content.damage == LogDamage(.truncated, offset: length), "length \(length)")
      #expect(Self.text.starts(with: content.bytes))
    }
  }

  @Test func damageIsDetected() {
    var member = GzipWriter.member(Self.text)
    member[member.count - 8] ^= 1
    #expect(GzipBytes(decompressing: member, limit: 1_000).damage?.kind == .wrongChecksum)
    #expect(
      GzipBytes(decompressing: GzipWriter.member(Self.text) + [1], limit: 1_000).damage?.kind
        == .trailingGarbage(after: .gzip))
    #expect(GzipBytes(decompressing: [], limit: 10).bytes.isEmpty)
  }
}

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
    let lines = Array(RandomLog.lines(2_000, seed: 7).map { $0 + "\n" }.joined().utf8)
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
