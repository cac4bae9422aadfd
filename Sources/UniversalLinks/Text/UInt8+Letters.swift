extension UInt8 {
  /// A Boolean value indicating whether this byte is a letter or a digit in ASCII.
  var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
