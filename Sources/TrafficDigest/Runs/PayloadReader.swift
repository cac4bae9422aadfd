internal import AccessLogs
internal import Foundations

/// A reader of numbers and texts at a place in the payload of a block.
///
/// Reads beyond the end give 0 or nothing, and ``isValid`` becomes false.
struct PayloadReader {
  private(set) var position: Int
  private let end: Int

  /// A Boolean value indicating whether all reads so far were within the payload.
  private(set) var isValid = true

  init(_ range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  var isAtEnd: Bool { position >= end }

  /// Reads a number.
  @inline(__always)
  mutating func number(_ bytes: Span<UInt8>) -> UInt64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while position < end, shift < 64 {
      let byte = bytes.byte(position)
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    isValid = false
    position = end
    return 0
  }

  /// Reads a number of items of at least `size` bytes each, which have to follow.
  @inline(__always)
  mutating func count(_ bytes: Span<UInt8>, ofSize size: Int = 1) -> Int {
    let value = number(bytes)
    guard value <= UInt64(end - position) / UInt64(size) else {
      isValid = false
      position = end
      return 0
    }
    return Int(value)
  }

  /// Skips some bytes, which must be there, and returns their position.
  @inline(__always)
  mutating func range(count: Int) -> Range<Int> {
    guard count >= 0, count <= end - position else {
      isValid = false
      position = end
      return end..<end
    }
    position += count
    return (position - count)..<position
  }
}

extension UInt64 {
  /// Calls `body` with the bytes of the number, as few as it needs: seven bits a byte, the lowest
  /// first, the highest bit set in all bytes but the last (LEB128).
  @inline(__always)
  func forEachVariableLengthByte(_ body: (UInt8) -> Void) {
    var rest = self
    while rest >= 0x80 {
      body(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    body(UInt8(truncatingIfNeeded: rest))
  }
}

extension [UInt8] {
  /// Appends a number in as few bytes as it needs.
  mutating func append(variableLength number: UInt64) {
    number.forEachVariableLengthByte { append($0) }
  }

  /// Appends the number of some bytes, and the bytes.
  mutating func append(counted bytes: Span<UInt8>) {
    append(variableLength: UInt64(bytes.count))
    bytes.append(to: &self)
  }
}
