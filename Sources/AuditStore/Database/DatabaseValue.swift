/// A value of SQLite, of one of its five storage classes.
enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A type whose values SQLite can store.
protocol DatabaseValueConvertible: Sendable {
  /// The value as SQLite stores it.
  var databaseValue: DatabaseValue { get }

  /// Creates the value that SQLite has stored, or `nil` if it has another type.
  init?(databaseValue: DatabaseValue)
}

extension Int64: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .integer(self) }

  init?(databaseValue: DatabaseValue) {
    guard case .integer(let value) = databaseValue else { return nil }
    self = value
  }
}

extension Int: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .integer(Int64(self)) }

  init?(databaseValue: DatabaseValue) {
    guard case .integer(let value) = databaseValue else { return nil }
    self.init(exactly: value)
  }
}

/// Hashes and numbers of files, which use all bits.
extension UInt64: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .integer(Int64(bitPattern: self)) }

  init?(databaseValue: DatabaseValue) {
    guard case .integer(let value) = databaseValue else { return nil }
    self.init(bitPattern: value)
  }
}

extension Bool: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

  init?(databaseValue: DatabaseValue) {
    guard case .integer(let value) = databaseValue else { return nil }
    self = value != 0
  }
}

extension String: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .text(self) }

  init?(databaseValue: DatabaseValue) {
    guard case .text(let value) = databaseValue else { return nil }
    self = value
  }
}

/// Types with names for their values, which SQLite stores.
extension DatabaseValueConvertible where Self: RawRepresentable<String> {
  var databaseValue: DatabaseValue { .text(rawValue) }

  init?(databaseValue: DatabaseValue) {
    guard case .text(let name) = databaseValue else { return nil }
    self.init(rawValue: name)
  }
}

extension [UInt8]: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .blob(self) }

  init?(databaseValue: DatabaseValue) {
    guard case .blob(let value) = databaseValue else { return nil }
    self = value
  }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

  init?(databaseValue: DatabaseValue) {
    if databaseValue == .null {
      self = .none
    } else if let value = Wrapped(databaseValue: databaseValue) {
      self = value
    } else {
      return nil
    }
  }
}

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

  var description: String { "'\(column)' of a row has a value of the wrong type" }
}
