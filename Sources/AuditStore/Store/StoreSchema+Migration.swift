internal import AccessLogs
internal import SystemPackage

extension StoreSchema {
  /// Migrates a store of an earlier version.
  ///
  /// - Parameters:
  ///   - database: The database with the tables of the earlier version.
  ///   - version: That version.
  /// - Throws: An error if the tables can't be changed.
  static func migrate(_ database: Database, from version: Int) throws {
    guard version < self.version else { return }
    // Days that were counted before get their causes when they are computed again.
    if version < checksumVersion {
      // Modified figures stay recognizable, because they get no checksum.
      let days = try DailyFigures.changedDays(in: database)
      try database.run(laterTables)
      try migrateLogs(in: database)
      try database.run("DROP TABLE daily_fingerprints; \(checksumTable)")
      try StoreChecksums.write(in: database, without: days)
    } else if version < checkpointVersion {
      try database.run(laterTables)
      let tables = StoredTable.ledger.filter {
        ["logs", "log_beginnings", "log_files"].contains($0.table)
      }
      try StoreChecksums.rewrite(tables, in: database) { try migrateLogs(in: database) }
    } else {
      try database.run(laterTables)
    }
    try database.execute("PRAGMA user_version = \(self.version)")
  }

  /// Migrates the logs of versions 1 and 2.
  ///
  /// Those versions stored damage as a message. They stored hashes at each 4 KiB up to 64 KiB, and
  /// at each 64 KiB after that, without positions. The hashes at ends of lines have no known
  /// positions, so they are dropped.
  private static func migrateLogs(in database: Database) throws {
    for row in try database.rows("SELECT id, status, length, head, checkpoints FROM logs") {
      let id: Int64 = try row.stored("id")
      let hashes = KnownLog.words(try row.stored("checkpoints")).dropFirst(15)
      let checkpoints = hashes.enumerated().map { number, hash in
        Checkpoint(length: (number + 1) * ContentTrace.blockLength, hash: hash)
      }
      let damage = LogDamage(
        status: try? row.stored("status"), length: try row.count("length"))
      try database.execute(
        "UPDATE logs SET damage = ?, checkpoints = ? WHERE id = ?",
        [damage?.code, KnownLog.bytes(checkpoints), id])
      try database.execute(
        "INSERT OR IGNORE INTO log_beginnings VALUES (?, ?)", [try row.stored("head") as Int64, id])
    }
    // The kind of damage is determined again when such a log is read.
    try database.run(
      """
      UPDATE log_files SET size = -1 WHERE log IN (SELECT id FROM logs WHERE damage IS NOT NULL);
      DROP INDEX logs_by_head;
      ALTER TABLE logs DROP COLUMN head;
      ALTER TABLE logs DROP COLUMN first_line_end;
      ALTER TABLE logs DROP COLUMN line_hashes;
      """)
  }
}

extension LogDamage {
  /// Creates damage from the status of the log alone.
  ///
  /// - Parameters:
  ///   - status: The status, or `nil` if it is unknown.
  ///   - length: The number of decompressed bytes of the log that were read.
  init?(status: InputStatus?, length: Int) {
    switch status {
    case .truncated: self.init(.truncated, offset: length)
    case .corrupt: self.init(.invalidData, offset: length)
    case .unreadable: self.init(.system(.ioError), offset: length)
    case .complete, nil: return nil
    }
  }
}
