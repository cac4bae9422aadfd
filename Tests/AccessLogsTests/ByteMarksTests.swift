import TestSupport
import Testing

@testable import AccessLogs

@Suite struct ByteMarksTests {
  static let wanted: [[UInt8]] = [Array("\"\\".utf8), Array(" \t".utf8), [0x2C], [0xFF, 0x80]]

  /// Compares positions with those of the simplest search, for starts in the given order.
  private static func expectPositions(
    of wanted: [UInt8], in text: [UInt8], from starts: [Int], seed: UInt64
  ) {
    // The position from each start, found backward.
    var expected = Array(repeating: text.count, count: text.count + 1)
    for place in text.indices.reversed() {
      expected[place] = wanted.contains(text[place]) ? place : expected[place + 1]
    }
    var marks = ByteMarks(of: wanted[0], wanted.count > 1 ? wanted[1] : nil)
    for start in starts {
      let found = marks.next(from: start, in: text.span)
      // An expectation costs more than the search.
      if found != expected[min(start, text.count)] {
        Issue.record("seed \(seed): \(found) from \(start), \(text)")
      }
    }
  }

  /// Each byte at each place of texts that end anywhere in a block.
  @Test(arguments: wanted) func findsEachByteAtEachPlace(wanted: [UInt8]) {
    for length in [0, 1, 7, 8, 15, 16, 17, 48, 63, 64, 65, 80, 127, 128, 129] {
      for byte in UInt8.min...UInt8.max {
        var text = Array(repeating: UInt8(ascii: "x"), count: length)
        for place in stride(from: 0, to: length, by: 5) {
          text[place] = byte
          var marks = ByteMarks(of: wanted[0], wanted.count > 1 ? wanted[1] : nil)
          for start in [0, place, place + 1, length] {
            let expected = start <= place && wanted.contains(byte) ? place : length
            let found = marks.next(from: start, in: text.span)
            if found != expected { Issue.record("\(found) from \(start), \(text)") }
          }
          text[place] = UInt8(ascii: "x")
        }
      }
    }
  }

  @Test(arguments: wanted) func findsAllInRandomTexts(wanted: [UInt8]) {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<TestRun.size(full: 4_000, usual: 500) {
      let density = Int.random(in: 1...90, using: &generator)
      let text = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
        Int.random(in: 0..<density, using: &generator) == 0
          ? wanted.randomElement(using: &generator) ?? 0
          : UInt8.random(in: 0...255, using: &generator)
      }
      Self.expectPositions(of: wanted, in: text, from: Array(0...text.count), seed: seed)
      let starts = (0..<20).map { _ in Int.random(in: 0...(text.count + 3), using: &generator) }
      Self.expectPositions(of: wanted, in: text, from: starts, seed: seed)
    }
  }
}
