// Unsafe code: the loops over every line of a log read bytes and words without a bounds check at
// each of them. Callers have compared with the length before, once for many reads. Debug builds, in
// which the tests run, check every read.

extension Span<UInt8> {
  /// The byte at a position that must be in bounds.
  @inlinable @inline(__always)
  package func byte(_ index: Int) -> UInt8 {
    assert(index >= 0 && index < count)
    return unsafe self[unchecked: index]
  }

  /// The four bytes from a position on, which must be in bounds, the first one in the lowest bits.
  @inlinable @inline(__always)
  package func halfWord(_ index: Int) -> UInt32 {
    assert(index >= 0 && index + 4 <= count)
    return UInt32(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: UInt32.self))
  }

  /// The eight bytes from a position on, which must be in bounds, the first one in the lowest bits.
  @inlinable @inline(__always)
  package func word(_ index: Int) -> UInt64 {
    assert(index >= 0 && index + 8 <= count)
    return UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: UInt64.self))
  }

  /// Returns the position of the first space or tab from `start` on, or ``count`` if there is none.
  @inlinable @inline(__always)
  package func firstBlank(from start: Int) -> Int {
    var position = start
    while position + 8 <= count {
      let word = word(position)
      let marks =
        (word ^ 0x2020_2020_2020_2020).zeroBytes | (word ^ 0x0909_0909_0909_0909).zeroBytes
      if marks != 0 { return position + (marks.trailingZeroBitCount >> 3) }
      position += 8
    }
    while position < count, !byte(position).isBlank { position += 1 }
    return position
  }
}

extension UInt64 {
  /// The highest bit of each byte that is zero; those above the lowest one of them may be wrong.
  @inlinable @inline(__always)
  package var zeroBytes: UInt64 { (self &- 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080 }
}
