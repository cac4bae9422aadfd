public import SystemPackage

/// What kept an input from being read whole, and where.
public struct LogDamage: Error, Hashable, Sendable {
  /// The kinds of damage.
  public enum Kind: Hashable, Sendable {
    /// The compressed data ends inside a member.
    case truncated

    /// The compressed data is not valid.
    case invalidData

    /// The checksum or length at the end of a member doesn't fit its data.
    case wrongChecksum

    /// Something other than a member or zero padding follows a member of the
    /// compression.
    case trailingGarbage(behind: Compression)

    /// Decompressing takes more memory than is allowed; both in bytes.
    case memoryLimit(needed: Int, allowed: Int)

    /// The input is compressed in a way that this build can't read.
    case unsupported(Compression)

    /// There is no memory for a decoder.
    case outOfMemory

    /// The system couldn't open or read the input.
    case system(Errno)
  }

  /// What is wrong.
  public var kind: Kind

  /// The offset in the input as stored, in bytes; what stands before it was
  /// read.
  public var offset: Int

  /// Creates a description of damage.
  public init(_ kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

extension LogDamage: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .truncated: "the compressed data ends too early, at byte \(offset)"
    case .invalidData: "the compressed data is damaged near byte \(offset)"
    case .wrongChecksum: "the checksum of the data that ends at byte \(offset) is wrong"
    case .trailingGarbage(let compression):
      "something that is not \(compression) data follows at byte \(offset)"
    case .memoryLimit(let needed, let allowed):
      "the data at byte \(offset) takes \(needed >> 20 + (needed & 0xF_FFFF == 0 ? 0 : 1)) MiB of memory to decompress, and "
        + "\(allowed >> 20) MiB are allowed; decompress it first"
    case .unsupported(let compression):
      if let trait = compression.trait {
        "this build of linkaudit cannot read \(compression); build it with the package trait "
          + "\(trait), or decompress it first"
      } else {
        "linkaudit does not read \(compression.rawValue) files; decompress it first"
      }
    case .outOfMemory: "there is not enough memory to decompress it"
    case .system(let error):
      offset == 0 ? "\(error)" : "\(error), at byte \(offset)"
    }
  }
}

/// Whether an input was read whole.
public enum InputStatus: String, CaseIterable, Hashable, Sendable {
  case complete
  case truncated
  case corrupt
  case unreadable

  /// The status of an input with the given damage, or none.
  public init(_ damage: LogDamage?) {
    switch damage?.kind {
    case nil: self = .complete
    case .truncated: self = .truncated
    case .invalidData, .wrongChecksum, .trailingGarbage: self = .corrupt
    case .memoryLimit, .unsupported, .outOfMemory, .system: self = .unreadable
    }
  }
}
