internal import AccessLogs
internal import Foundations
internal import TrafficDigest

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

extension Row {
  /// Reads the day of a row.
  ///
  /// - Throws: ``StoredValueMismatch`` if it has none.
  func day() throws(StoredValueMismatch) -> StoredDay {
    guard let day = StoredDay(text: try stored("day")) else {
      throw StoredValueMismatch(column: "day")
    }
    return day
  }

  /// Reads the span between the times of a row, or returns `nil` if it has no times.
  ///
  /// - Throws: ``StoredValueMismatch`` if the values aren't times.
  func times() throws(StoredValueMismatch) -> ClosedRange<LogTime>? {
    let (first, last): (String?, String?) = (try stored("first_time"), try stored("last_time"))
    if first == nil, last == nil { return nil }
    guard let first = first.flatMap({ LogTime(reading: Array($0.utf8)) }),
      let last = last.flatMap({ LogTime(reading: Array($0.utf8)) }), first <= last
    else { throw StoredValueMismatch(column: "first_time") }
    return first...last
  }

  /// Reads the reason of rejected lines.
  ///
  /// - Throws: ``StoredValueMismatch`` if it isn't one.
  func reason() throws(StoredValueMismatch) -> RejectionReason {
    guard let reason = RejectionReason(rawValue: try stored("reason")) else {
      throw StoredValueMismatch(column: "reason")
    }
    return reason
  }
}
