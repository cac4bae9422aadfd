/// A row of a result.
struct Row: Sendable {
  /// The names of the columns, as in the statement.
  let columns: [String]

  /// The values, in the order of the columns.
  let values: [DatabaseValue]

  /// The value of a column.
  ///
  /// SQLite's columns can hold values of any type, and a flipped bit can change the type.
  ///
  /// - Throws: ``StoredValueMismatch`` if there is no such column, or its value has another type.
  func stored<Value: DatabaseValueConvertible>(_ column: String) throws(StoredValueMismatch)
    -> Value
  {
    guard let index = columns.firstIndex(of: column),
      let value = Value(databaseValue: values[index])
    else { throw StoredValueMismatch(column: column) }
    return value
  }

  /// Upper bound for numbers in a store, so that sums don't overflow.
  static let countLimit = 1 << 44

  /// A count of things or bytes.
  ///
  /// - Throws: ``StoredValueMismatch`` also if it is below zero or above ``countLimit``.
  func count(_ column: String) throws(StoredValueMismatch) -> Int {
    let value: Int = try stored(column)
    guard (0...Self.countLimit).contains(value) else { throw StoredValueMismatch(column: column) }
    return value
  }
}

/// A value in the database that doesn't have the expected type or range.
struct StoredValueMismatch: Error, CustomStringConvertible {
  /// The name of the column.
  var column: String

  var description: String { "a row's '\(column)' is not of its kind" }
}
