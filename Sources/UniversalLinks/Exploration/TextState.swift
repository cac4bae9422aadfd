internal import Foundations

/// The state of a text that has been read: everything that can still matter for any condition.
struct TextState: Hashable {
  /// The nodes that the patterns have reached, and marks, ascending.
  var positions: [Int32] = []

  /// The last byte of the encoded text and of the decoded one, or 0.
  ///
  /// It is 0 for bytes that path normalization doesn't join.
  var lastEncoded: UInt8 = 0
  var lastDecoded: UInt8 = 0

  /// The part of a scalar of several bytes that has been decoded.
  var pending = PendingScalar.none

  var flags: Flags = []
  var phase = ItemPhase.none

  struct Flags: OptionSet, Hashable {
    let rawValue: UInt8

    /// The decoded text has ended with a NUL.
    static let isEnded = Flags(rawValue: 1)

    /// The decoded text isn't UTF-8, so that it counts as empty.
    static let isInvalid = Flags(rawValue: 2)

    /// The decoded name or value that is being read isn't UTF-8.
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

/// The first bytes of a scalar (RFC 3629).
enum PendingScalar: Hashable {
  case none

  /// These bytes, with which a scalar begins that some pattern waits for.
  case awaited([UInt8])

  /// Bytes that begin some other scalar: this many bytes follow, and the next one is in a range.
  case other(remaining: Int, next: ClosedRange<UInt8>)

  private static let trail: ClosedRange<UInt8> = 0x80...0xBF

  /// The bytes that may follow a lead byte, or `nil` if it isn't one.
  private static func rest(afterLead lead: UInt8) -> (remaining: Int, next: ClosedRange<UInt8>)? {
    switch lead {
    case 0xC2...0xDF: (1, trail)
    case 0xE0: (2, 0xA0...0xBF)
    case 0xED: (2, 0x80...0x9F)
    case 0xE1...0xEF: (2, trail)
    case 0xF0: (3, 0x90...0xBF)
    case 0xF1...0xF3: (3, trail)
    case 0xF4: (3, 0x80...0x8F)
    default: nil
    }
  }

  /// The result of one more byte of a scalar.
  enum Reading: Hashable {
    case pending(PendingScalar)

    /// A scalar that some pattern waits for.
    case awaited(Unicode.Scalar)

    /// Some other scalar.
    case other
    case invalid
  }

  /// Reads a byte above 0x7F.
  ///
  /// - Parameters:
  ///   - byte: The byte.
  ///   - awaited: The scalars that patterns wait for, ascending.
  /// - Returns: The state of the bytes read so far.
  func reading(_ byte: UInt8, awaited: [Unicode.Scalar]) -> Reading {
    let (remaining, next): (Int, ClosedRange<UInt8>)
    var bytes: [UInt8] = []
    switch self {
    case .none:
      guard let rest = Self.rest(afterLead: byte) else { return .invalid }
      (remaining, next) = (rest.remaining, rest.next)
      bytes = [byte]
    case .awaited(let start):
      guard let first = start.first, let rest = Self.rest(afterLead: first),
        (start.count == 1 ? rest.next : Self.trail).contains(byte)
      else { return .invalid }
      (remaining, next) = (rest.remaining - start.count, Self.trail)
      bytes = start + [byte]
    case .other(let count, let range):
      guard range.contains(byte) else { return .invalid }
      if count == 1 { return .other }
      return .pending(.other(remaining: count - 1, next: Self.trail))
    }
    // Scalars are in the order of their bytes.
    let candidate = awaited.first(notBefore: { scalar in
      Unicode.UTF8.encode(scalar)?.lexicographicallyPrecedes(bytes) ?? true
    })
    guard let candidate, Unicode.UTF8.encode(candidate)?.starts(with: bytes) ?? false else {
      return remaining == 0 ? .other : .pending(.other(remaining: remaining, next: next))
    }
    return remaining == 0 ? .awaited(candidate) : .pending(.awaited(bytes))
  }
}

extension [Unicode.Scalar] {
  /// The first of these ascending scalars that doesn't come before something, or `nil` if all do.
  func first(notBefore isBefore: (Unicode.Scalar) -> Bool) -> Unicode.Scalar? {
    let first = indices.partitioningIndex { !isBefore(self[$0]) }
    return first < count ? self[first] : nil
  }
}
