internal import AccessLogs

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

  /// Compares this log with the file of this look-up.
  ///
  /// - Parameter beginnings: The ends of beginnings of the file, at the places of ``checkpoints``.
  /// - Returns: The log with its ``sharedLength``.
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
  /// Where the ends of this log's lines are not checkpoints, bytes after the last checkpoint are
  /// assumed to be equal.
  ///
  /// - Parameters:
  ///   - length: The number of bytes of the file, which is shorter than this log.
  ///   - lastLine: The last checkpoint of the file.
  /// - Returns: Whether it is.
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

  /// Returns the logs that share the longest beginning with the head of a file.
  ///
  /// - Parameters:
  ///   - head: The head of the file.
  ///   - shortLengths: The lengths of logs that are shorter than a head.
  ///   - database: The ledger.
  /// - Returns: The logs, each once.
  /// - Throws: An error if the ledger can't be read.
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
  ///
  /// - Throws: An error if the ledger can't be read.
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
      [
        stamp.device, stamp.inode, stamp.size,
        stamp.modified, stamp.changed,
      ])
    guard let row else { return false }
    return switch try row.damage()?.kind {
    case .expansionLimit(let ratio, _): ratio >= expansion.ratio
    case .windowLimit(_, let allowed): allowed >= expansion.window
    default: true
    }
  }

  /// Records that a file was read as a log.
  ///
  /// - Parameters:
  ///   - stamp: The stamp of the file when it was opened, or `nil`.
  ///   - log: The log.
  ///   - started: A time before that, in nanoseconds since 1970.
  ///   - database: The ledger.
  /// - Throws: An error if the database can't be written.
  static func record(
    _ stamp: FileStamp?, of log: Int64, started: Int64, in database: Database
  ) throws {
    guard let stamp else { return }
    // A file that was changed just now may change again and keep its times. No file has the size
    // -1, so it will be read again.
    let size = stamp.showsChanges(since: started) ? stamp.size : -1
    try database.execute(
      "INSERT OR REPLACE INTO log_files VALUES (?, ?, ?, ?, ?, ?)",
      [
        stamp.device, stamp.inode, size, stamp.modified,
        stamp.changed, log,
      ])
  }

  /// Checkpoints in the ledger's encoding: for each, its length and its hash, the lowest byte
  /// first.
  static func bytes(_ checkpoints: [Checkpoint]) -> [UInt8] {
    checkpoints.flatMap { [UInt64($0.length), $0.hash] }.flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }

  private static func checkpoints(_ bytes: [UInt8]) -> [Checkpoint] {
    let words = stride(from: 0, through: bytes.count - 8, by: 8).map { start in
      (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << ($1 * 8) }
    }
    return stride(from: 0, to: words.count - 1, by: 2).map { index in
      Checkpoint(length: Int(truncatingIfNeeded: words[index]), hash: words[index + 1])
    }
  }
}

extension Row {
  /// The damage of a log, or `nil`.
  func damage() throws -> LogDamage? {
    try (stored("damage") as String?).flatMap { LogDamage(code: $0) }
  }
}
