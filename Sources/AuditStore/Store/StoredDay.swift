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
    day = Day(text)
    if day == nil, !text.isEmpty { return nil }
  }

  private static let undated = "undated"

  /// The day in the database: empty for requests without a time.
  var text: String { day?.description ?? "" }

  /// The day in names of files and for people.
  var name: String { day?.description ?? Self.undated }

  /// The day as the subject of a message.
  var title: String { day.map { "the day \($0)" } ?? "requests without a time" }

  static func < (one: StoredDay, other: StoredDay) -> Bool {
    guard let first = one.day, let second = other.day else {
      return one.day == nil && other.day != nil
    }
    return first < second
  }

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

  static func reading(_ value: DatabaseValue) -> StoredDay? {
    value.text.flatMap { StoredDay(text: $0) }
  }
}

extension Day: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .text(description) }

  static func reading(_ value: DatabaseValue) -> Day? { value.text.flatMap { Day($0) } }
}

extension LogTime: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .text(description) }

  static func reading(_ value: DatabaseValue) -> LogTime? {
    value.text.flatMap { LogTime(reading: Array($0.utf8)) }
  }
}

extension LogDamage: StoredAsJSON {}
extension DeliverySource: DatabaseValueConvertible {}
extension InputStatus: DatabaseValueConvertible {}
extension RejectionReason: DatabaseValueConvertible {}
extension Severity: DatabaseValueConvertible {}

extension Database {
  /// The days that a query selects in its only column.
  func days(
    _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
  ) throws -> Set<StoredDay> {
    Set(try values(of: StoredDay.self, sql, arguments))
  }
}

extension Row {
  /// Reads the day of a row.
  func day() throws(DatabaseError) -> StoredDay { try stored("day") }

  /// Reads the span between the times of a row, or returns `nil` if it has no times.
  func times() throws(DatabaseError) -> ClosedRange<LogTime>? {
    let (first, last): (LogTime?, LogTime?) = (try stored("first_time"), try stored("last_time"))
    if first == nil, last == nil { return nil }
    guard let first, let last, first <= last else {
      throw DatabaseError(invalidColumn: "first_time")
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

/// A digest of a day according to the database.
struct StoredDigest: Sendable {
  var day: StoredDay

  /// The name of the file.
  var name: String

  /// The number of its bytes, and an identity of its content.
  var size: Int
  var identity: String

  /// The number of requests, and of distinct targets by host.
  var requests: Int
  var targets: Int
}

extension StoredDigest {
  /// Reads a row of `digests`.
  init(_ row: Row) throws(DatabaseError) {
    (day, name) = (try row.day(), try row.stored("file"))
    (size, identity) = (try row.count("size"), try row.stored("identity"))
    (requests, targets) = (try row.count("requests"), try row.count("targets"))
  }

  /// Makes the digest count in place of the previous one of its day.
  func write(run: Int64, in database: Database) throws {
    try database.insert(
      into: "digests", day, name, size, identity, requests, targets, run, or: "REPLACE")
  }

  func isSame(as file: DigestFile) -> Bool {
    file.identity.description == identity && file.size == size && file.targetCount == targets
      && (file.hasUndatedRequests ? [nil] : []) + file.days == [day.day]
  }
}

extension AuditStore {
  /// Opens a digest, and checks that it is the written one.
  func open(_ digest: StoredDigest) throws -> DigestFile {
    let path = try path(of: digest)
    let file = try DigestFile(opening: path)
    guard digest.isSame(as: file) else {
      throw StoreError.message(
        "'\(path)' is not the digest that linkaudit wrote; \(StoreError.restoreBackup), or remove the "
          + "day with 'linkaudit store remove-day'")
    }
    return file
  }

  /// Returns the path of a digest, which is safe to open if it exists.
  func path(of digest: StoredDigest) throws(StoreError) -> String {
    guard StoredDay(digestName: digest.name) == digest.day else {
      throw .damaged(
        databasePath,
        "the digest of \(digest.day.name) has the name '\(digest.name.prefix(100))', which linkaudit never writes"
      )
    }
    let path = path(ofDigest: digest.name)
    // A missing digest is reported when it is opened.
    _ = try Self.isFile(path)
    return path
  }

  /// The names of the digests in the database, or `nil` if no run would use one of them, so that
  /// its file is unknown.
  static func namedDigests(in database: Database) throws -> Set<String>? {
    var names: Set<String> = []
    for row in try database.rows("SELECT day, file FROM digests") {
      guard let day = try? row.day(), let file = try? row.stored("file") as String,
        StoredDay(digestName: file) == day
      else { return nil }
      names.insert(file)
    }
    return names
  }

  /// The number of the next run that changes digests.
  static func nextRun(in database: Database) throws -> Int64 {
    try database.value(of: Int64.self, "SELECT coalesce(max(id), 0) + 1 FROM runs") ?? 1
  }
}

extension StoredDay {
  /// The name of the day's digest that a run writes, such as `2026-11-19.42.digest`.
  func digestName(run: Int64) -> String { "\(name).\(run).digest" }

  /// Reads the day in the name of a digest, or returns `nil` if no run would use that.
  init?(digestName: String) {
    let parts = digestName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "digest", let run = Int64(parts[1]) else { return nil }
    self.init(text: parts[0] == Self.undated ? "" : String(parts[0]))
    // Numbers have other spellings, such as `+42`.
    guard self.digestName(run: run) == digestName else { return nil }
  }
}
