internal import Foundations

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
      guard let end = priorityEnd else { return nil }
      start = end
      if begins(with: "1 ", at: start) { return structuredHeaderEnd(from: start + 2) }
    }
    if byte(start).isLetter {
      return monthAndDayEnd(from: start).flatMap { syslogTagEnd(from: $0) }
    }
    guard let end = timestampEnd(from: start) else { return nil }
    return syslogTagEnd(from: end) ?? (start == 0 ? end : nil)
  }

  /// The length of `2026-06-03T12:00:00Z`, and of `Jun  3 12:00:00 a: `.
  private static var shortestHeader: Int { 19 }

  /// The greatest number of bytes in a header.
  static var headerLimit: Int { 192 }

  /// The end of `<134>`, or `nil` if other bytes are there.
  private var priorityEnd: Int? {
    var position = 1
    while position < 4, byte(position).isDigit { position += 1 }
    return position > 1 && byte(position) == UInt8(ascii: ">") ? position + 1 : nil
  }

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

  /// Returns the end of `Jun  3 12:00:00 `, or `nil` if other bytes are there.
  private func monthAndDayEnd(from start: Int) -> Int? {
    guard hasShape("??? ?0 0?:??:?0 ?", at: start),
      self[start + 4] == UInt8(ascii: " ") || self[start + 4].isDigit,
      monthNumber(at: start) != nil
    else { return nil }
    return start + 16
  }

  /// Returns the end of the blanks at a position, or `nil` if there are none.
  private func blanksEnd(from start: Int) -> Int? {
    var position = start
    while position < count, self[position].isBlank { position += 1 }
    return position > start && position < count ? position : nil
  }

  /// Returns the end of the program's name, with a host before it or without one, or `nil` if there
  /// is no name.
  private func syslogTagEnd(from start: Int) -> Int? {
    let limit = Swift.min(count, Self.headerLimit)
    guard let space = firstIndex(of: UInt8(ascii: " "), from: start, to: limit) else { return nil }
    if isTag(start..<space) { return blanksEnd(from: space) }
    guard space > start,
      let end = firstIndex(of: UInt8(ascii: " "), from: space + 1, to: limit),
      isTag((space + 1)..<end)
    else { return nil }
    for index in start..<space
    where !self[index].isInHostLabel && self[index] != UInt8(ascii: ".")
      && self[index] != UInt8(ascii: ":")
    {
      return nil
    }
    return blanksEnd(from: end)
  }

  /// Returns a Boolean value indicating whether a word is the name of a program with a colon, as
  /// `nginx:` and `nginx[12]:`.
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
    for index in range.lowerBound..<end
    where !self[index].isInHostLabel && self[index] != UInt8(ascii: ".")
      && self[index] != UInt8(ascii: "/")
    {
      return false
    }
    return end > range.lowerBound
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
