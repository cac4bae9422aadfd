// Unsafe code: SQLite lends its message, which is copied immediately.

internal import CSQLite

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
