/// A value of SQLite, of one of its five storage classes.
enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension DatabaseValue: CustomStringConvertible {
  /// The value for the fingerprints of version 1, which depend on a library's description of texts.
  var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): String(reflecting: value)
    case .blob(let bytes): "Data(\(bytes.count) bytes)"
    }
  }
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
