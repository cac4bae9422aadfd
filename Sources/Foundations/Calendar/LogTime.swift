/// A time in a log: a point in time, and the offset of the log's clock.
public struct LogTime: BitwiseCopyable, Codable, Hashable, Sendable {
  /// The number of seconds since 1970-01-01 00:00:00 UTC.
  public var secondsSince1970: Int

  /// The offset of the log's clock from UTC, in minutes.
  public var offsetInMinutes: Int

  /// The day on the log's own clock.
  public var day: Day {
    Day(daysSince1970: (secondsSince1970 + offsetInMinutes * 60).flooredDivision(by: 86_400))
  }

  /// Creates a time from a point in time and the offset of a clock.
  public init(secondsSince1970: Int, offsetInMinutes: Int) {
    self.secondsSince1970 = secondsSince1970
    self.offsetInMinutes = offsetInMinutes
  }
}

extension LogTime: Comparable {
  /// Orders times by their points in time, then by the offset.
  public static func < (first: LogTime, second: LogTime) -> Bool {
    (first.secondsSince1970, first.offsetInMinutes)
      < (second.secondsSince1970, second.offsetInMinutes)
  }
}

extension LogTime: CustomStringConvertible {
  /// The time as in RFC 3339, such as `2000-10-10T13:55:36-07:00`.
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
  package func flooredDivision(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }
}
