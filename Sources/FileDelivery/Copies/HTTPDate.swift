/// A moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
public struct HTTPDate: Hashable, Comparable, Sendable {
  /// The seconds since 1970, UTC.
  public var seconds: Int

  /// Creates a date from the seconds since 1970, UTC.
  public init(seconds: Int) { self.seconds = seconds }

  /// Reads the form that servers write today, or returns `nil`.
  public init?(_ text: String) {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
      let month = Self.months.firstIndex(of: parts[2]), let day = Self.number(parts[1], 1...31),
      let year = Self.number(parts[3], 1601...9999)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard clock.count == 3, let hour = Self.number(clock[0], 0...23),
      let minute = Self.number(clock[1], 0...59), let second = Self.number(clock[2], 0...60)
    else { return nil }
    seconds =
      Self.days(year: year, month: month + 1, day: day) * 86_400 + hour * 3_600 + minute * 60
      + second
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      range.contains(number)
    else { return nil }
    return number
  }

  /// The days since 1970 of a day in the Gregorian calendar: years begin in March here, so
  /// that the leap day is their last one.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let (era, yearOfEra) = (year / 400, year % 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  public static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.seconds < other.seconds }
}

extension HTTPDate: CustomStringConvertible {
  /// The moment as ISO 8601 writes it: `1994-11-06T08:49:37Z`.
  public var description: String {
    let (days, rest) = seconds.flooredDivision(by: 86_400)
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let (day, month) = (dayOfYear - (153 * part + 2) / 5 + 1, part < 10 ? part + 3 : part - 9)
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func padded(_ number: Int, _ length: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, length - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month))-\(padded(day))T"
      + "\(padded(rest / 3_600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
  }
}

extension Int {
  /// The greatest number of times that a divisor fits in, and what is left, which is never
  /// negative.
  fileprivate func flooredDivision(by divisor: Int) -> (Int, Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
