internal import Foundations

/// A fingerprint of the decompressed content of a log, independent of compression, name, and the
/// way it is read.
///
/// It is not a cryptographic hash: only contents that were made to collide do.
public struct ContentFingerprint: Codable, Hashable, Sendable {
  /// The number of bytes.
  public var length: Int

  /// Two hashes of 64 bits.
  public var first: UInt64
  public var second: UInt64

  /// Creates a fingerprint from its parts.
  public init(length: Int, first: UInt64, second: UInt64) {
    (self.length, self.first, self.second) = (length, first, second)
  }

  /// The fingerprint of some bytes, computed without allocating memory.
  package init(_ bytes: Span<UInt8>) {
    var lanes = ContentHasher.start
    let end = ContentHasher.mix(bytes, from: 0, into: &lanes)
    self = ContentHasher.fingerprint(
      lanes, rest: bytes.extracting(end..<bytes.count), length: bytes.count)
  }

  /// Combines the hashes with a pair of numbers.
  package mutating func mix(_ one: UInt64, _ other: UInt64) {
    let factors = ContentHasher.factors
    first = ContentHasher.fold(first ^ factors.0, one ^ factors.2)
    second = ContentHasher.fold(second ^ factors.1, one &+ other ^ factors.3)
  }
}

extension ContentFingerprint: CustomStringConvertible {
  /// The hashes in hexadecimal digits.
  public var description: String {
    [first, second].map { hash in
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// Computes the fingerprint of a content that comes in pieces.
///
/// It multiplies and folds 64 bytes at a time, as wyhash does, in four lanes that don't wait for each
/// other. Its factors are fixed, because files store its results.
package struct ContentHasher {
  // The fractions of the square roots of the first four primes: numbers that nobody chose.
  fileprivate static let factors: (UInt64, UInt64, UInt64, UInt64) = (
    0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1
  )

  private static let stripe = 64

  /// Four hashes, each of a quarter of every stripe.
  fileprivate typealias Lanes = (first: UInt64, second: UInt64, third: UInt64, fourth: UInt64)

  fileprivate static let start: Lanes = (factors.2, factors.3, factors.0, factors.1)
  private var lanes = start
  private(set) var length = 0

  /// The bytes after the last whole stripe.
  private var rest: [UInt8] = []

  /// Creates a hasher of nothing.
  package init() {}

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    length += bytes.count
    var (lanes, position) = (lanes, 0)
    defer { self.lanes = lanes }
    if !rest.isEmpty {
      position = min(bytes.count, Self.stripe - rest.count)
      bytes.extracting(0..<position).append(to: &rest)
      guard rest.count == Self.stripe else { return }
      _ = Self.mix(rest.span, from: 0, into: &lanes)
      rest.removeAll(keepingCapacity: true)
    }
    position = Self.mix(bytes, from: position, into: &lanes)
    bytes.extracting(position..<bytes.count).append(to: &rest)
  }

  /// Mixes the whole stripes from a position on into hashes.
  ///
  /// - Returns: The position after them.
  @inline(__always)
  fileprivate static func mix(
    _ bytes: Span<UInt8>, from start: Int, into hashes: inout Lanes
  ) -> Int {
    var (lanes, position) = (hashes, start)
    while bytes.count &- position >= stripe {
      lanes.first = fold(bytes.word(position) ^ factors.0, bytes.word(position &+ 8) ^ lanes.first)
      lanes.second = fold(
        bytes.word(position &+ 16) ^ factors.1, bytes.word(position &+ 24) ^ lanes.second)
      lanes.third = fold(
        bytes.word(position &+ 32) ^ factors.2, bytes.word(position &+ 40) ^ lanes.third)
      lanes.fourth = fold(
        bytes.word(position &+ 48) ^ factors.3, bytes.word(position &+ 56) ^ lanes.fourth)
      position &+= stripe
    }
    hashes = lanes
    return position
  }

  /// The fingerprint of all that was added.
  package var fingerprint: ContentFingerprint {
    Self.fingerprint(lanes, rest: rest.span, length: length)
  }

  fileprivate static func fingerprint(
    _ lanes: Lanes, rest: Span<UInt8>, length: Int
  ) -> ContentFingerprint {
    var (first, second) = (lanes.first, lanes.second)
    if length >= stripe {
      first = fold(first ^ factors.1, lanes.third)
      second = fold(second ^ factors.0, lanes.fourth)
    }
    // Padded with zeros. The length is hashed too, so that padding can't pass for content.
    var position = 0
    while position < rest.count {
      first = fold(rest.paddedWord(position) ^ factors.0, rest.paddedWord(position + 8) ^ first)
      second = fold(
        rest.paddedWord(position + 16) ^ factors.1, rest.paddedWord(position + 24) ^ second)
      position += stripe / 2
    }
    let count = UInt64(length)
    return ContentFingerprint(
      length: length, first: fold(first ^ factors.3, second ^ count ^ factors.0),
      second: fold(second ^ factors.2, first ^ count ^ factors.1))
  }

  @inline(__always)
  fileprivate static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    // A crafted content can choose a factor, such as 0, with which the halves of the product say
    // nothing of the other factor, the hash of everything before. So both factors are added.
    let product = one.multipliedFullWidth(by: other)
    return (product.high ^ product.low) &+ other &+ (one << 32 | one >> 32)
  }
}

extension Span<UInt8> {
  /// The eight bytes at a position, the lowest first, with zeros in place of those after the end.
  @inline(__always)
  fileprivate func paddedWord(_ position: Int) -> UInt64 {
    if position + 8 <= count { return word(position) }
    var word: UInt64 = 0
    for index in Swift.min(position, count)..<count {
      word |= UInt64(self[index]) << (UInt64(index - position) * 8)
    }
    return word
  }
}
