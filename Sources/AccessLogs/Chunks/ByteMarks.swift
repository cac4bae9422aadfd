internal import CProcessor

// Unsafe code: a C function reads the bytes, at most as many as it is told.

/// The positions of two bytes in a line, found 64 bytes at a time.
///
/// A line's parser moves from one to the next, and searches for nothing byte by byte. All calls are
/// for the same line, mostly in ascending order of positions.
struct ByteMarks {
  private let first: UInt8
  private let second: UInt8

  /// The position of the block that was read last; none before the first call.
  private var block = -64

  /// A bit for each byte of that block that is one of the two.
  private var bits: UInt64 = 0

  /// Finds a byte, and another one if there are two; neither is 0.
  @inline(__always)
  init(of first: UInt8, _ second: UInt8? = nil) {
    self.first = first
    self.second = second ?? first
  }

  /// Returns the first position from `start` on that has one of the two bytes, or the end of the
  /// line.
  @inline(__always)
  mutating func next(from start: Int, in line: Span<UInt8>) -> Int {
    var search = start
    if start >= block, start - block < 64 {
      let rest = bits >> UInt64(truncatingIfNeeded: start - block)
      if rest != 0 { return start + rest.trailingZeroBitCount }
      search = block + 64
    }
    while search < line.count {
      (block, bits) = (search, Self.bits(of: line, from: search, first, second))
      if bits != 0 { return search + bits.trailingZeroBitCount }
      search += 64
    }
    return line.count
  }

  @inline(__always)
  private static func bits(
    of line: Span<UInt8>, from start: Int, _ first: UInt8, _ second: UInt8
  ) -> UInt64 {
    assert(start >= 0 && start < line.count)
    return unsafe line.withUnsafeBufferPointer { line in
      guard let base = line.baseAddress else { return 0 }
      return unsafe marks_of_block(base + start, line.count - start, first, second)
    }
  }
}
