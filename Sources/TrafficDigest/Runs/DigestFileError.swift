public import SystemPackage

/// The reason why a digest or a part of it could not be written or read.
public struct DigestFileError: Error, Hashable, Sendable {
  /// The reason of a failure.
  public enum Reason: Hashable, Sendable {
    /// The system refused to create, write or read the file.
    case system(Errno)

    /// The file ends too early.
    case truncated

    /// A checksum is wrong, or the bytes under it are inconsistent.
    case damaged

    /// The file doesn't have the beginning of a digest.
    case notDigest

    /// The file is a digest of a version that this program can't read.
    case unknownVersion(UInt32)

    /// There is no memory for compression.
    case outOfMemory
  }

  /// The directory of a temporary file, or the path of a digest.
  public var path: String

  /// The reason.
  public var reason: Reason

  /// A Boolean value indicating whether the file is a temporary one in the directory ``path``.
  public var isTemporary: Bool

  /// The offset of the first byte that could not be read or written.
  public var offset: Int

  /// A Boolean value indicating whether there is no file of that name.
  public var isMissing: Bool {
    if case .system(.noSuchFileOrDirectory) = reason { true } else { false }
  }
}

extension DigestFileError: CustomStringConvertible {
  public var description: String {
    let what = isTemporary ? "a temporary file in '\(path)'" : "'\(path)'"
    return switch reason {
    case .system(let error): "\(what) at byte \(offset): \(error)"
    case .truncated where offset == 0 && !isTemporary: "\(what) is empty, so it is not a digest"
    case .truncated: "\(what) ends too early, at byte \(offset)"
    case .damaged: "\(what) is damaged at byte \(offset)"
    case .notDigest: "\(what) is not a digest"
    case .unknownVersion(let version):
      "\(what) is a digest of version \(version), but this linkaudit reads only versions "
        + "\(DigestBlock.readVersions.lowerBound) to \(DigestBlock.readVersions.upperBound)"
    case .outOfMemory: "there is not enough memory to compress \(what)"
    }
  }
}
