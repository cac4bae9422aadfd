internal import AccessLogs
internal import TrafficDigest

/// A digest of a day according to the database.
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
  /// - Throws: ``StoredValueMismatch`` if a value has the wrong type.
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
  /// Opens the digest of a day, and checks that it is the written one.
  ///
  /// - Parameters:
  ///   - digest: The digest according to the database.
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

  /// Returns the path of the digest of a day, which is safe to open if it exists.
  ///
  /// - Parameters:
  ///   - name: Its name in the database.
  ///   - day: The day.
  /// - Returns: The path.
  /// - Throws: ``StoreError`` if no run uses such a name for a digest of this day, or something
  ///   other than a file has it.
  func path(ofDigest name: String, on day: StoredDay) throws(StoreError) -> String {
    guard DigestName(name)?.day == day else {
      throw .damaged(
        path: databasePath,
        "the digest of \(day.name) has the name '\(name.prefix(100))', which no run gives")
    }
    let path = self.path(ofDigest: name)
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
      guard let day = try? row.stored("day") as String,
        let file = try? row.stored("file") as String, let name = DigestName(file),
        name.day == StoredDay(text: day)
      else { return nil }
      names.insert(file)
    }
    return names
  }
}
