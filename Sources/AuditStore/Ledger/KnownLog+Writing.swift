internal import AccessLogs
internal import Foundations
internal import TrafficDigest

extension KnownLog {
  /// The digest of the pending lines of a log on a day.
  typealias PendingDigest = (day: StoredDay, requests: Int, bytes: [UInt8])

  /// Writes a log that was read.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - known: The log before this run, or `nil` if it is new.
  ///   - pendingDigests: The digests of its pending lines.
  ///   - run: The run.
  ///   - started: The start of the run, in nanoseconds since 1970.
  ///   - database: The ledger.
  /// - Returns: The log's number, the days whose pending lines changed, and the number of
  ///   additional lines.
  /// - Throws: An error if the database can't be written, or digests can't be read.
  static func write(
    _ log: ContinuedLog, over known: KnownLog?, _ pendingDigests: [PendingDigest], run: Int64,
    started: Int64, in database: Database
  ) throws -> (id: Int64, pendingDays: Set<StoredDay>, added: LineTally) {
    var days = Set(pendingDigests.map(\.day))
    var share = LogShare()
    if let known {
      share = try known.share(in: database)
      let pending = try known.takePending(in: database)
      days.formUnion(pending.days.keys.map { StoredDay($0) })
      share.subtract(pending)
    }
    share.add(log.added)
    let id = try write(log, over: known, share, run: run, in: database)
    try write(share, of: id, in: database)
    for part in pendingDigests {
      try database.execute(
        "INSERT INTO pending_days VALUES (?, ?, ?, ?, FALSE)",
        [id, part.day, part.requests, part.bytes])
    }
    for (reason, lines) in log.pending.rejections {
      try database.execute("INSERT INTO pending_rejections VALUES (?, ?, ?)", [id, reason, lines])
    }
    try record(log.stamp, of: id, started: started, in: database)
    var added = share.tally
    added.lines -= known?.lines ?? 0
    added.requests -= known?.requests ?? 0
    return (id, days, added)
  }

  /// The counts of all its lines.
  private func share(in database: Database) throws -> LogShare {
    var share = LogShare()
    (share.tally.lines, share.tally.requests) = (lines, requests)
    for row in try database.rows("SELECT * FROM log_days WHERE log = ?", [id]) {
      share.days[try row.day().day] = DayRequests(
        requests: try row.count("requests"), times: try row.times())
    }
    for row in try database.rows("SELECT * FROM log_rejections WHERE log = ?", [id]) {
      share.rejections[try row.stored("reason")] = try row.count("lines")
    }
    return share
  }

  /// Removes its pending lines.
  ///
  /// - Returns: Their counts.
  private func takePending(in database: Database) throws -> LogShare {
    var share = LogShare()
    share.tally.lines = pendingLines
    for row in try database.rows(
      "SELECT day, requests FROM pending_days WHERE log = ? AND NOT is_settled",
      [id])
    {
      let requests = try row.count("requests")
      share.days[try row.day().day] = DayRequests(requests: requests)
      share.tally.requests += requests
    }
    for row in try database.rows("SELECT * FROM pending_rejections WHERE log = ?", [id]) {
      share.rejections[try row.stored("reason")] = try row.count("lines")
    }
    try database.execute("DELETE FROM pending_days WHERE log = ? AND NOT is_settled", [id])
    for table in ["pending_rejections", "log_days", "log_rejections"] {
      try database.execute("DELETE FROM \(table) WHERE log = ?", [id])
    }
    // Lines that are rejected permanently stay.
    try database.execute(
      "DELETE FROM rejected_lines WHERE log = ? AND \"offset\" >= ?",
      [id, settledLength])
    return share
  }

  private static func write(
    _ log: ContinuedLog, over known: KnownLog?, _ share: LogShare, run: Int64, in database: Database
  ) throws -> Int64 {
    let content = log.trace.fingerprint
    let checkpoints = log.trace.checkpoints
    let values: [(String, any DatabaseValueConvertible)] = [
      ("path", log.input.path), ("host", log.input.settings.defaultHost),
      ("format", log.input.format?.name), ("status", InputStatus(log.input.damage)),
      ("damage", log.input.damage?.code),
      ("lines", share.tally.lines), ("requests", share.tally.requests),
      ("rejected", share.tally.rejected),
      ("pending_lines", log.pending.tally.lines), ("length", content.length),
      ("settled_length", log.settledLength),
      ("settled_lines", log.settledLines + log.settled.tally.lines),
      ("first_hash", content.first),
      ("second_hash", content.second),
      ("checkpoints", bytes(checkpoints)), ("last_run", run),
    ]
    let arguments = values.map(\.1)
    let names = values.map(\.0)
    if let known {
      try database.execute(
        "UPDATE logs SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?",
        arguments + [known.id])
      try database.execute("DELETE FROM log_beginnings WHERE log = ?", [known.id])
    } else {
      try database.execute(
        """
        INSERT INTO logs (\(names.joined(separator: ", ")), first_run)
        VALUES (\(Database.marks(names.count + 1)))
        """, arguments + [run])
    }
    let id = known?.id ?? database.lastInsertedRowID
    for end in checkpoints + [content.checkpoint] where end.length <= ContentTrace.headLength {
      try database.execute(
        "INSERT OR IGNORE INTO log_beginnings VALUES (?, ?)", [end.hash, id])
    }
    return id
  }

  private static func write(
    _ share: LogShare, of id: Int64, in database: Database
  ) throws {
    for (day, part) in share.days where part.requests > 0 {
      try database.execute(
        "INSERT INTO log_days VALUES (?, ?, ?, ?, ?)",
        [
          id, StoredDay(day), part.requests, part.times?.lowerBound,
          part.times?.upperBound,
        ])
    }
    for (reason, lines) in share.rejections where lines > 0 {
      try database.execute(
        "INSERT INTO log_rejections VALUES (?, ?, ?)",
        [id, reason, lines])
    }
  }
}

extension LogShare {
  /// Subtracts lines; the times of the others don't become more exact.
  fileprivate mutating func subtract(_ other: LogShare) {
    tally.lines -= other.tally.lines
    tally.requests -= other.tally.requests
    for (reason, lines) in other.rejections { rejections[reason, default: 0] -= lines }
    for (day, part) in other.days { days[day]?.requests -= part.requests }
  }
}
