internal import CSQLite
internal import FoundationSubset
internal import Foundations
internal import LinkAuditing
public import SystemPackage
public import TrafficDigest

/// The reason why something can't be done with a store.
public enum StoreError: Error, Sendable {
  /// The reason in words, and the remedy, if known.
  case message(String)

  /// The system refused something.
  case system(path: String, Errno)

  /// A digest of the store can't be read, or one can't be written.
  case digest(DigestFileError)
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .message(let text): text
    case .system(let path, let error): "'\(path)': \(error)"
    case .digest(let error): "\(error)"
    }
  }
}

// Messages that are needed in several places.
extension StoreError {
  /// The remedy for damage.
  static let restoreBackup = "restore a backup of the store"

  /// The directory contains no store, and none should be created.
  static func missing(_ directory: String) -> StoreError {
    .message(
      "there is no store in '\(directory)'; make one with 'linkaudit ingest LOG... --store "
        + "\(directory.inCommand)'")
  }

  /// The directory contains other things, so no store is created there.
  static func notStore(_ directory: String) -> StoreError {
    .message("'\(directory)' has other files, but no store; pass an empty or a new directory")
  }

  /// The database is damaged; SQLite's message, or what else is wrong.
  static func damaged(_ path: String, _ problem: String) -> StoreError {
    .message("the database '\(path)' is damaged: \(problem); \(restoreBackup)")
  }

  /// The database has other or additional tables; the difference.
  static func otherSchema(_ path: String, _ difference: String) -> StoreError {
    .message(
      "the database '\(path)' does not have linkaudit's schema: \(difference); \(restoreBackup)")
  }

  /// Something other than a file has the name of one.
  static func noFile(_ path: String) -> StoreError {
    .message(
      "'\(path)' is not a regular file, but a directory, a device or a pipe; \(restoreBackup)")
  }
}

extension StoreError {
  /// Calls `body`, and converts its errors, including those of Foundation, to errors of the store.
  ///
  /// The path is that of the database, or of what `body` opens.
  static func catching<Result>(
    _ database: String, _ body: () throws -> Result
  ) throws(StoreError) -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      throw error
    } catch let error as DatabaseError where error.isDamage {
      throw .damaged(database, error.message)
    } catch let error as DatabaseError {
      throw .message("the database '\(database)': \(error.message); \(remedy(error))")
    } catch let error as JudgingError {
      throw StoreError(error, database: database)
    } catch let error as DigestFileError {
      throw .digest(error)
    } catch let error as Errno {
      throw .system(path: database, error)
    } catch let error as CocoaError {
      let system = (error.underlying as? POSIXError).map { Errno(rawValue: $0.code.rawValue) }
      throw .system(path: database, system ?? .ioError)
    } catch let error as POSIXError {
      throw .system(path: database, Errno(rawValue: error.code.rawValue))
    } catch {
      throw .message("the database '\(database)': \(error); \(damageRemedy)")
    }
  }

  /// Describes why there is no report on the digests of a store.
  init(_ error: JudgingError, database: String) {
    self =
      switch error {
      case .digest(let error): .digest(error)
      case .unbalanced(let balance):
        .message(
          "the store of the database '\(database)' is damaged: \(balance); find the damage with "
            + "'linkaudit store check', and \(Self.restoreBackup)")
      }
  }

  /// The remedy for an error of SQLite.
  private static func remedy(_ error: DatabaseError) -> String {
    let again = "run this again: linkaudit keeps what it has done, and counts nothing twice"
    return switch (error.code, error.primaryCode) {
    case (DatabaseError.write, _), (DatabaseError.sync, _), (DatabaseError.syncDirectory, _),
      (DatabaseError.truncate, _), (DatabaseError.resize, _):
      "free disk space, or raise the limit on the size of files ('ulimit -f'), and \(again)"
    case (_, SQLITE_FULL): "free disk space and \(again)"
    case (_, SQLITE_IOERR):
      "the disk may be faulty: copy the store to another disk, or \(restoreBackup)"
    case (_, SQLITE_CANTOPEN) where opensNoMore:
      "raise the limit on open files ('ulimit -n'), or lower '--jobs'"
    case (_, SQLITE_CANTOPEN), (_, SQLITE_READONLY), (_, SQLITE_PERM):
      "check that this user may read and write it and its directory"
    case (_, SQLITE_BUSY), (_, SQLITE_LOCKED): again
    default: damageRemedy
    }
  }

  private static let damageRemedy =
    "check the store with 'linkaudit store check'; if it is damaged, \(restoreBackup)"

  /// Whether fewer files can be opened than SQLite needs at once: the database, its journal, its
  /// index, and a directory.
  private static var opensNoMore: Bool {
    var opened: [FileDescriptor] = []
    defer { for descriptor in opened { try? descriptor.close() } }
    for _ in 0..<4 {
      guard let descriptor = try? FileDescriptor.open(FilePath("/dev/null"), .readOnly) else {
        return true
      }
      opened.append(descriptor)
    }
    return false
  }
}
