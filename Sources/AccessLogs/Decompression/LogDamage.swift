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

    /// Something other than a member or zero padding follows a member.
    case trailingGarbage

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
    case .trailingGarbage: "something that is not gzip data follows at byte \(offset)"
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
    case .outOfMemory, .system: self = .unreadable
    }
  }
}
