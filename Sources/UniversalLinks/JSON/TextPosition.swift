/// A place in a text, as editors count it.
public struct TextPosition: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int

  /// The column, in bytes from the start of the line, from 1.
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

  /// The position of the byte at an offset.
  func position(of offset: Int) -> TextPosition {
    // The last line that doesn't start behind the offset.
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return TextPosition(line: low + 1, column: offset - lineStarts[low] + 1)
  }
}
