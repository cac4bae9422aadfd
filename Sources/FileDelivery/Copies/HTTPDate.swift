internal import Foundations

/// A time in HTTP's notation: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
public struct HTTPDate: Hashable, Comparable, Sendable {
  /// The seconds since 1970, UTC.
  public var seconds: Int

  /// Creates a date from the seconds since 1970, UTC.
  public init(seconds: Int) { self.seconds = seconds }

  /// Reads the notation that servers use today, or returns `nil`.
  public init?(_ text: String) {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
      let month = Self.months.firstIndex(of: parts[2]), let number = Self.number(parts[1], 1...31),
      let year = Self.number(parts[3], 1601...9999),
      let day = Day(year: year, month: month + 1, day: number)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard clock.count == 3, let hour = Self.number(clock[0], 0...23),
      let minute = Self.number(clock[1], 0...59), let second = Self.number(clock[2], 0...60)
    else { return nil }
    seconds = day.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
  }

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy(\.isDigit), let number = Int(text),
      range.contains(number)
    else { return nil }
    return number
  }

  public static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.seconds < other.seconds }
}

extension HTTPDate: CustomStringConvertible {
  /// The time in ISO 8601: `1994-11-06T08:49:37Z`.
  public var description: String {
    // Only the name of the zone differs.
    LogTime(secondsSince1970: seconds, offsetInMinutes: 0).description.dropLast(6) + "Z"
  }
}
