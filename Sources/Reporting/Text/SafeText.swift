internal import Foundations

/// Text from logs and files, made safe to show.
package enum SafeText {
  /// The text with every scalar that a terminal could obey, or that hides or
  /// reorders others, written as `\u{…}`.
  package static func escaped(_ text: String) -> String { escaped(text, by: escape) }

  private static func escaped(_ text: String, by escape: (Unicode.Scalar) -> String) -> String {
    guard hasUnsafe(text) else { return text }
    var output = ""
    var reader = Reader()
    for scalar in text.unicodeScalars {
      if reader.isUnsafe(scalar) {
        output += escape(scalar)
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// Several lines with the same scalars escaped, line feeds apart.
  package static func escapedLines(_ text: String) -> String {
    escaped(text) { $0 == "\n" ? "\n" : escape($0) }
  }

  /// JSON text with the same scalars escaped as JSON escapes them.
  ///
  /// In JSON they can be in strings only, line feeds between values apart.
  static func escapedJSON(_ json: String) -> String {
    escaped(json) { $0 == "\n" ? "\n" : escapeInJSON($0) }
  }

  static func escapeInJSON(_ scalar: Unicode.Scalar) -> String {
    scalar.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }.joined()
  }

  /// Returns the replacement of a scalar that may not be shown as it is.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  }

  /// Returns a Boolean value indicating whether a terminal could obey a scalar, or it hides
  /// or reorders others, whatever precedes it.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return true
    default:
      // Fillers and variation selectors are invisible letters and marks.
      return scalar.properties.isDefaultIgnorableCodePoint || blanks.contains(scalar)
    }
  }

  /// Letters and symbols that are invisible, although Unicode classifies them as visible.
  ///
  /// They include the braille pattern without a dot, a note without a head, blank hieroglyphs, and
  /// the filler of Khitan.
  private static let blanks: Set<Unicode.Scalar> = [
    "\u{2800}", "\u{1D159}", "\u{13441}", "\u{13442}", "\u{16FE4}",
  ]

  /// The number of combining marks that a character may have: the languages that stack the most
  /// have three on a letter.
  static let markLimit = 4

  private static func hasUnsafe(_ text: String) -> Bool {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return false }
    var reader = Reader()
    return text.unicodeScalars.contains { reader.isUnsafe($0) }
  }

  /// Reads a text scalar by scalar, because a combining mark is safe only on certain bases.
  package struct Reader {
    private var marks = 0

    package init() {}

    /// Returns a Boolean value indicating whether the next scalar must not be shown as it is.
    package mutating func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
      if SafeText.isUnsafe(scalar) {
        marks = 0
        return true
      }
      guard !scalar.isASCII, scalar.properties.generalCategory.isMark else {
        marks = SafeText.markLimit
        return false
      }
      guard marks > 0 else { return true }
      marks -= 1
      return false
    }
  }
}

extension Unicode.GeneralCategory {
  var isMark: Bool { self == .nonspacingMark || self == .spacingMark || self == .enclosingMark }
}

extension SafeText {
  /// Returns a path for people: with the percent-escapes of harmless, visible characters outside
  /// ASCII decoded.
  ///
  /// For example, `/gift/%E8%8C%B6/1` becomes `/gift/茶/1`. Everything else stays encoded:
  /// - ASCII, so that `%2F` can't be mistaken for `/`
  /// - bytes that are not UTF-8
  /// - invisible characters
  /// - characters that reorder their surroundings, such as letters of right-to-left scripts
  /// - characters that look like one with a meaning in a URL
  /// - combining marks without a base, or too many of them on one base
  static func readable(_ encoded: String) -> String {
    let bytes = Array(encoded.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else { return encoded }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    // The number of marks that may follow the last output.
    var marks = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), let scalar = escapedScalar(in: bytes, at: index),
        isReadable(scalar, marks: marks)
      {
        marks = scalar.properties.generalCategory.isMark ? marks - 1 : markLimit
        output.append(contentsOf: String(scalar).utf8)
        index += scalar.utf8.count * 3
      } else {
        let isEscape = escapedByte(in: bytes, at: index) != nil
        let isBase = !isEscape && (bytes[index].isLetterOrDigit || bytes[index] >= 0x80)
        marks = isBase ? markLimit : 0
        output.append(contentsOf: bytes[index..<(index + (isEscape ? 3 : 1))])
        index += isEscape ? 3 : 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func escapedByte(in bytes: [UInt8], at index: Int) -> UInt8? {
    guard index + 2 < bytes.count, bytes[index] == UInt8(ascii: "%"),
      let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
    else { return nil }
    return high << 4 | low
  }

  /// Returns the scalar outside ASCII that the escapes at a position encode in UTF-8, or `nil` if
  /// there is none.
  private static func escapedScalar(in bytes: [UInt8], at index: Int) -> Unicode.Scalar? {
    var encoding: [UInt8] = []
    while encoding.count < 4, let byte = escapedByte(in: bytes, at: index + encoding.count * 3) {
      encoding.append(byte)
    }
    var (decoder, iterator) = (UTF8(), encoding.makeIterator())
    guard case .scalarValue(let scalar) = decoder.decode(&iterator), !scalar.isASCII else {
      return nil
    }
    return scalar
  }

  private static func isReadable(_ scalar: Unicode.Scalar, marks: Int) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator,
      .lineSeparator, .paragraphSeparator:
      return false
    case let category:
      return !(category.isMark && marks == 0) && !properties.isDefaultIgnorableCodePoint
        && !properties.isWhitespace && !rightToLeft.contains { $0.contains(scalar.value) }
        && !lookalikes.contains(scalar.value)
    }
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
