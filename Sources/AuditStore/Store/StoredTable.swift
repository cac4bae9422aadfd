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

  /// Returns statements that create triggers for the changes of a connection.
  ///
  /// - Parameter columns: The columns to read.
  /// - Returns: Statements that call ``RowChanges/functionName`` for each row.
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

/// Rows differ from those that this program wrote.
struct RowsMismatch: Error, CustomStringConvertible {
  var table: StoredTable

  /// The part of the table; empty for the entire table, and for requests without a time.
  var part: String

  var description: String {
    let place =
      switch table.part {
      case "day": part.isEmpty ? " for requests without a time" : " for the day \(part.prefix(20))"
      case let column?: " for \(column) \(part.prefix(20))"
      case nil: ""
      }
    return "the rows of '\(table.table)'\(place) are not those that linkaudit wrote"
  }
}
