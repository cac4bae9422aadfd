import TestSupport
import Testing

@testable import AccessLogs

@Suite struct ContentFingerprintTests {
  @Test func piecesDoNotMatter() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for length in Array(0...100) + [1_000, 4_096, 70_001] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let whole = ContentFingerprint(bytes.span)
      var hasher = ContentHasher()
      var start = 0
      while start < length {
        let end = Swift.min(length, start + Int.random(in: 0...90, using: &generator))
        hasher.update(bytes.span.extracting(start..<end))
        start = end
      }
      #expect(hasher.fingerprint == whole, "seed: \(seed)")
    }
  }

  /// Each bit counts, and so does the number of zeros at the end.
  @Test func differentContentsAreDetected() {
    var known: Set<ContentFingerprint> = []
    var contents = 0
    for length in 0...130 {
      let zeros = [UInt8](repeating: 0, count: length)
      known.insert(ContentFingerprint(zeros.span))
      contents += 1
      for bit in 0..<(length * 8) {
        var bytes = zeros
        bytes[bit / 8] ^= 1 << (bit % 8)
        known.insert(ContentFingerprint(bytes.span))
        contents += 1
      }
    }
    #expect(known.count == contents)
  }

  /// No stripe erases earlier ones, not even one made of the hash's own factors.
  @Test func stripesKeepEarlierContent() {
    let factors: [UInt64] = [
      0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
      0, 1, .max,
    ]
    func bytes(_ words: [UInt64]) -> [UInt8] {
      words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }
    for one in factors {
      for other in factors {
        let stripe = bytes([one, other, other, one]) + bytes([one, one, other, other])
        var known: Set<ContentFingerprint> = []
        for front in UInt8(0)..<64 {
          let content = [UInt8](repeating: front, count: 32) + stripe
          known.insert(ContentFingerprint(content.span))
        }
        #expect(known.count == 64)
      }
    }
  }

  /// The fingerprint doesn't depend on compression and line limit, and skipped bytes count.
  @Test func compressionAndLineLimitDoNotMatter() throws {
    let folder = try TemporaryFolder()
    let lines =
      (0..<20_000).map { "line \($0 * $0)\n" }.joined() + String(repeating: "x", count: 9_000)
    let plain = try folder.write(lines.utf8, to: "plain")
    let gzip = try folder.write(GzipWriter.member(Array(lines.utf8)), to: "gzip")
    let expected = ContentFingerprint(Array(lines.utf8).span)
    for path in [plain, gzip] {
      for limit in [10, 100, 1 << 20] {
        var reader = LogReader(
          LogInput(path: path), lineLimit: limit, trace: ContentTrace())
        var chunk = LineChunk()
        while reader.next(into: &chunk) {}
        #expect(reader.fingerprint == expected)
      }
    }
  }

  @Test func deflateRoundTrips() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var output: [UInt8] = []
    for length in [0, 1, 2, 100, 65_536, 300_000] {
      for range: ClosedRange<UInt8> in [0...0, 0...3, 0...255] {
        let bytes = (0..<length).map { _ in UInt8.random(in: range, using: &generator) }
        guard let stored = RawDeflate.compress(bytes.span) else {
          Issue.record("not compressed")
          continue
        }
        #expect(RawDeflate.decompress(stored.span, into: &output, count: length))
        #expect(Array(output[..<length]) == bytes, "seed: \(seed)")
        // Any other length is refused, and so are bytes after the end.
        #expect(!RawDeflate.decompress(stored.span, into: &output, count: length + 1))
        #expect(
          length == 0 || !RawDeflate.decompress(stored.span, into: &output, count: length - 1))
        #expect(!RawDeflate.decompress((stored + [0]).span, into: &output, count: length))
      }
    }
    #expect(!RawDeflate.decompress([UInt8]().span, into: &output, count: 0))
  }
}
