/// Sums of the hashes of rows, which reveal that something other than this program changed, removed
/// or added a row.
///
/// When a statement changes a row, triggers of the connection subtract the old row's hash and add
/// the new one's. So a wrong sum stays wrong, whatever else is written.
enum StoreChecksums {
  /// Keeps checksums up to date with all further changes of a connection.
  ///
  /// - Parameter database: The database, whose tables must be those of this program.
  /// - Throws: An error if the database can't be read.
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

  /// The sums of the existing rows, by part.
  private static func sums(
    of table: StoredTable, in database: Database
  ) throws -> [String: UInt64] {
    var sums: [String: UInt64] = [:]
    let rows = try database.cursor("SELECT \(table.columnList) FROM \"\(table.table)\" NOT INDEXED")
    while let row = try rows.next() {
      sums[table.part(of: row), default: 0] &+= RowHash(row.values).value
    }
    return sums
  }

  /// Compares rows with their checksums.
  ///
  /// - Parameters:
  ///   - tables: The rows.
  ///   - database: The database.
  /// - Returns: The tables, or parts of them, with modified rows.
  /// - Throws: An error if the database can't be read.
  static func mismatches(
    of tables: [StoredTable], in database: Database
  ) throws -> [RowsMismatch] {
    try tables.flatMap { table in
      try mismatches(try sums(of: table, in: database), of: table, parts: nil, in: database)
    }
  }

  /// Compares sums with the stored checksums, for some parts or for all.
  fileprivate static func mismatches(
    _ sums: [String: UInt64], of table: StoredTable, parts: [String]?, in database: Database
  ) throws -> [RowsMismatch] {
    var expected: [String: UInt64] = [:]
    if let parts {
      for part in parts {
        expected[part] = try stored(
          RowChanges.Part(table: table.name, value: part), in: database)
      }
    } else {
      let rows = try database.cursor(
        "SELECT part, sum FROM checksums WHERE name = ?", [table.name])
      while let row = try rows.next() {
        expected[try row.stored("part")] = try row.stored("sum")
      }
    }
    for (part, change) in database.changes?.sums ?? [:] where part.table == table.name {
      if parts == nil || expected[part.value] != nil { expected[part.value, default: 0] &+= change }
    }
    return Set(sums.keys).union(expected.keys).sorted()
      .filter { sums[$0, default: 0] != expected[$0, default: 0] }
      .map { RowsMismatch(table: table, part: $0) }
  }
}

extension Database {
  /// The maximum number of parts in a query, because SQLite limits the number of arguments.
  private static let partCount = 500

  /// Reads rows, and checks that they were not modified.
  ///
  /// No index is used, because a damaged one can hide rows. If an error is thrown, discard all
  /// results of `body`.
  ///
  /// - Parameters:
  ///   - table: The rows.
  ///   - parts: The parts to read, or `nil` for all.
  ///   - isChecked: Whether to compare checksums.
  ///   - body: A function that is called with each row.
  /// - Throws: ``RowsMismatch`` if they were modified, ``DatabaseError`` if they can't be read; and
  ///   any error of `body`.
  func forEachRow(
    of table: StoredTable, parts: [String]? = nil, isChecked: Bool = true,
    _ body: (Row) throws -> Void
  ) throws {
    let query = "SELECT \(table.columnList) FROM \"\(table.table)\""
    var chunks: [[String]?] = [nil]
    if let parts, table.part != nil {
      chunks = stride(from: 0, to: parts.count, by: Self.partCount).map { start in
        Array(parts[start..<min(parts.count, start + Self.partCount)])
      }
    }
    for chunk in chunks {
      var sums: [String: UInt64] = [:]
      let rows: Cursor
      if let chunk, let part = table.part {
        rows = try cursor("\(query) WHERE \"\(part)\" IN (\(Self.marks(chunk.count)))", chunk)
      } else {
        rows = try cursor("\(query) NOT INDEXED")
      }
      while let row = try rows.next() {
        if isChecked { sums[table.part(of: row), default: 0] &+= RowHash(row.values).value }
        try body(row)
      }
      guard isChecked else { continue }
      let mismatches = try StoreChecksums.mismatches(sums, of: table, parts: chunk, in: self)
      if let mismatch = mismatches.first { throw mismatch }
    }
  }

  /// The names of the columns of a table.
  func columns(of table: String) throws -> [String] {
    try rows("PRAGMA table_info(\"\(table)\")").map { try $0.stored("name") }
  }
}
