internal import TrafficDigest

/// The name of a digest of a day in a store, such as `2026-11-19.42.digest`, whose number
/// is that of the run which made it.
struct DigestName: CustomStringConvertible {
  var day: StoredDay
  var run: Int64

  init(day: StoredDay, run: Int64) { (self.day, self.run) = (day, run) }

  /// Reads a name, or returns `nil` if no run gave it.
  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "digest", let run = Int64(parts[1]),
      let day = StoredDay(name: String(parts[0]))
    else { return nil }
    (self.day, self.run) = (day, run)
  }

  var description: String { "\(day.name).\(run).digest" }
}

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
