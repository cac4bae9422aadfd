internal import AccessLogs
internal import FoundationSubset
public import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A day in the notation of the database; requests without a time have a value of their own.
struct StoredDay: Hashable, Comparable, Sendable {
  /// The day, or `nil` for requests without a time.
  let day: Day?

  init(_ day: Day?) { self.day = day }

  /// Reads a value of the database.
  init?(text: String) {
    if text.isEmpty {
      day = nil
      return
    }
    guard let day = Day(text) else { return nil }
    self.day = day
  }

  /// Reads the day in a digest's name.
  init?(name: String) { self.init(text: name == Self.undated ? "" : name) }

  private static let undated = "undated"

  /// The day in the database: empty for requests without a time.
  var text: String { day?.description ?? "" }

  /// The day in names of files and for people.
  var name: String { day?.description ?? Self.undated }

  static func < (one: StoredDay, other: StoredDay) -> Bool {
    guard let first = one.day, let second = other.day else {
      return one.day == nil && other.day != nil
    }
    return first < second
  }
}

extension StoredDay {
  /// A Boolean value indicating whether this day precedes another one; requests without a time have
  /// no day.
  func isBefore(_ first: Day?) -> Bool {
    guard let day, let first else { return false }
    return day < first
  }
}

// MARK: - Values

extension StoredDay: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .text(text) }

  init?(databaseValue: DatabaseValue) {
    guard case .text(let text) = databaseValue else { return nil }
    self.init(text: text)
  }
}

extension Day: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .text(description) }

  init?(databaseValue: DatabaseValue) {
    guard case .text(let text) = databaseValue else { return nil }
    self.init(text)
  }
}

extension LogTime: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .text(description) }

  init?(databaseValue: DatabaseValue) {
    guard case .text(let text) = databaseValue else { return nil }
    self.init(reading: Array(text.utf8))
  }
}

extension DeliverySource: DatabaseValueConvertible {}
extension InputStatus: DatabaseValueConvertible {}
extension RejectionReason: DatabaseValueConvertible {}
extension Severity: DatabaseValueConvertible {}

extension Row {
  /// Reads the day of a row.
  func day() throws(StoredValueMismatch) -> StoredDay { try stored("day") }

  /// Reads the span between the times of a row, or returns `nil` if it has no times.
  ///
  /// - Throws: ``StoredValueMismatch`` if the values aren't times.
  func times() throws(StoredValueMismatch) -> ClosedRange<LogTime>? {
    let (first, last): (LogTime?, LogTime?) = (try stored("first_time"), try stored("last_time"))
    if first == nil, last == nil { return nil }
    guard let first, let last, first <= last else {
      throw StoredValueMismatch(column: "first_time")
    }
    return first...last
  }
}

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
