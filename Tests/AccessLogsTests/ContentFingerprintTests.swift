import TestSupport
import Testing

@testable import AccessLogs

@Suite struct ContentFingerprintTests {
  @Test func piecesDoNotMatter() {
    var generator = SeededGenerator()
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
      #expect(hasher.fingerprint == whole)
    }
  }

  /// Each bit counts, and so does the number of zeros at the end.
  @Test func differentContentsAreDetected() {
    var known: Set<ContentFingerprint> = []
    for length in 0...130 {
      let zeros = [UInt8](repeating: 0, count: length)
      known.insert(ContentFingerprint(zeros.span))
      for bit in 0..<(length * 8) {
        var bytes = zeros
        bytes[bit / 8] ^= 1 << (bit % 8)
        known.insert(ContentFingerprint(bytes.span))
      }
    }
    let contents = (0...130).map { 1 + 8 * $0 }.reduce(0, +)
    #expect(known.count == contents)
  }

  /// No stripe erases earlier ones, not even one made of the hash's own factors.
  @Test func stripesKeepEarlierContent() {
    var factors: [UInt64] = [
      0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
    ]
    factors += factors.flatMap { [$0 ^ 1, ~$0] } + [0, 1, .max]
    func bytes(_ words: [UInt64]) -> [UInt8] {
      words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }
    for (one, other) in factors.flatMap({ one in factors.map { (one, $0) } }) {
      let stripe = bytes([one, other, other, one, one, one, other, other])
      var known: Set<ContentFingerprint> = []
      for count in [32, 64, 96] {
        for front in UInt8(0)..<64 {
          let content = [UInt8](repeating: front, count: count) + stripe
          known.insert(ContentFingerprint(content.span))
        }
      }
      #expect(known.count == 3 * 64)
    }
  }

  /// The fingerprint doesn't depend on compression and line limit, and skipped bytes count.
  @Test func compressionAndLineLimitDoNotMatter() throws {
    let folder = try TemporaryFolder()
    let text =
      (0..<20_000).map { "line \($0 * $0)\n" }.joined() + String(repeating: "x", count: 9_000)
    let lines = Array(text.utf8)
    let expected = ContentFingerprint(lines.span)
    for content in [lines, GzipWriter.member(lines)] {
      let path = try folder.write(content, to: "log")
      for limit in [10, 100, 1 << 20] {
        var reader = LogReader(LogInput(path: path), lineLimit: limit, trace: ContentTrace())
        var chunk = LineChunk()
        while reader.next(into: &chunk) {}
        #expect(reader.trace?.fingerprint == expected)
      }
    }
  }

  @Test func deflateRoundTrips() throws {
    var generator = SeededGenerator()
    var output: [UInt8] = []
    for length in [0, 1, 2, 100, 65_536, 300_000] {
      for range: ClosedRange<UInt8> in [0...0, 0...3, 0...255] {
        let bytes = (0..<length).map { _ in UInt8.random(in: range, using: &generator) }
        let compressed = bytes.span.deflated()
        let stored = try #require(compressed)
        #expect(stored.span.inflate(into: &output, count: length))
        #expect(Array(output[..<length]) == bytes)
        // Any other length is refused, and so are bytes after the end.
        #expect(!stored.span.inflate(into: &output, count: length + 1))
        #expect(
          length == 0 || !stored.span.inflate(into: &output, count: length - 1))
        #expect(!(stored + [0]).span.inflate(into: &output, count: length))
      }
    }
    #expect(![UInt8]().span.inflate(into: &output, count: 0))
  }
}

@Suite struct ContentTraceTests {
  /// Bytes with line ends at some places.
  private static func content(
    _ length: Int, lineLength: Int, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    (0..<length).map { _ in
      Int.random(in: 0..<lineLength, using: &generator) == 0
        ? UInt8(ascii: "\n") : UInt8.random(in: 97...122, using: &generator)
    }
  }

  private static func trace(
    _ bytes: [UInt8], lengths: [Int] = [], _ generator: inout SeededGenerator
  ) -> ContentTrace {
    var trace = ContentTrace(lengths: lengths, keepsCheckpoints: true)
    var position = 0
    while position < bytes.count {
      let count = min(bytes.count - position, Int.random(in: 1...30_000, using: &generator))
      trace.update(Array(bytes[position..<(position + count)]).span)
      position += count
    }
    return trace
  }

  /// For any pieces of a content, each hash covers exactly the bytes before its place.
  @Test(arguments: [0, 1, 31, 4_095, 4_096, 4_097, 65_536, 65_537, 327_680, 400_000])
  func piecesDoNotMatter(length: Int) {
    var generator = SeededGenerator()
    let bytes = Self.content(length, lineLength: 50, &generator)
    func fingerprint(_ count: Int) -> ContentFingerprint {
      ContentFingerprint(Array(bytes[..<count]).span)
    }
    let lengths = [1, 40, 4_096, 65_536, length / 2, length, length + 1].filter { $0 > 0 }
    let trace = Self.trace(bytes, lengths: lengths, &generator)
    #expect(trace.fingerprint == fingerprint(length))
    let reached = Set(lengths.filter { $0 <= length }).sorted()
    #expect(trace.beginnings == reached.map(fingerprint))
    let places = trace.checkpoints.map(\.length)
    #expect(trace.checkpoints == places.map { fingerprint($0).checkpoint })
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
    #expect(Self.trace(bytes, &generator).checkpoints == trace.checkpoints)
    var finished = trace
    finished.finish()
    #expect(finished.checkpoints == trace.checkpoints)
  }

  /// Lines are marked in the first block and in the last ones, and each block has its end.
  @Test func placesOfCheckpoints() {
    var generator = SeededGenerator()
    let block = ContentTrace.blockLength
    let line = (0..<99).map { _ in UInt8.random(in: 97...122, using: &generator) } + [10]
    let length = 9 * block + 1_000
    let bytes = Array(repeatElement(line, count: length / 100 + 1).joined().prefix(length))
    var expected = Set(stride(from: block, through: 9 * block, by: block))
    expected.formUnion(stride(from: 100, to: block, by: 100))
    expected.formUnion(stride(from: 100, to: length + 1, by: 100).filter { $0 > 5 * block })
    expected.insert(ContentTrace.headLength)
    let places = Self.trace(bytes, &generator).checkpoints.map(\.length)
    // A line may end less than 32 bytes after another checkpoint.
    #expect(Set(places).isSubset(of: expected))
    #expect(expected.count - places.count <= 10)
  }

  /// Contents with a common beginning have the same checkpoints there, as far as both keep them.
  @Test func checkpointsOfBeginnings() {
    var generator = SeededGenerator()
    let bytes = Self.content(400_000, lineLength: 80, &generator)
    let whole = Set(Self.trace(bytes, &generator).checkpoints)
    for length in [100, 5_000, 60_000, 390_000] {
      let part = Self.trace(Array(bytes[..<length]), &generator).checkpoints
      let marked = part.filter {
        $0.length <= ContentTrace.blockLength || $0.length > 5 * ContentTrace.blockLength
      }
      #expect(!marked.isEmpty && whole.isSuperset(of: marked))
    }
  }

  @Test func emptyLinesAreFewCheckpoints() {
    var trace = ContentTrace(keepsCheckpoints: true)
    trace.update([UInt8](repeating: 10, count: 1 << 20).span)
    #expect(trace.checkpoints.count <= 6 * ContentTrace.blockLength / 32 + 40)
  }
}
