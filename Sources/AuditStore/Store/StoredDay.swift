internal import AccessLogs
internal import Foundations
internal import TrafficDigest

/// A day as the database has it; requests without a time have one of their own.
struct StoredDay: Hashable, Comparable, Sendable {
  /// The day, or `nil` for requests without a time.
  let day: Day?

  init(_ day: Day?) { self.day = day }

  /// Reads what the database has.
  init?(text: String) {
    if text.isEmpty {
      day = nil
      return
    }
    guard let day = Day(text) else { return nil }
    self.day = day
  }

  /// Reads the part of a digest's name.
  init?(name: String) { self.init(text: name == Self.undated ? "" : name) }

  private static let undated = "undated"

  /// The day as the database has it: empty for requests without a time.
  var text: String { day?.description ?? "" }

  /// The day as names of files and people have it.
  var name: String { day?.description ?? Self.undated }

  static func < (one: StoredDay, other: StoredDay) -> Bool {
    guard let first = one.day, let second = other.day else {
      return one.day == nil && other.day != nil
    }
    return first < second
  }
}

extension StoredDay {
  /// A Boolean value indicating whether this is an earlier day than another; requests
  /// without a time have none.
  func isBefore(_ first: Day?) -> Bool {
    guard let day, let first else { return false }
    return day < first
  }
}

extension Row {
  /// The day of a row.
  ///
  /// - Throws: ``StoredValueMismatch`` if it has none.
  func day() throws(StoredValueMismatch) -> StoredDay {
    guard let day = StoredDay(text: try stored("day")) else {
      throw StoredValueMismatch(column: "day")
    }
    return day
  }

  /// The span between the times of a row, or `nil` if it has none.
  ///
  /// - Throws: ``StoredValueMismatch`` if they are none.
  func times() throws(StoredValueMismatch) -> ClosedRange<LogTime>? {
    let (first, last): (String?, String?) = (try stored("first_time"), try stored("last_time"))
    if first == nil, last == nil { return nil }
    guard let first = first.flatMap({ LogTime(reading: Array($0.utf8)) }),
      let last = last.flatMap({ LogTime(reading: Array($0.utf8)) }), first <= last
    else { throw StoredValueMismatch(column: "first_time") }
    return first...last
  }

  /// The reason of rejected lines.
  ///
  /// - Throws: ``StoredValueMismatch`` if it isn't one.
  func reason() throws(StoredValueMismatch) -> RejectionReason {
    guard let reason = RejectionReason(rawValue: try stored("reason")) else {
      throw StoredValueMismatch(column: "reason")
    }
    return reason
  }
}
