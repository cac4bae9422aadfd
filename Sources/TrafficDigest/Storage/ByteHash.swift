// Unsafe code: hashing loads eight bytes at a time at any alignment. The loads stay inside the
// given span.

/// The hash function of the tables in the hot loop.
///
/// It multiplies and folds, as wyhash does: a few cycles for each eight bytes. Every factor
/// contains a random secret of the process. So nobody can write a log whose targets collide or that
/// makes a factor zero. No output's order depends on a hash. Each table has its own copy of the
/// function, because each use of a global would check whether it is initialized.
package struct ByteHash: Sendable {
  private static let shared = (
    UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max),
    UInt64.random(in: 0...UInt64.max)
  )

  private let seed: UInt64
  private let first: UInt64
  private let second: UInt64

  /// Creates the function of this process.
  package init() { (seed, first, second) = Self.shared }

  /// The hash of bytes within a scope, which is part of the key.
  @inline(__always)
  package func hash(_ bytes: Span<UInt8>, scope: UInt32 = 0) -> UInt64 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      let raw = UnsafeRawBufferPointer(buffer)
      let count = raw.count
      var hash = seed ^ Self.fold(UInt64(scope) ^ first, UInt64(count) ^ second)
      var offset = 0
      // Two at a time, so that the multiplications don't wait for each other.
      if count >= 64 {
        var other = hash ^ second
        while count - offset >= 32 {
          hash = unsafe Self.fold(
            raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ first,
            raw.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) ^ hash)
          other = unsafe Self.fold(
            raw.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self) ^ second,
            raw.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self) ^ other)
          offset += 32
        }
        hash ^= other &* 0x9E37_79B9_7F4A_7C15
      }
      while count - offset >= 16 {
        hash = unsafe Self.fold(
          raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ first,
          raw.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) ^ hash)
        offset += 16
      }
      let rest = count - offset
      let (low, high): (UInt64, UInt64)
      if rest >= 8 {
        low = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        high = unsafe raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      } else if rest >= 4 {
        low = unsafe UInt64(raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        high = unsafe UInt64(raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      } else if rest > 0 {
        low =
          unsafe UInt64(raw[offset]) << 16 | UInt64(raw[offset + rest >> 1]) << 8
          | UInt64(raw[count - 1])
        high = 0
      } else {
        (low, high) = (0, 0)
      }
      return Self.fold(low ^ second, high ^ hash)
    }
  }

  /// The hash of a pair of numbers.
  package func hash(_ one: UInt64, _ other: UInt64) -> UInt64 {
    Self.fold(one ^ seed ^ first, other ^ second)
  }

  @inline(__always)
  private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}
