internal import Foundations

/// A parser for lines of the Common Log Format and the formats that extend it.
///
/// Apache and nginx write these formats differently in detail: Apache escapes a quote as `\"`,
/// nginx as `\x22`; some servers escape nothing. A line needs a request target and a status;
/// anything else that is missing or cut short is read as absent.
package struct LogLineParser: CaseIterable, Hashable, Sendable {
  /// Whether a line begins with the host that the server was asked for.
  package var namesHost: Bool

  /// Whether a line holds referrer and user agent.
  var namesReferrer: Bool

  /// Whether the host follows the client's address, as lighttpd writes it.
  var isHostSecond = false
  var lineLimit = LogReader.defaultLineLimit

  static let combined = LogLineParser(namesHost: false, namesReferrer: true)
  static let common = LogLineParser(namesHost: false, namesReferrer: false)
  static let vcombined = LogLineParser(namesHost: true, namesReferrer: true)
  static let vcommon = LogLineParser(namesHost: true, namesReferrer: false)
  static let lighttpd = LogLineParser(namesHost: true, namesReferrer: true, isHostSecond: true)

  package static let allCases = [combined, common, vcombined, vcommon, lighttpd]

  /// Returns this parser for lines that have at most a number of bytes.
  package func limited(to lineLimit: Int) -> LogLineParser {
    var parser = self
    parser.lineLimit = lineLimit
    return parser
  }

  /// Parses a line, given without its line terminator, whatever it looks like.
  ///
  /// ``parseUsual(_:from:_:at:)`` gives the same result for usual lines, and is faster.
  @inline(never)
  package func parse(_ line: Span<UInt8>) -> LogLine {
    guard line.count > 0 else { return .rejected(.emptyLine) }
    guard line.count <= lineLimit else { return .rejected(.lineTooLong) }
    if line.collectorPart?.isPartial == true { return .rejected(.partialLine) }
    let start = line.linePrefixEnd
    guard start > 0 else { return parseFields(of: line) }
    let parsed = parseFields(of: line.extracting(start..<line.count))
    guard case .request(let record) = parsed else { return parsed }
    return .request(record.moved(by: start))
  }

  private func parseFields(of line: Span<UInt8>) -> LogLine {
    guard let open = line.requestQuote, var close = line.closingQuote(from: open + 1) else {
      return .rejected(.noRequest)
    }

    guard let methodEnd = line.methodEnd(open + 1, close) else {
      // A status after it shows that this is the place of the request.
      return .rejected(line.status(after: close + 1) == nil ? .noRequest : .noTarget)
    }

    let firstClose = close
    var status = line.status(after: close + 1)
    while status == nil {
      // The server doesn't escape quotes, so the request ends at the quote after the protocol.
      guard let next = line.closingQuote(from: close + 1) else { return .rejected(.noStatus) }
      close = next
      if line.protocolStart(methodEnd, close) != nil { status = line.status(after: close + 1) }
    }
    guard let status else { return .rejected(.noStatus) }
    // An interleaved line; no target contains a client.
    if close > firstClose, line.hasTime(from: methodEnd, to: close) {
      return .rejected(.noStatus)
    }

    let target = line.target(methodEnd, close)
    guard !line.isAbsent(target) else { return .rejected(.noTarget) }

    var record = LogRecord(method: (open + 1)..<methodEnd, target: target, status: status)
    record.time = line.time(before: open)
    if namesHost { record.host = host(of: line, from: 0, before: open) }
    if namesReferrer {
      var position = close + 1
      let isBare = line.hasBareReferrer(from: &position)
      if !isBare { record.referrer = line.quotedField(from: &position) }
      if !isBare || line.bareDash(from: position) == nil {
        record.agent = line.quotedField(from: &position)
      }
    }
    return .request(record)
  }

  /// The position of the host next to the client's address, or `nil` if there is none.
  @inline(__always)
  func host(of line: Span<UInt8>, from start: Int, before open: Int) -> Range<Int>? {
    guard let end = line.firstIndex(of: UInt8(ascii: " "), from: start, to: open), end > start
    else { return nil }
    if isHostSecond {
      guard let next = line.firstIndex(of: UInt8(ascii: " "), from: end + 1, to: open),
        !line.isAbsent((end + 1)..<next), line[end + 1] != UInt8(ascii: "[")
      else { return nil }
      return (end + 1)..<next
    }
    guard !line.isAbsent(start..<end) else { return nil }
    if line.isClient(upTo: end, before: open) {
      return line.hostBeforeClient(start..<end).flatMap { line.isAbsent($0) ? nil : $0 }
    }
    // `[www.example.com]`; the brackets of an IPv6 address are a part of the host.
    if line[start] == UInt8(ascii: "["), line[end - 1] == UInt8(ascii: "]"), end - start > 2,
      line.firstIndex(of: UInt8(ascii: ":"), from: start, to: end) == nil
    {
      return (start + 1)..<(end - 1)
    }
    return start..<end
  }
}

extension Span<UInt8> {
  /// Returns the position of the host in a word that is a host and the client's address, or `nil` if
  /// it is only a client.
  ///
  /// A port can follow the host.
  ///
  ///     www.example.com:192.0.2.1
  ///     www.example.com:443:2001:db8::1
  func hostBeforeClient(_ word: Range<Int>) -> Range<Int>? {
    guard
      let colon = firstIndex(of: UInt8(ascii: ":"), from: word.lowerBound, to: word.upperBound),
      colon > word.lowerBound
    else { return nil }
    let host = extracting(word.lowerBound..<colon)
    guard host.isHostName || host.isAddress || host.canNameServer else { return nil }
    var client = colon + 1
    var next = client
    while next < word.upperBound, self[next].isDigit { next += 1 }
    // The port, unless it is the beginning of an address.
    if next - client > 0, next - client <= 5, next < word.upperBound,
      self[next] == UInt8(ascii: ":"),
      extracting((next + 1)..<word.upperBound).isAddress
    {
      client = next + 1
    }
    guard extracting(client..<word.upperBound).isAddress else { return nil }
    return word.lowerBound..<colon
  }

  /// Whether these bytes stand for a server without a name: `localhost`, `_` or a dash.
  private var canNameServer: Bool {
    count == 9 && begins(with: "localhost")
      || count == 1 && (self[0] == UInt8(ascii: "_") || self[0] == UInt8(ascii: "-"))
  }

  /// The position of the quote before the request.
  ///
  /// It is the first quote, unless that is before the time: addresses that a proxy forwarded and
  /// names of users can be quoted, too.
  ///
  ///     "192.0.2.1, 192.0.2.2" - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5
  var requestQuote: Int? {
    guard let first = firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    guard firstIndex(of: UInt8(ascii: "["), from: bracketedWordEnd, to: first) == nil,
      let bracket = firstIndex(of: UInt8(ascii: "["), from: first),
      hasShape("[0?/????????:??????????", at: bracket),
      let end = firstIndex(of: UInt8(ascii: "]"), from: bracket), end + 2 < count,
      self[end + 1] == UInt8(ascii: " "), self[end + 2] == UInt8(ascii: "\"")
    else { return first }
    return end + 2
  }

  /// Returns a Boolean value indicating whether a time in brackets is between two positions.
  fileprivate func hasTime(from start: Int, to end: Int) -> Bool {
    var position = start
    while let bracket = firstIndex(of: UInt8(ascii: "["), from: position, to: end) {
      if end - bracket > 22,
        hasShape("[0?/????????:", at: bracket) || hasShape("[0?/???????? ", at: bracket)
      {
        return true
      }
      position = bracket + 1
    }
    return false
  }

  /// Returns a Boolean value indicating whether the first word of a line is a client's address.
  ///
  /// A client is followed by only a dash and one more word; a host is followed by client, identity
  /// and user.
  ///
  ///     192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5
  fileprivate func isClient(upTo end: Int, before open: Int) -> Bool {
    let dash = end + 1
    // If the beginning of a line is missing, there is a user.
    if dash < open, self[dash] == UInt8(ascii: "[") { return true }
    guard dash < open, self[dash] == UInt8(ascii: "-") else { return false }
    guard dash + 1 < open else { return true }
    guard self[dash + 1] == UInt8(ascii: " ") else { return false }
    guard let space = firstIndex(of: UInt8(ascii: " "), from: dash + 2, to: open) else {
      return true
    }
    return space + 1 == open || self[space + 1] == UInt8(ascii: "[")
  }

  /// Returns the end of the unquoted dash at a position, after spaces, or `nil` if there is none.
  fileprivate func bareDash(from start: Int) -> Int? {
    guard let word = word(from: start, to: count), isAbsent(word) else { return nil }
    return word.upperBound
  }

  /// Returns whether the referrer is a dash without quotes, and moves `position` past it.
  ///
  /// Traefik writes it so after status and size.
  ///
  ///     200 5 - "curl/8.5.0" 13 "web@docker" "http://192.0.2.3:80" 12ms
  fileprivate func hasBareReferrer(from position: inout Int) -> Bool {
    guard let status = word(from: position, to: count),
      let size = word(from: status.upperBound, to: count),
      let end = bareDash(from: size.upperBound)
    else { return false }
    if bareDash(from: end) == nil {
      // Two fields in quotes after it are referrer and user agent.
      guard end + 1 < count, self[end + 1] == UInt8(ascii: "\""),
        let close = closingQuote(from: end + 2), !begins(with: " \"", at: close + 1)
      else { return false }
    }
    position = end
    return true
  }

  /// Returns the status that follows at `start` after spaces: three digits, and
  /// then a space or the end.
  @inline(__always)
  func status(after start: Int) -> UInt16? {
    var position = start
    while position < count, self[position] == UInt8(ascii: " ") { position += 1 }
    guard position > start, position + 3 <= count,
      position + 3 == count || self[position + 3] == UInt8(ascii: " ")
    else { return nil }
    return threeDigits(at: position)
  }

  /// Returns the number that the three bytes at a position are, or `nil` if they aren't digits.
  @inline(__always)
  func threeDigits(at start: Int) -> UInt16? {
    let (hundreds, tens, ones) = (
      byte(start) &- 0x30, byte(start + 1) &- 0x30, byte(start + 2) &- 0x30
    )
    guard hundreds < 10, tens < 10, ones < 10 else { return nil }
    return UInt16(hundreds) * 100 + UInt16(tens) * 10 + UInt16(ones)
  }

  /// Returns the position of the time, without its brackets, before the
  /// request, or `nil` if there is none.
  @inline(__always)
  fileprivate func time(before open: Int) -> Range<Int>? {
    // `[10/Oct/2000:13:55:36 -0700] "`, as almost every line has it.
    let length = 26
    let bracket = open - length - 3
    if bracket >= 0, self[bracket] == UInt8(ascii: "["), self[open - 2] == UInt8(ascii: "]"),
      self[open - 1] == UInt8(ascii: " ")
    {
      return (bracket + 1)..<(open - 2)
    }
    guard let bracket = firstIndex(of: UInt8(ascii: "["), from: bracketedWordEnd, to: open) else {
      return isoTime(before: open)
    }
    guard let end = firstIndex(of: UInt8(ascii: "]"), from: bracket + 1, to: open) else {
      return nil
    }
    return (bracket + 1)..<end
  }

  /// Returns the position of the word before the request if it looks like
  /// `2000-10-10T13:55:36-07:00`, which some servers write without brackets.
  private func isoTime(before open: Int) -> Range<Int>? {
    var end = open
    while end > 0, self[end - 1] == UInt8(ascii: " ") { end -= 1 }
    let start = (lastIndex(of: UInt8(ascii: " "), from: 0, to: end) ?? -1) + 1
    return extracting(start..<end).hasShape("0???-?????T????????") ? start..<end : nil
  }

  /// Returns the content of the next quoted field and moves `position` past it.
  ///
  /// Returns `nil` if there is no such field, its end is missing, or it is empty or `-`.
  @inline(__always)
  fileprivate func quotedField(from position: inout Int) -> Range<Int>? {
    // The quote is near: after the size, or after the quote before.
    var open = position
    while open < count, self[open] != UInt8(ascii: "\"") { open += 1 }
    guard open < count, let close = closingQuote(from: open + 1) else {
      position = count
      return nil
    }
    position = close + 1
    let field = (open + 1)..<close
    return isAbsent(field) ? nil : field
  }
}

extension UInt8 {
  /// Whether a token, such as a method, can hold this byte (RFC 9110, 5.6.2).
  var isTokenByte: Bool { isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}

extension Span<UInt8> {
  /// Returns the end of the method that begins at `start`, or `nil` if there is none.
  ///
  /// A method is a token (RFC 9110, 5.6.2) with a space after it.
  @inline(__always)
  func methodEnd(_ start: Int, _ end: Int) -> Int? {
    // Almost every line has this one.
    if start + 3 < end, halfWord(start) == UsualWord.get { return start + 3 }
    var position = start
    while position < end {
      if self[position] == UInt8(ascii: " ") { return position > start ? position : nil }
      guard self[position].isTokenByte else { return nil }
      position += 1
    }
    return nil
  }

  /// Returns the position of the space before the protocol, with which the
  /// request from `start` to `end` ends, or `nil` if it ends otherwise.
  @inline(__always)
  func protocolStart(_ start: Int, _ end: Int) -> Int? {
    // ` HTTP/1.1`, as almost every line has it; then `HTTP/2`, and room for what
    // may come.
    let (space, http) = (UInt8(ascii: " "), UsualWord.http)
    var position = end - 9
    if position < start || self[position] != space || halfWord(position + 1) != http
      || self[position + 6] == space || self[position + 7] == space || self[position + 8] == space
    {
      position = end - 1
      while position > start, end - position <= 12, self[position] != space { position -= 1 }
    }
    guard position >= start, self[position] == space, end - position >= 6,
      halfWord(position + 1) == http, self[position + 5] == UInt8(ascii: "/")
    else { return nil }
    return position
  }

  /// The target in the request whose method ends at `methodEnd`.
  ///
  /// It is between the method and the protocol, which HTTP/0.9 doesn't have.
  @inline(__always)
  func target(_ methodEnd: Int, _ end: Int) -> Range<Int> {
    var (start, end) = (
      methodEnd + 1, protocolStart(methodEnd, end) ?? versionStart(methodEnd, end) ?? end
    )
    while start < end, self[start] == UInt8(ascii: " ") { start += 1 }
    while end > start, self[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return start..<Swift.max(start, end)
  }

  /// Returns the position of the space before the protocol's version alone, as Hypercorn writes it,
  /// or `nil` if a request ends otherwise.
  ///
  ///     GET /a 1.1
  @inline(never)
  private func versionStart(_ start: Int, _ end: Int) -> Int? {
    for version in ["1.1", "2", "3", "1.0"] as [StaticString] {
      let space = end - version.utf8CodeUnitCount - 1
      if space > start, self[space] == UInt8(ascii: " "), begins(with: version, at: space + 1) {
        return space
      }
    }
    return nil
  }
}
