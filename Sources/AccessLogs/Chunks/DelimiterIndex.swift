internal import CProcessor

// Unsafe code: C functions read the bytes, at most as many as they are told, and write positions, as
// many as there is room for. Positions are read without a bounds check; debug builds check anyway.

/// The positions of some bytes in a text.
///
/// One pass finds all delimiters of many lines, 64 bytes at a time, so that nothing searches for
/// single fields. An index keeps its memory from one text to the next.
package struct DelimiterIndex: ~Copyable {
  /// The positions in ascending order, then at least ``padding`` times the end of the text.
  @usableFromInline
  var storage: [UInt32] = []

  /// The number of delimiters.
  @usableFromInline
  package private(set) var count = 0

  /// The bytes that are found.
  private let delimiters: [UInt8]

  /// The number of positions after the last delimiter that can be read; all are the end of the text.
  @usableFromInline
  static let padding = 8

  /// The number of bytes that are compared at a time.
  private let width: Int32

  /// Creates an index of up to four bytes below 128 that differ in their lower halves.
  ///
  /// - Parameters:
  ///   - delimiters: The bytes.
  ///   - width: The number of bytes that are compared at a time, at most ``widest``.
  package init(of delimiters: [UInt8], width: Int = DelimiterIndex.widest) {
    var padded = Array(delimiters.prefix(4))
    while padded.count < 4 { padded.append(padded.last ?? 0) }
    self.delimiters = padded
    self.width = Int32(min(width, Self.widest))
  }

  /// The greatest number of bytes that this processor compares at a time.
  package static let widest = Int(delimiters_width())

  /// The delimiters of lines in the common formats: line feeds, quotes, and backslashes, which can
  /// escape them.
  package static func ofCommonLines() -> DelimiterIndex {
    DelimiterIndex(of: [UInt8(ascii: "\n"), UInt8(ascii: "\""), UInt8(ascii: "\\")])
  }

  /// Finds the delimiters in a text of less than 4 GiB.
  package mutating func find(in text: Span<UInt8>) {
    // The search writes up to 64 positions more than there are delimiters. Memory that it doesn't
    // need isn't touched.
    let room = text.count + 64
    if storage.count < room {
      storage = unsafe Array(unsafeUninitializedCapacity: room) { _, count in count = room }
    }
    let (delimiters, width) = (delimiters, width)
    count = unsafe text.withUnsafeBufferPointer { text in
      unsafe delimiters.withUnsafeBufferPointer { delimiters in
        unsafe storage.withUnsafeMutableBufferPointer { positions in
          let count = unsafe delimiters_find(
            width, text.baseAddress, text.count, delimiters.baseAddress, positions.baseAddress)
          for place in count..<(count + Self.padding) {
            unsafe positions[place] = UInt32(truncatingIfNeeded: text.count)
          }
          return count
        }
      }
    }
  }

  /// The position of the delimiter at a place, or the end of the text for up to ``padding`` places
  /// after the last one.
  @inlinable
  package subscript(place: Int) -> Int {
    @inline(__always) get {
      assert(place >= 0 && place < count + Self.padding)
      return Int(unsafe storage.span[unchecked: place])
    }
  }
}

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
