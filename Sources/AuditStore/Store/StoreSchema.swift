/// The tables of a store; Documentation/Nightly.md describes them for queries.
enum StoreSchema {
  /// The version of stores; this program reads no other.
  static let version = 7

  /// The application ID of these databases: "LnkA".
  static let applicationID = 0x4C6E_6B41

  /// Creates the tables of a new store.
  static func create(in database: Database) throws {
    try database.run(tables)
    try database.execute("PRAGMA application_id = \(applicationID)")
    try database.execute("PRAGMA user_version = \(version)")
  }

  // Days are texts such as `2026-11-19`; requests without a time have the day ''.
  private static let tables = """
    CREATE TABLE runs (
      id INTEGER PRIMARY KEY,
      started TEXT NOT NULL,
      finished TEXT NOT NULL,
      logs INTEGER NOT NULL,
      lines INTEGER NOT NULL,
      requests INTEGER NOT NULL,
      rejected INTEGER NOT NULL
    );

    CREATE TABLE logs (
      id INTEGER PRIMARY KEY,
      path TEXT NOT NULL,
      host TEXT,
      format TEXT,
      status TEXT NOT NULL,
      damage TEXT,
      lines INTEGER NOT NULL,
      requests INTEGER NOT NULL,
      rejected INTEGER NOT NULL,
      pending_lines INTEGER NOT NULL,
      length INTEGER NOT NULL,
      settled_length INTEGER NOT NULL,
      settled_lines INTEGER NOT NULL,
      first_hash INTEGER NOT NULL,
      second_hash INTEGER NOT NULL,
      checkpoints BLOB NOT NULL,
      first_run INTEGER NOT NULL,
      last_run INTEGER NOT NULL
    );
    CREATE INDEX logs_by_short_length ON logs (length) WHERE length < 4096;

    CREATE TABLE log_beginnings (
      hash INTEGER NOT NULL,
      log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
      PRIMARY KEY (hash, log)
    ) WITHOUT ROWID;
    CREATE INDEX log_beginnings_by_log ON log_beginnings (log);

    CREATE TABLE log_files (
      device INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
      PRIMARY KEY (device, inode)
    ) WITHOUT ROWID;
    CREATE INDEX log_files_by_log ON log_files (log);

    CREATE TABLE log_days (
      log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
      day TEXT NOT NULL,
      requests INTEGER NOT NULL,
      first_time TEXT,
      last_time TEXT,
      PRIMARY KEY (log, day)
    ) WITHOUT ROWID;
    CREATE INDEX log_days_by_day ON log_days (day);

    CREATE TABLE log_rejections (
      log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
      reason TEXT NOT NULL,
      lines INTEGER NOT NULL,
      PRIMARY KEY (log, reason)
    ) WITHOUT ROWID;

    CREATE TABLE rejected_lines (
      log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
      reason TEXT NOT NULL,
      line INTEGER NOT NULL,
      "offset" INTEGER NOT NULL,
      PRIMARY KEY (log, reason, line)
    ) WITHOUT ROWID;

    CREATE TABLE pending_days (
      log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
      day TEXT NOT NULL,
      requests INTEGER NOT NULL,
      digest BLOB NOT NULL,
      is_settled BOOLEAN NOT NULL
    );
    CREATE INDEX pending_days_by_log ON pending_days (log);
    CREATE INDEX pending_days_by_day ON pending_days (day);

    CREATE TABLE pending_rejections (
      log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
      reason TEXT NOT NULL,
      lines INTEGER NOT NULL,
      PRIMARY KEY (log, reason)
    ) WITHOUT ROWID;

    CREATE TABLE digests (
      day TEXT PRIMARY KEY,
      file TEXT NOT NULL UNIQUE,
      size INTEGER NOT NULL,
      identity TEXT NOT NULL,
      requests INTEGER NOT NULL,
      targets INTEGER NOT NULL,
      run INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE association_files (
      id INTEGER PRIMARY KEY,
      identity TEXT NOT NULL UNIQUE,
      path TEXT NOT NULL,
      seen TEXT NOT NULL,
      content BLOB NOT NULL
    );

    CREATE TABLE deployments (
      host TEXT NOT NULL,
      day TEXT NOT NULL,
      association_file INTEGER NOT NULL REFERENCES association_files (id),
      seen TEXT NOT NULL,
      PRIMARY KEY (host, day)
    ) WITHOUT ROWID;

    CREATE TABLE daily_hosts (
      day TEXT NOT NULL,
      host TEXT NOT NULL,
      requests INTEGER NOT NULL,
      targets INTEGER NOT NULL,
      PRIMARY KEY (day, host)
    ) WITHOUT ROWID;

    CREATE TABLE daily_sites (
      day TEXT NOT NULL,
      host TEXT NOT NULL,
      association_file INTEGER NOT NULL REFERENCES association_files (id),
      requests INTEGER NOT NULL,
      visits INTEGER NOT NULL,
      same_host_visits INTEGER NOT NULL,
      PRIMARY KEY (day, host)
    ) WITHOUT ROWID;

    \(["verdict", "platform", "referral", "cause"].map(trafficTable).joined(separator: "\n\n"))

    CREATE TABLE daily_findings (
      day TEXT NOT NULL,
      host TEXT NOT NULL,
      code TEXT NOT NULL,
      subject TEXT NOT NULL,
      severity TEXT NOT NULL,
      message TEXT NOT NULL,
      requests INTEGER NOT NULL,
      visits INTEGER NOT NULL,
      share INTEGER,
      PRIMARY KEY (day, host, code, subject)
    ) WITHOUT ROWID;

    CREATE TABLE served_files (
      host TEXT NOT NULL,
      source TEXT NOT NULL,
      number INTEGER NOT NULL,
      first_seen TEXT NOT NULL,
      last_seen TEXT NOT NULL,
      checks INTEGER NOT NULL,
      status INTEGER,
      problem TEXT,
      size INTEGER,
      association_file INTEGER REFERENCES association_files (id),
      fields TEXT NOT NULL,
      certificate_end TEXT,
      PRIMARY KEY (host, source, number)
    ) WITHOUT ROWID;

    CREATE TABLE reports (
      id INTEGER PRIMARY KEY,
      scope TEXT NOT NULL,
      run INTEGER NOT NULL,
      made TEXT NOT NULL,
      first_time TEXT,
      last_time TEXT,
      UNIQUE (scope, run)
    );

    CREATE TABLE report_findings (
      report INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      host TEXT NOT NULL,
      code TEXT NOT NULL,
      subject TEXT NOT NULL,
      severity TEXT NOT NULL,
      message TEXT NOT NULL,
      requests INTEGER NOT NULL,
      visits INTEGER NOT NULL,
      share INTEGER,
      PRIMARY KEY (report, host, code, subject)
    ) WITHOUT ROWID;

    CREATE TABLE checksums (
      name TEXT NOT NULL,
      part TEXT NOT NULL,
      sum INTEGER NOT NULL,
      PRIMARY KEY (name, part)
    ) WITHOUT ROWID;
    """

  /// The table of a day's traffic by a property.
  private static func trafficTable(by property: String) -> String {
    """
    CREATE TABLE daily_\(property)s (
      day TEXT NOT NULL,
      host TEXT NOT NULL,
      \(property) TEXT NOT NULL,
      requests INTEGER NOT NULL,
      visits INTEGER NOT NULL,
      PRIMARY KEY (day, host, \(property))
    ) WITHOUT ROWID;
    """
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
    let texts = object.prefix(2).map { String(databaseValue: $0) ?? "" }
    let kind = texts.first { ["table", "index", "view", "trigger"].contains($0) }
    return "the \(kind ?? "object") '\((texts.last ?? "").prefix(100))'"
  }
}
