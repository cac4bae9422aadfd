/// Reading and writing UTF-8 in byte arrays without making a `String`.
enum UTF8Text {
  /// The number of bytes of the scalar that begins with `lead`, in valid UTF-8.
  static func length(ofScalarWithLead lead: UInt8) -> Int {
    if lead < 0x80 { 1 } else if lead < 0xE0 { 2 } else if lead < 0xF0 { 3 } else { 4 }
  }

  /// The scalar of `length` bytes at `index`, in valid UTF-8.
  static func scalar(at index: Int, length: Int, in text: borrowing [UInt8]) -> Unicode.Scalar {
    var value = UInt32(text[index]) & (length == 1 ? 0x7F : 0xFF >> UInt32(length + 1))
    var next = index + 1
    while next < index + length {
      value = value << 6 | UInt32(text[next] & 0x3F)
      next += 1
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// Appends the UTF-8 form of a scalar.
  static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    let value = scalar.value
    func trail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(value >> shift & 0x3F) }
    switch value {
    case ..<0x80: output.append(UInt8(value))
    case ..<0x800:
      output.append(0xC0 | UInt8(value >> 6))
      output.append(trail(0))
    case ..<0x10000:
      output.append(0xE0 | UInt8(value >> 12))
      output.append(trail(6))
      output.append(trail(0))
    default:
      output.append(0xF0 | UInt8(value >> 18))
      output.append(trail(12))
      output.append(trail(6))
      output.append(trail(0))
    }
  }

  /// Returns a Boolean value indicating whether `text` is valid UTF-8: no
  /// overlong form, no surrogate, nothing above U+10FFFF (RFC 3629).
  static func isValid(_ text: borrowing [UInt8], from start: Int) -> Bool {
    var index = start
    while index < text.count {
      let lead = text[index]
      if lead < 0x80 {
        index += 1
        continue
      }
      guard (0xC2...0xF4).contains(lead) else { return false }
      let length = length(ofScalarWithLead: lead)
      guard index + length <= text.count else { return false }
      let second = text[index + 1]
      let secondBounds: ClosedRange<UInt8> =
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
      guard secondBounds.contains(second) else { return false }
      var next = index + 2
      while next < index + length {
        guard text[next] & 0xC0 == 0x80 else { return false }
        next += 1
      }
      index += length
    }
    return true
  }
}
