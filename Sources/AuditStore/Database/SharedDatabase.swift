internal import Synchronization

/// A database that one caller uses at a time.
final class SharedDatabase: Sendable {
  private let lock = Mutex(())

  // Used only under the lock.
  nonisolated(unsafe) private let database: Database

  /// - Parameter database: The database, which nobody else may use from now on.
  init(_ database: sending Database) { unsafe self.database = database }

  /// Reads a consistent snapshot of the database.
  ///
  /// - Throws: ``DatabaseError``; and any error of `body`.
  func read<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try lock.withLock { _ in
      let database = unsafe database
      return try database.transaction(isChange: false) { try body(database) }
    }
  }

  /// Changes the database completely or not at all.
  ///
  /// - Throws: ``DatabaseError``; and any error of `body`.
  func write<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try lock.withLock { _ in
      let database = unsafe database
      return try database.transaction(isChange: true) { try body(database) }
    }
  }
}
