// Unsafe code: SQLite's functions take the connection as a pointer, which is valid as long as this
// object. SQLite lends its messages, which are copied immediately.

internal import CSQLite

/// A connection to an SQLite database.
@safe final class Database {
  private let connection: OpaquePointer

  /// Statements by their SQL, except those in use.
  private var statements: [String: Statement] = [:]

  /// The changes of this connection to rows with checksums, or `nil` if it doesn't record them.
  private(set) var changes: RowChanges?

  /// Opens a database, and rolls back the unfinished commit of a killed process.
  ///
  /// - Parameters:
  ///   - path: The file; an empty path means a database in memory.
  ///   - isMade: Whether to create a missing file.
  ///   - timeout: How long to wait for another process's lock, in seconds.
  /// - Throws: ``DatabaseError`` if it can't be opened.
  init(_ path: String, isMade: Bool = false, timeout: Int = 0) throws(DatabaseError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(
      path.isEmpty ? ":memory:" : path, &opened,
      isMade ? flags | SQLITE_OPEN_CREATE : flags, nil)
    guard let connection = unsafe opened else {
      throw DatabaseError(code: SQLITE_NOMEM, message: "out of memory")
    }
    unsafe self.connection = connection
    guard code == SQLITE_OK else { throw unsafe DatabaseError(of: connection) }
    unsafe sqlite3_extended_result_codes(connection, 1)
    unsafe sqlite3_busy_timeout(connection, Int32(timeout * 1000))
    try run("PRAGMA foreign_keys = 1")
  }

  deinit {
    statements = [:]
    unsafe sqlite3_close_v2(connection)
  }

  /// Starts recording the changes of rows that triggers report.
  func recordChanges() throws(DatabaseError) {
    let changes = RowChanges()
    guard unsafe changes.addFunction(to: connection) == SQLITE_OK else {
      throw unsafe DatabaseError(of: connection)
    }
    self.changes = changes
  }

  /// The number of rows that the last statement has changed.
  var changesCount: Int { unsafe Int(sqlite3_changes64(connection)) }

  /// The number of the row that was last inserted.
  var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

  /// Runs several statements without arguments.
  ///
  /// - Throws: ``DatabaseError`` at the first one that fails.
  func run(_ statements: String) throws(DatabaseError) {
    // If a table changes, the columns of compiled statements change, too.
    self.statements = [:]
    guard unsafe sqlite3_exec(connection, statements, nil, nil, nil) == SQLITE_OK else {
      throw unsafe DatabaseError(of: connection)
    }
  }

  /// Runs a statement to its end.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - arguments: The values in place of `?`.
  /// - Throws: ``DatabaseError`` if it fails.
  func execute(
    _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
  ) throws(DatabaseError) {
    let rows = try cursor(sql, arguments)
    while try rows.next() != nil {}
  }

  /// Iterates over the rows of a result.
  ///
  /// - Throws: ``DatabaseError`` if the statement can't begin.
  func cursor(
    _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
  ) throws(DatabaseError) -> Cursor {
    let statement: Statement
    if let prepared = statements.removeValue(forKey: sql) {
      statement = prepared
    } else {
      statement = try unsafe Statement(sql, connection)
    }
    try statement.begin(arguments)
    return Cursor(self, statement, sql)
  }

  /// The rows of a result.
  ///
  /// - Throws: ``DatabaseError`` if the statement fails.
  func rows(
    _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
  ) throws(DatabaseError) -> [Row] {
    let cursor = try cursor(sql, arguments)
    var rows: [Row] = []
    while let row = try cursor.next() { rows.append(row) }
    return rows
  }

  /// The first row of a result, or `nil` if it has none.
  ///
  /// - Throws: ``DatabaseError`` if the statement fails.
  func row(
    _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
  ) throws(DatabaseError) -> Row? {
    try cursor(sql, arguments).next()
  }

  /// The first column of a result.
  ///
  /// - Throws: ``DatabaseError`` if the statement fails, or ``StoredValueMismatch`` if a value has
  ///   another type.
  func values<Value: DatabaseValueConvertible>(
    of type: Value.Type, _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
  ) throws -> [Value] {
    try rows(sql, arguments).map { try $0.stored($0.columns.first ?? "") }
  }

  /// The first value of a result, or `nil` if it has no row, or the value is NULL.
  ///
  /// - Throws: ``DatabaseError`` if the statement fails, or ``StoredValueMismatch`` if the value
  ///   has another type.
  func value<Value: DatabaseValueConvertible>(
    of type: Value.Type, _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
  ) throws -> Value? {
    try row(sql, arguments).flatMap { try $0.stored($0.columns.first ?? "") }
  }

  /// Returns placeholders for a number of arguments in a list: `?, ?, ?`.
  static func marks(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }

  /// Runs `body` in a transaction, which is rolled back if it throws.
  ///
  /// - Parameters:
  ///   - isChange: Whether to lock the database against other changes from the beginning.
  ///   - body: The work.
  /// - Returns: The result of `body`.
  /// - Throws: ``DatabaseError`` if SQLite refuses the beginning or the end; and any error of
  ///   `body`.
  func transaction<Result>(isChange: Bool, _ body: () throws -> Result) throws -> Result {
    try run(isChange ? "BEGIN IMMEDIATE" : "BEGIN")
    changes?.removeAll()
    do {
      let result = try body()
      if let changes { try StoreChecksums.write(changes, in: self) }
      try run("COMMIT")
      return result
    } catch {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// The rows of a result, one after another.
  final class Cursor {
    private let database: Database
    private let statement: Statement
    private let sql: String
    private var isAtEnd = false

    fileprivate init(_ database: Database, _ statement: Statement, _ sql: String) {
      (self.database, self.statement, self.sql) = (database, statement, sql)
    }

    deinit {
      statement.end()
      // A statement is compiled once, however often it runs; a few have unique texts.
      if database.statements.count < 100 { database.statements[sql] = statement }
    }

    /// Computes the next row.
    ///
    /// - Returns: The row, or `nil` after the last one.
    /// - Throws: ``DatabaseError`` if SQLite can't.
    func next() throws(DatabaseError) -> Row? {
      // After the last row, SQLite would start again.
      if isAtEnd { return nil }
      let row = try statement.next()
      isAtEnd = row == nil
      return row
    }
  }
}

/// An error of SQLite.
struct DatabaseError: Error {
  /// The extended result code, such as `SQLITE_IOERR_WRITE`.
  var code: Int32

  /// SQLite's message.
  var message: String

  /// The result code without its extension, such as `SQLITE_IOERR`.
  var primaryCode: Int32 { code & 0xFF }

  /// A Boolean value indicating whether the file is damaged.
  var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  init(code: Int32, message: String) {
    (self.code, self.message) = (code, message)
  }

  /// The last error of a connection.
  init(of connection: OpaquePointer) {
    code = unsafe sqlite3_extended_errcode(connection)
    message = unsafe String(cString: sqlite3_errmsg(connection))
  }
}

// Extended codes, which C defines with macros that Swift can't import: SQLite's 'Result and Error
// Codes'.
extension DatabaseError {
  static let write = SQLITE_IOERR | 3 << 8
  static let sync = SQLITE_IOERR | 4 << 8
  static let syncDirectory = SQLITE_IOERR | 5 << 8
  static let truncate = SQLITE_IOERR | 6 << 8
  static let resize = SQLITE_IOERR | 19 << 8
}
