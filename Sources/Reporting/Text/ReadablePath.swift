internal import Foundations

/// Percent-encoded paths, made fit to be read by people.
enum ReadablePath {
  /// Returns the path with the percent-escapes of harmless, visible characters outside ASCII
  /// decoded.
  ///
  /// For example, `/gift/%E8%8C%B6/1` becomes `/gift/茶/1`. Everything else stays encoded:
  /// - ASCII, so that `%2F` can't be mistaken for `/`
  /// - bytes that are not UTF-8
  /// - invisible characters
  /// - characters that reorder their surroundings, such as letters of right-to-left scripts
  /// - characters that look like one with a meaning in a URL
  /// - combining marks without a base, or too many of them on one base
  static func text(_ encoded: String) -> String {
    let bytes = Array(encoded.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else { return encoded }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    // The number of marks that may follow the last output.
    var marks = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%"), escapedByte(in: bytes, at: index) != nil else {
        marks = bytes[index].isLetterOrDigit || bytes[index] >= 0x80 ? markLimit : 0
        output.append(bytes[index])
        index += 1
        continue
      }
      if let scalar = escapedScalar(in: bytes, at: index), isReadable(scalar, marks: marks) {
        marks = scalar.properties.generalCategory.isMark ? marks - 1 : markLimit
        output.append(contentsOf: String(scalar).utf8)
        index += scalar.utf8.count * 3
      } else {
        marks = 0
        output.append(contentsOf: bytes[index..<(index + 3)])
        index += 3
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The path as terminals can show it.
  static func shown(_ path: String) -> String { SafeText.escaped(text(path)) }

  private static var markLimit: Int { SafeText.markLimit }

  /// Returns the byte of the escape at a position, or `nil` if there is no escape.
  private static func escapedByte(in bytes: [UInt8], at index: Int) -> UInt8? {
    guard index + 2 < bytes.count, bytes[index] == UInt8(ascii: "%"),
      let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
    else { return nil }
    return high << 4 | low
  }

  /// Returns the scalar outside ASCII that the escapes at a position encode, or `nil` if they are
  /// not UTF-8.
  private static func escapedScalar(in bytes: [UInt8], at index: Int) -> Unicode.Scalar? {
    guard let first = escapedByte(in: bytes, at: index) else { return nil }
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard length > 0 else { return nil }
    var encoding = [first]
    for offset in 1..<length {
      guard let byte = escapedByte(in: bytes, at: index + offset * 3) else { return nil }
      encoding.append(byte)
    }
    guard let text = String(validating: encoding, as: UTF8.self),
      text.unicodeScalars.count == 1
    else { return nil }
    return text.unicodeScalars.first
  }

  private static func isReadable(_ scalar: Unicode.Scalar, marks: Int) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator,
      .lineSeparator, .paragraphSeparator:
      return false
    case let category where category.isMark && marks == 0: return false
    default: break
    }
    if properties.isDefaultIgnorableCodePoint || properties.isWhitespace { return false }
    return !rightToLeft.contains { $0.contains(scalar.value) }
      && !lookalikes.contains(scalar.value)
  }

  /// The blocks of scripts that are written from right to left, and the blocks that Unicode
  /// reserves for such scripts (DerivedBidiClass.txt, "@missing").
  private static let rightToLeft: [ClosedRange<UInt32>] = [
    0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
  ]

  /// Characters that look like `/`, `\`, `%`, `?` or `#`, or like nothing.
  private static let lookalikes: Set<UInt32> = [
    0x2044, 0x2052, 0x2215, 0x2216, 0x2571, 0x2572, 0x2800, 0x29F5, 0x29F8, 0x29F9, 0x3033,
    0xFE56, 0xFE5F, 0xFE68, 0xFE6A, 0xFF03, 0xFF05, 0xFF0F, 0xFF1F, 0xFF3C, 0xFFFC, 0xFFFD,
  ]
}
