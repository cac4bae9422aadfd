internal import AccessLogs
internal import TrafficDigest

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
  ///
  /// - Throws: ``StoredValueMismatch`` if a value has the wrong type.
  init(_ row: Row) throws(StoredValueMismatch) {
    (day, name) = (try row.day(), try row.stored("file"))
    (size, identity) = (try row.count("size"), try row.stored("identity"))
    (requests, targets) = (try row.count("requests"), try row.count("targets"))
  }

  /// Makes the digest count in place of the previous one of its day.
  func write(run: Int64, in database: Database) throws {
    try database.execute(
      "INSERT OR REPLACE INTO digests VALUES (?, ?, ?, ?, ?, ?, ?)",
      [day, name, size, identity, requests, targets, run])
  }

  /// Returns a Boolean value indicating whether a file is this digest.
  func isSame(as file: DigestFile) -> Bool {
    file.identity.description == identity && file.size == size && file.targetCount == targets
      && (file.hasUndatedRequests ? [nil] : []) + file.days == [day.day]
  }
}

extension AuditStore {
  /// Opens a digest, and checks that it is the written one.
  ///
  /// - Throws: ``StoreError`` as for ``path(of:)``, or if it is another digest, or
  ///   `DigestFileError` if the file can't be read.
  func open(_ digest: StoredDigest) throws -> DigestFile {
    let path = try path(of: digest)
    let file = try DigestFile(opening: path)
    guard digest.isSame(as: file) else { throw StoreError.otherDigest(path: path) }
    return file
  }

  /// Returns the path of a digest, which is safe to open if it exists.
  ///
  /// - Throws: ``StoreError`` if no run uses such a name for a digest of this day, or something
  ///   other than a file has it.
  func path(of digest: StoredDigest) throws(StoreError) -> String {
    guard DigestName(digest.name)?.day == digest.day else {
      throw .damaged(
        path: databasePath,
        "the digest of \(digest.day.name) has the name '\(digest.name.prefix(100))', which linkaudit never writes"
      )
    }
    let path = path(ofDigest: digest.name)
    // A missing digest is reported when it is opened.
    _ = try StoreFile.exists(path)
    return path
  }

  /// Returns the names of the digests in the database.
  ///
  /// - Returns: The names, or `nil` if no run would use one of them, so that its file is unknown.
  /// - Throws: An error if the database can't be read.
  static func namedDigests(in database: Database) throws -> Set<String>? {
    var names: Set<String> = []
    for row in try database.rows("SELECT day, file FROM digests") {
      guard let day = try? row.day(), let file = try? row.stored("file") as String,
        DigestName(file)?.day == day
      else { return nil }
      names.insert(file)
    }
    return names
  }
}

extension AuditStore {
  /// The number of the next run that changes digests.
  static func nextRun(in database: Database) throws -> Int64 {
    try database.value(of: Int64.self, "SELECT coalesce(max(id), 0) + 1 FROM runs") ?? 1
  }
}

/// The name of a digest of a day in a store, such as `2026-11-19.42.digest`; the number is that of
/// its run.
struct DigestName: CustomStringConvertible {
  var day: StoredDay
  var run: Int64

  init(day: StoredDay, run: Int64) { (self.day, self.run) = (day, run) }

  /// Reads a name, or returns `nil` if no run would use it.
  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "digest", let run = Int64(parts[1]),
      let day = StoredDay(name: String(parts[0]))
    else { return nil }
    (self.day, self.run) = (day, run)
    // Numbers have other spellings, such as `+42`.
    guard description == name else { return nil }
  }

  var description: String { "\(day.name).\(run).digest" }
}
