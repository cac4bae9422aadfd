/// Text from logs and files, made safe to show.
package enum SafeText {
  /// The text with every scalar that a terminal could obey, or that hides or
  /// reorders others, written as `\u{…}`.
  package static func escaped(_ text: String) -> String {
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
    guard text.unicodeScalars.contains("\n") else { return escaped(text) }
    return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escaped(String($0)) }.joined(separator: "\n")
  }

  /// JSON text with the same scalars escaped as JSON escapes them.
  ///
  /// In JSON they can be in strings only, line feeds between values apart.
  static func escapedJSON(_ json: String) -> String {
    guard hasUnsafe(json) else { return json }
    var output = ""
    var reader = Reader()
    for scalar in json.unicodeScalars {
      if reader.isUnsafe(scalar), scalar != "\n" {
        output += escapeInJSON(scalar)
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// Returns the replacement of a scalar in a string of JSON.
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

    package init() {}
    /// The number of marks that may still follow.
    private var marks = 0

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
  /// A Boolean value indicating whether this is a category of combining marks.
  var isMark: Bool { self == .nonspacingMark || self == .spacingMark || self == .enclosingMark }
}
