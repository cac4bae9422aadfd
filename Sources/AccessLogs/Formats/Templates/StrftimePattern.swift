/// The pattern of a time in the notation of C's `strftime`, which Apache's `%{…}t` uses.
enum StrftimePattern {
  /// Adds the elements of a time.
  ///
  /// - Parameters:
  ///   - argument: The text in the braces, or `nil` for Apache's usual time, in brackets.
  ///   - builder: Where they go.
  ///   - range: The position of the directive.
  /// - Throws: ``FormatStringError`` for an unreadable part of a time.
  static func add(
    _ argument: String?, to builder: inout TemplateBuilder, at range: Range<Int>
  ) throws(FormatStringError) {
    guard var pattern = argument else {
      builder.add(UInt8(ascii: "["))
      builder.add(.commonTime, at: range)
      builder.add(UInt8(ascii: "]"))
      return
    }
    // When the request began or ended.
    for prefix in ["begin:", "end:"] where pattern.hasPrefix(prefix) {
      pattern.removeFirst(prefix.count)
    }
    switch pattern {
    case "sec": return builder.add(.clock(.epoch), at: range)
    case "msec", "usec": return try builder.add(.time, at: range)
    case "msec_frac": return builder.add(.clock(.fraction(digits: 3)), at: range)
    case "usec_frac": return builder.add(.clock(.fraction(digits: 6)), at: range)
    default: break
    }
    var isConversion = false
    for byte in pattern.utf8 {
      if isConversion {
        isConversion = byte == UInt8(ascii: "E") || byte == UInt8(ascii: "O")
        if !isConversion { try addConversion(byte, to: &builder, at: range) }
      } else if byte == UInt8(ascii: "%") {
        isConversion = true
      } else {
        builder.add(byte)
      }
    }
  }

  private static func addConversion(
    _ letter: UInt8, to builder: inout TemplateBuilder, at range: Range<Int>
  ) throws(FormatStringError) {
    if let part = parts[letter] {
      builder.add(.clock(part), at: range)
    } else if let pattern = abbreviations[letter] {
      try add(pattern, to: &builder, at: range)
    } else {
      let name = String(Unicode.Scalar(letter))
      throw FormatStringError(
        "'%\(name)' in '\(builder.text(range))' is not a part of a time that linkaudit can read",
        remedy: "use %Y %m %d %H %M %S %z and similar parts",
        in: builder.source, at: range)
    }
  }

  private static let parts: [UInt8: ClockPart] = [
    UInt8(ascii: "Y"): .year, UInt8(ascii: "y"): .shortYear, UInt8(ascii: "m"): .month,
    UInt8(ascii: "b"): .monthName, UInt8(ascii: "B"): .monthName, UInt8(ascii: "h"): .monthName,
    UInt8(ascii: "d"): .day, UInt8(ascii: "e"): .day, UInt8(ascii: "H"): .hour,
    UInt8(ascii: "k"): .hour, UInt8(ascii: "I"): .twelveHour, UInt8(ascii: "l"): .twelveHour,
    UInt8(ascii: "M"): .minute, UInt8(ascii: "S"): .second, UInt8(ascii: "z"): .zone,
    UInt8(ascii: "Z"): .zoneName, UInt8(ascii: "a"): .weekdayName, UInt8(ascii: "A"): .weekdayName,
    UInt8(ascii: "p"): .afternoon, UInt8(ascii: "P"): .afternoon, UInt8(ascii: "s"): .epoch,
    UInt8(ascii: "j"): .dayOfYear,
  ]

  private static let abbreviations: [UInt8: String] = [
    UInt8(ascii: "T"): "%H:%M:%S", UInt8(ascii: "R"): "%H:%M", UInt8(ascii: "F"): "%Y-%m-%d",
    UInt8(ascii: "D"): "%m/%d/%y", UInt8(ascii: "c"): "%a %b %e %H:%M:%S %Y",
    UInt8(ascii: "x"): "%m/%d/%y", UInt8(ascii: "X"): "%H:%M:%S", UInt8(ascii: "r"): "%I:%M:%S %p",
    UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t",
  ]
}
