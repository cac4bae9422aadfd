#if Zstd
/// The boundaries of the pieces of a zstd frame (RFC 8878, 3.1): its header, its blocks with their
/// headers, and its checksum.
///
/// If a call ends in an error, libzstd doesn't report what it has decoded. So each call gets one
/// piece, and earlier calls have delivered everything before damage.
struct ZstdFraming {
  /// The pieces.
  enum Piece {
    /// The header of the frame.
    case frameHeader

    /// The header of a block.
    case blockHeader

    /// The rest of a block.
    case block

    /// The checksum of the frame.
    case checksum

    /// The content of a frame that is skipped.
    case skipped

    /// Nothing: the frame has ended.
    case end
  }

  /// The progress of reading a header.
  enum Progress {
    case incomplete
    case complete

    /// The bytes are not the header of a frame.
    case invalid
  }

  private(set) var piece = Piece.frameHeader

  /// The numbers of bytes of the piece that have been read and that are missing.
  private(set) var position = 0
  private(set) var rest = 4

  /// The bytes of a header that have come so far.
  private(set) var header: [UInt8] = []

  /// The number of bytes that the frame decodes to, or `nil` if its header doesn't say.
  private(set) var contentLength: Int?

  /// The number of bytes that the block decodes to, or `nil` if its header doesn't say, as for a
  /// compressed block.
  private(set) var blockLength: Int?

  private var hasChecksum = false

  /// A Boolean value indicating whether the block is the last one of the frame.
  private(set) var isLastBlock = false

  /// Counts bytes of the piece.
  mutating func advance(_ count: Int) {
    position += count
    rest -= count
  }

  /// Adds bytes of a header.
  mutating func add(header bytes: Span<UInt8>) -> Progress {
    for index in bytes.indices { header.append(bytes[index]) }
    advance(bytes.count)
    guard rest == 0, piece == .frameHeader else { return rest == 0 ? .complete : .incomplete }
    switch position {
    case 4:
      // After the magic number: a size, or a byte that describes the next field.
      if isSkippable {
        rest = 4
      } else if header == [0x28, 0xB5, 0x2F, 0xFD] {
        rest = 1
      } else {
        return .invalid
      }
      return .incomplete
    case 5:
      rest = fieldSizes.window + fieldSizes.dictionary + fieldSizes.content
      return rest == 0 ? .complete : .incomplete
    default: return .complete
    }
  }

  /// Goes on to the next piece.
  mutating func next() {
    switch piece {
    case .frameHeader where isSkippable: (piece, rest) = (.skipped, number(at: 4, size: 4))
    case .frameHeader:
      hasChecksum = header[4] & 4 != 0
      contentLength = fieldSizes.content > 0 ? contentSize : nil
      (piece, rest) = (.blockHeader, 3)
    case .blockHeader:
      let value = number(at: 0, size: 3)
      isLastBlock = value & 1 != 0
      blockLength = value >> 1 & 3 < 2 ? value >> 3 : nil
      // A block that repeats one byte contains only that byte.
      (piece, rest) = (.block, value >> 1 & 3 == 1 ? 1 : value >> 3)
    case .block where !isLastBlock: (piece, rest) = (.blockHeader, 3)
    case .block where hasChecksum: (piece, rest) = (.checksum, 4)
    case .block, .checksum, .skipped, .end: (piece, rest) = (.end, 0)
    }
    position = 0
    header.removeAll(keepingCapacity: true)
  }

  /// A Boolean value indicating whether the header is that of a skippable frame.
  var isSkippable: Bool {
    piece == .frameHeader && header.count >= 4 && header[0] & 0xF0 == 0x50
      && header[1...3] == [0x2A, 0x4D, 0x18]
  }

  /// The number of bytes to keep for decoding the frame, according to its complete header; 0 for
  /// any other.
  var window: Int {
    guard piece == .frameHeader, !isSkippable else { return 0 }
    let sizes = fieldSizes
    if sizes.window > 0 {
      let base = 1 << (10 + Int(header[5] >> 3))
      return base + base / 8 * Int(header[5] & 7)
    }
    return contentSize
  }

  /// The number of bytes in a skippable frame, according to its complete header.
  private var contentSize: Int {
    let sizes = fieldSizes
    let size = number(at: 5 + sizes.window + sizes.dictionary, size: sizes.content)
    return sizes.content == 2 ? size + 256 : size
  }

  /// The numbers of bytes of the fields after the fifth byte of a frame.
  private var fieldSizes: (window: Int, dictionary: Int, content: Int) {
    let descriptor = header[4]
    let isSingleSegment = descriptor & 0x20 != 0
    return (
      isSingleSegment ? 0 : 1, [0, 1, 2, 4][Int(descriptor & 3)],
      [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
    )
  }

  private func number(at start: Int, size: Int) -> Int {
    let bytes = header[start..<(start + size)]
    return Int(clamping: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
#endif
