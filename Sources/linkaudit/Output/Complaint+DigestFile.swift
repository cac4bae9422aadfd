internal import SystemPackage
internal import TrafficDigest

extension Complaint {
  /// Explains why a file could not be written or read, with the remedy.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - takesMemory: Whether the command has an option that limits its memory.
  ///   - isStored: Whether the file may belong to a store, whose logs can't be counted again.
  init(_ error: DigestFileError, takesMemory: Bool = true, isStored: Bool = false) {
    if isStored, !error.isTemporary, error.isMissing || error.isDamage {
      self.init(
        "\(error); restore a backup of the store; 'linkaudit store check' lists what is damaged")
      return
    }
    guard error.isTemporary else {
      let remedy =
        switch error.reason {
        case .truncated, .damaged: "; copy it again, or make it again from its logs"
        case .unknownVersion(let version):
          version > DigestFile.version
            ? "; use the linkaudit that made it, or a later one, or make it again from its logs"
            : "; make it again from its logs"
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
      self.init("there is no space left for temporary files in '\(place)'; \(remedy)")
    case .system(.fileTooLarge):
      self.init(
        "a temporary file in '\(place)' has reached the limit on the size of files; raise it "
          + "('ulimit -f')" + (takesMemory ? ", or allow more memory with '--memory'" : ""))
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

extension DigestFileError {
  /// A Boolean value indicating whether the file exists but has other content than was written.
  fileprivate var isDamage: Bool {
    switch reason {
    case .truncated, .damaged, .notDigest: true
    case .unknownVersion, .system, .outOfMemory: false
    }
  }
}
