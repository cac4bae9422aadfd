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
  /// Parses a line if it looks as almost all lines of logs do: a GET request for a
  /// path, nothing escaped at the end of a field, nothing missing.
  ///
  ///     192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl"
  ///
  /// - Returns: The result of ``parseAny(_:)``, or `nil` if the line may look
  ///   otherwise.
  @inline(__always)
  func parseUsual(_ line: Span<UInt8>) -> LogRecord? {
    let (quote, space) = (UInt8(ascii: "\""), UInt8(ascii: " "))
    // The time and its brackets; then, at the least, `"GET / HTTP/1.1" 200 `.
    guard format.namesReferrer, line.count <= lineLimit,
      let open = line.firstIndex(of: quote, from: 0, to: line.count),
      open >= 29, line.count - open >= 22, line.halfWord(open + 1) == Word.get,
      line.byte(open + 5) == UInt8(ascii: "/"),
      line.byte(open - 29) == UInt8(ascii: "["), line.byte(open - 2) == UInt8(ascii: "]"),
      line.byte(open - 1) == space,
      let close = line.firstIndex(of: quote, from: open + 6, to: line.count),
      close - open >= 15, line.byte(close - 9) == space, line.byte(close - 10) != space,
      line.count - close >= 6, line.byte(close + 1) == space, line.byte(close + 5) == space
    else { return nil }
    let version = line.word(close - 8)
    guard version == Word.version11 || version == Word.version20 || version == Word.version10
    else { return nil }
    let (hundreds, tens, ones) = (
      line.byte(close + 2) &- 0x30, line.byte(close + 3) &- 0x30, line.byte(close + 4) &- 0x30
    )
    guard hundreds < 10, tens < 10, ones < 10 else { return nil }

    // The size has few digits, or is a dash; any other dash can stand for the referrer, and after
    // a backslash, a quote begins nothing.
    let (dash, backslash) = (UInt8(ascii: "-"), UInt8(ascii: "\\"))
    var referrer = close + 6
    if referrer < line.count, line.byte(referrer) == dash { referrer += 1 }
    while referrer < line.count, line.byte(referrer) != quote {
      if line.byte(referrer) == dash || line.byte(referrer) == backslash { return nil }
      referrer += 1
    }
    referrer += 1
    guard let referrerEnd = line.firstIndex(of: quote, from: referrer, to: line.count),
      line.byte(referrerEnd - 1) != UInt8(ascii: "\\"), line.count - referrerEnd >= 4,
      line.byte(referrerEnd + 1) == space, line.byte(referrerEnd + 2) == quote
    else { return nil }
    let agent = referrerEnd + 3
    guard let agentEnd = line.firstIndex(of: quote, from: agent, to: line.count),
      line.byte(agentEnd - 1) != UInt8(ascii: "\\")
    else { return nil }

    var record = LogRecord(
      method: (open + 1)..<(open + 4), target: (open + 5)..<(close - 9),
      status: UInt16(hundreds) * 100 + UInt16(tens) * 10 + UInt16(ones))
    record.timePosition = LogRecord.Position(start: open - 28, end: open - 2)
    if !line.isAbsent(referrer, referrerEnd) {
      record.referrerPosition = LogRecord.Position(start: referrer, end: referrerEnd)
    }
    if !line.isAbsent(agent, agentEnd) {
      record.agentPosition = LogRecord.Position(start: agent, end: agentEnd)
    }
    if format.namesHost { record.host = host(of: line, from: line.linePrefixEnd, before: open) }
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
