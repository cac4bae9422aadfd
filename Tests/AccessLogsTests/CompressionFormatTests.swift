import TestSupport
import Testing

@testable import AccessLogs

@Suite struct CompressionFormatTests {
  static let text = LogReaderTests.text
  static let lines = LogReaderTests.lines

  /// Short gzip members may have another decoder than long ones.
  @Test(arguments: Codec.all)
  func shortAndLongMembersMix(codec: Codec) throws {
    var generator = SeededGenerator()
    var (bytes, lines): ([UInt8], [String]) = ([], [])
    for _ in 0..<120 {
      let isLong = Int.random(in: 0..<8, using: &generator) == 0
      let text = (0..<(isLong ? 900 : 1)).map { _ in
        "line \(Int.random(in: 0...999_999, using: &generator))"
      }
      lines += text
      bytes += codec.member(text.map { $0 + "\n" }.joined().utf8)
    }
    try expectLog(lines, in: bytes, capacity: 5_000)
    // Bytes before damage are kept, whatever the decoder.
    bytes.removeLast(4)
    let cut = try readLog(bytes, capacity: 5_000)
    #expect(cut.lines.starts(with: lines.dropLast(900)))
    #expect(cut.damage == LogDamage(.truncated, offset: bytes.count))
  }

  @Test func damageInsideGzipHasAnOffset() throws {
    var bytes = GzipWriter.member(repeatElement(UInt8(ascii: "a"), count: 5_000))
    // The third block's header: 10 bytes of the member's, two blocks of 1005.
    bytes[10 + 2 * 1005] = 7
    let (lines, damage) = try readLog(bytes)
    #expect(lines == [String(repeating: "a", count: 2_000)] && damage?.kind == .invalidData)
    #expect((2020...2022).contains(damage?.offset ?? 0))
  }

  private static func archive(checksum: Int = 0) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
    }
    put("access.log", at: 0)
    put("0000644\u{0}0000000\u{0}0000000\u{0}00000000005\u{0}15226347200\u{0}        0", at: 100)
    put("ustar\u{0}00", at: 257)
    let sum = header.reduce(checksum) { $0 + Int($1) }
    put("0" + String(sum, radix: 8) + "\u{0}", at: 148)
    return header + Array("line\n".utf8) + [UInt8](repeating: 0, count: 507 + 1_024)
  }

  private static func expectRefused(
    _ bytes: [UInt8], _ kind: LogDamage.Kind, capacity: Int = 64, _ remedy: String
  ) throws {
    let damage = LogDamage(kind, offset: 0)
    try expectLog([], damage, in: bytes, capacity: capacity)
    #expect(damage.description.contains(remedy))
  }

  /// Content that is no log, also if it is compressed, and a part of the message.
  @Test(
    arguments: [
      (archive(), .archive, "unpack"), ([0xFF, 0xFE, 0x31, 0], .foreign(.utf16), "iconv"),
      ([0xFE, 0xFF, 0, 0x31], .foreign(.utf16), "UTF-8"),
      (Array("1.2.".utf8).flatMap { [$0, 0] }, .foreign(.utf16), "UTF-16"),
      (Array("1.2.".utf8).flatMap { [0, $0] }, .foreign(.utf16), "UTF-16"),
      (Array("PAR1\u{15}\u{4}\n".utf8), .foreign(.parquet), "lines of JSON"),
      (Array("one\rtwo\r".utf8), .foreign(.carriageReturns), "tr "),
      (Array(String(repeating: "one\r", count: 3_000).utf8), .foreign(.carriageReturns), "tr "),
    ] as [([UInt8], LogDamage.Kind, String)])
  func foreignContentIsRefused(bytes: [UInt8], kind: LogDamage.Kind, remedy: String) throws {
    for bytes in [bytes, GzipWriter.member(bytes)] {
      try Self.expectRefused(bytes, kind, capacity: kind == .archive ? 4_096 : 1 << 14, remedy)
    }
  }

  @Test(arguments: [
    (Compression.lz4, [0x04, 0x22, 0x4D, 0x18, 0x64]), (.lz4, [0x02, 0x21, 0x4C, 0x18]),
    (.zip, Array("PK\u{3}\u{4}\n".utf8)), (.compress, [0x1F, 0x9D, 0x90]),
    (.sevenZip, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]),
  ])
  func unsupportedCompressionsAreNamed(compression: Compression, start: [UInt8]) throws {
    try Self.expectRefused(
      start + Array("\nx\n".utf8), .unsupported(compression),
      "does not read \(compression.rawValue)")
  }

  @Test(arguments: Codec.all)
  func doubleCompressionIsDetected(codec: Codec) throws {
    for inner in [GzipWriter.member("line\n".utf8), [0x50, 0x4B, 3, 4]] {
      try Self.expectRefused(codec.member(inner), .nested(inner[0] == 0x1F ? .gzip : .zip), "once")
    }
  }

  /// Lines before a gzip member count, and the member is detected, wherever buffers end.
  @Test(arguments: [1, 2, 3, 7, 64, 1 << 14], [1, 100, 4_095, 4_096, 4_097, 262_143, 262_144])
  func aMemberAfterTextIsDetected(capacity: Int, length: Int) throws {
    guard capacity > 2 || length < 1_000 else { return }
    let text = String(repeating: "x", count: length - 1) + "\n"
    try expectLog(
      [String(text.dropLast())], LogDamage(.compressedTail(.gzip), offset: length),
      in: Array(text.utf8) + GzipWriter.member("two\n".utf8), capacity: capacity)
  }

  @Test(
    arguments: [
      [0x1F], [0x1F, 0x8B], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0],
      [0x1F, 0x8B, 7, 0, 0, 0, 0, 0, 0, 0, 0],
      [0x1F, 0x8B, 8, 0xE0, 0, 0, 0, 0, 0, 0, 0], [0x78, 0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0],
      [0x1F, 0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func nearlyAMemberIsText(bytes: [UInt8]) throws {
    let (lines, damage) = try readLog(Array("one\n".utf8) + bytes)
    #expect(lines.count == 2 && damage == nil)
  }

  @Test(
    arguments: [
      archive(checksum: 1), Array(archive().prefix(511)), [0x0A] + archive(),
      archive().map { $0 == 0 ? 0x20 : $0 }, Array("PAR1.example.com 192.0.2.1\n".utf8),
      Array("one\r".utf8), Array("one\rtwo\r\n".utf8), Array("one\u{0}two\r x".utf8),
      Array("\u{FEFF}1.2.3.4\n".utf8),
    ] as [[UInt8]])
  func nearlyForeignContentIsText(bytes: [UInt8]) throws {
    for capacity in [4_096, 1 << 14] {
      let (lines, damage) = try readLog(bytes, capacity: capacity)
      #expect(!lines.isEmpty && damage == nil)
    }
  }

  @Test(arguments: [
    (Compression.zstd, [0x28, 0xB5, 0x2F, 0xFD, 0x24, 0]), (.zstd, [0x5A, 0x2A, 0x4D, 0x18, 0]),
    (.bzip2, Array("BZh91AY&SY".utf8)), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4]),
  ])
  func compressionsWithoutALibraryHaveARemedy(compression: Compression, start: [UInt8]) throws {
    if Codec.all.contains(where: { $0.compression == compression }) {
      try expectLog([], LogDamage(.truncated, offset: start.count), in: start)
    } else {
      try Self.expectRefused(start, .unsupported(compression), "trait \(compression.trait ?? "-"),")
    }
  }

  @Test(arguments: ["BZh", "BZh9 a log\n", "(\n", "PK\n", "]\n", "BZh0\n", "\u{1F}\n"])
  func nearlyACompressionIsPlain(text: String) throws {
    try expectLog([text.replacing("\n", with: "")], in: Array(text.utf8))
  }

  #if Zstd
  /// The notation of `pzstd` and the seekable format.
  @Test func skippableFramesAreSkipped() throws {
    let text = Array(Self.text.utf8)
    func skippable(_ number: UInt8, _ count: Int) -> [UInt8] {
      [0x50 + number, 0x2A, 0x4D, 0x18, UInt8(count & 255), UInt8(count >> 8), 0, 0]
        + [UInt8](repeating: 0x28, count: count)
    }
    let bytes =
      skippable(0, 4) + Codec.zstd.member(text[..<10]) + skippable(15, 0)
      + skippable(14, 3_000) + Codec.zstd.member(text[10...]) + skippable(14, 17)
    for capacity in [1, 5, 64] {
      try expectLog(Self.lines, in: bytes, capacity: capacity)
    }
    // A frame of 4 GiB, of which little is there.
    let great = Array(skippable(0, 0)[..<4]) + [UInt8](repeating: 0xFF, count: 1 << 20)
    for (cut, lines) in [(Array(bytes.dropLast()), Self.lines), (great, [String]())] {
      try expectLog(lines, LogDamage(.truncated, offset: cut.count), in: cut)
    }
  }

  /// The window of a frame counts, not its content.
  @Test(
    arguments: [
      (17 << 3, nil, nil), (17 << 3 | 1, nil, .windowLimit(needed: 9 << 24, allowed: 1 << 27)),
      (21 << 3, nil, .windowLimit(needed: 1 << 31, allowed: 1 << 27)), (17 << 3 | 1, 1 << 28, nil),
      (19 << 3, 1 << 28, .windowLimit(needed: 1 << 29, allowed: 1 << 28)), (21 << 3, 1 << 31, nil),
      (21 << 3 | 1, 1 << 31, .memoryLimit(needed: 9 << 28, allowed: 1 << 31)),
      (21 << 3 | 1, nil, .memoryLimit(needed: 9 << 28, allowed: 1 << 31)),
    ] as [(UInt8, Int?, LogDamage.Kind?)])
  func greatWindowsAreRefused(byte: UInt8, allowed: Int?, expected: LogDamage.Kind?) throws {
    var second = Codec.zstd.member(Self.text.utf8, blockSize: 7)
    // The sixth byte holds the window: 5 bits of exponent, 3 of mantissa.
    second[5] = byte
    let first = Codec.zstd.member(Self.text.utf8)
    let damage = expected.map { LogDamage($0, offset: first.count) }
    try expectLog(
      expected == nil ? Self.lines + Self.lines : Self.lines, damage, in: first + second,
      expansion: ExpansionLimit(window: allowed ?? ExpansionLimit.defaultWindow))
    guard case .windowLimit(let needed, _) = expected else { return }
    #expect(damage?.description.contains("'--max-window \(needed >> 20)M'") == true)
  }
  #endif

  #if XZ
  @Test func streamsMayFollowPaddingInFours() throws {
    let text = Array(Self.text.utf8)
    let (first, second) = (Codec.xz.member(text[..<10]), Codec.xz.member(text[10...]))
    for padding in 0...9 {
      let zeros = [UInt8](repeating: 0, count: padding)
      let (lines, damage) = try readLog(first + zeros + second)
      if padding % 4 == 0 {
        #expect(lines == Self.lines && damage == nil)
      } else {
        #expect(damage == LogDamage(.trailingGarbage(after: .xz), offset: first.count + padding))
      }
      let end = try readLog(first + second + zeros)
      #expect(end.lines == Self.lines && (end.damage == nil) == (padding % 4 == 0))
    }
  }

  @Test func aDictionaryThatIsTooLargeIsRefused() throws {
    var bytes = Codec.xz.member(Self.text.utf8)
    // After the stream's header of 12 bytes: size, flags, the filter LZMA2 with one byte of
    // properties, which is the size of the dictionary, padding, a checksum.
    bytes[16] = 40
    let checksum = GzipWriter.checksum(bytes[12..<20])
    for index in 0..<4 { bytes[20 + index] = UInt8(checksum >> UInt32(8 * index) & 255) }
    let damage = try readLog(bytes).damage
    guard case .memoryLimit(let needed, let allowed) = damage?.kind else {
      Issue.record("\(String(describing: damage))")
      return
    }
    #expect(needed > 1 << 32 && allowed == 256 << 20)
  }
  #endif
}
