internal import AccessLogs
public import Foundations

extension LogTime {
  /// Reads a time in any of the notations in logs, or returns `nil` if it is something else.
  ///
  ///     10/Oct/2000:13:55:36 -0700    2000-10-10T13:55:36.123-07:00    971211336.123
  ///     10/Oct/2000:13:55:36.123      2000-10-10 13:55:36              971211336123
  ///     10-Oct-2000 13:55:36          10.10.2000 13:55:36              10/10/2000 1:55:36 PM
  ///
  /// A time without an offset is read as UTC. A number is in seconds, milliseconds, microseconds or
  /// nanoseconds, depending on its length.
  ///
  /// - Parameters:
  ///   - text: The time.
  ///   - order: The position of the month in a day such as `10/06/2000`; with `nil`, such a time is
  ///     `nil`.
  init?(_ text: Span<UInt8>, order: DateOrder? = nil) {
    guard text.count >= 8 else { return nil }
    guard
      let time = Self.common(text) ?? Self.internet(text) ?? Self.number(text)
        ?? Self.numeric(text, order)
    else { return nil }
    self = time
  }

  /// Reads a time in any of the notations in logs, or returns `nil` if it is something else.
  public init?(reading text: [UInt8]) { self.init(text.span) }

  /// `10/Oct/2000:13:55:36 -0700`, also with a space before the time of day, and with hyphens or
  /// spaces between the parts of the day; or `Tue, 10 Oct 2000 13:55:36 GMT`, as in HTTP.
  private static func common(_ text: Span<UInt8>) -> LogTime? {
    let (slash, space, mark) = (UInt8(ascii: "/"), UInt8(ascii: " "), text[2])
    let start = text[3] == UInt8(ascii: ",") && text[1] != slash && mark != slash ? 5 : 0
    guard text.count >= start + 20,
      start > 0
        || (mark == slash || mark == UInt8(ascii: "-") || mark == space)
          && text[6] == mark && (text[11] == UInt8(ascii: ":") || text[11] == space),
      let day = text.twoDigits(at: start), let month = text.monthNumber(at: start + 3),
      let year = text.decimal((start + 7)..<(start + 11))
    else { return nil }
    return clock(text, from: start + 12, Day(year: year, month: month, day: day))
  }

  /// `2000-10-10T13:55:36.123-07:00`, with a space or nothing in place of the `T`, or
  /// only the day.
  private static func internet(_ text: Span<UInt8>) -> LogTime? {
    guard text.count >= 10, text[4] == UInt8(ascii: "-") || text[4] == UInt8(ascii: "/"),
      text[7] == text[4], let year = text.decimal(0..<4), let month = text.twoDigits(at: 5),
      let dayOfMonth = text.twoDigits(at: 8),
      let day = Day(year: year, month: month, day: dayOfMonth)
    else { return nil }
    guard text.count > 10 else {
      return LogTime(secondsSince1970: day.daysSince1970 * 86_400, offsetInMinutes: 0)
    }
    return clock(text, from: 11, day)
  }

  /// `10/31/00 7:55:20` or `9/1/2000 7:55:20`, as IIS writes it, or `31.10.2000 7:55:20`.
  private static func numeric(_ text: Span<UInt8>, _ order: DateOrder?) -> LogTime? {
    guard let date = NumericDate(text),
      let day = date.day(date.ownOrder ?? order ?? (date.isSymmetric ? .monthFirst : nil))
    else { return nil }
    return clock(text, from: date.end, day)
  }

  /// Reads the time of a day, from `start` on, with an optional fraction of a second, an optional
  /// half of the day, as in `1:55:36 PM`, and an optional offset.
  private static func clock(_ text: Span<UInt8>, from start: Int, _ day: Day?) -> LogTime? {
    // An hour can have a single digit.
    let hourEnd = start + 1 < text.count && text[start + 1].isDigit ? start + 2 : start + 1
    guard let day, text.count >= hourEnd + 6, var hour = text.decimal(start..<hourEnd), hour < 24,
      text[hourEnd] == UInt8(ascii: ":"), text[hourEnd + 3] == UInt8(ascii: ":"),
      let minute = text.twoDigits(at: hourEnd + 1), minute < 60,
      let second = text.twoDigits(at: hourEnd + 4), second <= 60
    else { return nil }
    var position = hourEnd + 6
    if position < text.count,
      text[position] == UInt8(ascii: ".") || text[position] == UInt8(ascii: ",")
    {
      position += 1
      while position < text.count, text[position].isDigit { position += 1 }
    }
    if let half = text.halfOfDay(at: position) {
      position = half.end
      if hour <= 12 { hour = hour % 12 + (half.isAfternoon ? 12 : 0) }
    }
    let offset = offset(text, from: position)
    // No place on earth has this offset, and no digest can store it.
    guard abs(offset) <= greatestOffset else { return nil }
    let seconds = hour * 3_600 + minute * 60 + min(second, 59)
    return LogTime(
      secondsSince1970: day.daysSince1970 * 86_400 + seconds - offset * 60, offsetInMinutes: offset)
  }

  /// Upper bound for the offset of a clock from UTC, in minutes.
  static let greatestOffset = 24 * 60

  /// Reads ` -0700`, `-07:00`, `Z`, or nothing, in minutes.
  private static func offset(_ text: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while position < text.count, text[position].isBlank { position += 1 }
    guard position < text.count,
      text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-"),
      let hours = text.twoDigits(at: position + 1)
    else { return 0 }
    var minuteStart = position + 3
    if minuteStart < text.count, text[minuteStart] == UInt8(ascii: ":") { minuteStart += 1 }
    let minutes = text.twoDigits(at: minuteStart) ?? 0
    return (text[position] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }

  /// Reads a number of seconds or of a fraction of seconds.
  private static func number(_ text: Span<UInt8>) -> LogTime? {
    var end = 0
    while end < text.count, text[end].isDigit { end += 1 }
    if end < text.count {
      if end == 1 { return scientificNumber(text) }
      guard text[end] == UInt8(ascii: "."), end <= 11 else { return nil }
    }
    guard let dropped = fractionDigits(of: end), let seconds = text.decimal(0..<(end - dropped))
    else { return nil }
    return LogTime(secondsSince1970: seconds, offsetInMinutes: 0)
  }

  /// The number of digits for fractions of a second, or `nil` if the number is not a time.
  ///
  /// The unit can be seconds, milliseconds, microseconds or nanoseconds.
  private static func fractionDigits(of count: Int) -> Int? {
    // From 1973 on, seconds have nine digits or ten, and each smaller unit has three more.
    (9...20).contains(count) ? (count / 3 - 3) * 3 : nil
  }

  /// Reads `1.780488e+12`, as Go and others print it, which omit zeros at the end: one digit, a full
  /// stop, at most 17 digits, and an exponent.
  private static func scientificNumber(_ text: Span<UInt8>) -> LogTime? {
    guard text.count >= 5, text[0] != UInt8(ascii: "0"), text[1] == UInt8(ascii: ".") else {
      return nil
    }
    var end = 2
    while end < text.count, text[end].isDigit { end += 1 }
    guard (3...19).contains(end), end + 1 < text.count, text[end] | 0x20 == UInt8(ascii: "e")
    else { return nil }
    let start = text[end + 1] == UInt8(ascii: "+") ? end + 2 : end + 1
    guard (1...2).contains(text.count - start), let exponent = text.decimal(start..<text.count)
    else { return nil }
    // The exponent is one less than the number of digits.
    var digits = [text[0]]
    text.extracting(2..<end).append(to: &digits)
    digits += repeatElement(UInt8(ascii: "0"), count: max(0, exponent + 1 - digits.count))
    return number(digits.span.extracting(0..<(exponent + 1)))
  }
}

extension Span<UInt8> {
  /// The number of two digits at a position, or `nil` if there are other bytes or too few.
  @inline(__always)
  fileprivate func twoDigits(at position: Int) -> Int? {
    guard position + 2 <= count else { return nil }
    let (tens, ones) = (byte(position) &- 0x30, byte(position + 1) &- 0x30)
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
  }
}
