// Unsafe code: SQLite's functions take connections and statements as pointers, which are valid as
// long as their objects. SQLite lends its messages, which are copied immediately, and a row's texts
// and blobs until the next step, which are copied before it. It copies bound texts and blobs. The
// arguments of a function are lent for its call, and copied; its object outlives the connection.

internal import CSQLite

/// A connection to an SQLite database.
@safe final class Database {
  private let connection: OpaquePointer

  /// Statements by their SQL, except those in use.
  private var statements: [String: Statement] = [:]

  /// The changes of the transaction in rows with checksums: sums of the hashes of written rows minus
  /// those of removed rows, by ``StoredTable/name`` and by part.
  var changes: [String: [String: UInt64]] = [:]

  /// Opens a database, and rolls back the unfinished commit of a killed process.
  ///
  /// An empty path means a database in memory. `isMade` says whether to create a missing file, and
  /// `timeout` how many seconds to wait for another process's lock.
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

  /// Adds the function by which triggers report changes of rows; see ``addChange(_:)``.
  func addChangeFunction() throws(DatabaseError) {
    let code = unsafe sqlite3_create_function_v2(
      connection, StoredTable.changeFunction, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, count, arguments in
        guard let database = unsafe sqlite3_user_data(context), let arguments = unsafe arguments
        else { return }
        let values = (0..<Int(count)).map { unsafe DatabaseValue(arguments[$0]) }
        unsafe Unmanaged<Database>.fromOpaque(database).takeUnretainedValue().addChange(values)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe DatabaseError(of: connection) }
  }

  /// The number of rows that the last statement has changed.
  var changesCount: Int { unsafe Int(sqlite3_changes64(connection)) }

  /// The number of the row that was last inserted.
  var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

  /// Runs several statements without arguments.
  func run(_ statements: String) throws(DatabaseError) {
    // If a table changes, the columns of compiled statements change, too.
    self.statements = [:]
    guard unsafe sqlite3_exec(connection, statements, nil, nil, nil) == SQLITE_OK else {
      throw unsafe DatabaseError(of: connection)
    }
  }

  /// Runs a statement with arguments in place of `?`.
  func execute(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws {
    try forEachRow(sql, arguments) { _ in }
  }

  /// Inserts a row with values for all columns; `conflict` is what to do if there is one with the
  /// same key: `REPLACE` or `IGNORE`.
  func insert(
    into table: String, _ values: any DatabaseValueConvertible..., or conflict: String = "ABORT"
  ) throws {
    try execute("INSERT OR \(conflict) INTO \(table) VALUES (\(Self.marks(values.count)))", values)
  }

  /// Calls `body` with each row of a result.
  func forEachRow(
    _ sql: String, _ arguments: [any DatabaseValueConvertible] = [], _ body: (Row) throws -> Void
  ) throws {
    let statement: Statement
    if let prepared = statements.removeValue(forKey: sql) {
      statement = prepared
    } else {
      statement = try unsafe Statement(sql, connection)
    }
    try statement.begin(arguments)
    defer {
      statement.end()
      // A statement is compiled once, however often it runs; a few have unique texts.
      if statements.count < 100 { statements[sql] = statement }
    }
    while let row = try statement.next() { try body(row) }
  }

  /// The rows of a result.
  func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws -> [Row] {
    var rows: [Row] = []
    try forEachRow(sql, arguments) { rows.append($0) }
    return rows
  }

  /// The first row of a result, which is read whole, or `nil` if it has none.
  func row(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws -> Row? {
    try rows(sql, arguments).first
  }

  /// The first column of a result, which has values of one type.
  func values<Value: DatabaseValueConvertible>(
    of type: Value.Type, _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
  ) throws -> [Value] {
    try rows(sql, arguments).map { try $0.stored($0.columns.first ?? "") }
  }

  /// The first value of a result, or `nil` if it has no row, or the value is NULL.
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
  /// A change locks the database against other changes from the beginning.
  func transaction<Result>(isChange: Bool, _ body: () throws -> Result) throws -> Result {
    try run(isChange ? "BEGIN IMMEDIATE" : "BEGIN")
    changes = [:]
    do {
      let result = try body()
      try writeChecksums()
      try run("COMMIT")
      return result
    } catch {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }
}

/// A compiled statement of SQLite.
@safe private final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer

  /// The names of the result's columns.
  let columns: [String]

  /// Compiles a statement of a connection, which must outlive it.
  init(_ sql: String, _ connection: OpaquePointer) throws(DatabaseError) {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(connection, sql, -1, &handle, nil)
    guard code == SQLITE_OK, let handle = unsafe handle else {
      throw unsafe DatabaseError(of: connection)
    }
    unsafe self.handle = handle
    unsafe self.connection = connection
    columns = unsafe (0..<sqlite3_column_count(handle)).map { index in
      unsafe sqlite3_column_name(handle, index).map { unsafe String(cString: $0) } ?? ""
    }
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Starts the statement with arguments in place of `?`.
  func begin(_ arguments: [any DatabaseValueConvertible]) throws(DatabaseError) {
    unsafe sqlite3_reset(handle)
    guard unsafe Int(sqlite3_bind_parameter_count(handle)) == arguments.count else {
      throw DatabaseError(code: SQLITE_MISUSE, message: "there are too few or too many arguments")
    }
    for (index, argument) in zip(Int32(1)..., arguments) {
      let code =
        switch argument.databaseValue {
        case .null: unsafe sqlite3_bind_null(handle, index)
        case .integer(let value): unsafe sqlite3_bind_int64(handle, index, value)
        case .real(let value): unsafe sqlite3_bind_double(handle, index, value)
        case .text(var value):
          value.withUTF8 { text in
            unsafe csqlite_bindText(handle, index, text.baseAddress, UInt64(text.count))
          }
        case .blob(let value):
          unsafe value.withUnsafeBytes { bytes in
            unsafe csqlite_bindBlob(handle, index, bytes.baseAddress, UInt64(bytes.count))
          }
        }
      guard code == SQLITE_OK else { throw unsafe DatabaseError(of: connection) }
    }
  }

  /// Computes the next row, or returns `nil` after the last one.
  func next() throws(DatabaseError) -> Row? {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW:
      // Values of a row may be read because only one thread uses the connection.
      return Row(
        columns: columns,
        values: (0..<Int32(columns.count)).map { index in
          unsafe DatabaseValue(sqlite3_column_value(handle, index))
        })
    case SQLITE_DONE: return nil
    default: throw unsafe DatabaseError(of: connection)
    }
  }

  /// Ends the statement, so that it releases its lock and its arguments.
  func end() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }
}

extension DatabaseValue {
  /// Copies a value that SQLite lends.
  init(_ value: OpaquePointer?) {
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(unsafe sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(unsafe sqlite3_value_double(value))
    case SQLITE_TEXT:
      let text = unsafe sqlite3_value_text(value)
      let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
      self = .text(unsafe String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let blob = unsafe sqlite3_value_blob(value)
      let bytes = unsafe UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value)))
      self = .blob(unsafe [UInt8](bytes))
    default: self = .null
    }
  }
}

/// An error of SQLite, or a value that this program wouldn't have written.
struct DatabaseError: Error {
  /// The extended result code, such as `SQLITE_IOERR_WRITE`.
  var code: Int32

  /// SQLite's message.
  var message: String

  /// The result code without its extension, such as `SQLITE_IOERR`.
  var primaryCode: Int32 { code & 0xFF }

  /// A Boolean value indicating whether the file is damaged.
  var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
}

extension DatabaseError {
  /// The last error of a connection.
  init(of connection: OpaquePointer) {
    code = unsafe sqlite3_extended_errcode(connection)
    message = unsafe String(cString: sqlite3_errmsg(connection))
  }

  /// A value that doesn't have the expected type or range.
  init(invalidColumn column: String) {
    (code, message) = (Self.damage, "'\(column)' of a row has a value of the wrong type")
  }

  static let damage = SQLITE_CORRUPT

  // Extended codes, which C defines with macros that Swift can't import: SQLite's 'Result and Error
  // Codes'.
  static let write = SQLITE_IOERR | 3 << 8
  static let sync = SQLITE_IOERR | 4 << 8
  static let syncDirectory = SQLITE_IOERR | 5 << 8
  static let truncate = SQLITE_IOERR | 6 << 8
  static let resize = SQLITE_IOERR | 19 << 8
}
