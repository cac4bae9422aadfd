internal import Foundations

/// A time from parts of a line.
struct ClockReading: Hashable, Sendable {
  var year = 1970
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0

  /// The offset from UTC in minutes.
  var offset = 0

  /// The number of seconds since 1970-01-01 00:00:00 UTC, if the line has that.
  var epoch: Int?

  /// Whether the hour is after noon, on a twelve-hour clock.
  var isAfternoon: Bool?

  /// Appends the time in the notation of RFC 3339, or as a number of seconds.
  func append(to output: inout [UInt8]) {
    if let epoch {
      output.append(contentsOf: String(epoch).utf8)
      return
    }
    var hour = hour
    if let isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    let parts: [(mark: UInt8?, value: Int)] = [
      (nil, year / 100), (nil, year), (UInt8(ascii: "-"), month), (UInt8(ascii: "-"), day),
      (UInt8(ascii: "T"), hour), (UInt8(ascii: ":"), minute), (UInt8(ascii: ":"), second),
      (UInt8(ascii: offset < 0 ? "-" : "+"), abs(offset) / 60),
      (UInt8(ascii: ":"), abs(offset) % 60),
    ]
    for (mark, value) in parts {
      if let mark { output.append(mark) }
      output.append(0x30 + UInt8(truncatingIfNeeded: value / 10 % 10))
      output.append(0x30 + UInt8(truncatingIfNeeded: value % 10))
    }
  }
}

extension Span<UInt8> {
  /// Reads a part of a time, and returns its end, or `nil` if it isn't here.
  ///
  /// The part is a letter of C's `strftime`, or the number of digits of a fraction of a second.
  func read(_ part: Unicode.Scalar, at start: Int, into clock: inout ClockReading?) -> Int? {
    var reading = clock ?? ClockReading()
    defer { clock = reading }
    func number(_ range: ClosedRange<Int>, digits: Int) -> (value: Int, end: Int)? {
      // `%e` and `%k` fill up with spaces.
      var first = start
      while first < count, first - start < digits - 1, self[first] == UInt8(ascii: " ") {
        first += 1
      }
      var end = first
      while end < count, end - start < digits, self[end].isDigit { end += 1 }
      guard let value = decimal(first..<end), end > first, range.contains(value) else { return nil }
      return (value, end)
    }
    func assign(
      _ path: WritableKeyPath<ClockReading, Int>, _ range: ClosedRange<Int>, digits: Int
    ) -> Int? {
      guard let (value, end) = number(range, digits: digits) else { return nil }
      reading[keyPath: path] = value
      return end
    }
    switch part {
    case "Y": return assign(\.year, 0...9999, digits: 4)
    case "y":
      guard let (value, end) = number(0...99, digits: 2) else { return nil }
      // As POSIX reads two digits.
      reading.year = value + (value < 69 ? 2000 : 1900)
      return end
    case "m": return assign(\.month, 1...12, digits: 2)
    case "d", "e": return assign(\.day, 1...31, digits: 2)
    case "H", "k": return assign(\.hour, 0...24, digits: 2)
    case "I", "l": return assign(\.hour, 0...12, digits: 2)
    case "M": return assign(\.minute, 0...59, digits: 2)
    case "S": return assign(\.second, 0...60, digits: 2)
    case "3": return number(0...999, digits: 3)?.end
    case "6": return number(0...999_999, digits: 6)?.end
    case "j": return number(1...366, digits: 3)?.end
    case "b", "B", "h":
      guard let month = monthNumber(at: start) else { return nil }
      reading.month = month
      return wordEnd(start)
    case "a", "A", "Z": return wordEnd(start)
    case "p", "P":
      guard count - start >= 2, self[start + 1] | 0x20 == UInt8(ascii: "m") else { return nil }
      reading.isAfternoon = self[start] | 0x20 == UInt8(ascii: "p")
      return start + 2
    case "z": return zone(at: start, &reading.offset)
    case "s":
      guard let (value, end) = number(0...Int(Int32.max) * 4, digits: 11) else { return nil }
      reading.epoch = value
      return end
    default: return nil
    }
  }

  /// Upper bound for the length of the name of a month, weekday or zone.
  private func wordEnd(_ start: Int) -> Int? {
    let limit = Swift.min(count, start + 64)
    var end = start
    while end < limit, self[end].isLetter { end += 1 }
    return end > start ? end : nil
  }

  /// Reads `-0700`, `-07:00`, or `Z`.
  private func zone(at start: Int, _ offset: inout Int) -> Int? {
    guard start < count else { return nil }
    if self[start] == UInt8(ascii: "Z") { return start + 1 }
    guard self[start] == UInt8(ascii: "+") || self[start] == UInt8(ascii: "-"),
      let hours = decimal((start + 1)..<(start + 3))
    else { return nil }
    let minuteStart =
      start + 3 < count && self[start + 3] == UInt8(ascii: ":") ? start + 4 : start + 3
    guard let minutes = decimal(minuteStart..<(minuteStart + 2)) else { return nil }
    offset = (self[start] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    return minuteStart + 2
  }

  /// The month whose English name or abbreviation begins at `start`, from 1.
  package func monthNumber(at start: Int) -> Int? {
    guard start >= 0, count - start >= 3 else { return nil }
    return switch (self[start] | 0x20, self[start + 1] | 0x20, self[start + 2] | 0x20) {
    case (0x6A, 0x61, 0x6E): 1
    case (0x66, 0x65, 0x62): 2
    case (0x6D, 0x61, 0x72): 3
    case (0x61, 0x70, 0x72): 4
    case (0x6D, 0x61, 0x79): 5
    case (0x6A, 0x75, 0x6E): 6
    case (0x6A, 0x75, 0x6C): 7
    case (0x61, 0x75, 0x67): 8
    case (0x73, 0x65, 0x70): 9
    case (0x6F, 0x63, 0x74): 10
    case (0x6E, 0x6F, 0x76): 11
    case (0x64, 0x65, 0x63): 12
    default: nil
    }
  }
}
