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

/// The starts of the lines of a text, for finding out where offsets stand.
struct LineIndex: Sendable {
  private var lineStarts = [0]

  init(_ text: [UInt8]) {
    for (offset, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
      lineStarts.append(offset + 1)
    }
  }

  /// The position of the byte at an offset in the text.
  func position(of offset: Int, in text: [UInt8]) -> TextPosition {
    // The last line that doesn't start behind the offset.
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    // A scalar has one byte that doesn't continue another.
    let column = text[lineStarts[low]..<max(lineStarts[low], min(offset, text.count))].count {
      $0 & 0xC0 != 0x80
    }
    return TextPosition(line: low + 1, column: column + 1)
  }
}
