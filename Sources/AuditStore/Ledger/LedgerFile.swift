internal import AccessLogs

/// Which file was read as which log: one that hasn't changed since needn't be read again.
enum LedgerFile {
  /// Notes that a file was read as a log.
  ///
  /// - Parameters:
  ///   - stamp: What the system said of the file when it was opened, or `nil`.
  ///   - log: The log.
  ///   - started: A time before that, in nanoseconds since 1970.
  ///   - database: The ledger.
  /// - Throws: What keeps the database from being written, or digests from being read.
  static func write(
    _ stamp: FileStamp?, log: Int64, started: Int64, in database: Database
  ) throws {
    guard let stamp else { return }
    // What was changed just now may be changed again without a trace; a size that no file
    // has makes the file be read again.
    let size = stamp.showsChanges(since: started) ? stamp.size : -1
    try database.execute(
      "INSERT OR REPLACE INTO log_files VALUES (?, ?, ?, ?, ?, ?)",
      [
        Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.inode), size, stamp.modified,
        stamp.changed, log,
      ])
  }
}
