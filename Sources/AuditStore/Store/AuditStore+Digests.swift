internal import TrafficDigest

extension AuditStore {
  /// Opens the digest of a day.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - database: The database, which names the file.
  /// - Returns: The digest, or `nil` if the day has none.
  /// - Throws: ``StoreError`` as for ``path(ofDigest:on:)``, or `DigestFileError` if the file can't
  ///   be read.
  func digest(of day: StoredDay, in database: Database) throws -> DigestFile? {
    let name = try database.value(
      of: String.self, "SELECT file FROM digests WHERE day = ?", [day.text])
    guard let name else { return nil }
    return try DigestFile(opening: try path(ofDigest: name, on: day))
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
    // A digest that is missing is told when it is opened.
    _ = try StoreFile.exists(path)
    return path
  }

  /// The names of the digests that the database has.
  ///
  /// - Returns: The names, or `nil` if some of them is none that a run gives, so that nobody knows
  ///   which file is meant.
  /// - Throws: What keeps the database from being read.
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
