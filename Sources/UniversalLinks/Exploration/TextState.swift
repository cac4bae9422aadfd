/// The state of a text that has been read: everything that can still matter for any condition.
struct TextState: Hashable {
  /// The state of each automaton, by the place of its row.
  var rows = SIMD4<Int32>()

  /// The conditions that an item has failed, and those that one fulfils while the lack of one
  /// wouldn't, as bit sets.
  var failed: [UInt64] = []
  var fulfilled: [UInt64] = []

  /// The last byte of the encoded text and of the decoded one, or 0.
  ///
  /// It is 0 for bytes that path normalization doesn't join.
  var lastEncoded: UInt8 = 0
  var lastDecoded: UInt8 = 0

  /// The rest of a scalar of several bytes of the decoded text.
  var pending = PendingScalar()

  var flags: Flags = []
  var phase = ItemPhase.none

  struct Flags: OptionSet, Hashable {
    let rawValue: UInt8

    /// The decoded text has ended with a NUL.
    static let isEnded = Flags(rawValue: 1)

    /// The decoded text isn't UTF-8, so that it counts as empty.
    static let isInvalid = Flags(rawValue: 2)

    /// The decoded name or value that is being read has ended with a NUL, or isn't UTF-8.
    static let isItemEnded = Flags(rawValue: 4)
    static let isItemInvalid = Flags(rawValue: 8)
  }

  /// The position of the text within a query's items.
  enum ItemPhase: UInt8, Hashable {
    /// The query is empty so far, or its items don't matter.
    case none
    case name
    case value
  }
}

/// The bytes that have to follow for a text to be UTF-8 (RFC 3629).
struct PendingScalar: Hashable {
  /// The number of bytes, and those that the first of them can be.
  var count: UInt8 = 0
  var next: ClosedRange<UInt8> = 0x80...0xBF

  /// Returns the bytes that have to follow another byte above 0x7F, or `nil` if that can't be next.
  func reading(_ byte: UInt8) -> PendingScalar? {
    if count > 0 { return next.contains(byte) ? PendingScalar(count: count - 1) : nil }
    return switch byte {
    case 0xC2...0xDF: PendingScalar(count: 1)
    case 0xE0: PendingScalar(count: 2, next: 0xA0...0xBF)
    case 0xED: PendingScalar(count: 2, next: 0x80...0x9F)
    case 0xE1...0xEF: PendingScalar(count: 2)
    case 0xF0: PendingScalar(count: 3, next: 0x90...0xBF)
    case 0xF1...0xF3: PendingScalar(count: 3)
    case 0xF4: PendingScalar(count: 3, next: 0x80...0x8F)
    default: nil
    }
  }
}
