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

  /// Returns whether a name without escapes before a bar is that of a service.
  private func isSetApart(_ name: Span<UInt8>, by spaces: Int) -> Bool {
    if spaces == 0 || name.isAddress { return false }
    if spaces > 1 { return true }
    var digits = name.count
    while digits > 0, name[digits - 1].isDigit { digits -= 1 }
    return digits < name.count && digits > 1 && ".-_".utf8.contains(name[digits - 1])
  }

  private var isServiceName: Bool {
    indices.allSatisfy { self[$0].isInServiceName } && indices.contains { self[$0].isLetter }
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
      let close = firstIndex(of: UInt8(ascii: "]"), from: 1), close > 1,
      (1..<close).allSatisfy({ self[$0] > UInt8(ascii: " ") && self[$0] != UInt8(ascii: "\"") })
    else { return 0 }
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
  /// - Returns: Whether this is such a line.
  func appendDockerLine(to output: inout [UInt8], _ escaped: inout [UInt8]) -> Bool {
    guard let text = dockerText else { return false }
    escaped.removeAll(keepingCapacity: true)
    FieldEncoding.json.append(extracting(text), to: &escaped)
    while let last = escaped.last, last == 0x0A || last == 0x0D { escaped.removeLast() }
    LogEscapes.append(undoing: escaped.span, to: &output)
    return true
  }

  /// Returns a Boolean value indicating whether Docker has cut a line to a part of some length.
  ///
  /// It does so after 16 KiB; only the last part ends in a line feed.
  func isPartialDockerLine(_ length: Int) -> Bool {
    guard length >= 16_000, let text = dockerText else { return false }
    return !begins(with: "\\n", at: text.upperBound - 2)
  }

  func isDockerLine() -> Bool { end(of: wordsBeforeDockerText, at: 0) != nil }

  /// The position of the text between its quotes, or `nil` if the line isn't Docker's.
  private var dockerText: Range<Int>? {
    guard let start = end(of: wordsBeforeDockerText, at: 0), let close = closingQuote(from: start),
      end(of: wordsAfterDockerText, at: close) != nil
    else { return nil }
    return start..<close
  }

  /// Returns the end of some words and the blanks between them, or `nil` if they aren't at a
  /// position.
  private func end(of words: [StaticString], at start: Int) -> Int? {
    var position = start
    for word in words {
      if position > start { position = blanksEnd(after: position) }
      guard begins(with: word, at: position) else { return nil }
      position += word.utf8CodeUnitCount
    }
    return position
  }

  private func blanksEnd(after start: Int) -> Int {
    var position = start
    while position < count, self[position].isBlank { position += 1 }
    return position
  }
}

/// The words around the text of Docker's lines; programs that copy the lines write blanks between
/// them.
private let wordsBeforeDockerText: [StaticString] = ["{", "\"log\"", ":", "\""]
private let wordsAfterDockerText: [StaticString] = ["\"", ",", "\"stream\"", ":", "\"std"]

extension LineChunk {
  /// A Boolean value indicating whether the first line that isn't empty is Docker's.
  var isDockerLog: Bool {
    withBytes { bytes in
      var position = 0
      while let range = bytes.nextLine(&position) {
        if !range.isEmpty { return bytes.extracting(range).isDockerLine() }
      }
      return false
    }
  }
}

extension UInt8 {
  fileprivate var isInServiceName: Bool {
    isInHostName || self == UInt8(ascii: "@")
  }
}

extension Span<UInt8> {
  /// The end of everything that collectors wrote before a line: their own prefix, then a timestamp
  /// or a syslog header.
  var linePrefixEnd: Int {
    let start = collectorPrefixEnd ?? 0
    return start + (extracting(start..<count).lineHeaderEnd ?? 0)
  }

  /// The end of the timestamp or the syslog header before a line, or `nil` if there is none.
  ///
  ///     2026-06-03T12:00:00.123456789Z …              docker logs -t, kubectl logs --timestamps
  ///     Jun  3 12:00:00 web nginx[12]: …              RFC 3164, 4.1
  ///     2026-06-03T12:00:00+00:00 web nginx: …        rsyslog
  ///     <134>1 2026-06-03T12:00:00Z web nginx - - - … RFC 5424, 6
  ///
  /// A timestamp can also be the first field of the line.
  var lineHeaderEnd: Int? {
    guard count > Self.shortestHeader else { return nil }
    var start = 0
    if byte(0) == UInt8(ascii: "<") {
      // `<134>`
      repeat { start += 1 } while start < 4 && byte(start).isDigit
      guard start > 1, byte(start) == UInt8(ascii: ">") else { return nil }
      start += 1
      if begins(with: "1 ", at: start) { return structuredHeaderEnd(from: start + 2) }
    }
    if byte(start).isLetter {
      // `Jun  3 12:00:00 `
      guard hasShape("??? ?0 0?:??:?0 ?", at: start),
        self[start + 4] == UInt8(ascii: " ") || self[start + 4].isDigit,
        monthNumber(at: start) != nil
      else { return nil }
      return syslogTagEnd(from: start + 16)
    }
    guard let end = timestampEnd(from: start) else { return nil }
    return syslogTagEnd(from: end) ?? (start == 0 ? end : nil)
  }

  /// The length of `2026-06-03T12:00:00Z`, and of `Jun  3 12:00:00 a: `.
  private static var shortestHeader: Int { 19 }

  static var headerLimit: Int { 192 }

  /// Returns the end of a timestamp of RFC 3339 and the blanks after it, or `nil` if there is none.
  private func timestampEnd(from start: Int) -> Int? {
    // This runs for each line, and most have no timestamp: compare the rarest byte first.
    guard start + 10 < count, byte(start + 10) == UInt8(ascii: "T"),
      hasShape("0000-00-00T??:??:????", at: start)
    else { return nil }
    let limit = Swift.min(count, start + 40)
    var position = start + 19
    if self[position] == UInt8(ascii: ".") || self[position] == UInt8(ascii: ",") {
      repeat { position += 1 } while position < limit && self[position].isDigit
    }
    guard position < limit else { return nil }
    switch self[position] {
    case UInt8(ascii: "Z"): position += 1
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      repeat {
        position += 1
      } while position < limit
        && (self[position].isDigit || self[position] == UInt8(ascii: ":"))
    default: return nil
    }
    return blanksEnd(from: position)
  }

  /// Returns the end of the blanks at a position, or `nil` if there are none.
  private func blanksEnd(from start: Int) -> Int? {
    let end = blanksEnd(after: start)
    return end > start && end < count ? end : nil
  }

  /// Returns the end of the program's name, with a host before it or without one, or `nil` if there
  /// is no name.
  private func syslogTagEnd(from start: Int) -> Int? {
    let limit = Swift.min(count, Self.headerLimit)
    guard let space = firstIndex(of: UInt8(ascii: " "), from: start, to: limit) else { return nil }
    if isTag(start..<space) { return blanksEnd(from: space) }
    guard space > start,
      let end = firstIndex(of: UInt8(ascii: " "), from: space + 1, to: limit),
      isTag((space + 1)..<end), isName(start..<space, mayHold: UInt8(ascii: ":"))
    else { return nil }
    return blanksEnd(from: end)
  }

  /// Returns whether a word has only bytes of hosts' names, and perhaps another byte.
  private func isName(_ range: Range<Int>, mayHold other: UInt8) -> Bool {
    range.allSatisfy { self[$0].isInHostName || self[$0] == other }
  }

  /// Returns whether a word is the name of a program with a colon, as `nginx:` and `nginx[12]:`.
  private func isTag(_ range: Range<Int>) -> Bool {
    guard range.count > 1, self[range.upperBound - 1] == UInt8(ascii: ":"),
      self[range.lowerBound].isLetter
    else { return false }
    var end = range.upperBound - 1
    if self[end - 1] == UInt8(ascii: "]") {
      end -= 1
      while end > range.lowerBound, self[end - 1].isDigit { end -= 1 }
      guard self[end - 1] == UInt8(ascii: "[") else { return false }
      end -= 1
    }
    return end > range.lowerBound
      && isName(range.lowerBound..<end, mayHold: UInt8(ascii: "/"))
  }

  /// Returns the end of a header of RFC 5424 whose timestamp begins at a position, or `nil` if there
  /// is none.
  private func structuredHeaderEnd(from start: Int) -> Int? {
    guard var position = timestampEnd(from: start) else { return nil }
    let limit = Swift.min(count, Self.headerLimit)
    // Host, program, process, message.
    for _ in 0..<4 {
      guard let space = firstIndex(of: UInt8(ascii: " "), from: position, to: limit),
        space > position
      else { return nil }
      position = space + 1
    }
    if begins(with: "- ", at: position) { return blanksEnd(from: position + 1) }
    guard position < limit, self[position] == UInt8(ascii: "["),
      let close = firstIndex(of: UInt8(ascii: "]"), from: position, to: limit)
    else { return nil }
    return blanksEnd(from: close + 1)
  }
}
