extension UInt8 {
  /// This byte, in lower case if it is an ASCII letter.
  @inlinable @inline(__always)
  package var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// A Boolean value indicating whether this byte is an ASCII digit.
  @inlinable @inline(__always)
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// A Boolean value indicating whether this byte is a hexadecimal digit.
  @inlinable @inline(__always)
  package var isHexadecimalDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

  /// The value of this hexadecimal digit, or `nil` for other bytes.
  @inlinable
  package var hexadecimalValue: UInt8? {
    if isDigit { return self &- 0x30 }
    return isHexadecimalDigit ? (self | 0x20) &- 0x61 &+ 10 : nil
  }

  /// A Boolean value indicating whether this byte is an ASCII letter.
  @inlinable @inline(__always)
  package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// A Boolean value indicating whether this byte is an ASCII letter or digit.
  @inlinable @inline(__always)
  package var isLetterOrDigit: Bool { isDigit || isLetter }

  /// The upper-case hexadecimal digit of a value, 0 to 15.
  @inlinable
  package static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    let digit = value & 0xF
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
  }

  /// A Boolean value indicating whether this byte can be in a DNS label of a host's name, where
  /// underscores are common, too.
  package var isInHostLabel: Bool {
    isDigit || isLetter || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }

  /// A Boolean value indicating whether this byte can be in a host's name.
  package var isInHostName: Bool { isInHostLabel || self == UInt8(ascii: ".") }

  /// The control character that a backslash and this letter represent, in JSON (RFC 8259, 7) and
  /// elsewhere, or `nil` if they represent none.
  @inlinable
  package var escapedControl: UInt8? {
    switch self {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): 0x0D
    default: nil
    }
  }

  /// A Boolean value indicating whether this byte is a space or a tab.
  @inlinable @inline(__always)
  package var isBlank: Bool { self == 0x20 || self == 0x09 }
}
