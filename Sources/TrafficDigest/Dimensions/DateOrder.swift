internal import AccessLogs
internal import Foundations

/// The position of the month in a day such as `10/06/2000`.
enum DateOrder: Sendable {
  case monthFirst
  case dayFirst
}

/// A day in numbers with slashes between them, the year last.
struct NumericDate {
  private let first: Int
  private let second: Int
  private let year: Int

  /// Where the time of day begins.
  let end: Int

  /// Reads the day at the beginning of a time, or returns `nil` if there is something else.
  init?(_ text: Span<UInt8>) {
    guard let firstEnd = text.firstIndex(of: UInt8(ascii: "/")),
      let secondEnd = text.firstIndex(of: UInt8(ascii: "/"), from: firstEnd + 1),
      let first = text.decimal(0..<firstEnd), (1...2).contains(firstEnd),
      let second = text.decimal((firstEnd + 1)..<secondEnd),
      (1...2).contains(secondEnd - firstEnd - 1)
    else { return nil }
    var yearEnd = secondEnd + 1
    while yearEnd < text.count, text[yearEnd].isDigit { yearEnd += 1 }
    guard yearEnd < text.count, text[yearEnd] == UInt8(ascii: " ") || text[yearEnd] == 0x3A,
      let year = text.decimal((secondEnd + 1)..<yearEnd)
    else { return nil }
    switch yearEnd - secondEnd - 1 {
    // The POSIX rule for two digits.
    case 2: self.year = year + (year < 69 ? 2000 : 1900)
    case 4: self.year = year
    default: return nil
    }
    (self.first, self.second, end) = (first, second, yearEnd + 1)
  }

  /// The order that the numbers imply, because no month is above 12, or `nil`.
  var ownOrder: DateOrder? {
    if first > 12, second <= 12 { return .dayFirst }
    return second > 12 && first <= 12 ? .monthFirst : nil
  }

  /// A Boolean value indicating whether both orders give the same day.
  var isSymmetric: Bool { first == second }

  /// Returns the day, or `nil` if there is none or the order isn't known.
  func day(_ order: DateOrder?) -> Day? {
    switch order {
    case nil: nil
    case .monthFirst: Day(year: year, month: first, day: second)
    case .dayFirst: Day(year: year, month: second, day: first)
    }
  }
}
