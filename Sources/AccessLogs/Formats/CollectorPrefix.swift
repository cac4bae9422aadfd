internal import Foundations

extension Span<UInt8> {
  /// The end of the prefix that Kubernetes or Docker writes before a line, or `nil` if there is
  /// none.
  ///
  /// The prefix is that of its log files
  /// (https://kubernetes.io/docs/concepts/cluster-administration/logging), that of `kubectl logs
  /// --prefix`, or that of Docker Compose and forego.
  ///
  ///     2026-11-19T12:00:00.123456789+00:00 stdout F
  ///     [pod/web-7d4b9/nginx]
  ///     nginx.1    |
  ///
  /// A byte order mark counts as a prefix, too; some editors and servers write it before a file.
  package var collectorPrefixEnd: Int? {
    if count > 3, self[0] == 0xEF, self[1] == 0xBB, self[2] == 0xBF { return 3 }
    if count > 8, self[0] == UInt8(ascii: "["), begins(with: "[pod/") {
      guard let end = firstIndex(of: UInt8(ascii: "]"), from: 5), end + 1 < count,
        self[end + 1] == UInt8(ascii: " ")
      else { return nil }
      return end + 2
    }
    if let end = servicePrefixEnd { return end }
    guard count > 40, hasShape("0???-?????T"),
      let space = firstIndex(of: UInt8(ascii: " "), from: 19, to: 40), count >= space + 10,
      begins(with: " stdout ", at: space) || begins(with: " stderr ", at: space),
      self[space + 9] == UInt8(ascii: " "),
      self[space + 8] == UInt8(ascii: "F") || self[space + 8] == UInt8(ascii: "P")
    else { return nil }
    return space + 10
  }

  /// The end of a terminal's escapes, and of the name of a service and a bar between them, or `nil`
  /// if something else begins a line.
  ///
  /// Without escapes, only spaces that fill up the name, or a number at its end, distinguish it from
  /// a first column. Foreman writes the time of day before the name.
  ///
  ///     ESC[0;33;1mnginx.1    | ESC[0m
  ///     ESC[36m12:00:00 web.1  | ESC[0m
  ///     web-1  |
  var servicePrefixEnd: Int? {
    // Most lines of JSON, and comments, need no search for the bar.
    guard count > 0, self[0] == 0x1B || self[0].isInServiceName else { return nil }
    let escapes = escapesEnd(from: 0)
    let colors = escapes > 0 && escapes < count ? escapes : nil
    guard let bar = firstIndex(of: UInt8(ascii: "|"), from: 0, to: Swift.min(count, 128)) else {
      return colors
    }
    let start = hasShape("00:00:00 ", at: escapes) ? escapes + 9 : escapes
    var nameEnd = bar
    while nameEnd > start, self[nameEnd - 1] == UInt8(ascii: " ") { nameEnd -= 1 }
    guard nameEnd > start else { return colors }
    let name = extracting(start..<nameEnd)
    guard name.isServiceName, !name.isHostName,
      escapes > 0 || isSetApart(name, by: bar - nameEnd)
    else { return colors }
    var end = escapesEnd(from: bar + 1)
    if end < count, self[end] == UInt8(ascii: " ") { end += 1 }
    end = escapesEnd(from: end)
    return end < count ? end : nil
  }

  /// Returns a Boolean value indicating whether a name without escapes before a bar is that of a
  /// service.
  private func isSetApart(_ name: Span<UInt8>, by spaces: Int) -> Bool {
    if spaces == 0 || name.isAddress { return false }
    if spaces > 1 { return true }
    var digits = name.count
    while digits > 0, name[digits - 1].isDigit { digits -= 1 }
    return digits < name.count && digits > 1 && ".-_".utf8.contains(name[digits - 1])
  }

  /// A Boolean value indicating whether these bytes can be the name of a service or container.
  private var isServiceName: Bool {
    var hasLetter = false
    for index in indices {
      if self[index].isLetter { hasLetter = true }
      guard self[index].isInServiceName else { return false }
    }
    return hasLetter
  }

  /// Returns the end of the escapes at a position that set the colors of a terminal (ECMA-48, 8.3.117).
  func escapesEnd(from start: Int) -> Int {
    var end = start
    while end + 2 < count, self[end] == 0x1B, self[end + 1] == UInt8(ascii: "[") {
      var position = end + 2
      while position < count, self[position].isDigit || self[position] == UInt8(ascii: ";") {
        position += 1
      }
      guard position < count, self[position] == UInt8(ascii: "m") else { return end }
      end = position + 1
    }
    return end
  }

  /// The stream of a container that a line belongs to, and whether the next line of the stream
  /// continues it.
  ///
  /// `nil` if the line has no prefix of Kubernetes.
  ///
  /// Lines of more than 16 KiB are split into parts; all but the last have a `P`.
  var collectorPart: (isError: Bool, isPartial: Bool)? {
    guard let end = collectorPrefixEnd, end >= 29, self[0].isDigit,
      begins(with: " std", at: end - 10)
    else { return nil }
    return (self[end - 6] == UInt8(ascii: "e"), self[end - 2] == UInt8(ascii: "P"))
  }

  /// The end of a word in brackets at the beginning of a line, or 0 if there is none.
  ///
  /// The word can be a host, or an address with its port.
  ///
  /// A time in brackets is not such a word.
  ///
  ///     [2001:db8::1]:443 203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5
  var bracketedWordEnd: Int {
    guard count > 2, self[0] == UInt8(ascii: "["), !beginsWithTime(at: 1),
      let close = firstIndex(of: UInt8(ascii: "]"), from: 1), close > 1
    else { return 0 }
    for index in 1..<close
    where self[index] <= UInt8(ascii: " ") || self[index] == UInt8(ascii: "\"") {
      return 0
    }
    var end = close + 1
    if end < count, self[end] == UInt8(ascii: ":") {
      repeat { end += 1 } while end < count && self[end].isDigit
    }
    return end < count && self[end] == UInt8(ascii: " ") ? end : 0
  }
}

extension Span<UInt8> {
  /// Appends the line that Docker has wrapped in JSON, without its line terminator
  /// (https://docs.docker.com/engine/logging/drivers/json-file).
  ///
  ///     {"log":"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] …\n","stream":"stdout","time":"…"}
  ///
  /// - Parameters:
  ///   - output: Where the line goes.
  ///   - escaped: Scratch space.
  /// - Returns: Whether this is such a line.
  func appendDockerLine(to output: inout [UInt8], _ escaped: inout [UInt8]) -> Bool {
    guard let start = dockerTextStart, let end = dockerTextEnd else { return false }
    escaped.removeAll(keepingCapacity: true)
    FieldText.append(extracting(start..<end), .json, to: &escaped)
    while let last = escaped.last, last == 0x0A || last == 0x0D { escaped.removeLast() }
    LogEscapes.append(undoing: escaped.span, to: &output)
    return true
  }

  /// Returns a Boolean value indicating whether Docker has cut a line.
  ///
  /// It does so after 16 KiB; only the last part ends in a line feed.
  ///
  /// - Parameter length: The length of the part.
  /// - Returns: Whether the line continues.
  func isPartialDockerLine(_ length: Int) -> Bool {
    guard length >= 16_000, let end = dockerTextEnd else { return false }
    return !begins(with: "\\n", at: end - 2)
  }

  /// Returns a Boolean value indicating whether a line begins as Docker's do.
  func isDockerLine() -> Bool { dockerTextStart != nil }

  /// The position after the quote before the text, or `nil` if the line isn't Docker's.
  ///
  /// Programs that copy such lines write blanks after commas and colons.
  private var dockerTextStart: Int? {
    if begins(with: "{\"log\":\"") { return 8 }
    guard count > 0, self[0] == UInt8(ascii: "{"), case let key = blanksEnd(after: 1),
      begins(with: "\"log\"", at: key), case let colon = blanksEnd(after: key + 5),
      begins(with: ":", at: colon), case let quote = blanksEnd(after: colon + 1),
      begins(with: "\"", at: quote)
    else { return nil }
    return quote + 1
  }

  /// The position of the quote after the text, or `nil` if the line isn't Docker's.
  private var dockerTextEnd: Int? {
    guard let start = dockerTextStart, let end = closingQuote(from: start) else { return nil }
    if begins(with: "\",\"stream\":\"std", at: end) { return end }
    guard case let comma = blanksEnd(after: end + 1), begins(with: ",", at: comma),
      case let key = blanksEnd(after: comma + 1), begins(with: "\"stream\"", at: key),
      case let colon = blanksEnd(after: key + 8), begins(with: ":", at: colon),
      begins(with: "\"std", at: blanksEnd(after: colon + 1))
    else { return nil }
    return end
  }

  /// Returns the end of the blanks at a position.
  private func blanksEnd(after start: Int) -> Int {
    var position = start
    while position < count, self[position].isBlank { position += 1 }
    return position
  }
}

extension LineChunk {
  /// A Boolean value indicating whether the first line that isn't empty is Docker's.
  var isDockerLog: Bool {
    withBytes { bytes in
      var position = 0
      while let range = bytes.nextLine(&position) {
        guard !range.isEmpty else { continue }
        return bytes.extracting(range).isDockerLine()
      }
      return false
    }
  }
}

extension UInt8 {
  /// A Boolean value indicating whether the name of a service or container can hold this byte.
  fileprivate var isInServiceName: Bool {
    isInHostLabel || self == UInt8(ascii: ".") || self == UInt8(ascii: "@")
  }
}
