internal import GRDB

/// A value of a database that isn't of the kind that was stored.
///
/// SQLite's columns hold values of any kind; a bit that flips can change it.
struct StoredValueMismatch: Error, CustomStringConvertible {
  /// The name of the column.
  var column: String

  var description: String { "a row's '\(column)' is not of its kind" }
}

extension Row {
  /// The value of a column.
  ///
  /// The row's own subscript ends the process where a value is of another kind.
  ///
  /// - Throws: ``StoredValueMismatch`` if there is none, or it is of another kind.
  func stored<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    // A value that may be absent is an optional, for which nothing is of its kind, too.
    let stored: DatabaseValue = self[column] ?? .null
    guard let value = Value.fromDatabaseValue(stored) else {
      throw StoredValueMismatch(column: column)
    }
    return value
  }

  /// A number that counts things or bytes.
  ///
  /// - Throws: ``StoredValueMismatch`` also if it is below zero, or more than there can be, so that
  ///   sums of it are numbers.
  func count(_ column: String) throws -> Int {
    let value: Int = try stored(column)
    guard (0...(1 << 44)).contains(value) else { throw StoredValueMismatch(column: column) }
    return value
  }
}
