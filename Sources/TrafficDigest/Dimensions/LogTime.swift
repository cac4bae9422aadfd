/// A time as a log has it: a moment, and the offset of the log's clock.
public struct LogTime: Hashable, Sendable {
  /// The number of seconds since 1970-01-01 00:00:00 UTC.
  public var secondsSince1970: Int

  /// The offset of the log's clock from UTC, in minutes.
  public var offsetInMinutes: Int

  /// The day on the log's own clock.
  public var day: Day {
    Day(daysSince1970: (secondsSince1970 + offsetInMinutes * 60).flooredDivision(by: 86_400))
  }

  /// Reads `10/Oct/2000:13:55:36 -0700`, or returns `nil` if it is something
  /// else.
  init?(_ text: Span<UInt8>) {
    guard text.count >= 20, text[2] == UInt8(ascii: "/"), text[6] == UInt8(ascii: "/"),
      text[11] == UInt8(ascii: ":"), text[14] == UInt8(ascii: ":"), text[17] == UInt8(ascii: ":"),
      let dayOfMonth = text.decimal(0..<2), let month = text.month(at: 3),
      let year = text.decimal(7..<11), let hour = text.decimal(12..<14), hour < 24,
      let minute = text.decimal(15..<17), minute < 60, let second = text.decimal(18..<20),
      second <= 60, let day = Day(year: year, month: month, day: dayOfMonth)
    else { return nil }
    offsetInMinutes = 0
    if text.count >= 26, text[20] == UInt8(ascii: " "),
      text[21] == UInt8(ascii: "+") || text[21] == UInt8(ascii: "-"),
      let hours = text.decimal(22..<24), let minutes = text.decimal(24..<26)
    {
      offsetInMinutes = (text[21] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }
    secondsSince1970 =
      day.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + min(second, 59)
      - offsetInMinutes * 60
  }
}

extension LogTime: Comparable {
  /// Orders times by their moments; the same moment by the offset.
  public static func < (first: LogTime, second: LogTime) -> Bool {
    (first.secondsSince1970, first.offsetInMinutes)
      < (second.secondsSince1970, second.offsetInMinutes)
  }
}

extension LogTime: CustomStringConvertible {
  /// The time as RFC 3339 has it, such as `2000-10-10T13:55:36-07:00`.
  public var description: String {
    let local = secondsSince1970 + offsetInMinutes * 60
    let seconds = local - local.flooredDivision(by: 86_400) * 86_400
    let offset = abs(offsetInMinutes)
    return "\(day)T\((seconds / 3_600).padded(to: 2)):\((seconds / 60 % 60).padded(to: 2)):"
      + "\((seconds % 60).padded(to: 2))\(offsetInMinutes < 0 ? "-" : "+")"
      + "\((offset / 60).padded(to: 2)):\((offset % 60).padded(to: 2))"
  }
}

extension Int {
  fileprivate func flooredDivision(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }
}

extension Span<UInt8> {
  /// The decimal number at a position, or `nil` if other bytes stand there.
  fileprivate func decimal(_ range: Range<Int>) -> Int? {
    var value = 0
    for index in range {
      guard self[index].isDigit else { return nil }
      value = value * 10 + Int(self[index] - 0x30)
    }
    return value
  }

  /// The month whose English abbreviation stands at `start`, from 1.
  fileprivate func month(at start: Int) -> Int? {
    switch (self[start] | 0x20, self[start + 1] | 0x20, self[start + 2] | 0x20) {
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
