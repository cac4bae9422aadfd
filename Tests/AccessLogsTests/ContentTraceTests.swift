import AccessLogs
import TestSupport
import Testing

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
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let bytes = Self.content(length, lineLength: 50, &generator)
    func fingerprint(_ count: Int) -> ContentFingerprint {
      ContentFingerprint(Array(bytes[..<count]).span)
    }
    let lengths = [1, 40, 4_096, 65_536, length / 2, length, length + 1].filter { $0 > 0 }
    let trace = Self.trace(bytes, lengths: lengths, &generator)
    #expect(trace.fingerprint == fingerprint(length), "seed: \(seed)")
    let reached = Set(lengths.filter { $0 <= length }).sorted()
    #expect(trace.beginnings == reached.map(fingerprint), "seed: \(seed)")
    let places = trace.checkpoints.map(\.length)
    #expect(trace.checkpoints == places.map { fingerprint($0).checkpoint }, "seed: \(seed)")
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "seed: \(seed)")
    #expect(Self.trace(bytes, &generator).checkpoints == trace.checkpoints, "seed: \(seed)")
    var finished = trace
    finished.finish()
    #expect(finished.checkpoints == trace.checkpoints, "seed: \(seed)")
  }

  /// Lines are marked in the first block and in the last ones, and each block has its end.
  @Test func placesOfCheckpoints() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
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
    #expect(Set(places).isSubset(of: expected), "seed: \(seed)")
    #expect(expected.count - places.count <= 10, "seed: \(seed)")
  }

  /// Contents with a common beginning have the same checkpoints there, as far as both keep them.
  @Test func checkpointsOfBeginnings() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let bytes = Self.content(400_000, lineLength: 80, &generator)
    let whole = Set(Self.trace(bytes, &generator).checkpoints)
    for length in [100, 5_000, 60_000, 390_000] {
      let part = Self.trace(Array(bytes[..<length]), &generator).checkpoints
      let marked = part.filter {
        $0.length <= ContentTrace.blockLength || $0.length > 5 * ContentTrace.blockLength
      }
      #expect(!marked.isEmpty && whole.isSuperset(of: marked), "seed: \(seed)")
    }
  }

  /// Logs of empty lines don't have a checkpoint for each.
  @Test func emptyLinesAreFewCheckpoints() {
    var trace = ContentTrace(keepsCheckpoints: true)
    trace.update([UInt8](repeating: 10, count: 1 << 20).span)
    #expect(trace.checkpoints.count <= 6 * ContentTrace.blockLength / 32 + 40)
  }
}
