extension UInt8 {
  /// The value of this byte as a hexadecimal digit in ASCII, 0 to 15, or `nil`
  /// if it isn't one.
  var hexadecimalDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The upper-case hexadecimal digit of a value, 0 to 15, in ASCII.
  static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    let digit = value & 0xF
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
  }
}
