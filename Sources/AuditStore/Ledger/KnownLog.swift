internal import AccessLogs

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

  /// The number of lines in front of that.
  var settledLines: Int

  /// The number of lines that it has brought, and of those that can still become others.
  var lines: Int
  var pendingLines: Int

  /// The number of requests.
  var requests: Int

  /// A Boolean value indicating whether something kept it from being read whole.
  var isDamaged: Bool

  /// A Boolean value indicating whether its compressed data was damaged.
  var isCorrupt: Bool

  /// A Boolean value indicating whether any of its requests has a time.
  var isDated: Bool

  /// A Boolean value indicating whether the file for which this log was looked up was read as it.
  var wasReadFromFile: Bool

  /// One word of the fingerprint of its first bytes, up to ``ContentTrace/headLength``.
  var headWord: UInt64

  /// One word of the fingerprint of what is in front of each checkpoint.
  var checkpoints: [UInt64]

  /// The end of the first line that is marked, in bytes, and some bits of the fingerprint
  /// of what is in front of each line's end from there on.
  var firstLineEnd: Int
  var lineHashes: [UInt32]

  init(_ row: Row) throws {
    id = try row.stored("id")
    path = try row.stored("path")
    content = ContentFingerprint(
      length: try row.count("length"), first: UInt64(bitPattern: try row.stored("first_hash")),
      second: UInt64(bitPattern: try row.stored("second_hash")))
    settledLength = try row.count("settled_length")
    (lines, pendingLines, requests) = (
      try row.count("lines"), try row.count("pending_lines"), try row.count("requests")
    )
    settledLines = try row.count("settled_lines")
    let status: String = try row.stored("status")
    isDamaged = status != InputStatus.complete.rawValue
    isCorrupt = status == InputStatus.corrupt.rawValue
    isDated = try row.stored("is_dated")
    wasReadFromFile = try row.stored("was_read")
    headWord = UInt64(bitPattern: try row.stored("head"))
    checkpoints = Self.words(try row.stored("checkpoints"))
    firstLineEnd = try row.count("first_line_end")
    lineHashes = Self.words(try row.stored("line_hashes"))
  }

  /// The number of bytes behind which the ends of all lines are marked.
  var markedFrom: Int {
    let areAllMarked =
      content.length <= 1 << 20 && lineHashes.count < ContentTrace.leastCountOfLimitedMarks
    return areAllMarked ? 0 : max(0, firstLineEnd - 1)
  }

  /// Up to where a content agrees with this log.
  struct Agreement {
    /// The number of bytes that are seen to agree.
    var length: Int

    /// Whether that is the end of a line behind which something else is seen to follow,
    /// or the end of either.
    var isExact: Bool

    /// Whether something else is seen to follow.
    var isEndSeen = false
  }

  /// The number of bytes at the beginning that are known to be those of the content which
  /// this log was looked up for.
  var sharedLength = 0

  /// Up to where a content agrees with this log, as far as that can be seen.
  ///
  /// - Parameter trace: What is known of the content, its lines marked where this log's
  ///   are.
  /// - Returns: The number of bytes.
  func agreement(with trace: ContentTrace) -> Agreement {
    let count = zip(checkpoints, trace.checkpoints).prefix { $0 == $1 }.count
    let checkpoint = count > 0 ? ContentTrace.checkpoint(count - 1) : 0
    func unmarked(isEndSeen: Bool) -> Agreement {
      sharedLength > checkpoint
        ? Agreement(length: sharedLength, isExact: true, isEndSeen: isEndSeen)
        : Agreement(length: checkpoint, isExact: false, isEndSeen: isEndSeen)
    }
    if lineHashes.isEmpty { return unmarked(isEndSeen: false) }
    var (end, equal) = (trace.firstMarkedEnd, 0)
    var marks = trace.marks[...]
    while !marks.isEmpty, end <= markedFrom {
      marks = marks.dropFirst()
      end += Int(marks.first?.length ?? 0)
    }
    // A line that ends elsewhere than the first one that is marked is another line.
    guard !marks.isEmpty, end == firstLineEnd else {
      return unmarked(
        isEndSeen: !marks.isEmpty || trace.fingerprint.length >= firstLineEnd)
    }
    var agreed = sharedLength
    var isEndSeen = false
    for (mark, hash) in zip(marks, lineHashes) {
      guard mark.hash == hash else {
        isEndSeen = true
        break
      }
      if equal > 0 { end += Int(mark.length) }
      (agreed, equal) = (max(agreed, end), equal + 1)
    }
    return agreed > 0 && agreed >= checkpoint
      ? Agreement(length: agreed, isExact: true, isEndSeen: isEndSeen)
      : Agreement(length: checkpoint, isExact: false, isEndSeen: isEndSeen)
  }

  /// Logs that may begin as a content does.
  ///
  /// - Parameters:
  ///   - heads: Words of fingerprints of beginnings of the content, of which the heads of
  ///     logs can be one.
  ///   - lines: The ends of its first lines in bytes, ascending, with words of
  ///     fingerprints of what is in front of them.
  ///   - stamp: What the system says of the file, or `nil`.
  ///   - database: The ledger.
  /// - Returns: The logs, each once.
  /// - Throws: What keeps the ledger from being read.
  static func candidates(
    heads: [UInt64], lines: [(end: Int, word: UInt64)], stamp: FileStamp?, in database: Database
  ) throws -> [KnownLog] {
    var ids: Set<Int64> = []
    var shared: [Int64: Int] = [:]
    for head in heads {
      ids.formUnion(
        try database.values(
          of: Int64.self, "SELECT id FROM logs WHERE head = ?", [Int64(bitPattern: head)]))
    }
    // The more lines two logs share, the likelier they are one.
    for line in lines.reversed() {
      let found = try database.values(
        of: Int64.self, "SELECT log FROM log_beginnings WHERE hash = ? LIMIT 100",
        [Int64(bitPattern: line.word)])
      ids.formUnion(found)
      for id in found { shared[id] = line.end }
      if !found.isEmpty { break }
    }
    return try ids.sorted().compactMap { id in
      try database.row(
        """
        SELECT *,
          EXISTS (SELECT 1 FROM log_days WHERE log = logs.id AND day <> '') AS is_dated,
          EXISTS (SELECT 1 FROM log_files WHERE log = logs.id AND device = ?2 AND inode = ?3)
            AS was_read
        FROM logs WHERE id = ?1
        """,
        [
          id, stamp.map { Int64(bitPattern: $0.device) }, stamp.map { Int64(bitPattern: $0.inode) },
        ]
      )
      .map {
        var log = try KnownLog($0)
        log.sharedLength = shared[id] ?? 0
        return log
      }
    }
  }

  /// The lengths of all logs that are shorter than a head, and the words of their
  /// fingerprints.
  ///
  /// - Throws: What keeps the ledger from being read.
  static func shortLogs(in database: Database) throws -> (lengths: [Int], heads: Set<UInt64>) {
    let rows = try database.rows(
      "SELECT length, head FROM logs WHERE length < \(ContentTrace.headLength)")
    return (
      Array(Set(try rows.map { try $0.count("length") })),
      Set(try rows.map { UInt64(bitPattern: try $0.stored("head")) })
    )
  }

  /// The log of a file that hasn't changed since it was read, or `nil`.
  static func unchanged(
    _ stamp: FileStamp, _ expansion: ExpansionLimit, in database: Database
  ) throws -> Int64? {
    let row = try database.row(
      """
      SELECT log, (SELECT damage FROM logs WHERE id = log_files.log) AS damage FROM log_files
      WHERE device = ? AND inode = ? AND size = ? AND modified = ? AND changed = ?
      """,
      [
        Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.inode), stamp.size,
        stamp.modified, stamp.changed,
      ])
    guard let row else { return nil }
    let damage: String? = try row.stored("damage")
    if let damage,
      case .expansionLimit(let ratio, _) = LogDamage(expansionDescribedBy: damage)?.kind,
      ratio < expansion.ratio
    {
      return nil
    }
    return try row.stored("log")
  }

  /// Words as bytes, the lowest first.
  static func bytes<Word: FixedWidthInteger>(_ words: [Word]) -> [UInt8] {
    words.flatMap { word in
      (0..<(Word.bitWidth / 8)).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }

  private static func words<Word: FixedWidthInteger>(_ bytes: [UInt8]) -> [Word] {
    let size = Word.bitWidth / 8
    return stride(from: 0, through: bytes.count - size, by: size).map { start in
      (0..<size).reduce(0) { $0 | Word(bytes[start + $1]) << ($1 * 8) }
    }
  }
}
