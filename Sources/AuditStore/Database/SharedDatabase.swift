internal import Synchronization

/// A database that one caller uses at a time.
final class SharedDatabase: Sendable {
  private let lock = Mutex(())

  // Only used under the lock.
  nonisolated(unsafe) private let database: Database

  /// - Parameter database: The database, which nobody else uses from now on.
  init(_ database: sending Database) { unsafe self.database = database }

  /// Reads the database as it is at one moment.
  ///
  /// - Throws: ``DatabaseError``, or what `body` throws.
  func read<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try lock.withLock { _ in
      let database = unsafe database
      return try database.transaction(isChange: false) { try body(database) }
    }
  }

  /// Changes the database as a whole or not at all.
  ///
  /// - Throws: ``DatabaseError``, or what `body` throws.
  func write<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try lock.withLock { _ in
      let database = unsafe database
      return try database.transaction(isChange: true) { try body(database) }
    }
  }
}
