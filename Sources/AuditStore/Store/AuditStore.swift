// Unsafe code: the end of a journal is read into an array inside the closure that lends it.

internal import FoundationSubset
public import LinkAuditing
internal import SystemPackage

/// A directory with the results of nightly logs.
///
/// It contains digests by day, and an SQLite database of logs, association files, and daily
/// figures.
///
/// However a process ends, the store is in the state before or after its last commit. Digests get
/// new names, and count as soon as the database contains these.
public final class AuditStore {
  /// The directory.
  public let directory: String

  private let database: Database

  /// The right to change the store, or `nil` if it is open for reading only.
  private let lock: StoreLock?

  private init(_ directory: String, _ database: Database, _ lock: StoreLock?) {
    (self.directory, self.database, self.lock) = (directory, database, lock)
  }

  /// The version of stores; this program reads no other.
  static let version = 8

  /// The application ID of their databases: "LnkA".
  static let applicationID = 0x4C6E_6B41

  /// The name of the database in the directory.
  private static let databaseName = "store.sqlite"

  /// The names of the files in the directory that SQLite or this program opens.
  private static let fileNames =
    ["", "-journal", "-wal", "-shm"].map { databaseName + $0 } + ["lock"]

  /// The names of everything that an unfinished new store can contain.
  private static let ownNames: Set<String> = [
    databaseName, databaseName + "-journal", "digests", "lock",
  ]

  /// Returns a Boolean value indicating whether a file or directory with that name belongs to the
  /// store in its directory.
  public static func isOwnName(_ name: String) -> Bool {
    fileNames.contains(name) || ownNames.contains(name)
  }

  var databasePath: String { Self.path(directory, Self.databaseName) }
  var digestDirectory: String { Self.path(directory, "digests") }

  static func path(_ directory: String, _ name: String) -> String {
    FilePath(directory).appending(name).string
  }

  func path(ofDigest name: String) -> String { Self.path(digestDirectory, name) }

  /// Returns a Boolean value indicating whether a directory is a store, of this version or another.
  public static func isStore(_ directory: String) -> Bool {
    (try? Stat(FilePath(path(directory, databaseName)), followTargetSymlink: true)) != nil
  }

  /// Checks that everything to be opened is a file.
  private static func checkFiles(_ directory: String) throws(StoreError) {
    for name in fileNames { _ = try isFile(path(directory, name)) }
    let journal = path(directory, databaseName + "-journal")
    if try namesAnother(journal: journal) {
      throw .damaged(
        path(directory, databaseName), "its journal names a file in another directory")
    }
  }

  /// Opens a store for reading.
  ///
  /// - Throws: ``StoreError`` if there is none, or it can't be read.
  public static func reading(_ directory: String) throws(StoreError) -> AuditStore {
    let path = path(directory, databaseName)
    guard try isFile(path) else {
      try refuseDigests(directory)
      throw .missing(directory)
    }
    try checkFiles(directory)
    return try StoreError.catching(path) {
      // Don't open it as read-only, because the unfinished commit of a killed run must be rolled
      // back first.
      let database = try open(path, isReadOnly: true, timeout: 30)
      let isStore = try database.transaction(isChange: false) {
        if try isEmpty(database) { return false }
        try check(database, directory)
        return true
      }
      if isStore { return AuditStore(directory, database, nil) }
      // The first run ended before it created a database.
      try refuseDigests(directory)
      let empty = try Database("")
      try empty.transaction(isChange: true) { try StoredTable.createAll(in: empty) }
      return AuditStore(directory, empty, nil)
    }
  }

  /// Returns a Boolean value indicating whether a database has no tables.
  private static func isEmpty(_ database: Database) throws -> Bool {
    try database.value(of: Int.self, "SELECT count(*) FROM sqlite_master") == 0
      && database.value(of: Int.self, "PRAGMA user_version") == 0
  }

  private static func digestNames(_ directory: String) throws(StoreError) -> [String] {
    let path = path(directory, "digests")
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try StoreError.catching(path) {
      try FileManager.default.contentsOfDirectory(atPath: path).filter {
        StoredDay(digestName: $0) != nil
      }
    }
  }

  /// Checks that there are no digests: without their database, all of them would look like leftovers.
  private static func refuseDigests(_ directory: String) throws(StoreError) {
    guard try digestNames(directory).isEmpty else {
      throw .message(
        "the database '\(path(directory, databaseName))' is missing or empty, although its directory "
          + "has digests; \(StoreError.restoreBackup), or make a new store in another directory")
    }
  }

  /// Opens a store for changes.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - isMade: Whether to create a missing store.
  ///   - wait: The number of seconds to wait for another process.
  /// - Returns: The store, which nobody else can change during its lifetime.
  /// - Throws: ``StoreError`` if there is none, or another process is working on it.
  public static func changing(
    _ directory: String, isMade: Bool, wait: Double
  ) throws(StoreError) -> AuditStore {
    let path = path(directory, databaseName)
    if try !isFile(path) {
      guard isMade else { throw .missing(directory) }
      try make(directory)
    }
    try checkFiles(directory)
    let lock = try StoreLock(directory, wait: wait)
    let store: AuditStore = try StoreError.catching(path) {
      let database = try open(path, isMade: true, timeout: 600)
      try database.transaction(isChange: true) {
        if try isEmpty(database) {
          try refuseDigests(directory)
          try StoredTable.createAll(in: database)
        } else {
          try check(database, directory)
          // Check indexes, too, because single rows are found by them.
          let problems = try database.values(of: String.self, "PRAGMA integrity_check(1)")
          if let problem = problems.first, problem != "ok" {
            throw StoreError.damaged(path, problem)
          }
        }
        try database.keepChecksums()
      }
      return AuditStore(directory, database, lock)
    }
    try store.removeUnnamedDigests()
    return store
  }

  private static func make(_ directory: String) throws(StoreError) {
    let manager = FileManager.default
    try StoreError.catching(directory) {
      let names = (try? manager.contentsOfDirectory(atPath: directory)) ?? []
      guard ownNames.isSuperset(of: names) else {
        throw StoreError.notStore(directory)
      }
      try refuseDigests(directory)
      try manager.createDirectory(
        atPath: path(directory, "digests"), withIntermediateDirectories: true)
    }
  }

  /// Checks that a database has this program's tables, before any other query.
  static func check(_ database: Database, _ directory: String) throws {
    let version = try database.value(of: Int.self, "PRAGMA user_version") ?? 0
    let application = try database.value(of: Int.self, "PRAGMA application_id") ?? 0
    let difference = try StoredTable.difference(of: database)
    guard application == applicationID else {
      throw difference == nil
        ? StoreError.otherSchema(
          path(directory, databaseName), "its application_id is \(application)")
        : StoreError.notStore(directory)
    }
    guard version == Self.version else {
      throw StoreError.message(
        "the store '\(directory)' has version \(version), but this linkaudit reads only version "
          + "\(Self.version); make it anew from its logs in another directory, or use the "
          + "linkaudit that made it")
    }
    if let difference {
      throw StoreError.otherSchema(path(directory, databaseName), difference)
    }
  }

  /// Opens a database that may be untrusted.
  ///
  /// `timeout` is a number of seconds, because another process needs a moment to commit.
  static func open(
    _ path: String, isReadOnly: Bool = false, isMade: Bool = false, timeout: Int
  ) throws(DatabaseError) -> Database {
    let database = try Database(path, isMade: isMade, timeout: timeout)
    // Stores don't need functions and tables with side effects.
    try database.run("PRAGMA trusted_schema = 0")
    // Detect damaged pages before they are used.
    try database.run("PRAGMA cell_size_check = 1")
    // The connection's temporary triggers need no file.
    try database.run("PRAGMA temp_store = 2")
    if isReadOnly {
      try database.run("PRAGMA query_only = 1")
      return database
    }
    // Sync the directory, too, when a journal is removed, so that the commit survives a crash of
    // the machine.
    try database.run("PRAGMA synchronous = EXTRA")
    // Don't lock out readers before a commit, however large the change is.
    try database.run("PRAGMA cache_spill = 0")
    // Overwrite removed rows, such as those of days, in the file, too.
    try database.run("PRAGMA secure_delete = 1")
    return database
  }

  /// Removes digests that the database doesn't name: leftovers of interrupted runs, and replaced
  /// digests.
  ///
  /// Digests that a run replaces stay until the next run, for readers that have not finished.
  private func removeUnnamedDigests() throws(StoreError) {
    let named = try read { database -> Set<String>? in
      let mismatches = try database.mismatches(of: [.digests])
      return mismatches.isEmpty ? try Self.namedDigests(in: database) : nil
    }
    let manager = FileManager.default
    try StoreError.catching(digestDirectory) {
      try manager.createDirectory(atPath: digestDirectory, withIntermediateDirectories: true)
      // If a name is lost or invalid, its file would seem to be unnamed.
      guard let named else { return }
      for name in try Self.digestNames(directory) where !named.contains(name) {
        try manager.removeItem(atPath: path(ofDigest: name))
      }
    }
  }

  /// Describes in terms of the store why there is no report on it.
  public func error(_ error: JudgingError) -> StoreError {
    StoreError(error, database: databasePath)
  }

  /// Reads a consistent snapshot of the database.
  func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
    try StoreError.catching(databasePath) {
      try database.transaction(isChange: false) { try body(database) }
    }
  }

  /// Changes the database completely or not at all.
  func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
    try StoreError.catching(databasePath) {
      try database.transaction(isChange: true) { try body(database) }
    }
  }
}

// The files of a store may be untrusted, so anything can have their names.
extension AuditStore {
  /// Returns a Boolean value indicating whether there is a regular file, or a link to one.
  ///
  /// Opening a pipe waits for its other end, and a device may be endless.
  static func isFile(_ path: String) throws(StoreError) -> Bool {
    let status: Stat
    do {
      status = try Stat(FilePath(path), followTargetSymlink: true)
    } catch {
      switch error {
      case .noSuchFileOrDirectory, .notDirectory: return false
      case .tooManySymbolicLinkLevels: throw .noFile(path)
      default: throw .system(path: path, error)
      }
    }
    guard status.type == .regular else { throw .noFile(path) }
    return true
  }

  /// The end of a journal that names a journal of several databases ([SQLite, "Database File
  /// Format"](https://www.sqlite.org/fileformat2.html), 3).
  private static let nameMark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Returns a Boolean value indicating whether a journal, which may be missing, names another
  /// file.
  ///
  /// SQLite would read and remove that file. This program changes one database at a time, so its
  /// journals name none.
  private static func namesAnother(journal path: String) throws(StoreError) -> Bool {
    guard try isFile(path) else { return false }
    var end = [UInt8](repeating: 0, count: nameMark.count)
    do {
      let size = try Stat(FilePath(path), followTargetSymlink: true).size
      guard size >= end.count else { return false }
      let descriptor = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
      let count = try descriptor.closeAfter {
        try unsafe end.withUnsafeMutableBytes { bytes in
          try unsafe descriptor.read(
            fromAbsoluteOffset: Int64(size) - Int64(bytes.count), into: bytes)
        }
      }
      return count == end.count && end == nameMark
    } catch {
      // A journal that was just finished is gone.
      guard let error = error as? Errno, error != .noSuchFileOrDirectory else { return false }
      throw .system(path: path, error)
    }
  }
}
