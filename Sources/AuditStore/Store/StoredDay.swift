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

  static func < (one: StoredDay, other: StoredDay) -> Bool { one.text < other.text }
}

extension StoredDay {
  /// A Boolean value indicating whether this is an earlier day than another; requests
  /// without a time have none.
  func isBefore(_ first: Day?) -> Bool {
    guard let day, let first else { return false }
    return day < first
  }
}
