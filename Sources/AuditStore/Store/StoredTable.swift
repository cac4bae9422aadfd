/// The tables of a store; Documentation/Nightly.md describes them for queries.
enum StoreSchema {
  /// The version of stores; this program reads no other.
  static let version = 8

  /// The application ID of these databases: "LnkA".
  static let applicationID = 0x4C6E_6B41

  /// Creates the tables of a new store.
  static func create(in database: Database) throws {
    try database.run(tables.joined(separator: "\n"))
    try database.execute("PRAGMA application_id = \(applicationID)")
    try database.execute("PRAGMA user_version = \(version)")
  }

  /// The statements that create all tables and indexes.
  ///
  /// Days are texts such as `2026-11-19`; requests without a time have the day ''.
  private static let tables =
    [
      table(
        "runs",
        [id] + texts("started", "finished") + integers("logs", "lines", "requests", "rejected")
      ),
      table(
        "logs",
        [id] + texts("path") + ["host TEXT", "format TEXT"] + texts("status") + ["damage TEXT"]
          + integers(
            "lines", "requests", "rejected", "pending_lines", "length", "settled_length",
            "settled_lines", "first_hash", "second_hash")
          + ["checkpoints BLOB NOT NULL"] + integers("first_run", "last_run")),
      "CREATE INDEX logs_by_short_length ON logs (length) WHERE length < 4096;",
      table("log_beginnings", integers("hash") + [log], key: "hash, log"),
      index("log_beginnings", by: "log"),
      table(
        "log_files", integers("device", "inode", "size", "modified", "changed") + [log],
        key: "device, inode"),
      index("log_files", by: "log"),
      table(
        "log_days",
        [log] + texts("day") + integers("requests") + ["first_time TEXT", "last_time TEXT"],
        key: "log, day"),
      index("log_days", by: "day"),
      table("log_rejections", [log] + texts("reason") + integers("lines"), key: "log, reason"),
      table(
        "rejected_lines", [log] + texts("reason") + integers("line", "\"offset\""),
        key: "log, reason, line"),
      table(
        "pending_days",
        [log] + texts("day") + integers("requests")
          + ["digest BLOB NOT NULL", "is_settled BOOLEAN NOT NULL"]),
      index("pending_days", by: "log"), index("pending_days", by: "day"),
      table("pending_rejections", [log] + texts("reason") + integers("lines"), key: "log, reason"),
      table(
        "digests",
        ["day TEXT PRIMARY KEY", "file TEXT NOT NULL UNIQUE"] + integers("size") + texts("identity")
          + integers("requests", "targets", "run"),
        hasRowID: false),
      table(
        "association_files",
        [id, "identity TEXT NOT NULL UNIQUE"] + texts("path", "seen") + ["content BLOB NOT NULL"]),
      table(
        "deployments", texts("host", "day") + [associationFile] + texts("seen"), key: "host, day"),
      table(
        "daily_hosts", texts("day", "host") + integers("requests", "targets"), key: "day, host"),
      table(
        "daily_sites",
        texts("day", "host") + [associationFile]
          + integers("requests", "visits", "same_host_visits"),
        key: "day, host"),
    ]
    + ["verdict", "platform", "referral", "cause"].map { property in
      table(
        "daily_\(property)s", texts("day", "host", property) + integers("requests", "visits"),
        key: "day, host, \(property)")
    } + [
      table("daily_findings", texts("day") + findingColumns, key: "day, host, code, subject"),
      table(
        "served_files",
        texts("host", "source") + integers("number") + texts("first_seen", "last_seen")
          + integers("checks")
          + [
            "status INTEGER", "problem TEXT", "size INTEGER",
            "association_file INTEGER REFERENCES association_files (id)",
          ] + texts("fields") + ["certificate_end TEXT"],
        key: "host, source, number"),
      table(
        "reports",
        [id] + texts("scope") + integers("run") + texts("made")
          + ["first_time TEXT", "last_time TEXT", "UNIQUE (scope, run)"]),
      table(
        "report_findings",
        ["report INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE"]
          + integers("position") + findingColumns,
        key: "report, host, code, subject"),
      table("checksums", texts("name", "part") + integers("sum"), key: "name, part"),
    ]

  private static let id = "id INTEGER PRIMARY KEY"
  private static let log = "log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE"
  private static let associationFile =
    "association_file INTEGER NOT NULL REFERENCES association_files (id)"
  private static let findingColumns =
    texts("host", "code", "subject", "severity", "message") + integers("requests", "visits")
    + ["share INTEGER"]

  private static func texts(_ names: String...) -> [String] { names.map { "\($0) TEXT NOT NULL" } }

  private static func integers(_ names: String...) -> [String] {
    names.map { "\($0) INTEGER NOT NULL" }
  }

  private static func table(
    _ name: String, _ columns: [String], key: String? = nil, hasRowID: Bool? = nil
  ) -> String {
    let lines = (columns + (key.map { ["PRIMARY KEY (\($0))"] } ?? [])).map { "  \($0)" }
    let end = hasRowID ?? (key == nil) ? ");" : ") WITHOUT ROWID;"
    return (["CREATE TABLE \(name) ("] + [lines.joined(separator: ",\n"), end]).joined(
      separator: "\n")
  }

  private static func index(_ table: String, by column: String) -> String {
    "CREATE INDEX \(table)_by_\(column) ON \(table) (\(column));"
  }

  /// The objects of a database, each in a row: tables, indexes, views and triggers.
  private static let objects = "SELECT type, name, tbl_name, sql FROM sqlite_master"

  /// The objects of a new database.
  private static let pristine: Result<Set<[DatabaseValue]>, any Error> = Result {
    let database = try Database("")
    try create(in: database)
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
