internal import SystemPackage
internal import TrafficDigest

extension Complaint {
  /// Says what to do about a file that could not be written or read.
  ///
  /// - Parameters:
  ///   - error: What is wrong.
  ///   - takesMemory: Whether the command has an option for how much memory it takes.
  init(_ error: DigestFileError, takesMemory: Bool = true) {
    guard error.isTemporary else {
      let remedy =
        switch error.reason {
        case .truncated, .damaged: "; copy it again, or make it anew from its logs"
        case .unknownVersion(let version):
          version > DigestFile.version
            ? "; use the linkaudit that made it, or a later one, or make it anew from its logs"
            : "; make it anew from its logs"
        case .system(let reason): reason.readingRemedy.map { "; \($0)" } ?? ""
        case .outOfMemory: Errno.noMemory.readingRemedy.map { "; \($0)" } ?? ""
        case .notDigest: ""
        }
      self.init("\(error)\(remedy)")
      return
    }
    let place = error.path
    let remedy =
      "name another directory with '--temporary-directory'"
      + (takesMemory ? ", or allow more memory with '--memory'" : "")
    switch error.reason {
    case .system(.noSpace), .system(.diskQuotaExceeded):
      self.init("there is no room left for temporary files in '\(place)'; \(remedy)")
    case .system(.fileTooLarge):
      self.init(
        "a temporary file in '\(place)' has reached the limit on the size of files; raise it "
          + "('ulimit -f')" + (takesMemory ? ", or allow more memory with '--memory'" : ""))
    case .system(let reason) where [.tooManyOpenFiles, .tooManyOpenFilesInSystem].contains(reason):
      self.init(
        "temporary files can't be kept in '\(place)': \(reason); raise the limit on open files "
          + "('ulimit -n'), or lower '--jobs'")
    case .system(let reason):
      self.init("temporary files can't be kept in '\(place)': \(reason); \(remedy)")
    case .truncated, .damaged, .notDigest, .unknownVersion, .outOfMemory:
      self.init(
        "a temporary file in '\(place)' has changed since it was written (byte \(error.offset)); "
          + "the disk may be faulty: \(remedy)")
    }
  }
}
