internal import AccessLogs
internal import TrafficDigest

/// A digest of a day as the database has it.
struct RegisteredDigest: Sendable {
  /// The name of the file.
  var name: String

  /// The number of its bytes, and an identity of its content.
  var size: Int
  var identity: String

  /// The number of requests, and of distinct targets by host.
  var requests: Int
  var targets: Int

  /// Reads a row of `digests`.
  ///
  /// - Throws: ``StoredValueMismatch`` if a value is not of its kind.
  init(_ row: Row) throws(StoredValueMismatch) {
    name = try row.stored("file")
    (size, identity) = (try row.count("size"), try row.stored("identity"))
    (requests, targets) = (try row.count("requests"), try row.count("targets"))
  }

  /// Returns a Boolean value indicating whether a file is this digest of a day.
  func isSame(as file: DigestFile, of day: StoredDay) -> Bool {
    file.identity.description == identity && file.size == size && file.targetCount == targets
      && (file.hasUndatedRequests ? [nil] : []) + file.days == [day.day]
  }
}

extension AuditStore {
  /// Opens the digest of a day, and sees that it is the one that was written.
  ///
  /// - Parameters:
  ///   - digest: The digest as the database has it.
  ///   - day: The day.
  /// - Returns: The digest.
  /// - Throws: ``StoreError`` as for ``path(ofDigest:on:)``, or if it is another digest, or
  ///   `DigestFileError` if the file can't be read.
  func open(_ digest: RegisteredDigest, of day: StoredDay) throws -> DigestFile {
    let path = try path(ofDigest: digest.name, on: day)
    let file = try DigestFile(opening: path)
    guard digest.isSame(as: file, of: day) else { throw StoreError.otherDigest(path: path) }
    return file
  }

  /// The path of the digest of a day, which can be opened if it is there.
  ///
  /// - Parameters:
  ///   - name: The name that the database gives it.
  ///   - day: The day.
  /// - Returns: The path.
  /// - Throws: ``StoreError`` if no run gave this name to a digest of this day, so that it may lead
  ///   anywhere, or something other than a file has it.
  func path(ofDigest name: String, on day: StoredDay) throws(StoreError) -> String {
    guard DigestName(name)?.day == day else {
      throw .damaged(
        path: databasePath,
        "the digest of \(day.name) has the name '\(name.prefix(100))', which no run gives")
    }
    let path = self.path(ofDigest: name)
    // A missing digest is an error when it is opened.
    _ = try StoreFile.exists(path)
    return path
  }

  /// The names of the digests that the database has.
  ///
  /// - Returns: The names, or `nil` if no run gives one of them, so that the file is unknown.
  /// - Throws: An error if the database can't be read.
  static func namedDigests(in database: Database) throws -> Set<String>? {
    var names: Set<String> = []
    for row in try database.rows("SELECT day, file FROM digests") {
      guard let day = try? row.stored("day") as String,
        let file = try? row.stored("file") as String, let name = DigestName(file),
        name.day == StoredDay(text: day)
      else { return nil }
      names.insert(file)
    }
    return names
  }
}
