import AccessLogs
import TestSupport
import Testing

@Suite struct ContentTraceTests {
  /// Whatever pieces a content comes in, a trace says of its beginnings what their bytes
  /// alone do.
  @Test func piecesDoNotMatter() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for length in [0, 1, 31, 4_095, 4_096, 4_097, 65_536, 200_000] {
      let bytes = (0..<length).map { _ in
        Int.random(in: 0..<50, using: &generator) == 0 ? UInt8(ascii: "\n") : UInt8(ascii: "x")
      }
      func fingerprint(_ count: Int) -> ContentFingerprint {
        ContentFingerprint(Array(bytes[..<count]).span)
      }
      let lengths = [1, 40, 4_096, 65_536, length / 2, length, length + 1].filter { $0 > 0 }
      let marked = (length / 3)..<(length / 2)
      var trace = ContentTrace(lengths: lengths, markedPart: marked)
      var position = 0
      while position < length {
        let count = min(length - position, Int.random(in: 1...30_000, using: &generator))
        trace.update(Array(bytes[position..<(position + count)]).span)
        position += count
      }
      #expect(trace.fingerprint == fingerprint(length), "seed: \(seed)")
      #expect(trace.head == fingerprint(min(length, 4_096)), "seed: \(seed)")
      let reached = Set(lengths.filter { $0 <= length }).sorted()
      #expect(trace.beginnings == reached.map(fingerprint), "seed: \(seed)")
      #expect(
        trace.checkpoints
          == (0...).lazy.map(ContentTrace.checkpoint).prefix { $0 <= length }
          .map { fingerprint($0).first },
        "seed: \(seed)")
      let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
      #expect(
        trace.lineBeginnings == ends.filter { $0 <= 4_096 }.map { fingerprint($0).first },
        "seed: \(seed)")
      var end = trace.firstMarkedEnd
      let lineEnds = trace.marks.map { mark in
        end += Int(mark.length)
        return end
      }
      #expect(
        lineEnds == ends.filter { marked.contains($0 - 1) }, "seed: \(seed)")
      #expect(
        trace.marks.map(\.hash)
          == lineEnds.map { UInt32(truncatingIfNeeded: fingerprint($0).first) },
        "seed: \(seed)")
    }
  }
}
