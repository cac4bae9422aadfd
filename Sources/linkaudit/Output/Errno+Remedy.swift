internal import SystemPackage

extension Errno {
  /// The remedy if output can't continue and no option names its destination.
  static let otherPlace = "redirect it elsewhere"

  /// Returns the remedy for a file that can't be written.
  ///
  /// - Parameter option: The option that names the file, or `nil` if there is none.
  /// - Returns: The remedy, to put after a semicolon.
  func writingRemedy(_ option: String?) -> String {
    let elsewhere = option.map { "choose another place with '\($0)'" } ?? Self.otherPlace
    return switch self {
    case .noSpace: "free space there, or \(elsewhere)"
    case .diskQuotaExceeded: "free space there, raise the quota, or \(elsewhere)"
    case .fileTooLarge: "raise the limit on the size of files ('ulimit -f'), or \(elsewhere)"
    case .permissionDenied, .notPermitted, .readOnlyFileSystem:
      "check that this user may write to its directory, or \(elsewhere)"
    case .noSuchFileOrDirectory: "make its directory first, or \(elsewhere)"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
      "raise the limit on open files ('ulimit -n')"
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

  /// The name of the error, and what to do where something can't be read.
  var readingFault: String { readingRemedy.map { "\(self); \($0)" } ?? "\(self)" }
}
