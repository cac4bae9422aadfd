internal import Foundations

/// A place in a text, as editors count it.
public struct TextPosition: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int

  /// The column, in Unicode scalars from the start of the line, from 1.
  public var column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// An index of the lines of a text, which turns offsets into positions.
///
/// A file may be one line with thousands of rules, so columns aren't counted from its start.
struct LineIndex: Sendable {
  private var lineStarts = [0]

  /// The numbers of scalars before each byte whose offset is a multiple of ``stride``.
  private var scalarCounts = [0]

  private static let stride = 256

  init(_ text: [UInt8]) {
    var scalarCount = 0
    for (offset, byte) in text.enumerated() {
      if byte == UInt8(ascii: "\n") { lineStarts.append(offset + 1) }
      if Self.beginsScalar(byte) { scalarCount += 1 }
      if (offset + 1).isMultiple(of: Self.stride) { scalarCounts.append(scalarCount) }
    }
  }

  /// The position of the byte at an offset in the text.
  func position(of offset: Int, in text: [UInt8]) -> TextPosition {
    let line = (1..<lineStarts.count).partitioningIndex { lineStarts[$0] > offset }
    let start = lineStarts[line - 1]
    let end = max(start, min(offset, text.count))
    return TextPosition(
      line: line,
      column: scalarCount(before: end, in: text) - scalarCount(before: start, in: text) + 1)
  }

  private func scalarCount(before offset: Int, in text: [UInt8]) -> Int {
    let block = offset / Self.stride
    return scalarCounts[block]
      + text[(block * Self.stride)..<offset].count(where: Self.beginsScalar)
  }

  /// A scalar has one byte that doesn't continue another.
  private static func beginsScalar(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
}
