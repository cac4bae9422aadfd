/// A parser for lines of the Common Log Format and what grew out of it.
///
/// Apache and nginx write these formats differently in detail: Apache escapes a
/// quote as `\"`, nginx as `\x22`; some servers escape nothing. A line needs a
/// request target and a status; whatever else is missing or cut short reads as
/// absent.
public struct LogLineParser: Sendable {
  /// What a line is.
  public enum Line: Hashable, Sendable {
    case request(LogRecord)
    case rejected(RejectionReason)
  }

  let format: LogFormat
  let lineLimit: Int

  /// Creates a parser for lines of a format that have at most `lineLimit` bytes.
  public init(format: LogFormat, lineLimit: Int = LogReader.defaultLineLimit) {
    self.format = format
    self.lineLimit = lineLimit
  }

  /// Parses a line, given without its line terminator.
  public func parse(_ line: Span<UInt8>) -> Line {
    if let record = parseUsual(line) { .request(record) } else { parseAny(line) }
  }

  /// Parses a line field by field, whatever it looks like.
  @inline(never)
  func parseAny(_ line: Span<UInt8>) -> Line {
    guard line.count > 0 else { return .rejected(.emptyLine) }
    guard line.count <= lineLimit else { return .rejected(.lineTooLong) }
    guard let open = line.firstIndex(of: UInt8(ascii: "\"")),
      var close = line.closingQuote(from: open + 1)
    else { return .rejected(.noRequest) }

    guard let methodEnd = line.methodEnd(open + 1, close) else { return .rejected(.noTarget) }

    var status = line.status(after: close + 1)
    while status == nil {
      // A server that doesn't escape quotes: the request goes on to the quote
      // behind the protocol.
      guard let next = line.closingQuote(from: close + 1) else { return .rejected(.noStatus) }
      close = next
      if line.endsWithProtocol(methodEnd, close) { status = line.status(after: close + 1) }
    }
    guard let status else { return .rejected(.noStatus) }

    let target = line.target(methodEnd, close)
    guard !target.isEmpty else { return .rejected(.noTarget) }

    var record = LogRecord(method: (open + 1)..<methodEnd, target: target, status: status)
    record.time = line.time(before: open)
    if format.namesHost { record.host = host(of: line, before: open) }
    if format.namesReferrer {
      var position = close + 1
      record.referrer = line.quotedField(from: &position)
      record.agent = line.quotedField(from: &position)
    }
    return .request(record)
  }

  /// The position of the host in front of the client's address, or `nil` if there
  /// is none.
  @inline(__always)
  func host(of line: Span<UInt8>, before open: Int) -> Range<Int>? {
    guard let end = line.firstIndex(of: UInt8(ascii: " "), from: 0, to: open), end > 0,
      !line.isDash(0, end)
    else { return nil }
    return 0..<end
  }
}

extension Span<UInt8> {
  /// Returns the position of the next quote that isn't escaped, from `start` on.
  @inline(__always)
  fileprivate func closingQuote(from start: Int) -> Int? {
    var search = start
    while let quote = firstIndex(of: UInt8(ascii: "\""), from: search) {
      var backslashes = 0
      while quote - backslashes > start, self[quote - backslashes - 1] == UInt8(ascii: "\\") {
        backslashes += 1
      }
      if backslashes & 1 == 0 { return quote }
      search = quote + 1
    }
    return nil
  }

  /// Returns the status that follows at `start` after spaces: three digits, and
  /// then a space or the end.
  @inline(__always)
  fileprivate func status(after start: Int) -> UInt16? {
    var position = start
    while position < count, self[position] == UInt8(ascii: " ") { position += 1 }
    guard position > start, position + 3 <= count,
      position + 3 == count || self[position + 3] == UInt8(ascii: " ")
    else { return nil }
    let (hundreds, tens, ones) = (
      self[position] &- 0x30, self[position + 1] &- 0x30, self[position + 2] &- 0x30
    )
    guard hundreds < 10, tens < 10, ones < 10 else { return nil }
    return UInt16(hundreds) * 100 + UInt16(tens) * 10 + UInt16(ones)
  }

  /// Returns the end of the method that begins at `start`, which must be a token
  /// (RFC 9110, 5.6.2) with a space behind it, or `nil` if there is none.
  @inline(__always)
  fileprivate func methodEnd(_ start: Int, _ end: Int) -> Int? {
    // `GET `, as almost every line has it.
    if start + 3 < end, self[start] == UInt8(ascii: "G"), self[start + 1] == UInt8(ascii: "E"),
      self[start + 2] == UInt8(ascii: "T"), self[start + 3] == UInt8(ascii: " ")
    {
      return start + 3
    }
    var position = start
    while position < end {
      switch self[position] {
      case UInt8(ascii: " "): return position > start ? position : nil
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"),
        UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
        UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"),
        UInt8(ascii: "~"):
        position += 1
      default: return nil
      }
    }
    return nil
  }

  /// Returns the position of the time, without its brackets, in front of the
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
    guard let bracket = firstIndex(of: UInt8(ascii: "["), from: 0, to: open),
      let end = firstIndex(of: UInt8(ascii: "]"), from: bracket + 1, to: open)
    else { return nil }
    return (bracket + 1)..<end
  }

  /// Returns the position of the space in front of the protocol, with which the
  /// request from `start` to `end` ends, or `nil` if it ends otherwise.
  @inline(__always)
  private func protocolStart(_ start: Int, _ end: Int) -> Int? {
    // ` HTTP/1.1`, as almost every line has it; then `HTTP/2`, and room for what
    // may come.
    let usual = end - 9
    if usual >= start, self[usual] == UInt8(ascii: " "), self[usual + 1] == UInt8(ascii: "H"),
      self[usual + 5] == UInt8(ascii: "/"), self[usual + 2] == UInt8(ascii: "T"),
      self[usual + 3] == UInt8(ascii: "T"), self[usual + 4] == UInt8(ascii: "P"),
      self[usual + 6] != UInt8(ascii: " "), self[usual + 7] != UInt8(ascii: " "),
      self[usual + 8] != UInt8(ascii: " ")
    {
      return usual
    }
    var position = end - 1
    while position > start, end - position <= 12, self[position] != UInt8(ascii: " ") {
      position -= 1
    }
    guard position >= start, self[position] == UInt8(ascii: " "), end - position >= 6,
      self[position + 1] == UInt8(ascii: "H"), self[position + 2] == UInt8(ascii: "T"),
      self[position + 3] == UInt8(ascii: "T"), self[position + 4] == UInt8(ascii: "P"),
      self[position + 5] == UInt8(ascii: "/")
    else { return nil }
    return position
  }

  fileprivate func endsWithProtocol(_ start: Int, _ end: Int) -> Bool {
    protocolStart(start, end) != nil
  }

  /// The target in the request whose method ends at `methodEnd`: what stands
  /// between the method and the protocol, which HTTP/0.9 doesn't have.
  @inline(__always)
  fileprivate func target(_ methodEnd: Int, _ end: Int) -> Range<Int> {
    var (start, end) = (methodEnd + 1, protocolStart(methodEnd, end) ?? end)
    while start < end, self[start] == UInt8(ascii: " ") { start += 1 }
    while end > start, self[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return start..<Swift.max(start, end)
  }

  fileprivate func isDash(_ start: Int, _ end: Int) -> Bool {
    end - start == 1 && self[start] == UInt8(ascii: "-")
  }

  /// Returns the content of the next quoted field and moves `position` past it,
  /// or returns `nil` if there is none, its end is missing, or it is empty or
  /// `-`.
  @inline(__always)
  fileprivate func quotedField(from position: inout Int) -> Range<Int>? {
    // The quote is near: behind the size, or behind the quote before.
    var open = position
    while open < count, self[open] != UInt8(ascii: "\"") { open += 1 }
    guard open < count, let close = closingQuote(from: open + 1) else {
      position = count
      return nil
    }
    position = close + 1
    return close == open + 1 || isDash(open + 1, close) ? nil : (open + 1)..<close
  }
}
