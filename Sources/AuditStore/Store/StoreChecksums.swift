// Sums of the hashes of rows, which reveal that something other than this program changed, removed or
// added a row.
//
// When a statement changes a row, triggers of the connection subtract the old row's hash and add the
// new one's. So a wrong sum stays wrong, whatever else is written.

extension Database {
  /// Keeps checksums up to date with all further changes of this connection to this program's tables.
  func keepChecksums() throws {
    // Without this, the removal of rows that others replace would go unnoticed.
    try run("PRAGMA recursive_triggers = 1")
    try addChangeFunction()
    for table in StoredTable.all {
      try run(table.triggers)
    }
  }

  /// Records a change that a trigger reports: the name of the table, 1 or -1, the part, and the
  /// values of a row.
  func addChange(_ values: [DatabaseValue]) {
    guard values.count > 3, case .text(let table) = values[0], case .integer(let sign) = values[1]
    else { return }
    let hash = RowHash(values[3...]).value
    changes[table, default: [:]][StoredTable.text(values[2]), default: 0] &+=
      sign > 0 ? hash : 0 &- hash
  }

  /// Adds the changes of a transaction to the checksums.
  func writeChecksums() throws {
    for (table, parts) in changes {
      for (part, change) in parts where change != 0 {
        let sum = try value(
          of: UInt64.self, "SELECT sum FROM checksums WHERE name = ? AND part = ?", [table, part])
        try setChecksum(of: table, part, to: (sum ?? 0) &+ change)
      }
    }
    changes = [:]
  }

  /// Resets the checksum of a part after all its rows have been removed.
  func resetChecksum(of table: StoredTable, part: String) throws {
    try setChecksum(of: table.name, part, to: 0)
    changes[table.name]?[part] = nil
  }

  private func setChecksum(of table: String, _ part: String, to sum: UInt64) throws {
    if sum == 0 {
      try execute("DELETE FROM checksums WHERE name = ? AND part = ?", [table, part])
    } else {
      try insert(into: "checksums", table, part, sum, or: "REPLACE")
    }
  }

  /// Describes the tables, or parts of them, whose rows differ from their checksums.
  func mismatches(of tables: [StoredTable]) throws -> [DatabaseError] {
    try tables.flatMap { table in
      try changedParts(of: table).map { DatabaseError(changed: $0, of: table) }
    }
  }

  /// Returns the parts of a table whose rows differ from their checksums.
  func changedParts(of table: StoredTable) throws -> [String] {
    try changedParts(of: table, parts: nil) { _ in }
  }

  /// Reads the rows of some parts of a table, or all, and returns the parts whose rows differ from
  /// their checksums.
  ///
  /// No index is used, because a damaged one can hide rows.
  private func changedParts(
    of table: StoredTable, parts: [String]?, _ body: (Row) throws -> Void
  ) throws -> [String] {
    var sums: [String: UInt64] = [:]
    try forEachRow(table.rows(inParts: parts), parts ?? []) { row in
      sums[table.part(of: row), default: 0] &+= RowHash(row.values).value
      try body(row)
    }
    var expected = Dictionary(uniqueKeysWithValues: Set(parts ?? []).map { ($0, UInt64(0)) })
    let condition = parts.map { " AND part IN (\(Self.marks($0.count)))" } ?? ""
    let query = "SELECT part, sum FROM checksums WHERE name = ?" + condition
    try forEachRow(query, [table.name] + (parts ?? [])) { row in
      expected[try row.stored("part")] = try row.stored("sum")
    }
    for (part, change) in changes[table.name] ?? [:] where parts == nil || expected[part] != nil {
      expected[part, default: 0] &+= change
    }
    return Set(sums.keys).union(expected.keys).sorted()
      .filter { sums[$0, default: 0] != expected[$0, default: 0] }
  }

  /// The maximum number of parts in a query, because SQLite limits the number of arguments.
  private static let partCount = 500

  /// Reads the rows of some parts of a table, or all, and checks that they were not modified.
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
      guard isChecked else {
        try forEachRow(table.rows(inParts: chunk), chunk ?? [], body)
        continue
      }
      if let part = try changedParts(of: table, parts: chunk, body).first {
        throw DatabaseError(changed: part, of: table)
      }
    }
  }
}

extension StoredTable {
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

  /// The query of the rows of some parts, as many as it has arguments, or of all.
  func rows(inParts parts: [String]?) -> String {
    let columns = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let condition =
      if let parts, let part {
        "WHERE \"\(part)\" IN (\(Database.marks(parts.count)))"
      } else {
        "NOT INDEXED"
      }
    return "SELECT \(columns) FROM \"\(table)\" \(condition)"
  }

  /// The function that triggers call; see ``Database/addChange(_:)``.
  static let changeFunction = "row_changed"

  /// Statements that create triggers, which report the columns of each changed row.
  var triggers: String {
    func call(_ row: String, _ sign: Int) -> String {
      let values = columns.map { "\(row).\"\($0.name)\"" }.joined(separator: ", ")
      let part = part.map { "\(row).\"\($0)\"" } ?? "''"
      return "\(Self.changeFunction)('\(name)', \(sign), \(part), \(values))"
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

/// A hash of the values of a row, which lets a store detect changes by others.
///
/// Stores contain sums of these hashes, so the function never changes. A change of up to eight
/// consecutive bytes of a value always changes the hash. It doesn't protect against deliberate
/// collisions.
struct RowHash {
  // The fractions of the square roots of two primes: numbers that nobody chose.
  private static let start: UInt64 = 0x6A09_E667_F3BC_C908
  private static let factor: UInt64 = 0xBB67_AE85_84CA_A73B

  private var state = Self.start

  /// Creates the hash of some values.
  init(_ values: some Sequence<DatabaseValue>) {
    for value in values { add(value) }
  }

  /// The hash.
  var value: UInt64 {
    var value = state
    // Sums of hashes have to differ in all bits, too.
    value = (value ^ value >> 32) &* Self.factor
    return value ^ value >> 29
  }

  private mutating func add(_ value: DatabaseValue) {
    switch value {
    case .null: mix(0)
    case .integer(let value):
      mix(1)
      mix(UInt64(bitPattern: value))
    case .real(let value):
      mix(2)
      mix(value.bitPattern)
    case .text(let value): add(value.utf8, kind: 3)
    case .blob(let bytes): add(bytes, kind: 4)
    }
  }

  private mutating func add(_ bytes: some Collection<UInt8>, kind: UInt64) {
    mix(UInt64(bytes.count) << 3 | kind)
    var (word, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      word |= UInt64(byte) << shift
      shift += 8
      if shift == 64 {
        mix(word)
        (word, shift) = (0, 0)
      }
    }
    if shift > 0 { mix(word) }
  }

  /// Adds a word; a given word never maps two states to one.
  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* Self.factor
    state ^= state >> 32
  }
}
