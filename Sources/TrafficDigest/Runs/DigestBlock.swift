internal import AccessLogs
internal import Foundations

/// The layout of a digest file.
///
/// Numbers of fixed length have the lowest byte first. A file begins with 24 bytes: the ``magic``
/// of 16, the version in four, and the CRC-32 of these 20. Consecutive blocks follow: those of
/// targets, one with the summary, one with the index. The file ends with 24 bytes: the offset of
/// the summary in eight, that of the index in eight, the CRC-32 of these 16, and ``endMark``. So a
/// checksum covers each byte.
///
/// A block is a header of 16 bytes and a payload:
///
/// | bytes | |
/// | --- | --- |
/// | 1 | the kind: 1 targets, 2 index, 3 summary |
/// | 1 | the compression of the payload: 0 none, 1 raw deflate (RFC 1951) |
/// | 2 | 0 |
/// | 4 | the length of the payload as it is stored |
/// | 4 | its length without compression |
/// | 4 | the CRC-32 of the 12 bytes in front and of the payload as it is stored |
///
/// In payloads, numbers have variable length (LEB128), and a text is its length and its bytes. A
/// block of targets is independent of other blocks:
///
/// 1. the number of combinations of dimensions, and each of them as in ``Dimensions``;
/// 2. the number of templates of pages, and each of them as a text;
/// 3. the number of targets, and each of them in the order of ``TargetKey``:
///    - 0 if the host is that of the previous target, else the length of the host plus one, and the
///      host;
///    - the number of bytes that the target shares with the previous one, and the rest as a text;
///    - the number of combinations, and for each its position and the number of requests, ascending
///      by dimensions;
///    - the number of kinds of same-host visits, and for each the position of the page's template,
///      that of the combination, and the number of visits, ascending by template and by dimensions.
///
/// A block ends with the first target with which the weight of its targets
/// (``TargetKey/weight(_:_:names:)``) reaches ``targetWeight``, so that blocks depend only on the
/// counts. The summary is a ``DigestSummary`` in JSON. The index has the number of blocks of targets.
/// For each of them, it has the block's length with the header, its CRC-32, and the numbers of its
/// targets and of their requests. The host and the first ``indexKeyLimit`` bytes of the first target
/// follow as texts.
///
/// A spill file has only blocks of targets, without compression. It has no name and needs no
/// summary, and its index is in memory.
///
enum DigestBlock {
  static let magic = Array("linkaudit digest".utf8)

  /// The version of the layout; this program reads no other.
  static let version: UInt32 = 7

  static let endMark = Array("end\n".utf8)

  /// The number of bytes before all blocks, and after them.
  static let startLength = 24
  static let endLength = 24

  static let headerLength = 16

  /// The weight of targets at which a block ends; the payload mostly has half as many bytes.
  static let targetWeight = 128 * 1024

  /// Upper bound for the length of a valid payload, in bytes.
  static let payloadLimit = 1 << 30

  /// The maximum number of bytes of a block; sparse files can have any size.
  static let lengthLimit = headerLength + payloadLimit

  /// The maximum number of bytes of a payload that is stored in `length` bytes.
  ///
  /// This program writes no payload that expands more, unless it is small.
  private static func payloadLimit(ofLength length: Int) -> Int {
    min(payloadLimit, max(1 << 24, 100 * length))
  }

  /// The maximum number of bytes of a target in the index.
  static let indexKeyLimit = 256

  enum Kind: UInt8 {
    case targets = 1
    case index = 2
    case summary = 3
  }

  /// The bytes before all blocks.
  static var start: [UInt8] {
    var bytes = magic
    bytes.append(fixed: version)
    bytes.append(fixed: bytes.span.crc32())
    return bytes
  }

  /// Returns the bytes after all blocks.
  static func end(summaryOffset: Int, indexOffset: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(fixed: UInt64(summaryOffset))
    bytes.append(fixed: UInt64(indexOffset))
    bytes.append(fixed: bytes.span.crc32())
    return bytes + endMark
  }

  /// A block in its stored form.
  static func block(
    _ kind: Kind, _ payload: [UInt8], isDeflated: Bool = true
  ) throws(DigestFileError) -> [UInt8] {
    guard let stored = isDeflated ? payload.span.deflated() : payload else {
      throw DigestFileError(path: "", reason: .outOfMemory, isTemporary: false, offset: 0)
    }
    var output: [UInt8] = []
    output.reserveCapacity(headerLength + stored.count)
    output += [kind.rawValue, isDeflated ? 1 : 0, 0, 0]
    output.append(fixed: UInt32(truncatingIfNeeded: stored.count))
    output.append(fixed: UInt32(truncatingIfNeeded: payload.count))
    let checksum = output.span.crc32()
    output.append(fixed: stored.span.crc32(after: checksum))
    output += stored
    return output
  }

  /// The checksum of a block.
  static func checksum(_ block: Span<UInt8>) -> UInt32 { block.halfWord(12) }

  /// Extracts the payload of a block to the beginning of an array, and returns its length, or `nil`
  /// if the block is damaged.
  static func open(_ block: Span<UInt8>, _ kind: Kind, into payload: inout [UInt8]) -> Int? {
    guard block.count >= headerLength, block[0] == kind.rawValue,
      block[1] <= 1, block[2] == 0, block[3] == 0,
      Int(block.halfWord(4)) == block.count - headerLength
    else { return nil }
    let count = Int(block.halfWord(8))
    let stored = block.extracting(headerLength..<block.count)
    let checksum = block.extracting(0..<12).crc32()
    guard count <= payloadLimit(ofLength: stored.count),
      stored.crc32(after: checksum) == block.halfWord(12)
    else { return nil }
    guard block[1] == 0 else { return stored.inflate(into: &payload, count: count) ? count : nil }
    guard count == stored.count else { return nil }
    payload.removeAll(keepingCapacity: true)
    stored.append(to: &payload)
    return count
  }
}

// MARK: - Numbers and texts

/// A reader of numbers and texts at a place in the payload of a block.
///
/// Reads beyond the end give 0 or nothing, and ``isValid`` becomes false.
struct PayloadReader {
  private(set) var position: Int
  private let end: Int

  /// A Boolean value indicating whether all reads so far were within the payload.
  private(set) var isValid = true

  init(_ range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  var isAtEnd: Bool { position >= end }

  /// Reads a number.
  @inline(__always)
  mutating func number(_ bytes: Span<UInt8>) -> UInt64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while position < end, shift < 64 {
      let byte = bytes.byte(position)
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    isValid = false
    position = end
    return 0
  }

  /// Reads a number of items of at least `size` bytes each, which have to follow.
  @inline(__always)
  mutating func count(_ bytes: Span<UInt8>, ofSize size: Int = 1) -> Int {
    let value = number(bytes)
    guard value <= UInt64(end - position) / UInt64(size) else {
      isValid = false
      position = end
      return 0
    }
    return Int(value)
  }

  /// Skips some bytes, which must be there, and returns their position.
  @inline(__always)
  mutating func range(count: Int) -> Range<Int> {
    guard count >= 0, count <= end - position else {
      isValid = false
      position = end
      return end..<end
    }
    position += count
    return (position - count)..<position
  }
}

extension UInt64 {
  /// Calls `body` with the bytes of the number, as few as it needs: seven bits a byte, the lowest
  /// first, the highest bit set in all bytes but the last (LEB128).
  @inline(__always)
  func forEachVariableLengthByte(_ body: (UInt8) -> Void) {
    var rest = self
    while rest >= 0x80 {
      body(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    body(UInt8(truncatingIfNeeded: rest))
  }
}

extension [UInt8] {
  /// Appends a number of fixed length, the lowest byte first.
  mutating func append(fixed number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Appends a number in as few bytes as it needs.
  mutating func append(variableLength number: UInt64) {
    number.forEachVariableLengthByte { append($0) }
  }

  /// Appends the number of some bytes, and the bytes.
  mutating func append(counted bytes: Span<UInt8>) {
    append(variableLength: UInt64(bytes.count))
    bytes.append(to: &self)
  }
}
