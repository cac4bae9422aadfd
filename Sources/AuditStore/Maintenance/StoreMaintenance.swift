internal import AccessLogs
public import Foundations
internal import TrafficDigest

/// Changes of a store other than adding logs.
public struct StoreMaintenance {
  let store: AuditStore

  /// Creates the maintenance of a store, which must be open for changes.
  public init(_ store: AuditStore) { self.store = store }

  /// Removes days: their digests and figures.
  ///
  /// Their logs stay in the ledger, so that they are not counted again.
  ///
  /// - Parameter days: The days; `nil` is for requests without a time.
  /// - Returns: The removed days.
  /// - Throws: ``StoreError`` if the store can't be changed.
  public func remove(_ days: [Day?]) throws(StoreError) -> [Day?] {
    try store.write { database in
      try days.filter { day in
        // Remembered reports contain the heaviest paths of all their days.
        let day = StoredDay(day)
        try database.execute(
          """
          DELETE FROM reports
          WHERE ?1 = '' OR ?1 BETWEEN substr(first_time, 1, 10) AND substr(last_time, 1, 10)
          """, [day.text])
        return try Self.remove(day, in: database)
      }
    }
  }

  /// Computes all daily figures again.
  ///
  /// - Parameter options: The options for judging.
  /// - Returns: The number of days.
  /// - Throws: ``StoreError`` if the store can't be read or changed.
  public func rebuild(_ options: IngestOptions) throws(StoreError) -> Int {
    try store.write { database in
      let known = try database.rows(
        """
        SELECT day FROM digests UNION SELECT day FROM pending_days
        UNION SELECT day FROM daily_hosts
        """
      ).map { try $0.day() }
      try DailyFigures(store, options).write(Set(known), in: database)
      return known.count
    }
  }

  /// Removes a day.
  ///
  /// - Returns: Whether the store had it.
  @discardableResult
  static func remove(_ day: StoredDay, in database: Database) throws -> Bool {
    // If the day has pending lines of a log, all pending lines of that log become permanent, so
    // that they are never subtracted or read again.
    let logs = try database.values(
      of: Int64.self, "SELECT log FROM pending_days WHERE day = ? AND NOT is_settled",
      [day.text])
    for log in logs {
      try database.execute("UPDATE pending_days SET is_settled = TRUE WHERE log = ?", [log])
      try database.execute("DELETE FROM pending_rejections WHERE log = ?", [log])
      try database.execute(
        """
        UPDATE logs SET settled_length = length, settled_lines = settled_lines + pending_lines,
          pending_lines = 0 WHERE id = ?
        """, [log])
    }
    var count = 0
    for table in [StoredTable.digests, .pendingDays, .logDays] {
      try database.execute("DELETE FROM \(table.table) WHERE day = ?", [day.text])
      count += database.changesCount
      try StoreChecksums.reset(table, part: day.text, in: database)
    }
    try DailyFigures.remove(day, in: database)
    try database.execute("DELETE FROM reports WHERE substr(last_time, 1, 10) <= ?", [day.text])
    return count > 0
  }
}
