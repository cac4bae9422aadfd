import TestSupport
import Testing

@testable import UniversalLinks

/// Lines and columns are those of a count from the start of the text.
@Suite struct TextPositionTests {
  @Test(arguments: [0, 1, 255, 256, 257, 511, 512, 3_000], [2, 700])
  func countsAsEditorsDo(size: Int, lineLength: Int) {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let bytes: [UInt8] = (0..<size).map { _ in
      Int.random(in: 0..<lineLength, using: &generator) == 0
        ? UInt8(ascii: "\n") : [0x61, 0xC3, 0xA9, 0xF0, 0x9F].randomElement(using: &generator) ?? 0
    }
    let index = LineIndex(bytes)
    for offset in 0...(size + 1) {
      let before = bytes.prefix(offset)
      let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let expected = TextPosition(
        line: line.count, column: (line.last ?? []).count { $0 & 0xC0 != 0x80 } + 1)
      let position = index.position(of: offset, in: bytes)
      guard position == expected else {
        Issue.record("seed \(seed), offset \(offset): \(position), expected \(expected)")
        return
      }
    }
  }
}
