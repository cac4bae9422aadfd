public import SystemPackage

/// The reason why an input could not be read completely, and the place.
public struct LogDamage: Error, Hashable, Codable, Sendable {
  /// The kinds of damage.
  public enum Kind: Hashable, Codable, Sendable {
    /// The compressed data ends inside a member.
    case truncated

    /// A file that isn't compressed has become shorter than it was when it was opened.
    case shortened

    /// The compressed data is not valid.
    case invalidData

    /// The checksum or length at the end of a member doesn't fit its data.
    case wrongChecksum

    /// Something other than a member or zero padding follows a member of the
    /// compression.
    case trailingGarbage(after: Compression)

    /// The data decompresses to more than `ratio` times its size; the first `length` bytes were
    /// read.
    ///
    /// The place is the start of the member that exceeds the limit.
    case expansionLimit(ratio: Int, length: Int)

    /// Decompressing needs more memory than is ever allowed; both in bytes.
    case memoryLimit(needed: Int, allowed: Int)

    /// Decompressing needs a greater window than is allowed; both in bytes.
    case windowLimit(needed: Int, allowed: Int)

    /// The input is compressed in a way that this build can't read.
    case unsupported(Compression)

    /// The input, decompressed, is an archive of files, as tar makes them.
    case archive

    /// The input, decompressed, isn't text in an encoding that linkaudit reads.
    case foreign(ForeignContent)

    /// The input is compressed a second time, inside another compression.
    case nested(Compression)

    /// Compressed data begins after lines of text.
    case compressedTail(Compression)

    /// There is no memory for a decoder.
    case outOfMemory

    /// The system couldn't open or read the input.
    case system(Errno)
  }

  /// The kind of damage.
  public var kind: Kind

  /// The offset in the stored input, in bytes; everything before it was read.
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
    case .shortened: "it was cut to \(offset) bytes while linkaudit read it"
    case .truncated: "the compressed data ends too early, at byte \(offset)"
    case .invalidData: "the compressed data is damaged near byte \(offset)"
    case .wrongChecksum: "the checksum of the data that ends at byte \(offset) is wrong"
    case .trailingGarbage(let compression):
      "the data after byte \(offset) is not \(compression)"
    case .expansionLimit(let ratio, let length):
      "the compressed data at byte \(offset) expands to more than \(ratio) times the size of the "
        + "input; linkaudit reads only the first \(length) bytes of the result; if it is not an "
        + "attack, allow more with '--max-expansion'"
    case .memoryLimit(let needed, let allowed):
      "the data at byte \(offset) needs \(needed.megabytes) MiB of memory to decompress, but "
        + "only \(allowed >> 20) MiB are allowed; decompress it first"
    case .windowLimit(let needed, let allowed):
      "the data at byte \(offset) needs a window of \(needed.megabytes) MiB in memory to decompress, "
        + "but only \(allowed >> 20) MiB are allowed; if it is not an attack, allow it with "
        + "'--max-window \(needed.megabytes)M'"
    case .unsupported(let compression):
      if let trait = compression.trait {
        "this build of linkaudit cannot read \(compression); build it with the package trait "
          + "\(trait), or decompress it first"
      } else {
        "linkaudit does not read \(compression.rawValue) files; decompress it first"
      }
    case .archive: "linkaudit does not read tar archives; unpack it first"
    case .foreign(let content): content.explanation
    case .nested(let compression):
      "it is compressed twice, with \(compression.rawValue) inside; decompress it once first"
    case .compressedTail(let compression):
      "\(compression.rawValue) data begins at byte \(offset), after lines of text; split the file "
        + "there, or decompress its parts before you join them"
    case .outOfMemory: "there is not enough memory to decompress it"
    case .system(let error):
      offset == 0 ? "\(error)" : "\(error), at byte \(offset)"
    }
  }
}

extension Int {
  fileprivate var megabytes: Int { self >> 20 + (self & 0xF_FFFF == 0 ? 0 : 1) }
}

/// Whether an input was read completely.
public enum InputStatus: String, CaseIterable, Hashable, Sendable {
  case complete
  case truncated
  case corrupt
  case unreadable

  /// The status of an input with the given damage, or none.
  public init(_ damage: LogDamage?) {
    switch damage?.kind {
    case nil: self = .complete
    case .truncated, .shortened, .expansionLimit: self = .truncated
    case .invalidData, .wrongChecksum, .trailingGarbage, .compressedTail: self = .corrupt
    case .memoryLimit, .windowLimit, .unsupported, .archive, .foreign, .nested, .outOfMemory,
      .system:
      self = .unreadable
    }
  }
}
