/// Text from logs and files, made fit to be shown.
enum SafeText {
  /// The text with every scalar that a terminal could obey, or that hides or
  /// reorders others, written as `\u{…}`.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) {
        output += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// JSON text with the same scalars escaped as JSON escapes them.
  ///
  /// In JSON they can stand in strings only, line feeds between values apart.
  static func escapedJSON(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: { $0 != "\n" && isUnsafe($0) }) else { return json }
    var output = ""
    for scalar in json.unicodeScalars {
      if scalar != "\n", isUnsafe(scalar) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// Returns a Boolean value indicating whether a terminal could obey a scalar, or it hides
  /// or reorders others.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      true
    default: false
    }
  }
}
