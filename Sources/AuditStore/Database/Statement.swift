// Unsafe code: SQLite lends a row's texts and blobs until the next step, and they are copied before
// it. SQLite copies bound texts and blobs.

internal import CSQLite

/// A compiled statement of SQLite.
@safe final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer

  /// The names of the result's columns.
  let columns: [String]

  /// Compiles a statement.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - connection: The connection, which must outlive the statement.
  /// - Throws: ``DatabaseError`` if SQLite refuses it.
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
  ///
  /// - Throws: ``DatabaseError`` if they are too large, or their number is wrong.
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

  /// Computes the next row.
  ///
  /// - Returns: The row, or `nil` after the last one.
  /// - Throws: ``DatabaseError`` if SQLite can't.
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
