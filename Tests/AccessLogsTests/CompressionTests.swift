import Foundation
import TestSupport
import Testing

@testable import AccessLogs

extension Codec {
  /// The libraries that can decompress it.
  var engines: [GzipEngine] { compression == .gzip ? GzipEngine.allCases : [.libz] }
}

@Suite struct CompressionTests {
  static let text = LogReaderTests.text
  static let lines = LogReaderTests.lines

  @Test(arguments: Codec.all, 1...40)
  func chunkingDoesNotChangeTheLines(codec: Codec, capacity: Int) throws {
    try expectLog(Self.lines, in: codec.member(Self.text.utf8, blockSize: 7), capacity: capacity)
  }

  @Test(arguments: Codec.all, 1...30)
  func membersAfterOneAnotherAreOneText(codec: Codec, split: Int) throws {
    let text = Array(Self.text.utf8)
    let bytes =
      codec.member(text[..<split]) + codec.member([UInt8]()) + codec.member(text[split...])
    for padding in [0, 4, 8] {
      try expectLog(Self.lines, in: bytes + [UInt8](repeating: 0, count: padding))
    }
  }

  @Test(arguments: Codec.all)
  func everyTruncationKeepsIntactLines(codec: Codec) throws {
    let pieces = codec.pieces(Array(Self.text.utf8), 5)
    let whole = pieces.flatMap(\.self)
    for length in codec.startLength..<whole.count {
      let (lines, damage) = try readLog(Array(whole[..<length]))
      #expect(damage == LogDamage(.truncated, offset: length), "length \(length)")
      // The last line may be cut anywhere, so it is a prefix of the real one.
      let text = lines.joined(separator: "\n")
      #expect(Self.lines.joined(separator: "\n").hasPrefix(text), "length \(length)")
      #expect(text.utf8.count + 2 >= 5 * Self.completeBlocks(pieces, before: length))
    }
  }

  /// The number of blocks that have certainly ended before a position.
  static func completeBlocks(_ pieces: [[UInt8]], before position: Int) -> Int {
    // The last bits of a bzip2 block come with the next one.
    pieces.indices.count { pieces[...$0].reduce(0) { $0 + $1.count } + 4 < position }
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
      let (lines, damage) = try readLog(damaged, capacity: 700)
      guard let damage else {
        #expect(lines == text, "position \(position)")
        continue
      }
      #expect((0...whole.count).contains(damage.offset))
      #expect(InputStatus(damage) != .complete && InputStatus(damage) != .unreadable)
      let good = bytes[..<min(bytes.count, 2_000 * Self.completeBlocks(pieces, before: position))]
      let kept = String(decoding: good, as: UTF8.self).split(separator: "\n").dropLast()
      #expect(lines.starts(with: kept.map(String.init)), "position \(position)")
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
    for round in 0..<TestRun.size(full: 40, usual: 12) {
      var bytes = whole
      if round % 2 == 1 {
        bytes[Int.random(in: 10..<whole.count, using: &generator)] ^= 1
      }
      for engine in codec.engines {
        let first = try DecodedData(
          decompressing: bytes, codec.compression, engine: engine, room: 1 << 20
        ) { .max }
        if round % 2 == 0 { #expect(first.bytes == text + text.prefix(50) && first.damage == nil) }
        for limit in [1, 10, 1_000] where round < 4 || limit > 1 {
          let output = Int.random(in: 1...10_000, using: &generator)
          let other = try DecodedData(
            decompressing: bytes, codec.compression, engine: engine, room: output
          ) { Int.random(in: 1...limit, using: &generator) }
          let place = Comment(rawValue: "round \(round), limit \(limit), \(output)")
          // How much of a damaged block libbz2 and liblzma deliver depends on the room for it, and
          // so does whether liblzma detects damage in the data or by the checksum.
          if [.bzip2, .xz].contains(codec.compression), first.damage != nil {
            #expect(InputStatus(other.damage) == InputStatus(first.damage), place)
            let pair = [first.bytes, other.bytes].sorted { $0.count < $1.count }
            #expect(pair[1].starts(with: pair[0]), place)
            continue
          }
          #expect(other.damage?.kind == first.damage?.kind, place)
          // libz delivers what ISA-L holds back of damaged data.
          guard engine == .libz else { continue }
          // Where invalid data is detected, some bytes may have been read ahead.
          let distance = (other.damage?.offset ?? 0) - (first.damage?.offset ?? 0)
          #expect(abs(distance) <= (first.damage?.kind == .invalidData ? 16 : 0), place)
          #expect(other.bytes == first.bytes, place)
        }
      }
    }
  }

  /// After damage, reading continues in the log that was opened, whatever has its path by now.
  @Test(arguments: GzipEngine.allCases)
  func aLogThatIsRotatedStaysTheSame(engine: GzipEngine) throws {
    let lines = (0..<40_000).map { "line \($0) \($0 &* 2_654_435_761 % 1_000_003)\n" }
    var damaged = GzipWriter.member(lines.joined().utf8, blockSize: 10_000)
    damaged[damaged.count * 3 / 4] ^= 0x55
    let folder = try TemporaryFolder()
    let path = try folder.write(damaged, to: "log.gz")
    var stream = try DecodedStream(LogInput(path: path, size: damaged.count), engine: engine)
    let other = GzipWriter.member(lines.map { "other " + $0 }.joined().utf8)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    _ = try folder.write(other, to: "log.gz")
    let data = DecodedData(reading: &stream, room: 70_000)
    #expect(data.damage != nil && data.bytes.count > 200_000)
    // The damage can change some bytes before the place where it is detected.
    #expect(data.bytes.prefix(200_000) == Array(lines.joined().utf8).prefix(200_000))
  }

  /// Much output from little input waits until there is room.
  @Test(arguments: Codec.all)
  func repeatedBytesAreDeliveredCompletely(codec: Codec) throws {
    let line = String(repeating: "a", count: 99)
    let count = TestRun.size(full: 30_000, usual: 3_000)
    let text = String(repeating: line + "\n", count: count)
    for capacity in [4_096, 1 << 20] {
      try expectLog(
        Array(repeating: line, count: count), in: codec.member(text.utf8, blockSize: 60_000),
        capacity: capacity, expansion: ExpansionLimit(ratio: 100_000))
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
      let (lines, damage) = try readLog(bytes)
      #expect(lines == Self.lines && damage?.kind == .wrongChecksum, "\(place)")
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
      try expectLog(
        Self.lines, LogDamage(kind, offset: member.count + distance), in: member + garbage)
    }
    // Data that begins like a member but isn't one.
    guard codec.compression != .gzip else { return }
    try expectLog(
      Self.lines, LogDamage(kind, offset: member.count),
      in: member + [member[0]] + [UInt8](repeating: 0x7A, count: 30))
  }
}

@Suite struct GunzipTests {
  static let text = Array("the quick brown fox jumps over the lazy dog".utf8)

  @Test(arguments: Array(0...80) + [1_000], 1...2)
  func limitsAreKept(limit: Int, members: Int) {
    let member = GzipWriter.member(Self.text, blockSize: members == 1 ? 7 : 1_000)
    let text = Array(repeatElement(Self.text, count: members).joined())
    let content = Compression.gunzip(
      Array(repeatElement(member, count: members).joined()), limit: limit)
    #expect(content.bytes == Array(text.prefix(limit)) && content.damage == nil)
    #expect(content.isBeyondLimit == (limit < text.count))
  }

  @Test func everyTruncationIsDetected() {
    let member = GzipWriter.member(Self.text, blockSize: 7)
    for length in 1..<member.count {
      let content = Compression.gunzip(Array(member[..<length]), limit: 1_000)
      #expect(content.damage == LogDamage(.truncated, offset: length), "length \(length)")
      #expect(Self.text.starts(with: content.bytes))
    }
  }

  @Test func garbageIsDetected() {
    let garbage = Compression.gunzip(GzipWriter.member(Self.text) + [1], limit: 1_000)
    #expect(garbage.damage?.kind == .trailingGarbage(after: .gzip))
    #expect(Compression.gunzip([], limit: 10).bytes.isEmpty)
  }
}

/// Compressed data that decompresses to much more than a log would.
@Suite struct ExpansionTests {
  static func bomb(_ codec: Codec) -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    return codec.compression == .gzip
      ? GzipWriter.compressed(zeros) : codec.member(zeros, blockSize: 1 << 20)
  }

  static func read(
    _ bytes: [UInt8], ratio: Int, capacity: Int = 65_536
  ) throws -> [LogContents] {
    try contents(
      of: bytes, capacity: capacity, lineLimit: 1 << 21, expansion: ExpansionLimit(ratio: ratio))
  }

  /// The reading ends at the same byte, whatever the buffers and the library.
  @Test(arguments: Codec.all, [1, 10, 100])
  func endsAtTheLimit(codec: Codec, ratio: Int) throws {
    let front = codec.member(LogReaderTests.text.utf8)
    let bytes = front + Self.bomb(codec) + front
    let limit = max(1 << 16, ratio * bytes.count)
    let damage = LogDamage(.expansionLimit(ratio: ratio, length: limit), offset: front.count)
    for capacity in [700, 65_536, 100_001] {
      for log in try Self.read(bytes, ratio: ratio, capacity: capacity) {
        #expect(log.chunks.last?.contentEnd == limit && log.damage == damage)
        #expect(log.lines.prefix(2) == [Array("one".utf8), Array("two".utf8)])
      }
    }
  }

  @Test(arguments: Codec.all)
  func moreCanBeAllowed(codec: Codec) throws {
    let bytes = codec.member(LogReaderTests.text.utf8) + Self.bomb(codec)
    for log in try Self.read(bytes, ratio: 100_000) {
      let length = LogReaderTests.text.utf8.count + 1 << 20
      #expect(log.chunks.last?.contentEnd == length && log.damage == nil)
    }
  }

  /// The beginning of a file is compared with the complete file.
  @Test func aHoleAtTheBeginningOfALogIsNoBomb() throws {
    let lines = Array(RandomLog.lines(2_000, seed: 7).map { $0 + "\n" }.joined().utf8)
    let bytes = Self.bomb(.gzip) + GzipWriter.member(lines)
    for log in try Self.read(bytes, ratio: 10) {
      #expect(log.chunks.last?.contentEnd == 1 << 20 + lines.count && log.damage == nil)
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
    var frame = Codec.zstd.member(LogReaderTests.text.utf8, blockSize: 7)
    frame[5] = 21 << 3
    for _ in 0..<3 {
      try expectLog(
        LogReaderTests.lines + LogReaderTests.lines, in: frame + frame,
        expansion: ExpansionLimit(window: ExpansionLimit.greatestWindow))
    }
  }
  #endif
}
