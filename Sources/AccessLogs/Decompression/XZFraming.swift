#if XZ
/// The boundaries of the pieces of an xz stream (The .xz File Format, 2 and 3; LZMA2's chunks as in
/// the reference decoder).
///
/// liblzma has one error for a wrong checksum and for invalid data. It reports a wrong block
/// checksum as soon as it has read it, so the position distinguishes the two.
struct XZFraming {
  private enum Piece {
    case streamHeader

    /// The first byte of a block's header, which is its size, or of the index.
    case blockStart
    case blockHeader

    /// The first byte of a chunk of LZMA2, which says what follows.
    case chunkStart

    /// The bytes of a chunk's header that hold the size of its data.
    case chunkSize
    case chunk
    case blockPadding
    case check

    /// The index and what follows it.
    case index
  }

  private var piece = Piece.streamHeader
  private var rest = 12
  private var position = 0

  /// The number of bytes of a block's data so far.
  private var dataSize = 0
  private var checkSize = 0

  /// The first byte of a chunk, and the size of its data.
  private var control = UInt8(0)
  private var chunkSize = 0

  /// A Boolean value indicating whether the last byte was the last one of the
  /// checksum of a block.
  private(set) var isBehindCheck = false

  /// The maximum number of bytes to read next, so that no piece begins in the same call as the one
  /// before it.
  var countToGive: Int { piece == .index ? .max : rest }

  /// Adds bytes that have been read.
  mutating func add(_ bytes: Span<UInt8>) {
    var start = 0
    while start < bytes.count {
      isBehindCheck = false
      if piece == .index { return }
      if [.blockHeader, .chunk, .check, .blockPadding].contains(piece) {
        // The content of these bytes doesn't matter.
        let count = min(rest, bytes.count - start)
        pass(count)
        start += count
      } else {
        take(bytes[start])
        start += 1
      }
    }
  }

  /// Processes a byte that determines what follows.
  private mutating func take(_ byte: UInt8) {
    switch piece {
    case .streamHeader:
      // The eighth byte is the kind of check.
      if position == 7 { checkSize = Self.checkSizes[Int(byte & 15)] }
    case .blockStart:
      if byte == 0 { piece = .index } else { begin(.blockHeader, Int(byte) * 4 + 3) }
      return
    case .chunkStart:
      dataSize += 1
      begin(byte: byte)
      return
    case .chunkSize:
      // In a compressed chunk, the uncompressed size is in front.
      if control < 0x80 || position >= 2 { chunkSize = chunkSize << 8 | Int(byte) }
    default: break
    }
    pass(1)
  }

  private mutating func begin(byte: UInt8) {
    control = byte
    chunkSize = 0
    switch byte {
    case 0: begin(.blockPadding, -dataSize & 3)
    case 1, 2: begin(.chunkSize, 2)
    default: begin(.chunkSize, 4)
    }
  }

  /// Skips bytes of the piece.
  private mutating func pass(_ count: Int) {
    position += count
    rest -= count
    if [.chunkSize, .chunk].contains(piece) { dataSize += count }
    guard rest == 0 else { return }
    switch piece {
    case .streamHeader, .check:
      isBehindCheck = piece == .check
      begin(.blockStart, 1)
    case .blockHeader:
      dataSize = 0
      begin(.chunkStart, 1)
    case .chunkSize:
      // From 0xC0 on, a byte with properties precedes the data.
      begin(.chunk, chunkSize + 1 + (control >= 0xC0 ? 1 : 0))
    case .chunk: begin(.chunkStart, 1)
    case .blockPadding: begin(.check, checkSize)
    case .blockStart, .chunkStart, .index: break
    }
  }

  private mutating func begin(_ next: Piece, _ size: Int) {
    (piece, rest, position) = (next, size, 0)
    // Padding and checks may be empty.
    if size == 0 {
      if next == .blockPadding { begin(.check, checkSize) } else { begin(.blockStart, 1) }
    }
  }

  /// The sizes of checks by their kinds.
  private static let checkSizes = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]
}
#endif
