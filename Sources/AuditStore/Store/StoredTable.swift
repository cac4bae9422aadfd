internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A table of the store, declared once: its columns and their valid values, its keys, and its rows
/// with checksums; Documentation/Nightly.md describes the tables for queries.
struct StoredTable: Sendable {
  /// A column: its name, its type, what follows that in its declaration, and a condition that valid
  /// values fulfil, or `nil` for all of the type; SQLite's columns accept values of any type.
  typealias Column = (name: String, type: String, constraint: String, condition: String?)

  /// The name of the checksums.
  let name: String

  /// The table.
  let table: String

  /// The columns to read, which have checksums.
  let columns: [Column]

  /// The column whose values divide the rows into parts with a checksum each, or `nil` for one
  /// checksum of the entire table.
  let part: String?

  /// The statements that create the table and its indexes, or none if another value has them.
  private let statements: [String]

  private init(
    _ table: String, _ columns: [Column]..., key: String? = nil, unique: String? = nil,
    hasRowID: Bool? = nil, indexes: [String] = [], by part: String? = nil, checksums: String? = nil
  ) {
    (name, self.table, self.part) = (checksums ?? table, table, part)
    self.columns = columns.flatMap(\.self)
    let lines =
      self.columns.map { column in
        // A keyword of SQL.
        let name = column.name == "offset" ? "\"offset\"" : column.name
        return "\(name) \(column.type)\(column.constraint)"
      } + (key.map { ["PRIMARY KEY (\($0))"] } ?? []) + (unique.map { ["UNIQUE (\($0))"] } ?? [])
    let end = hasRowID ?? (key == nil) ? ");" : ") WITHOUT ROWID;"
    statements =
      ["CREATE TABLE \(table) (\n  \(lines.joined(separator: ",\n  "))\n\(end)"]
      + indexes.map { "CREATE INDEX \(table)_by_\($0) ON \(table) (\($0));" }
  }

  /// Some columns of another table.
  private init(_ names: Set<String>, of other: StoredTable) {
    (name, table, part, statements) = (other.table, other.table, nil, [])
    columns = other.columns.filter { names.contains($0.name) }
  }
}

// MARK: - Columns

extension StoredTable {
  private static func column(
    _ type: String, _ names: String..., isOptional: Bool = false, where condition: String? = nil
  ) -> [Column] {
    names.map { ($0, type, isOptional ? "" : " NOT NULL", condition) }
  }

  private static func texts(_ names: String...) -> [Column] {
    names.flatMap { column("TEXT", $0) }
  }

  /// Counts of things, of bytes, or of runs; see ``Row/count(_:)``.
  private static func counts(_ names: String...) -> [Column] {
    names.flatMap { column("INTEGER", $0, where: count) }
  }

  private static let count = "BETWEEN 0 AND \(Row.countLimit)"

  /// A text that is one of some names.
  private static func choice(_ name: String, _ values: [String]) -> [Column] {
    column("TEXT", name, where: "IN (\(values.map { "'\($0)'" }.joined(separator: ", ")))")
  }

  private static func reference(_ name: String, _ end: String) -> [Column] {
    [(name, "INTEGER", " \(end)", nil)]
  }

  private static let id: [Column] = [("id", "INTEGER", " PRIMARY KEY", nil)]
  private static let log = reference("log", "NOT NULL REFERENCES logs (id) ON DELETE CASCADE")
  private static let associationFile = reference(
    "association_file", "NOT NULL REFERENCES association_files (id)")

  /// A day such as `2026-11-19`; requests without a time have the day ''.
  ///
  /// A modifier that changes nothing still normalizes invalid days at the end of a month.
  private static let day = column("TEXT", "day", where: "IN ('', date(day, '+0 days'))")
  private static let times = column("TEXT", "first_time", "last_time", isOptional: true)
  private static let reason = choice("reason", RejectionReason.allCases.map(\.rawValue))
  private static let finding =
    texts("host", "code", "subject") + choice("severity", Severity.allCases.map(\.rawValue))
    + texts("message") + counts("requests", "visits")
    + column("INTEGER", "share", isOptional: true, where: "BETWEEN 0 AND 1000000")

  /// The condition that a valid value of a column fulfils.
  static func validity(of column: Column) -> String {
    let name = "\"\(column.name)\""
    let kind = column.type == "BOOLEAN" ? "integer" : column.type.lowercased()
    let condition =
      "typeof(\(name)) = '\(kind)'" + (column.condition.map { " AND \(name) \($0)" } ?? "")
    let isOptional = !["NOT NULL", "PRIMARY KEY"].contains { column.constraint.contains($0) }
    return isOptional ? "\(name) IS NULL OR \(condition)" : condition
  }
}

// MARK: - Tables

extension StoredTable {
  static let runs = StoredTable(
    "runs", [("id", "INTEGER", " PRIMARY KEY", count)], texts("started", "finished"),
    counts("logs"),
    // Lines that changed can subtract more than new lines add.
    column(
      "INTEGER", "lines", "requests", "rejected",
      where: "BETWEEN \(-Row.countLimit) AND \(Row.countLimit)"))

  /// The columns of logs that reports show.
  static let logs = StoredTable(
    [
      "id", "path", "host", "format", "status", "damage", "lines", "requests", "rejected", "length",
    ], of: logContents)

  private static let logContents = StoredTable(
    "logs", id, texts("path"), column("TEXT", "host", "format", isOptional: true),
    choice("status", InputStatus.allCases.map(\.rawValue)),
    column("TEXT", "damage", isOptional: true),
    counts("lines", "requests", "rejected", "pending_lines", "length"),
    counts("settled_length", "settled_lines"),
    column("INTEGER", "first_hash", "second_hash"), column("BLOB", "checkpoints"),
    counts("first_run", "last_run"), checksums: "log_contents")

  private static let logBeginnings = StoredTable(
    "log_beginnings", column("INTEGER", "hash"), log, key: "hash, log", indexes: ["log"])

  private static let logFiles = StoredTable(
    "log_files", column("INTEGER", "device", "inode"),
    // A file that may change unnoticed has a size that no file has; others have any size that file
    // systems allow.
    column("INTEGER", "size", where: ">= -1"), column("INTEGER", "modified", "changed"), log,
    key: "device, inode", indexes: ["log"])

  static let logDays = StoredTable(
    "log_days", log, day, counts("requests"), times, key: "log, day", indexes: ["day"], by: "day")

  static let logRejections = StoredTable(
    "log_rejections", log, reason, counts("lines"), key: "log, reason")

  static let rejectedLines = StoredTable(
    "rejected_lines", log, reason, counts("line", "offset"), key: "log, reason, line")

  static let pendingDays = StoredTable(
    "pending_days", log, day, counts("requests"), column("BLOB", "digest"),
    column("BOOLEAN", "is_settled", where: "IN (0, 1)"), indexes: ["log", "day"], by: "day")

  private static let pendingRejections = StoredTable(
    "pending_rejections", log, reason, counts("lines"), key: "log, reason")

  static let digests = StoredTable(
    "digests", day.map { ($0.name, $0.type, " PRIMARY KEY", $0.condition) },
    [("file", "TEXT", " NOT NULL UNIQUE", nil)], counts("size"), texts("identity"),
    counts("requests", "targets", "run"), hasRowID: false, by: "day")

  static let associationFiles = StoredTable(
    "association_files", id, [("identity", "TEXT", " NOT NULL UNIQUE", nil)],
    texts("path", "seen"), column("BLOB", "content"))

  static let deployments = StoredTable(
    "deployments", texts("host"), column("TEXT", "day", where: "IS date(day, '+0 days')"),
    associationFile, texts("seen"), key: "host, day")

  static let servedFiles = StoredTable(
    "served_files", texts("host"), choice("source", DeliverySource.allCases.map(\.rawValue)),
    column("INTEGER", "number", where: ">= 1"), texts("first_seen", "last_seen"),
    column("INTEGER", "checks", where: ">= 1"),
    column("INTEGER", "status", isOptional: true, where: count),
    column("TEXT", "problem", isOptional: true),
    column("INTEGER", "size", isOptional: true, where: count),
    reference("association_file", "REFERENCES association_files (id)"), texts("fields"),
    column("TEXT", "certificate_end", isOptional: true), key: "host, source, number")

  static let reports = StoredTable(
    "reports", id, texts("scope"), counts("run"), texts("made"), times, unique: "scope, run")

  static let reportFindings = StoredTable(
    "report_findings",
    reference("report", "NOT NULL REFERENCES reports (id) ON DELETE CASCADE"), counts("position"),
    finding, key: "report, host, code, subject", by: "report")

  /// The requests and visits of each day and site by a property.
  private static func figures(of property: String, _ values: [String]) -> StoredTable {
    StoredTable(
      "daily_\(property)s", day, texts("host"), choice(property, values),
      counts("requests", "visits"), key: "day, host, \(property)", by: "day")
  }

  /// The figures of days, which users query.
  static let figures = [
    figures(of: "cause", Cause.allCases.map(\.entry.name)),
    StoredTable("daily_findings", day, finding, key: "day, host, code, subject", by: "day"),
    StoredTable(
      "daily_hosts", day, texts("host"), counts("requests", "targets"), key: "day, host",
      by: "day"),
    figures(of: "platform", Platform.allCases.map(\.name)),
    figures(of: "referral", Referral.allCases.map(\.name)),
    StoredTable(
      "daily_sites", day, texts("host"), associationFile,
      counts("requests", "visits", "same_host_visits"), key: "day, host", by: "day"),
    figures(of: "verdict", Verdict.allCases.map(\.rawValue)),
  ]

  /// Everything that identifies logs, and the counts of their lines.
  ///
  /// An ingest looks up single rows of these, so it checks all of them before.
  static let ledger = [
    runs, logs, logContents, logBeginnings, logFiles, logDays, logRejections, rejectedLines,
    pendingDays, pendingRejections, digests, associationFiles, deployments,
  ]

  /// The tables that an ingest doesn't check.
  static let history = [servedFiles, reports, reportFindings]

  /// All tables with checksums.
  static let all = ledger + figures + history

  /// All tables, each once, in the order of their names.
  static let created =
    (all + [
      StoredTable("checksums", texts("name", "part"), column("INTEGER", "sum"), key: "name, part")
    ])
    .filter { !$0.statements.isEmpty }.sorted { $0.table < $1.table }
}

// MARK: - Schema

extension StoredTable {
  /// Creates the tables of a new store.
  static func createAll(in database: Database) throws {
    try database.run(
      (created.flatMap(\.statements) + [
        "CREATE INDEX logs_by_short_length ON logs (length) WHERE length < 4096;",
        "PRAGMA application_id = \(AuditStore.applicationID);",
        "PRAGMA user_version = \(AuditStore.version);",
      ]).joined(separator: "\n"))
  }

  /// The objects of a database, each in a row: tables, indexes, views and triggers.
  private static let objects = "SELECT type, name, tbl_name, sql FROM sqlite_master"

  /// The objects of a new database.
  private static let pristine: Result<Set<[DatabaseValue]>, any Error> = Result {
    let database = try Database("")
    try createAll(in: database)
    return Set(try database.rows(objects).map(\.values))
  }

  /// The tables that `ANALYZE` creates; any user of the database may have created those, too.
  private static let statistics: Set<[DatabaseValue]> = Set(
    [
      ("sqlite_stat1", "tbl,idx,stat"), ("sqlite_stat4", "tbl,idx,neq,nlt,ndlt,sample"),
    ].map { name, columns in
      ["table", name, name, "CREATE TABLE \(name)(\(columns))"].map(DatabaseValue.text)
    })

  /// Describes the first difference between a database and one that this program makes, if any.
  ///
  /// SQLite does what the file says: a view in place of a table may be endless, and a trigger does
  /// more than was requested. Only the list of all objects is safe to read, so it is checked before
  /// any other query.
  static func difference(of database: Database) throws -> String? {
    var missing = try pristine.get()
    // SQLite has read the whole list already, to load the schema.
    var foreign: [DatabaseValue]?
    try database.forEachRow(objects) { row in
      if missing.remove(row.values) == nil, !statistics.contains(row.values) {
        foreign = foreign ?? row.values
      }
    }
    if let foreign { return "\(name(of: foreign)) does not belong to a store" }
    return missing.map { name(of: $0) }.min().map { "\($0) is missing" }
  }

  private static func name(of object: [DatabaseValue]) -> String {
    let texts = object.prefix(2).map { $0.text ?? "" }
    let kind = texts.first { ["table", "index", "view", "trigger"].contains($0) }
    return "the \(kind ?? "object") '\((texts.last ?? "").prefix(100))'"
  }
}
