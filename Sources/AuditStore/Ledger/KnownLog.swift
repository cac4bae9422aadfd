internal import AccessLogs
internal import Foundations
internal import TrafficDigest

/// A log in the ledger.
///
/// Hashes of its content identify it, never its name.
struct KnownLog: Sendable {
  var id: Int64

  /// The path under which it was last seen.
  var path: String

  /// The fingerprint of the content that was read.
  var content: ContentFingerprint

  /// Hashes of beginnings of the content; see ``ContentTrace/checkpoints``.
  var checkpoints: [Checkpoint]

  /// The number of bytes whose lines count permanently, and the number of those lines.
  var settledLength: Int
  var settledLines: Int

  /// The number of its lines, and of those among them that can still change.
  var lines: Int
  var pendingLines: Int

  /// The number of requests.
  var requests: Int

  /// Whether it was read completely.
  var status: InputStatus

  /// A Boolean value indicating whether any of its requests has a time.
  var isDated: Bool

  /// A Boolean value indicating whether the file of this look-up was last read as this log.
  var wasReadFromFile: Bool

  /// The length of the longest beginning that this log certainly shares with the file of this
  /// look-up.
  var sharedLength = 0

  init(_ row: Row) throws {
    id = try row.stored("id")
    path = try row.stored("path")
    content = ContentFingerprint(
      length: try row.count("length"), first: try row.stored("first_hash"),
      second: try row.stored("second_hash"))
    checkpoints = Self.checkpoints(try row.stored("checkpoints"))
    settledLength = try row.count("settled_length")
    settledLines = try row.count("settled_lines")
    lines = try row.count("lines")
    pendingLines = try row.count("pending_lines")
    requests = try row.count("requests")
    status = try row.stored("status")
    isDated = try row.stored("is_dated")
    wasReadFromFile = try row.stored("was_read")
  }

  /// Returns this log with its ``sharedLength``, from the ends of beginnings of the file at the
  /// places of ``checkpoints``.
  func compared(with beginnings: Set<Checkpoint>) -> KnownLog {
    var log = self
    let shared = (checkpoints + [content.checkpoint]).last { beginnings.contains($0) }
    log.sharedLength = max(sharedLength, shared?.length ?? 0)
    return log
  }

  /// Returns a Boolean value indicating whether the file certainly differs from this log within its
  /// first `length` bytes.
  func differs(upTo length: Int) -> Bool {
    let next = checkpoints.first { $0.length > sharedLength }?.length ?? content.length
    return sharedLength < content.length && next <= length
  }

  /// Returns a Boolean value indicating whether all ends of lines near a position are checkpoints.
  func marksLines(at length: Int) -> Bool {
    let block = length / ContentTrace.blockLength
    return length < ContentTrace.headLength
      || checkpoints.contains {
        $0.length / ContentTrace.blockLength == block
          && !$0.length.isMultiple(of: ContentTrace.blockLength)
      }
  }

  /// Returns a Boolean value indicating whether the complete lines of the file are a beginning of
  /// this log.
  ///
  /// The file is shorter than this log, and `lastLine` is its last checkpoint. Where the ends of this
  /// log's lines are not checkpoints, bytes after the last checkpoint are assumed to be equal.
  func begins(withFileOf length: Int, lastLine: Int) -> Bool {
    sharedLength >= lastLine || !marksLines(at: lastLine) && !differs(upTo: length)
  }
}

// MARK: - Database

extension KnownLog {
  /// The maximum number of logs with the same first lines to compare a file with.
  ///
  /// The shortest are selected, because a file that has grown begins with its complete log.
  private static let candidateLimit = 100

  /// Returns the logs that share the longest beginning with the head of a file, each once.
  static func candidates(
    for head: LogHead, shortLengths: [Int], in database: Database
  ) throws -> [KnownLog] {
    let beginnings = head.beginnings(ofLengths: shortLengths)
    var known: Set<UInt64> = []
    for start in stride(from: 0, to: beginnings.count, by: 500) {
      let hashes = beginnings[start...].prefix(500).map(\.hash)
      known.formUnion(
        try database.values(
          of: UInt64.self,
          "SELECT hash FROM log_beginnings WHERE hash IN (\(Database.marks(hashes.count)))", hashes)
      )
    }
    guard let longest = beginnings.last(where: { known.contains($0.hash) })
    else { return [] }
    let rows = try database.rows(
      """
      SELECT *,
        EXISTS (SELECT 1 FROM log_days WHERE log = logs.id AND day <> '') AS is_dated,
        EXISTS (SELECT 1 FROM log_files WHERE log = logs.id AND device = ?2 AND inode = ?3)
          AS was_read
      FROM logs WHERE id IN (SELECT log FROM log_beginnings WHERE hash = ?1)
      ORDER BY length, id LIMIT ?4
      """,
      [
        longest.hash, head.stamp?.device, head.stamp?.inode,
        longest.length < ContentTrace.headLength ? candidateLimit : -1,
      ])
    return try rows.map { row in
      var log = try KnownLog(row)
      log.sharedLength = longest.length
      return log
    }
  }

  /// The lengths of all logs that are shorter than a head.
  static func shortLengths(in database: Database) throws -> [Int] {
    try database.values(
      of: Int.self, "SELECT DISTINCT length FROM logs WHERE length < \(ContentTrace.headLength)")
  }

  /// Returns a Boolean value indicating whether a file hasn't changed since it was read, so that it
  /// needn't be read again.
  static func isUnchanged(
    _ stamp: FileStamp, _ expansion: ExpansionLimit, in database: Database
  ) throws -> Bool {
    let row = try database.row(
      """
      SELECT damage FROM log_files JOIN logs ON logs.id = log
      WHERE device = ? AND inode = ? AND size = ? AND modified = ? AND changed = ?
      """,
      [stamp.device, stamp.inode, stamp.size, stamp.modified, stamp.changed])
    guard let row else { return false }
    let damage: LogDamage? = try row.stored("damage")
    return switch damage?.kind {
    case .expansionLimit(let ratio, _): ratio >= expansion.ratio
    case .windowLimit(_, let allowed): allowed >= expansion.window
    default: true
    }
  }

  /// Records that a file was read as a log, and opened after a time in nanoseconds since 1970.
  static func record(
    _ stamp: FileStamp?, of log: Int64, started: Int64, in database: Database
  ) throws {
    guard let stamp else { return }
    // A file that was changed just now may change again and keep its times. No file has the size
    // -1, so it will be read again.
    let size = stamp.showsChanges(since: started) ? stamp.size : -1
    try database.insert(
      into: "log_files", stamp.device, stamp.inode, size, stamp.modified, stamp.changed, log,
      or: "REPLACE")
  }

  /// Checkpoints in the ledger's encoding: for each, its length and its hash, the lowest byte
  /// first.
  static func bytes(_ checkpoints: [Checkpoint]) -> [UInt8] {
    checkpoints.flatMap { [UInt64($0.length), $0.hash] }.flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }

  private static func checkpoints(_ bytes: [UInt8]) -> [Checkpoint] {
    stride(from: 0, through: bytes.count - 16, by: 16).map { start in
      Checkpoint(
        length: Int(truncatingIfNeeded: bytes.span.word(start)), hash: bytes.span.word(start + 8))
    }
  }
}

extension KnownLog {
  /// The digest of the pending lines of a log on a day.
  typealias PendingDigest = (day: StoredDay, requests: Int, bytes: [UInt8])

  /// Writes a log after it was read, in place of the log before this run if it is known; returns
  /// its number, the days whose pending lines changed, and the number of additional lines.
  static func write(
    _ log: ContinuedLog, over known: KnownLog?, _ pendingDigests: [PendingDigest], run: Int64,
    started: Int64, in database: Database
  ) throws -> (id: Int64, pendingDays: Set<StoredDay>, added: LineTally) {
    var (share, days) =
      try known?.takePending(in: database) ?? (settled: ContinuedLog.Share(), days: [])
    days.formUnion(pendingDigests.map(\.day))
    share.add(log.added)
    let id = try write(log, over: known, share, run: run, in: database)
    for (day, part) in share.days where part.requests > 0 {
      try database.insert(
        into: "log_days", id, StoredDay(day), part.requests, part.times?.lowerBound,
        part.times?.upperBound)
    }
    for (reason, lines) in share.rejections where lines > 0 {
      try database.insert(into: "log_rejections", id, reason, lines)
    }
    for part in pendingDigests {
      try database.insert(into: "pending_days", id, part.day, part.requests, part.bytes, false)
    }
    for (reason, lines) in log.pending.rejections {
      try database.insert(into: "pending_rejections", id, reason, lines)
    }
    try record(log.stamp, of: id, started: started, in: database)
    var added = share.tally
    added.lines -= known?.lines ?? 0
    added.requests -= known?.requests ?? 0
    return (id, days, added)
  }

  /// Removes its pending lines, and returns the counts of the others, and the days of the pending
  /// ones.
  ///
  /// The times of the others don't become more exact.
  private func takePending(
    in database: Database
  ) throws -> (settled: ContinuedLog.Share, days: Set<StoredDay>) {
    var share = ContinuedLog.Share()
    (share.tally.lines, share.tally.requests) = (lines - pendingLines, requests)
    for row in try database.rows("SELECT * FROM log_days WHERE log = ?", [id]) {
      share.days[try row.day().day] = RequestFigures(
        requests: try row.count("requests"), times: try row.times())
    }
    for row in try database.rows("SELECT * FROM log_rejections WHERE log = ?", [id]) {
      share.rejections[try row.stored("reason")] = try row.count("lines")
    }
    var days: Set<StoredDay> = []
    for row in try database.rows(
      "SELECT day, requests FROM pending_days WHERE log = ? AND NOT is_settled", [id])
    {
      let (day, requests) = (try row.day(), try row.count("requests"))
      days.insert(day)
      share.days[day.day]?.requests -= requests
      share.tally.requests -= requests
    }
    for row in try database.rows("SELECT * FROM pending_rejections WHERE log = ?", [id]) {
      let reason: RejectionReason = try row.stored("reason")
      share.rejections[reason, default: 0] -= try row.count("lines")
    }
    try database.execute("DELETE FROM pending_days WHERE log = ? AND NOT is_settled", [id])
    for table in ["pending_rejections", "log_days", "log_rejections"] {
      try database.execute("DELETE FROM \(table) WHERE log = ?", [id])
    }
    // Lines that are rejected permanently stay.
    try database.execute(
      "DELETE FROM rejected_lines WHERE log = ? AND \"offset\" >= ?", [id, settledLength])
    return (share, days)
  }

  private static func write(
    _ log: ContinuedLog, over known: KnownLog?, _ share: ContinuedLog.Share, run: Int64,
    in database: Database
  ) throws -> Int64 {
    let content = log.trace.fingerprint
    let checkpoints = log.trace.checkpoints
    let values: [(String, any DatabaseValueConvertible)] = [
      ("path", log.input.path), ("host", log.input.settings.defaultHost),
      ("format", log.input.format?.name), ("status", InputStatus(log.input.damage)),
      ("damage", log.input.damage),
      ("lines", share.tally.lines), ("requests", share.tally.requests),
      ("rejected", share.tally.rejected),
      ("pending_lines", log.pending.tally.lines), ("length", content.length),
      ("settled_length", log.settledLength),
      ("settled_lines", log.settledLines + log.settled.tally.lines),
      ("first_hash", content.first), ("second_hash", content.second),
      ("checkpoints", bytes(checkpoints)), ("last_run", run),
    ]
    let names = values.map(\.0)
    try database.execute(
      """
      INSERT INTO logs (id, \(names.joined(separator: ", ")), first_run)
      VALUES (\(Database.marks(names.count + 2)))
      ON CONFLICT (id) DO UPDATE SET
        \(names.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """, [known?.id] + values.map(\.1) + [run])
    let id = known?.id ?? database.lastInsertedRowID
    try database.execute("DELETE FROM log_beginnings WHERE log = ?", [id])
    for end in checkpoints + [content.checkpoint] where end.length <= ContentTrace.headLength {
      try database.insert(into: "log_beginnings", end.hash, id, or: "IGNORE")
    }
    return id
  }
}
