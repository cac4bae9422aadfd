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

  /// The end of the first line that is marked, in bytes, and some bits of the fingerprint
  /// of what is in front of each line's end from there on.
  var firstLineEnd: Int
  var lineHashes: [UInt16]

  init(_ row: Row) {
    id = row["id"]
    path = row["path"]
    content = ContentFingerprint(
      length: row["length"], first: UInt64(bitPattern: row["first_hash"]),
      second: UInt64(bitPattern: row["second_hash"]))
    settledLength = row["settled_length"]
    (lines, pendingLines, requests) = (row["lines"], row["pending_lines"], row["requests"])
    isDamaged = row["status"] != InputStatus.complete.rawValue
    checkpoints = Self.words([UInt8](row["checkpoints"] as Data))
    firstLineEnd = row["first_line_end"]
    lineHashes = Self.words([UInt8](row["line_hashes"] as Data))
  }

  /// Up to where a content agrees with this log, as far as that can be seen.
  ///
  /// - Parameter trace: What is known of the content.
  /// - Returns: The number of bytes up to the end of the last line that is seen to agree,
  ///   or of the last checkpoint if no line is.
  func agreement(with trace: ContentTrace) -> (length: Int, isLine: Bool) {
    let checkpoints =
      zip(self.checkpoints, trace.checkpoints).prefix { $0 == $1 }.count
      * ContentTrace.checkpointInterval
    if let start = trace.marks.firstIndex(where: { $0.end >= firstLineEnd }),
      trace.marks[start].end == firstLineEnd
    {
      let equal = zip(trace.marks[start...], lineHashes).prefix { $0.hash == $1 }
      if let last = equal.last { return (last.0.end, true) }
    }
    return (checkpoints, false)
  }

  /// Logs of which the heads are among some, or which begin with some.
  ///
  /// - Parameters:
  ///   - heads: Words of fingerprints of the beginnings of a content.
  ///   - whole: The word of the fingerprint of a short content, or `nil`.
  ///   - database: The ledger.
  /// - Returns: The logs, each once.
  /// - Throws: What keeps the ledger from being read.
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

  /// Words as bytes, the lowest first.
  static func data<Word: FixedWidthInteger>(_ words: [Word]) -> Data {
    Data(
      words.flatMap { word in
        (0..<(Word.bitWidth / 8)).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
      })
  }

  private static func words<Word: FixedWidthInteger>(_ bytes: [UInt8]) -> [Word] {
    let size = Word.bitWidth / 8
    return stride(from: 0, through: bytes.count - size, by: size).map { start in
      (0..<size).reduce(0) { $0 | Word(bytes[start + $1]) << ($1 * 8) }
    }
  }
}
