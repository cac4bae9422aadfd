internal import CSQLite
internal import FoundationSubset
internal import Foundations
public import LinkAuditing
public import SystemPackage
public import TrafficDigest

/// The reason why something can't be done with a store.
public enum StoreError: Error, Sendable {
  /// The directory contains no store, and none should be created.
  case missing(directory: String)

  /// The directory contains other things, so no store is created there.
  case notStore(directory: String)

  /// The store has another version than those of this program.
  case otherVersion(directory: String, version: Int)

  /// There are digests, but no database that names them.
  case databaseLost(path: String)

  /// The database is damaged; SQLite's message.
  case damaged(path: String, String)

  /// The database has other or additional tables; the difference.
  case otherSchema(path: String, String)

  /// Something other than a file has the name of one.
  case noFile(path: String)

  /// Another process is working on the store; its description of itself, or an empty text.
  case locked(directory: String, holder: String)

  /// The system refused something.
  case system(path: String, Errno)

  /// The database can't be read or written; SQLite's message, and the remedy, if known.
  case database(path: String, message: String, remedy: String?)

  /// A digest of the store can't be read, or one can't be written.
  case digest(DigestFileError)

  /// A digest is intact, but not the one that was written.
  case otherDigest(path: String)

  /// The digests' targets don't have the requests that the ledger counted.
  case unbalanced(path: String, RequestBalance)

  /// The host given for lines without one is probably wrong.
  case hostDoubtful(TrafficDigest.DoubtfulHost)

  /// The span of time begins or ends within a day, but a store has only complete days.
  case cutDay
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing(let directory):
      "there is no store in '\(directory)'; make one with 'linkaudit ingest LOG... --store \(directory.inCommand)'"
    case .notStore(let directory):
      "'\(directory)' has other files, but no store; pass an empty or a new directory"
    case .otherVersion(let directory, let version):
      "the store '\(directory)' has version \(version), but this linkaudit reads only version "
        + "\(StoreSchema.version); make it anew from its logs in another directory, or use the "
        + "linkaudit that made it"
    case .databaseLost(let path):
      "the database '\(path)' is missing or empty, although its directory has digests; "
        + "\(restoreBackup), or make a new store in another directory"
    case .damaged(let path, let problem):
      "the database '\(path)' is damaged: \(problem); \(restoreBackup)"
    case .otherSchema(let path, let difference):
      "the database '\(path)' does not have linkaudit's schema: \(difference); \(restoreBackup)"
    case .noFile(let path):
      "'\(path)' is not a regular file, but a directory, a device or a pipe; \(restoreBackup)"
    case .locked(let directory, let holder):
      "the store '\(directory)' is in use"
        + (holder.isEmpty ? "" : " by \(holder)")
        + ", so linkaudit did nothing; wait for it with '--wait SECONDS'"
    case .system(let path, let error): "'\(path)': \(error)"
    case .database(let path, let message, let remedy):
      "the database '\(path)': \(message)" + (remedy.map { "; \($0)" } ?? "")
    case .digest(let error): "\(error)"
    case .otherDigest(let path):
      "'\(path)' is not the digest that linkaudit wrote; \(restoreBackup), or remove the day with "
        + "'linkaudit store remove-day'"
    case .unbalanced(let path, let balance):
      "the store of the database '\(path)' is damaged: \(balance); find the damage with 'linkaudit "
        + "store check', and \(restoreBackup)"
    case .hostDoubtful(let doubt):
      "these are probably not logs of \(doubt.host): \(doubt.likelyRequests.grouped) of "
        + "\(doubt.requests.grouped) referrers name \(doubt.likelyHost), and none names "
        + "\(doubt.host); linkaudit stored nothing; pass '--host \(doubt.likelyHost)', or add "
        + "'--host-confirmed' if \(doubt.host) is right"
    case .cutDay:
      "a store counts whole days, so '--since' and '--until' must be days, such as 2026-11-19, "
        + "yesterday or 90d"
    }
  }
}

/// The remedy for damage.
private let restoreBackup = "restore a backup of the store"

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
      throw .damaged(path: database, error.message)
    } catch let error as DatabaseError {
      throw .database(path: database, message: error.message, remedy: remedy(error))
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
      throw .database(path: database, message: "\(error)", remedy: damageRemedy)
    }
  }

  /// Describes why there is no report on the digests of a store.
  init(_ error: JudgingError, database: String) {
    self =
      switch error {
      case .digest(let error): .digest(error)
      case .unbalanced(let balance): .unbalanced(path: database, balance)
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
