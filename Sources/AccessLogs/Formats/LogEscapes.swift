internal import Foundations

/// The escapes with which servers write bytes that would break a line.
public enum LogEscapes {
  /// Appends `field` with its escapes undone.
  ///
  /// Apache writes `\"`, `\\`, `\n` and the like, and `\xHH`; nginx writes `\xHH` for a quote, a
  /// backslash, controls, and bytes beyond ASCII. A backslash before anything else is a backslash.
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
        let byte = field.hexadecimal(index + 2, digits: 2)
      {
        output.append(UInt8(truncatingIfNeeded: byte))
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

  /// The byte that a backslash and `letter` represent.
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
}
