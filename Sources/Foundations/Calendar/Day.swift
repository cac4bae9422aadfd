/// A day of the proleptic Gregorian calendar, from year 0 to year 9999.
///
/// The arithmetic is that of H. Hinnant's "chrono-Compatible Low-Level Date Algorithms": years
/// begin in March, so the leap day is their last day.
public struct Day: RawRepresentable, Codable, CodingKeyRepresentable, Comparable, Hashable, Sendable
{
  /// A positive number that increases by one from day to day.
  package let number: Int

  package init(number: Int) { self.number = number }

  /// The number, which files hold.
  public var rawValue: Int { number }

  /// Creates the day with a number, or returns `nil` for 0, which means no day, and for numbers that
  /// digests can't hold.
  public init?(rawValue number: Int) {
    guard (1..<1 << 24).contains(number) else { return nil }
    self.number = number
  }

  /// The offset that makes the number of every day that a log can name positive.
  private static let offset = 719_530

  /// Creates a day, or returns `nil` if it doesn't exist.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, in: year)
    else { return nil }
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(daysSince1970: era * 146_097 + dayOfEra - 719_468)
  }

  private static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  public static func < (first: Day, second: Day) -> Bool { first.number < second.number }

  /// The number of days between this day and 1970-01-01, negative before it.
  public var daysSince1970: Int { number - Self.offset }

  /// Creates the day at a distance from 1970-01-01.
  public init(daysSince1970 days: Int) { number = days + Self.offset }

  /// Returns a Boolean value indicating whether the day is after tomorrow, so that no log can have it.
  ///
  /// - Parameter today: Today's date, which is not that of all time zones.
  /// - Returns: Whether it is.
  package func isDoubtful(today: Day) -> Bool { daysSince1970 > today.daysSince1970 + 1 }

  /// The year, the month from 1, and the day of the month from 1.
  public var components: (year: Int, month: Int, day: Int) {
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Day {
  /// Reads a day in ISO 8601, such as `2026-11-19`, or returns `nil` if the text is something else.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isDigits = parts.allSatisfy { part in part.utf8.allSatisfy(\.isDigit) }
    guard isDigits, parts.map(\.utf8.count) == [4, 2, 2], let year = Int(parts[0]),
      let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

extension Day: CustomStringConvertible {
  /// The day in ISO 8601, such as `2026-11-19`.
  public var description: String {
    let (year, month, day) = components
    return year.padded(to: 4) + "-" + month.padded(to: 2) + "-" + day.padded(to: 2)
  }
}

extension Int {
  /// This number in decimal digits, padded with zeros up to a length.
  package func padded(to length: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, length - digits.utf8.count)) + digits
  }
}
