internal import FoundationSubset

/// A value of SQLite, of one of its five storage classes.
enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The integer, or `nil` for another class of values.
  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// The text, or `nil` for another class of values.
  var text: String? { if case .text(let value) = self { value } else { nil } }
}

/// A type whose values SQLite can store.
protocol DatabaseValueConvertible: Sendable {
  /// The value as SQLite stores it.
  var databaseValue: DatabaseValue { get }

  /// Returns the value that SQLite has stored, or `nil` if it has another type.
  static func reading(_ value: DatabaseValue) -> Self?
}

extension Int64: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .integer(self) }

  static func reading(_ value: DatabaseValue) -> Int64? { value.integer }
}

extension Int: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .integer(Int64(self)) }

  static func reading(_ value: DatabaseValue) -> Int? { value.integer.flatMap { Int(exactly: $0) } }
}

/// Hashes and numbers of files, which use all bits.
extension UInt64: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .integer(Int64(bitPattern: self)) }

  static func reading(_ value: DatabaseValue) -> UInt64? {
    value.integer.map { UInt64(bitPattern: $0) }
  }
}

extension Bool: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

  static func reading(_ value: DatabaseValue) -> Bool? { value.integer.map { $0 != 0 } }
}

extension String: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .text(self) }

  static func reading(_ value: DatabaseValue) -> String? { value.text }
}

/// Types with names for their values, which SQLite stores.
extension DatabaseValueConvertible where Self: RawRepresentable<String> {
  var databaseValue: DatabaseValue { .text(rawValue) }

  static func reading(_ value: DatabaseValue) -> Self? { value.text.flatMap { Self(rawValue: $0) } }
}

extension [UInt8]: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { .blob(self) }

  static func reading(_ value: DatabaseValue) -> [UInt8]? {
    if case .blob(let value) = value { value } else { nil }
  }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

  static func reading(_ value: DatabaseValue) -> Self? {
    if value == .null { return .some(nil) }
    guard let wrapped = Wrapped.reading(value) else { return nil }
    return .some(wrapped)
  }
}

/// Types whose values SQLite stores as texts in JSON.
protocol StoredAsJSON: Codable, DatabaseValueConvertible {}

extension StoredAsJSON {
  var databaseValue: DatabaseValue {
    (try? JSONEncoder.sorted.encode(self)).map { .text(String(decoding: $0, as: UTF8.self)) }
      ?? .null
  }

  static func reading(_ value: DatabaseValue) -> Self? {
    value.text.flatMap { try? JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
  }
}

extension Dictionary: DatabaseValueConvertible, StoredAsJSON where Key == String, Value == String {}

/// A row of a result.
struct Row: Sendable {
  /// The names of the columns, as in the statement.
  let columns: [String]

  /// The values, in the order of the columns.
  let values: [DatabaseValue]

  /// The value of a column; SQLite's columns can hold values of any type, and a flipped bit can
  /// change the type.
  func stored<Value: DatabaseValueConvertible>(_ column: String) throws(DatabaseError)
    -> Value
  {
    guard let index = columns.firstIndex(of: column),
      let value = Value.reading(values[index])
    else { throw DatabaseError(invalidColumn: column) }
    return value
  }

  /// Upper bound for numbers in a store, so that sums don't overflow.
  static let countLimit = 1 << 44

  /// A count of things or bytes, at most ``countLimit``.
  func count(_ column: String) throws(DatabaseError) -> Int {
    let value: Int = try stored(column)
    guard (0...Self.countLimit).contains(value) else { throw DatabaseError(invalidColumn: column) }
    return value
  }
}
