import TestSupport
import Testing

@testable import AccessLogs

@Suite struct DelimiterIndexTests {
  static let widths = [1, 16, 32].filter { $0 <= DelimiterIndex.widest }
  static let delimiters: [[UInt8]] = [
    Array("\n\"\\".utf8), Array("\"\\{}".utf8), Array("\t\n".utf8), [0, 1, 0x7F], [],
  ]

  /// The positions by the simplest search.
  private static func positions(of delimiters: [UInt8], in text: [UInt8]) -> [Int] {
    text.indices.filter { (delimiters.isEmpty ? [0] : delimiters).contains(text[$0]) }
  }

  private static func expectPositions(
    _ index: inout DelimiterIndex, of delimiters: [UInt8], in text: [UInt8], _ seed: UInt64 = 0
  ) {
    index.find(in: text.span)
    let expected = positions(of: delimiters, in: text)
    var found: [Int] = []
    for place in 0..<index.count { found.append(index[place]) }
    let padding = index.count..<(index.count + DelimiterIndex.padding)
    // An expectation costs more than the search.
    if found != expected || !padding.allSatisfy({ index[$0] == text.count }) {
      Issue.record("seed \(seed): \(found) in \(text)")
    }
  }

  /// Each byte at each place of two blocks, alone and among delimiters.
  @Test(arguments: widths, delimiters) func findsEachByteAtEachPlace(
    width: Int, delimiters: [UInt8]
  ) {
    var index = DelimiterIndex(of: delimiters, width: width)
    for byte in UInt8.min...UInt8.max {
      for length in [0, 1, 63, 64, 65, 130] {
        Self.expectPositions(
          &index, of: delimiters, in: Array(repeating: byte, count: length))
      }
      var text = Array(repeating: UInt8(ascii: "x"), count: 130)
      for place in stride(from: 0, to: text.count, by: 7) {
        text[place] = byte
        Self.expectPositions(&index, of: delimiters, in: text)
        text[place] = UInt8(ascii: "x")
      }
    }
  }

  @Test(arguments: widths, delimiters) func findsAllInRandomTexts(
    width: Int, delimiters: [UInt8]
  ) {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var index = DelimiterIndex(of: delimiters, width: width)
    for _ in 0..<TestRun.size(full: 4_000, usual: 500) {
      let density = Int.random(in: 1...40, using: &generator)
      let text = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
        let delimiter = delimiters.randomElement(using: &generator)
        return Int.random(in: 0..<density, using: &generator) == 0
          ? delimiter ?? 0 : UInt8.random(in: 0...255, using: &generator)
      }
      Self.expectPositions(&index, of: delimiters, in: text, seed)
    }
  }
}
