#if XZ
// Unsafe code: this file lends buffers to liblzma. Each call gets its pointers
// inside one closure and they are cleared before it returns, so that liblzma keeps
// none. The stream is allocated once, has one owner, and is released with it.

internal import CLZMA

/// A decoder of one stream of xz at a time, by liblzma.
@safe
final class XZInflater: Inflater {
  /// The maximum number of bytes of memory for decompression: four times the need of `xz -9` files.
  private static let memoryLimit = 256 << 20

  // liblzma compares pointers into its stream, so it needs a fixed place.
  private let stream: UnsafeMutablePointer<lzma_stream>
  private var framing = XZFraming()

  /// Bytes that have been decoded.
  ///
  /// liblzma detects only after a call that it has read beyond the end of a chunk, and delivers
  /// what it decoded there. So it gets at most one chunk at a time, and room of a constant size.
  /// Then its output doesn't depend on where the input is cut.
  private var decoded = DecodedBytes(capacity: 16_384)

  /// A Boolean value indicating whether liblzma may hold bytes for which there was no room.
  private var holdsOutput = false

  init() throws(LogDamage) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: lzma_stream())
    try reset()
  }

  deinit {
    unsafe lzma_end(stream)
    unsafe stream.deallocate()
  }

  func reset() throws(LogDamage) {
    guard unsafe lzma_stream_decoder(stream, UInt64(Self.memoryLimit), 0) == LZMA_OK else {
      throw LogDamage(.outOfMemory, offset: 0)
    }
    framing = XZFraming()
    holdsOutput = false
    decoded.removeAll()
  }

  func inflate(
    _ input: Span<UInt8>, from used: inout Int, into output: inout MutableSpan<UInt8>,
    at produced: inout Int
  ) -> InflateOutcome {
    while true {
      if let outcome = decoded.deliver(into: &output, at: &produced) { return outcome }
      let rest = min(framing.rest, input.count - used)
      guard holdsOutput || rest > 0 else { return .more }
      // Drain liblzma's output before giving it more input.
      let given = holdsOutput ? 0 : rest
      used += decode(input.extracting(used..<(used + given)))
    }
  }

  /// Decodes a piece of the stream, or a part of one, into ``decoded``.
  ///
  /// - Returns: The number of bytes used up.
  private func decode(_ input: Span<UInt8>) -> Int {
    let (status, consumed, produced) = unsafe input.withUnsafeBufferPointer { input in
      unsafe decoded.room.withUnsafeMutableBufferPointer { output in
        unsafe (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = output.count
        defer {
          unsafe (stream.pointee.next_in, stream.pointee.avail_in) = (nil, 0)
          unsafe (stream.pointee.next_out, stream.pointee.avail_out) = (nil, 0)
        }
        let status = unsafe lzma_code(stream, LZMA_RUN)
        return unsafe (
          status, input.count - stream.pointee.avail_in, output.count - stream.pointee.avail_out
        )
      }
    }
    framing.add(input.extracting(0..<consumed))
    decoded.add(produced)
    holdsOutput = produced == decoded.room.count
    let outcome = outcome(status)
    if case .more = outcome {
      // There is room, so the decoder must make progress.
      if !input.isEmpty, consumed == 0, produced == 0 { decoded.end = .failure(.invalidData) }
    } else {
      decoded.end = outcome
    }
    return consumed
  }

  private func outcome(_ status: lzma_ret) -> InflateOutcome {
    switch status {
    // With neither input nor room, there is no progress, which isn't an error here.
    case LZMA_OK, LZMA_BUF_ERROR: .more
    case LZMA_STREAM_END: .memberEnd
    case LZMA_FORMAT_ERROR: .notAMember
    case LZMA_MEM_ERROR: .failure(.outOfMemory)
    case LZMA_MEMLIMIT_ERROR:
      .failure(
        .memoryLimit(needed: Int(clamping: unsafe lzma_memusage(stream)), allowed: Self.memoryLimit)
      )
    case LZMA_DATA_ERROR where framing.isBehindCheck: .failure(.wrongChecksum)
    default: .failure(.invalidData)
    }
  }
}

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

  /// The number of bytes that the piece lacks: the maximum to read next, so that no piece begins in
  /// the same call as the one before it.
  private(set) var rest = 12

  /// The number of bytes so far, and the last ones.
  private var position = 0
  private var tail = UInt128(0)
  private var checkSize = 0

  /// The first byte of a chunk.
  private var control = UInt8(0)

  /// Whether the last byte was the last one of the checksum of a block.
  private(set) var isBehindCheck = false

  /// Adds bytes, at most ``rest``.
  mutating func add(_ bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    isBehindCheck = false
    tail.append(bytes)
    position += bytes.count
    rest -= bytes.count
    // Padding and checks may be empty.
    while rest == 0 { next() }
  }

  private mutating func next() {
    let last = UInt8(truncatingIfNeeded: tail)
    switch piece {
    case .streamHeader:
      // The eighth byte is the kind of check.
      checkSize = Self.checkSizes[Int(tail >> 32 & 15)]
      (piece, rest) = (.blockStart, 1)
    case .blockStart where last == 0: (piece, rest) = (.index, .max)
    case .blockStart: (piece, rest) = (.blockHeader, Int(last) * 4 + 3)
    case .blockHeader, .chunk: (piece, rest) = (.chunkStart, 1)
    // All pieces but those of data have a multiple of four bytes.
    case .chunkStart where last == 0: (piece, rest) = (.blockPadding, -position & 3)
    case .chunkStart:
      control = last
      (piece, rest) = (.chunkSize, control <= 2 ? 2 : 4)
    case .chunkSize:
      // From 0xC0 on, a byte with properties precedes the data.
      (piece, rest) = (.chunk, Int(tail & 0xFFFF) + (control >= 0xC0 ? 2 : 1))
    case .blockPadding: (piece, rest) = (.check, checkSize)
    case .check:
      isBehindCheck = checkSize > 0
      (piece, rest) = (.blockStart, 1)
    case .index: break
    }
  }

  private static let checkSizes = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]
}
#endif
