internal import FoundationSubset
public import Foundations

extension LogTime {
  /// The current time in UTC, or the value of `SOURCE_DATE_EPOCH`.
  ///
  /// That makes runs repeatable (reproducible-builds.org). A time outside the range of years is
  /// clamped to it.
  public static var now: LogTime {
    let given = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
    let clock = min(Double(years.upperBound), max(0, Date().timeIntervalSince1970.rounded(.down)))
    return LogTime(
      secondsSince1970: given.flatMap { years.contains($0) ? $0 : nil } ?? Int(clock),
      offsetInMinutes: 0)
  }

  /// The years 0 to 9999, because RFC 3339 has no others.
  private static let years = -62_167_219_200...253_402_300_799
}
