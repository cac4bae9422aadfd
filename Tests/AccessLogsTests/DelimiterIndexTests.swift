import TestSupport
import Testing

@testable import AccessLogs

@Suite struct DelimiterIndexTests {
  static let widths = [1, 16, 32].filter { $0 <= DelimiterIndex.widest }
  static let delimiters: [[UInt8]] = [
    Array("\n\"\\".utf8), Array("\"\\{}".utf8), Array("\t\n".utf8), [0, 1, 0x7F], [],
  ]

  private static func expectPositions(
    _ index: inout DelimiterIndex, of delimiters: [UInt8], in text: [UInt8]
  ) {
    index.find(in: text.span)
    let wanted = delimiters.isEmpty ? [0] : delimiters
    let expected = text.indices.filter { wanted.contains(text[$0]) }
    let found = (0..<index.count).map { index[$0] }
    let padding = index.count..<(index.count + DelimiterIndex.padding)
    // An expectation costs more than the search.
    if found != expected || !padding.allSatisfy({ index[$0] == text.count }) {
      Issue.record("\(found) in \(text)")
    }
  }

  @Test(arguments: widths, delimiters) func findsEachByteAtEachPlace(
    width: Int, delimiters: [UInt8]
  ) {
    var index = DelimiterIndex(of: delimiters, width: width)
    for byte in UInt8.min...UInt8.max {
      for length in [0, 1, 63, 64, 65, 130] {
        Self.expectPositions(&index, of: delimiters, in: Array(repeating: byte, count: length))
      }
      var text = Array(repeating: UInt8(ascii: "x"), count: 130)
      for place in stride(from: 0, to: text.count, by: 7) {
        text[place] = byte
        Self.expectPositions(&index, of: delimiters, in: text)
        text[place] = UInt8(ascii: "x")
      }
    }
  }

  @Test(arguments: widths, delimiters) func findsAllInRandomTexts(width: Int, delimiters: [UInt8]) {
    var generator = SeededGenerator()
    var index = DelimiterIndex(of: delimiters, width: width)
    for _ in 0..<TestRun.size(full: 4_000, usual: 500) {
      let density = Int.random(in: 1...40, using: &generator)
      let text = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
        let delimiter = delimiters.randomElement(using: &generator)
        return Int.random(in: 0..<density, using: &generator) == 0
          ? delimiter ?? 0 : UInt8.random(in: 0...255, using: &generator)
      }
      Self.expectPositions(&index, of: delimiters, in: text)
    }
  }
}

@Suite struct ByteMarksTests {
  static let wanted: [[UInt8]] = [Array("\"\\".utf8), Array(" \t".utf8), [0x2C], [0xFF, 0x80]]

  /// Compares positions with those of the simplest search, for starts in the given order.
  private static func expectPositions(of wanted: [UInt8], in text: [UInt8], from starts: [Int]) {
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
        Issue.record("\(found) from \(start), \(text)")
      }
    }
  }

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
    var generator = SeededGenerator()
    for _ in 0..<TestRun.size(full: 4_000, usual: 500) {
      let density = Int.random(in: 1...90, using: &generator)
      let text = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
        Int.random(in: 0..<density, using: &generator) == 0
          ? generator.pick(wanted) : UInt8.random(in: 0...255, using: &generator)
      }
      Self.expectPositions(of: wanted, in: text, from: Array(0...text.count))
      let starts = (0..<20).map { _ in Int.random(in: 0...(text.count + 3), using: &generator) }
      Self.expectPositions(of: wanted, in: text, from: starts)
    }
  }
}
