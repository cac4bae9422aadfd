internal import Foundations

/// Apache's `LogFormat` (https://httpd.apache.org/docs/current/mod/mod_log_config.html).
enum ApacheLogFormat {
  /// Compiles a format with `%` directives.
  ///
  /// - Parameter text: The directive as in the configuration, or only its quoted text, with or
  ///   without backslashes before quotes.
  /// - Returns: The template of the lines.
  /// - Throws: ``FormatStringError`` for an unknown directive, and for a format without target and
  ///   status.
  static func compile(_ text: String) throws(FormatStringError) -> LineTemplate {
    let configuration = ConfigurationText(text, directive: "LogFormat", undoesEscapes: true)
    var builder = TemplateBuilder(source: configuration.source, encoding: .escaped)
    let bytes = configuration.bytes
    var index = 0
    while index < bytes.count {
      let byte = bytes[index].value
      if byte == UInt8(ascii: "\\"), index + 1 < bytes.count,
        bytes[index + 1].value == UInt8(ascii: "\"")
      {
        // Copied without the quotes around it.
        index += 1
        continue
      }
      guard byte == UInt8(ascii: "%") else {
        builder.add(byte)
        index += 1
        continue
      }
      try addDirective(bytes, &index, to: &builder)
    }
    return try builder.finish()
  }

  private static func addDirective(
    _ bytes: [ConfigurationText.Byte], _ index: inout Int, to builder: inout TemplateBuilder
  ) throws(FormatStringError) {
    let start = index
    index += 1
    // `%!200,304{Referer}i`: only for some statuses; `%>s`: of the last request.
    func skip(_ isSkipped: (UInt8) -> Bool) {
      while index < bytes.count, isSkipped(bytes[index].value) { index += 1 }
    }
    skip { $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: ",") || $0.isDigit }
    skip { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
    var argument: [UInt8]?
    if index < bytes.count, bytes[index].value == UInt8(ascii: "{") {
      let open = index
      skip { $0 != UInt8(ascii: "}") }
      argument = bytes[(open + 1)..<index].map(\.value)
      index = min(index + 1, bytes.count)
    }
    skip { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
    var letters = ""
    if index < bytes.count, bytes[index].value == UInt8(ascii: "^") {
      letters = "^"
      index += 1
      if index < bytes.count { letters.unicodeScalars.append(Unicode.Scalar(bytes[index].value)) }
      index = min(index + 1, bytes.count)
    }
    if index < bytes.count { letters.unicodeScalars.append(Unicode.Scalar(bytes[index].value)) }
    index = min(index + 1, bytes.count)
    let range = bytes[start].position..<(bytes[index - 1].position + 1)
    let name = argument.map { String(decoding: $0, as: UTF8.self) }
    try add(letters, name, to: &builder, at: range)
  }

  private static func add(
    _ letters: String, _ argument: String?, to builder: inout TemplateBuilder, at range: Range<Int>
  ) throws(FormatStringError) {
    switch letters {
    case "%": builder.add(UInt8(ascii: "%"))
    case "r": try builder.add(.request, at: range)
    case "U": try builder.add(.target, at: range)
    // It begins with its question mark, or is empty: after a path, it is the end of the target.
    case "q": try builder.add(.query, at: range)
    case "m": try builder.add(.method, at: range)
    case "s": try builder.add(.status, at: range)
    case "b", "B", "O": try builder.add(.size, at: range)
    case "v", "V": try builder.add(.host, asSent: false, at: range)
    case "i" where argument?.lowercased() == "host":
      try builder.add(.host, asSent: true, at: range)
    case "i" where argument?.lowercased() == "sec-fetch-dest":
      try builder.add(fetchMetadata: true, at: range)
    case "i" where argument?.lowercased() == "sec-fetch-mode":
      try builder.add(fetchMetadata: false, at: range)
    case "i": try builder.add(header(argument, in: builder, at: range), at: range)
    case "t":
      try StrftimePattern.add(argument, to: &builder, at: range)
    case "a", "A", "C", "c", "D", "e", "f", "F", "h", "H", "I", "k", "l", "L", "n", "o",
      "p", "P", "R", "S", "T", "u", "X", "x", "^ti", "^to", "^FB", "^FU", "^UB":
      try builder.add(nil, at: range)
    default:
      throw FormatStringError(
        "'\(builder.text(range))' is not a directive of Apache's LogFormat",
        remedy: "run 'linkaudit formats' to list the supported formats",
        in: builder.source, at: range)
    }
  }

  /// The field of a header of the request, or `nil` if it is irrelevant.
  ///
  /// - Throws: ``FormatStringError`` for spellings of headers that no client sends, for which the
  ///   server writes a dash.
  private static func header(
    _ name: String?, in builder: TemplateBuilder, at range: Range<Int>
  ) throws(FormatStringError) -> LogField? {
    let meant: String
    switch name?.lowercased() {
    case "referer": return .referrer
    case "user-agent": return .agent
    case "referrer", "refer", "http_referer": meant = "Referer"
    case "useragent", "user_agent", "user agent", "agent", "http_user_agent": meant = "User-Agent"
    default: return nil
    }
    throw FormatStringError(
      "'\(builder.text(range))' is a header that no client sends",
      remedy: "did you mean '%{\(meant)}i'?", in: builder.source, at: range)
  }
}

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
