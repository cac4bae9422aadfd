internal import ArgumentParser
internal import LinkAuditing
internal import SystemPackage
internal import TrafficDigest
internal import UniversalLinks

struct Complaint: Error, CustomStringConvertible {
  let description: String
  let status: ExitCode

  init(_ description: String, status: ExitCode = ExitStatus.failure) {
    (self.description, self.status) = (description, status)
  }

  init(_ error: JudgingError) {
    switch error {
    case .digest(let error): self.init(error)
    case .unbalanced(let balance):
      self.init(
        "the figures don't add up: \(balance); this is a bug in linkaudit, so there is no report; "
          + "please report it with the command and its version",
        status: ExitStatus.fault)
    }
  }

  func raise() throws { throw self }
}

extension Complaint {
  /// Explains why a file could not be written or read, with the remedy; if it may belong to a store,
  /// its logs can't be counted again.
  init(_ error: DigestFileError, isStored: Bool = false) {
    if isStored, !error.isTemporary,
      error.isMissing || [.truncated, .damaged, .notDigest].contains(error.reason)
    {
      self.init(
        "\(error); restore a backup of the store; 'linkaudit store check' lists what is damaged")
      return
    }
    guard error.isTemporary else {
      let remedy: String? =
        switch error.reason {
        case .truncated, .damaged: "copy it again, or make it again from its logs"
        case .unknownVersion: "make it anew from its logs, or use the linkaudit that made it"
        case .system(let reason): reason.readingRemedy
        case .outOfMemory: Errno.noMemory.readingRemedy
        case .notDigest: nil
        }
      self.init("\(error)" + (remedy.map { "; \($0)" } ?? ""))
      return
    }
    let place = error.path
    let remedy = "name another directory with '--temporary-directory'"
    let memory =
      KnownOptions.typedCommandHas("--memory") ? ", or allow more memory with '--memory'" : ""
    switch error.reason {
    case .system(.noSpace), .system(.diskQuotaExceeded):
      self.init("there is no space left for temporary files in '\(place)'; \(remedy)\(memory)")
    case .system(.fileTooLarge):
      self.init(
        "a temporary file in '\(place)' has reached the limit on the size of files; raise it "
          + "('ulimit -f')\(memory)")
    case .system(let reason) where [.tooManyOpenFiles, .tooManyOpenFilesInSystem].contains(reason):
      self.init(
        "cannot use temporary files in '\(place)': \(reason); raise the limit on open files "
          + "('ulimit -n'), or lower '--jobs'")
    case .system(let reason):
      self.init("cannot use temporary files in '\(place)': \(reason); \(remedy)")
    case .truncated, .damaged, .notDigest, .unknownVersion, .outOfMemory:
      self.init(
        "a temporary file in '\(place)' has changed since it was written (byte \(error.offset)); "
          + "the disk may be faulty: \(remedy)")
    }
  }
}

struct BrokenPipe: Error {
  /// Writes output that may go unread: a closed pipe changes neither the rest of the command nor its
  /// exit status.
  @discardableResult
  static func isNoError<Value>(in write: () throws -> Value) throws -> Value? {
    do {
      return try write()
    } catch is BrokenPipe {
      return nil
    }
  }
}

/// The exit statuses other than 0 and 64, which means wrong usage.
enum ExitStatus {
  static let findings = ExitCode(1)

  /// Some input could not be read completely, or the command failed.
  static let failure = ExitCode(2)

  /// The figures don't add up, which is a fault of linkaudit.
  static let fault = ExitCode(70)

  /// Throws the exit status that findings and input ask for, if it isn't 0.
  static func exit(findings: [Finding], failOn: Severity?, isIncomplete: Bool) throws {
    // Incomplete figures matter more than findings.
    if isIncomplete { throw failure }
    if let failOn, findings.contains(where: { $0.severity >= failOn && $0.isKnown != true }) {
      throw ExitStatus.findings
    }
  }
}

extension Errno {
  /// The remedy if output can't continue and no option names its destination.
  static let otherPlace = "redirect it elsewhere"

  func writingRemedy(_ option: String?) -> String {
    let elsewhere = option.map { "choose another place with '\($0)'" } ?? Self.otherPlace
    return switch self {
    case .noSpace: "free space there, or \(elsewhere)"
    case .diskQuotaExceeded: "free space there, raise the quota, or \(elsewhere)"
    case .fileTooLarge: "raise the limit on the size of files ('ulimit -f'), or \(elsewhere)"
    case .permissionDenied, .notPermitted, .readOnlyFileSystem:
      "check that this user may write to its directory, or \(elsewhere)"
    case .noSuchFileOrDirectory: "make its directory first, or \(elsewhere)"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "raise the limit on open files ('ulimit -n')"
    case .ioError: "the disk may be faulty: \(elsewhere)"
    case .badFileDescriptor: "it is closed: open it, or \(elsewhere)"
    default: elsewhere
    }
  }

  /// The remedy where something can't be read, or `nil` if the name of the error says it.
  var readingRemedy: String? {
    switch self {
    case .noSuchFileOrDirectory, .notDirectory: "check the path"
    case .permissionDenied, .notPermitted:
      "check that this user may read it and enter its directories, or run this as another user"
    case .isDirectory: "name a file in it"
    case .badFileDescriptor: "it is closed: open it, or name a file"
    case .tooManySymbolicLinkLevels: "its symbolic links form a loop: name the file itself"
    case .noSuchAddressOrDevice, .notSupported:
      "name a file or a pipe; sockets and devices are not logs"
    case .ioError: "the disk may be faulty: copy the readable part of the file, and read the copy"
    case .staleNFSFileHandle:
      "the file was removed from its server: mount the server again, or copy the file"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
      "raise the limit on open files ('ulimit -n'), or lower '--jobs'"
    case .noMemory: "raise the limit on memory ('ulimit -v'), or lower '--jobs'"
    default: nil
    }
  }

  var readingFault: String { readingRemedy.map { "\(self); \($0)" } ?? "\(self)" }
}
