internal import Foundations

/// Apache's `LogFormat` (https://httpd.apache.org/docs/current/mod/mod_log_config.html).
extension TemplateBuilder {
  /// Compiles a format with `%` directives.
  ///
  /// - Parameter text: The directive as in the configuration, or only its quoted text, with or
  ///   without backslashes before quotes.
  /// - Returns: The template of the lines, which have at least a target and a status.
  /// - Throws: ``FormatStringError`` for a mistake in the text.
  static func compile(apache text: String) throws(FormatStringError) -> LineTemplate {
    var builder = TemplateBuilder(text, isApache: true)
    let bytes = builder.bytes
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%") {
        try builder.addDirective(&index)
        continue
      }
      // A format that was copied without the quotes around it has backslashes before quotes.
      let isEscape =
        bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count
        && bytes[index + 1] == UInt8(ascii: "\"")
      if !isEscape { builder.addText(bytes[index]) }
      index += 1
    }
    return try builder.finish()
  }

  private mutating func addDirective(_ index: inout Int) throws(FormatStringError) {
    let bytes = bytes
    let start = index
    index += 1
    // `%!200,304{Referer}i`: only for some statuses; `%>s`: of the last request.
    func skip(_ isSkipped: (UInt8) -> Bool) {
      while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
    }
    skip { $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: ",") || $0.isDigit }
    skip { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
    var argument: String?
    if index < bytes.count, bytes[index] == UInt8(ascii: "{") {
      let open = index
      skip { $0 != UInt8(ascii: "}") }
      argument = String(decoding: bytes[(open + 1)..<index], as: UTF8.self)
      index = min(index + 1, bytes.count)
    }
    skip { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
    // `%^ti` has three letters.
    let isLong = index < bytes.count && bytes[index] == UInt8(ascii: "^")
    let letters = bytes[index...].prefix(isLong ? 3 : 1)
    index = letters.endIndex
    begin(start..<index)
    try addDirective(String(decoding: letters, as: UTF8.self), argument)
  }

  private mutating func addDirective(
    _ letters: String, _ argument: String?
  ) throws(FormatStringError) {
    switch letters {
    case "%": addText(UInt8(ascii: "%"))
    case "r": try addField(.request)
    case "U": try addField(.target)
    // It begins with its question mark, or is empty: after a path, it is the end of the target.
    case "q": try addField(.query)
    case "m": try addField(.method)
    case "s": try addField(.status)
    case "b", "B", "O": try addField(.size)
    case "v", "V": try addField(.host)
    case "i": try addHeader(argument?.lowercased())
    case "t":
      if let argument { return try addTime(strftime: argument) }
      addText(UInt8(ascii: "["))
      addTime(.commonTime)
      addText(UInt8(ascii: "]"))
    case "a", "A", "C", "c", "D", "e", "f", "F", "h", "H", "I", "k", "l", "L", "n", "o",
      "p", "P", "R", "S", "T", "u", "X", "x", "^ti", "^to", "^FB", "^FU", "^UB":
      try addField(nil)
    default:
      throw mistake(
        "'\(partText)' is not a directive of Apache's LogFormat",
        remedy: "run 'linkaudit formats' to list the supported formats")
    }
  }

  /// Adds a header of the request, whose name is in lower case.
  ///
  /// For spellings of headers that no client sends, the server would write a dash.
  private mutating func addHeader(_ name: String?) throws(FormatStringError) {
    let meant: String
    switch name {
    case "host": return try addField(.host, isBest: true)
    case "sec-fetch-dest": return try addField(.fetchMetadata, isBest: true)
    case "sec-fetch-mode": return try addField(.fetchMetadata)
    case "referer": return try addField(.referrer)
    case "user-agent": return try addField(.agent)
    case "referrer", "refer", "http_referer": meant = "Referer"
    case "useragent", "user_agent", "user agent", "agent", "http_user_agent": meant = "User-Agent"
    default: return try addField(nil)
    }
    throw mistake(
      "'\(partText)' is a header that no client sends", remedy: "did you mean '%{\(meant)}i'?")
  }

  /// Adds the elements of a time in the notation of C's `strftime`, which Apache's `%{…}t` uses.
  private mutating func addTime(strftime text: String) throws(FormatStringError) {
    var pattern = text
    // When the request began or ended.
    for prefix in ["begin:", "end:"] where pattern.hasPrefix(prefix) {
      pattern.removeFirst(prefix.count)
    }
    switch pattern {
    case "sec": return addTime(.clock("s"))
    case "msec", "usec": return try addField(.time)
    case "msec_frac": return addTime(.clock("3"))
    case "usec_frac": return addTime(.clock("6"))
    default: break
    }
    var isConversion = false
    for byte in pattern.utf8 {
      if isConversion {
        isConversion = byte == UInt8(ascii: "E") || byte == UInt8(ascii: "O")
        if !isConversion { try addConversion(Unicode.Scalar(byte)) }
      } else if byte == UInt8(ascii: "%") {
        isConversion = true
      } else {
        addText(byte)
      }
    }
  }

  private mutating func addConversion(_ letter: Unicode.Scalar) throws(FormatStringError) {
    if let pattern = Self.abbreviations[letter] { return try addTime(strftime: pattern) }
    guard "YymbBhdeHkIlMSzZaApPsj".unicodeScalars.contains(letter) else {
      throw mistake(
        "'%\(letter)' in '\(partText)' is not a part of a time that linkaudit can read",
        remedy: "use %Y %m %d %H %M %S %z and similar parts")
    }
    addTime(.clock(letter))
  }

  private static let abbreviations: [Unicode.Scalar: String] = [
    "T": "%H:%M:%S", "R": "%H:%M", "F": "%Y-%m-%d", "D": "%m/%d/%y", "c": "%a %b %e %H:%M:%S %Y",
    "x": "%m/%d/%y", "X": "%H:%M:%S", "r": "%I:%M:%S %p", "n": "\n", "t": "\t",
  ]
}
