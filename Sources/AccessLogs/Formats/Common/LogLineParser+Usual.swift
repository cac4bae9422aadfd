internal import Foundations

/// The words that usual lines have at fixed places, as ``Span/word(_:)`` reads them.
private enum Word {
  /// `GET `.
  static let get: UInt32 = 0x2054_4547

  /// `HTTP/1.1`.
  static let version11: UInt64 = 0x312E_312F_5054_5448

  /// `HTTP/1.0`.
  static let version10: UInt64 = 0x302E_312F_5054_5448

  /// `HTTP/2.0`.
  static let version20: UInt64 = 0x302E_322F_5054_5448
}

extension LogLineParser {
  /// Parses a line if it looks as almost all lines of logs do: a GET request for a path, nothing
  /// escaped, no quotes in fields, nothing missing.
  ///
  ///     192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl"
  ///
  /// - Parameters:
  ///   - bytes: The text that has the line.
  ///   - start: The position of the line.
  ///   - delimiters: The delimiters of the text.
  ///   - place: The place of the first delimiter of the line; if it is parsed, it becomes that of the
  ///     line's end.
  /// - Returns: The result of ``parse(_:)``, with positions in `bytes`, or `nil` if the line may
  ///   look otherwise.
  @inline(__always)
  package func parseUsual(
    _ bytes: Span<UInt8>, from start: Int, _ delimiters: borrowing DelimiterIndex,
    at place: inout Int
  ) -> LogRecord? {
    let (quote, space) = (UInt8(ascii: "\""), UInt8(ascii: " "))
    let (open, close) = (delimiters[place], delimiters[place + 1])
    // The time and its brackets; then, at the least, `"GET / HTTP/1.1" 200 `.
    guard format.namesReferrer, delimiters[place + 5] < bytes.count,
      open - start >= 29, bytes.byte(open) == quote, bytes.halfWord(open + 1) == Word.get,
      bytes.byte(open + 5) == UInt8(ascii: "/"),
      bytes.byte(open - 29) == UInt8(ascii: "["), bytes.byte(open - 2) == UInt8(ascii: "]"),
      bytes.byte(open - 1) == space,
      close - open >= 15, bytes.byte(close) == quote,
      bytes.byte(close - 9) == space, bytes.byte(close - 10) != space,
      bytes.byte(close + 1) == space, bytes.byte(close + 5) == space
    else { return nil }
    let version = bytes.word(close - 8)
    guard version == Word.version11 || version == Word.version20 || version == Word.version10
    else { return nil }
    let (hundreds, tens, ones) = (
      bytes.byte(close + 2) &- 0x30, bytes.byte(close + 3) &- 0x30, bytes.byte(close + 4) &- 0x30
    )
    guard hundreds < 10, tens < 10, ones < 10 else { return nil }

    let (referrer, referrerEnd) = (delimiters[place + 2] + 1, delimiters[place + 3])
    let (agent, agentEnd) = (delimiters[place + 4] + 1, delimiters[place + 5])
    guard bytes.byte(referrer - 1) == quote, bytes.byte(referrerEnd) == quote,
      agent == referrerEnd + 3, bytes.byte(referrerEnd + 1) == space,
      bytes.byte(agent - 1) == quote, bytes.byte(agentEnd) == quote
    else { return nil }
    // Whatever follows is ignored.
    var last = place + 6
    var end = delimiters[last]
    while end < bytes.count, bytes.byte(end) != UInt8(ascii: "\n") {
      last += 1
      end = delimiters[last]
    }
    guard end - start <= lineLimit else { return nil }
    // The size has few digits, or is a dash; any other dash can stand for the referrer.
    var size = close + 6
    if bytes.byte(size) == UInt8(ascii: "-") { size += 1 }
    while size < referrer - 1 {
      if bytes.byte(size) == UInt8(ascii: "-") { return nil }
      size += 1
    }

    var record = LogRecord(
      method: (open + 1)..<(open + 4), target: (open + 5)..<(close - 9),
      status: UInt16(hundreds) * 100 + UInt16(tens) * 10 + UInt16(ones))
    record.timePosition = LogRecord.Position(start: open - 28, end: open - 2)
    if !bytes.isAbsent(referrer, referrerEnd) {
      record.referrerPosition = LogRecord.Position(start: referrer, end: referrerEnd)
    }
    if !bytes.isAbsent(agent, agentEnd) {
      record.agentPosition = LogRecord.Position(start: agent, end: agentEnd)
    }
    if format.namesHost {
      let line = bytes.extracting(start..<end)
      record.host = host(of: line, from: line.linePrefixEnd, before: open - start)
        .map { ($0.lowerBound + start)..<($0.upperBound + start) }
    }
    place = last
    return record
  }
}

extension Span<UInt8> {
  /// Returns a Boolean value indicating whether a field is empty or `-`.
  @inline(__always)
  fileprivate func isAbsent(_ start: Int, _ end: Int) -> Bool {
    end == start || end == start + 1 && byte(start) == UInt8(ascii: "-")
  }
}
