// Unsafe code: SQLite lends the arguments of a function for its call, and they are copied
// immediately. The object of the function lives as long as the connection.

internal import CSQLite

/// The sums of the hashes of the rows that a connection has written and removed since the
/// beginning of a transaction.
@safe final class RowChanges {
  /// The rows of a table, or those with the same value in a column.
  struct Part: Hashable {
    /// The name of the ``StoredTable``.
    var table: String

    /// The value of the column; empty for a complete table.
    var value: String
  }

  /// The sum by part: hashes of written rows minus those of removed rows.
  private(set) var sums: [Part: UInt64] = [:]

  /// The function that triggers call with the name of the table, 1 or -1, the part, and the values
  /// of a row.
  static let functionName = "row_changed"

  /// Discards all changes.
  func removeAll() { sums.removeAll() }

  /// Discards the changes of a part.
  func remove(_ part: Part) { sums[part] = nil }

  private func add(_ values: [DatabaseValue]) {
    guard values.count > 3, case .text(let table) = values[0], case .integer(let sign) = values[1]
    else { return }
    let hash = RowHash(values[3...]).value
    sums[Part(table: table, value: StoredTable.text(values[2])), default: 0] &+=
      sign > 0 ? hash : 0 &- hash
  }

  /// Adds the function to a connection.
  ///
  /// - Returns: The result code of SQLite.
  func addFunction(to connection: OpaquePointer) -> Int32 {
    unsafe sqlite3_create_function_v2(
      connection, Self.functionName, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, count, arguments in
        guard let changes = unsafe sqlite3_user_data(context), let arguments = unsafe arguments
        else { return }
        let values = (0..<Int(count)).map { unsafe RowChanges.value(of: arguments[$0]) }
        unsafe Unmanaged<RowChanges>.fromOpaque(changes).takeUnretainedValue().add(values)
      }, nil, nil, nil)
  }

  private static func value(of argument: OpaquePointer?) -> DatabaseValue {
    switch unsafe sqlite3_value_type(argument) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(argument))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_value_double(argument))
    case SQLITE_TEXT:
      let text = unsafe sqlite3_value_text(argument)
      let bytes = unsafe UnsafeBufferPointer(
        start: text, count: Int(sqlite3_value_bytes(argument)))
      return .text(unsafe String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let blob = unsafe sqlite3_value_blob(argument)
      let bytes = unsafe UnsafeRawBufferPointer(
        start: blob, count: Int(sqlite3_value_bytes(argument)))
      return .blob(unsafe [UInt8](bytes))
    default: return .null
    }
  }
}
