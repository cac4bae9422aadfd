internal import AccessLogs
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A log that the ledger knows: its content is known by fingerprints, whatever its name
/// and its compression.
struct KnownLog: Sendable {
  var id: Int64

  /// The path under which it was last seen.
  var path: String

  /// The fingerprint of the whole content that was read.
  var content: ContentFingerprint

  /// The number of bytes whose lines count for good.
  var settledLength: Int

  /// The number of lines, and of those that can still become others.
  var lines: Int
  var pendingLines: Int

  /// The number of requests.
  var requests: Int

  /// A Boolean value indicating whether something kept it from being read whole.
  var isDamaged: Bool

  /// One word of the fingerprint of what is in front of each checkpoint.
  var checkpoints: [UInt64]

  init(_ row: Row) {
    id = row["id"]
    path = row["path"]
    content = ContentFingerprint(
      length: row["length"], first: UInt64(bitPattern: row["first_hash"]),
      second: UInt64(bitPattern: row["second_hash"]))
    settledLength = row["settled_length"]
    (lines, pendingLines, requests) = (row["lines"], row["pending_lines"], row["requests"])
    isDamaged = row["status"] != InputStatus.complete.rawValue
    checkpoints = Self.checkpoints([UInt8](row["checkpoints"] as Data))
  }

  /// Logs of which the heads are among some, or which begin with some.
  ///
  /// - Parameters:
  ///   - heads: Words of fingerprints of the beginnings of a content.
  ///   - whole: The word of the fingerprint of a short content, or `nil`.
  ///   - database: The ledger.
  /// - Returns: The logs, each once.
  static func candidates(
    heads: [UInt64], whole: UInt64?, in database: Database
  ) throws -> [KnownLog] {
    let heads = heads.map { Int64(bitPattern: $0) }
    var rows = try Row.fetchAll(
      database,
      sql: "SELECT * FROM logs WHERE head IN (\(databaseQuestionMarks(count: heads.count)))",
      arguments: StatementArguments(heads))
    if let whole {
      rows += try Row.fetchAll(
        database,
        sql: """
          SELECT logs.* FROM log_beginnings JOIN logs ON logs.id = log WHERE hash = ? LIMIT 1
          """,
        arguments: [Int64(bitPattern: whole)])
    }
    var known: Set<Int64> = []
    return rows.map { KnownLog($0) }.filter { known.insert($0.id).inserted }
  }

  /// The lengths of all logs that are shorter than a head.
  static func shortLengths(in database: Database) throws -> [Int] {
    try Int.fetchAll(
      database,
      sql: "SELECT DISTINCT length FROM logs WHERE length < \(ContentTrace.headLength)")
  }

  /// The log of a file that hasn't changed since it was read, or `nil`.
  static func unchanged(_ stamp: FileStamp, in database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT log FROM log_files
        WHERE device = ? AND inode = ? AND size = ? AND modified = ? AND changed = ?
        """,
      arguments: [
        Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.inode), stamp.size,
        stamp.modified, stamp.changed,
      ])
  }

  /// Returns a Boolean value indicating whether a file was last read as this log.
  func wasRead(from stamp: FileStamp?, in database: Database) throws -> Bool {
    guard let stamp else { return false }
    return try Bool.fetchOne(
      database,
      sql: "SELECT EXISTS (SELECT 1 FROM log_files WHERE device = ? AND inode = ? AND log = ?)",
      arguments: [Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.inode), id]) ?? false
  }

  /// Checkpoints as bytes, eight for each, the lowest first.
  static func data(_ checkpoints: [UInt64]) -> Data {
    Data(
      checkpoints.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
  }

  private static func checkpoints(_ bytes: [UInt8]) -> [UInt64] {
    stride(from: 0, to: bytes.count - 7, by: 8).map { start in
      (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << (UInt64($1) * 8) }
    }
  }
}
