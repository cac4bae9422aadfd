/// The escapes with which servers write bytes that would break a line.
public enum LogEscapes {
  /// Appends `field` with its escapes undone.
  ///
  /// Apache writes `\"`, `\\`, `\n` and the like, and `\xHH`; nginx writes `\xHH`
  /// for a quote, a backslash, controls, and bytes beyond ASCII. A backslash in
  /// front of anything else stands for itself.
  public static func append(undoing field: Span<UInt8>, to output: inout [UInt8]) {
    var index = 0
    while index < field.count {
      let byte = field[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < field.count else {
        output.append(byte)
        index += 1
        continue
      }
      if field[index + 1] == UInt8(ascii: "x"), index + 3 < field.count,
        let high = hexadecimalDigit(field[index + 2]), let low = hexadecimalDigit(field[index + 3])
      {
        output.append(high << 4 | low)
        index += 4
      } else if let escaped = character(field[index + 1]) {
        output.append(escaped)
        index += 2
      } else {
        output.append(byte)
        index += 1
      }
    }
  }

  /// The byte that a backslash and `letter` stand for.
  private static func character(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "v"): 0x0B
    case UInt8(ascii: "f"): 0x0C
    default: nil
    }
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
