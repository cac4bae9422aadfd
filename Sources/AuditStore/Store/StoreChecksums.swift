/// Sums of the hashes of rows, which reveal that something other than this program changed, removed
/// or added a row.
///
/// When a statement changes a row, triggers of the connection subtract the old row's hash and add
/// the new one's. So a wrong sum stays wrong, whatever else is written.
enum StoreChecksums {
  /// Keeps checksums up to date with all further changes of a connection to this program's tables.
  static func keep(in database: Database) throws {
    // Without this, the removal of rows that others replace would go unnoticed.
    try database.run("PRAGMA recursive_triggers = 1")
    try database.recordChanges()
    for table in StoredTable.all {
      let columns = try table.columns ?? database.columns(of: table.table)
      try database.run(table.triggers(columns))
    }
  }

  /// Adds the changes of a transaction.
  static func write(_ changes: RowChanges, in database: Database) throws {
    for (part, change) in changes.sums where change != 0 {
      try set(part, to: try stored(part, in: database) &+ change, in: database)
    }
    changes.removeAll()
  }

  /// Resets the checksum of a part after all its rows have been removed.
  static func reset(_ table: StoredTable, part: String, in database: Database) throws {
    let part = RowChanges.Part(table: table.name, value: part)
    try set(part, to: 0, in: database)
    database.changes?.remove(part)
  }

  private static func set(
    _ part: RowChanges.Part, to sum: UInt64, in database: Database
  ) throws {
    if sum == 0 {
      try database.execute(
        "DELETE FROM checksums WHERE name = ? AND part = ?", [part.table, part.value])
    } else {
      try database.execute(
        "INSERT OR REPLACE INTO checksums VALUES (?, ?, ?)",
        [part.table, part.value, sum])
    }
  }

  private static func stored(_ part: RowChanges.Part, in database: Database) throws -> UInt64 {
    try database.value(
      of: UInt64.self, "SELECT sum FROM checksums WHERE name = ? AND part = ?",
      [part.table, part.value]) ?? 0
  }

  /// Describes the tables, or parts of them, whose rows differ from their checksums.
  static func mismatches(
    of tables: [StoredTable], in database: Database
  ) throws -> [DatabaseError] {
    try tables.flatMap { table in
      try changedParts(of: table, in: database).map { DatabaseError(changed: $0, of: table) }
    }
  }

  /// Returns the parts of a table whose rows differ from their checksums.
  static func changedParts(of table: StoredTable, in database: Database) throws -> [String] {
    let sums = try database.sums(of: table, "NOT INDEXED") { _ in }
    return try changedParts(sums, of: table, parts: nil, in: database)
  }

  /// Compares sums with the stored checksums, for some parts or for all.
  fileprivate static func changedParts(
    _ sums: [String: UInt64], of table: StoredTable, parts: [String]?, in database: Database
  ) throws -> [String] {
    var expected: [String: UInt64] = [:]
    if let parts {
      for part in parts {
        expected[part] = try stored(RowChanges.Part(table: table.name, value: part), in: database)
      }
    } else {
      let query = "SELECT part, sum FROM checksums WHERE name = ?"
      try database.forEachRow(query, [table.name]) { row in
        expected[try row.stored("part")] = try row.stored("sum")
      }
    }
    for (part, change) in database.changes?.sums ?? [:] where part.table == table.name {
      if parts == nil || expected[part.value] != nil { expected[part.value, default: 0] &+= change }
    }
    return Set(sums.keys).union(expected.keys).sorted()
      .filter { sums[$0, default: 0] != expected[$0, default: 0] }
  }
}

extension Database {
  /// The maximum number of parts in a query, because SQLite limits the number of arguments.
  private static let partCount = 500

  /// Reads the rows of some parts of a table, or all, and checks that they were not modified.
  ///
  /// No index is used, because a damaged one can hide rows.
  ///
  /// - Throws: ``DatabaseError`` if they were modified, and errors of `body`. Then discard all results
  ///   of `body`.
  func forEachRow(
    of table: StoredTable, parts: [String]? = nil, isChecked: Bool = true,
    _ body: (Row) throws -> Void
  ) throws {
    var chunks: [[String]?] = [nil]
    if let parts, table.part != nil {
      chunks = stride(from: 0, to: parts.count, by: Self.partCount).map { start in
        Array(parts[start..<min(parts.count, start + Self.partCount)])
      }
    }
    for chunk in chunks {
      let condition =
        if let chunk, let part = table.part {
          "WHERE \"\(part)\" IN (\(Self.marks(chunk.count)))"
        } else {
          "NOT INDEXED"
        }
      let values: [String] = chunk ?? []
      guard isChecked else {
        try forEachRow(Self.rows(of: table, condition), values, body)
        continue
      }
      let sums = try sums(of: table, condition, values, body)
      let changed = try StoreChecksums.changedParts(sums, of: table, parts: chunk, in: self)
      if let part = changed.first { throw DatabaseError(changed: part, of: table) }
    }
  }

  private static func rows(of table: StoredTable, _ condition: String) -> String {
    "SELECT \(table.columnList) FROM \"\(table.table)\" \(condition)"
  }

  /// Reads rows of a table, and adds up their hashes by part.
  fileprivate func sums(
    of table: StoredTable, _ condition: String, _ values: [String] = [],
    _ body: (Row) throws -> Void
  ) throws -> [String: UInt64] {
    var sums: [String: UInt64] = [:]
    try forEachRow(Self.rows(of: table, condition), values) { row in
      sums[table.part(of: row), default: 0] &+= RowHash(row.values).value
      try body(row)
    }
    return sums
  }

  /// The names of the columns of a table.
  func columns(of table: String) throws -> [String] {
    try rows("PRAGMA table_info(\"\(table)\")").map { try $0.stored("name") }
  }
}

/// Rows with checksums in the store: those of a table, in all columns or in some.
struct StoredTable: Hashable, Sendable {
  /// The name of the checksums.
  let name: String

  /// The table.
  let table: String

  /// The columns to read, or `nil` for all.
  let columns: [String]?

  /// The column whose values divide the rows into parts with a checksum each, or `nil` for one
  /// checksum of the entire table.
  let part: String?

  private init(
    _ name: String, of table: String? = nil, columns: [String]? = nil, by part: String? = nil
  ) {
    (self.name, self.table, self.columns, self.part) = (name, table ?? name, columns, part)
  }

  static let associationFiles = StoredTable("association_files")
  static let deployments = StoredTable("deployments")
  static let digests = StoredTable("digests", by: "day")
  static let logDays = StoredTable("log_days", by: "day")
  static let logRejections = StoredTable("log_rejections")
  static let pendingDays = StoredTable("pending_days", by: "day")
  static let rejectedLines = StoredTable("rejected_lines")
  static let reportFindings = StoredTable("report_findings", by: "report")
  static let reports = StoredTable("reports")
  static let runs = StoredTable("runs")
  static let servedFiles = StoredTable("served_files")

  /// The columns of logs that reports show.
  static let logs = StoredTable(
    "logs",
    columns: [
      "id", "path", "host", "format", "status", "damage", "lines", "requests", "rejected", "length",
    ])

  /// The figures of days, which users query.
  static let figures =
    [
      "daily_causes", "daily_findings", "daily_hosts", "daily_platforms", "daily_referrals",
      "daily_sites", "daily_verdicts",
    ].map { StoredTable($0, by: "day") }

  /// Everything that identifies logs, and the counts of their lines.
  ///
  /// An ingest looks up single rows of these, so it checks all of them before.
  static let ledger = [
    runs, logs, StoredTable("log_contents", of: "logs"), StoredTable("log_beginnings"),
    StoredTable("log_files"), logDays, logRejections, rejectedLines, pendingDays,
    StoredTable("pending_rejections"), digests, associationFiles, deployments,
  ]

  /// The tables that an ingest doesn't check.
  static let history = [servedFiles, reports, reportFindings]

  /// All tables with checksums.
  static let all = ledger + figures + history

  /// The value of a column that divides rows into parts.
  static func text(_ value: DatabaseValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .null, .real, .blob: ""
    }
  }

  /// The part that a row belongs to.
  func part(of row: Row) -> String {
    guard let part, let index = row.columns.firstIndex(of: part) else { return "" }
    return Self.text(row.values[index])
  }

  /// The columns as SQL.
  var columnList: String {
    columns.map { $0.map { "\"\($0)\"" }.joined(separator: ", ") } ?? "*"
  }

  /// Statements that create triggers, which call ``RowChanges/functionName`` with some columns of
  /// each changed row.
  func triggers(_ columns: [String]) -> String {
    func call(_ row: String, _ sign: Int) -> String {
      let values = columns.map { "\(row).\"\($0)\"" }.joined(separator: ", ")
      let part = part.map { "\(row).\"\($0)\"" } ?? "''"
      return "\(RowChanges.functionName)('\(name)', \(sign), \(part), \(values))"
    }
    let removed = call("OLD", -1)
    let written = call("NEW", 1)
    return [
      ("INSERT", written), ("DELETE", removed), ("UPDATE", "\(removed), \(written)"),
    ].map { event, calls in
      """
      CREATE TEMP TRIGGER "\(name) \(event)" AFTER \(event) ON main."\(table)"
      BEGIN SELECT \(calls); END;
      """
    }.joined(separator: "\n")
  }
}

extension DatabaseError {
  /// Rows of a table that differ from those that this program wrote.
  ///
  /// The part is empty for the entire table, and for requests without a time.
  fileprivate init(changed part: String, of table: StoredTable) {
    let place =
      switch table.part {
      case "day": part.isEmpty ? " for requests without a time" : " for the day \(part.prefix(20))"
      case let column?: " for \(column) \(part.prefix(20))"
      case nil: ""
      }
    self.init(
      code: DatabaseError.damage,
      message: "the rows of '\(table.table)'\(place) are not those that linkaudit wrote")
  }
}
