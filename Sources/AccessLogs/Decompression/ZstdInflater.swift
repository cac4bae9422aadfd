#if Zstd
// Unsafe code: this file lends buffers to libzstd. Each call gets its pointers inside one closure,
// in values that don't outlive it, and libzstd keeps none. The context has one owner and is
// released with it.

internal import CZstd
internal import Dispatch
internal import Foundations

/// A decoder of one frame of zstd at a time, by libzstd.
@safe
final class ZstdInflater: Inflater {
  /// The greatest window, in bytes.
  ///
  /// Its pages are used only as it fills, so a short file needs little memory whatever its header
  /// says. Only one file at a time may use a large window.
  private let windowLimit: Int

  private var context: OpaquePointer

  /// Whether this holds the right to decompress data with more than the default window; one file has
  /// it at a time.
  ///
  /// The holder reads its file to the end, or closes it, before it opens another one that could need
  /// the right.
  private var holdsTurn = false
  private static let turn = DispatchSemaphore(value: 1)

  private var framing = ZstdFraming()

  /// The number of bytes that the frame has produced so far.
  private var length = 0

  /// Whether libzstd may hold bytes that had no room in the output.
  private var holdsOutput = false

  init(window: Int) throws(LogDamage) {
    windowLimit = window
    unsafe context = try Self.makeContext()
  }

  private static func makeContext() throws(LogDamage) -> OpaquePointer {
    guard let context = unsafe ZSTD_createDCtx() else {
      throw LogDamage(.outOfMemory, offset: 0)
    }
    unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 31)
    return unsafe context
  }

  deinit {
    unsafe ZSTD_freeDCtx(context)
    if holdsTurn { Self.turn.signal() }
  }

  func reset() throws(LogDamage) {
    if !holdsTurn {
      unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    } else {
      // A context keeps its memory.
      let next = unsafe try Self.makeContext()
      unsafe ZSTD_freeDCtx(context)
      unsafe context = next
      Self.turn.signal()
      holdsTurn = false
    }
    framing = ZstdFraming()
    length = 0
    holdsOutput = false
  }

  func inflate(
    _ input: Span<UInt8>, from used: inout Int, into output: inout MutableSpan<UInt8>,
    at produced: inout Int
  ) -> InflateOutcome {
    var outcome = InflateOutcome.more
    if holdsOutput {
      // A header must not be read in the call that delivers the block before it.
      var none = 0
      outcome = decompress([UInt8]().span, from: &none, into: &output, at: &produced)
    }
    while case .more = outcome, !holdsOutput {
      if framing.rest == 0 {
        framing.next()
        if framing.piece == .end { outcome = .memberEnd }
        if framing.piece == .block, !fitsBlock { outcome = .failure(.invalidData) }
        continue
      }
      let end = min(used + framing.rest, input.count)
      guard end > used else { break }
      switch framing.piece {
      case .frameHeader, .blockHeader:
        let header = input.extracting(used..<end)
        used = end
        outcome = decompress(header: header, into: &output, at: &produced)
      case .skipped:
        framing.advance(end - used)
        used = end
      case .block, .checksum, .end:
        let first = used
        outcome = decompress(
          input.extracting(0..<end), from: &used, into: &output, at: &produced)
        framing.advance(used - first)
      }
    }
    // Damage is where the piece begins.
    if case .failure = outcome { used -= framing.position }
    return outcome
  }

  /// A Boolean value indicating whether the frame can hold as much as the header of the block says.
  ///
  /// libzstd would deliver the bytes of an uncompressed block until it detects that there are too
  /// many or not enough.
  private var fitsBlock: Bool {
    guard let block = framing.blockLength, let content = framing.contentLength else { return true }
    return framing.isLastBlock ? block == content - length : block <= content - length
  }

  /// Collects a header, and decompresses it when it is complete.
  private func decompress(
    header bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>, at produced: inout Int
  ) -> InflateOutcome {
    guard framing.add(header: bytes) else { return .notAMember }
    guard framing.rest == 0, !framing.isSkippable else { return .more }
    let (window, greatest) = (framing.window, ExpansionLimit.greatestWindow)
    guard window <= windowLimit else {
      return .failure(
        window > greatest
          ? .memoryLimit(needed: window, allowed: greatest)
          : .windowLimit(needed: window, allowed: windowLimit))
    }
    if window > ExpansionLimit.defaultWindow {
      Self.turn.wait()
      holdsTurn = true
    }
    let header = framing.header
    var read = 0
    return decompress(header.span, from: &read, into: &output, at: &produced)
  }

  /// Decompresses a piece or a part of it.
  private func decompress(
    _ bytes: Span<UInt8>, from used: inout Int, into output: inout MutableSpan<UInt8>,
    at produced: inout Int
  ) -> InflateOutcome {
    let status = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe output.withUnsafeMutableBufferPointer { output in
        var input = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: used)
        var target = unsafe ZSTD_outBuffer(
          dst: output.baseAddress, size: output.count, pos: produced)
        let status = unsafe ZSTD_decompressStream(context, &target, &input)
        length += unsafe target.pos - produced
        (used, produced) = unsafe (input.pos, target.pos)
        return status
      }
    }
    holdsOutput = produced == output.count
    if ZSTD_isError(status) != 0 { return .failure(damage(ZSTD_getErrorCode(status))) }
    if status == 0 { return .memberEnd }
    return used < bytes.count && !holdsOutput ? .failure(.invalidData) : .more
  }

  private func damage(_ error: ZSTD_ErrorCode) -> LogDamage.Kind {
    switch error {
    case ZSTD_error_checksum_wrong: .wrongChecksum
    case ZSTD_error_memory_allocation: .outOfMemory
    default: .invalidData
    }
  }
}

/// The boundaries of the pieces of a zstd frame (RFC 8878, 3.1): its header, its blocks with their
/// headers, and its checksum.
///
/// If a call ends in an error, libzstd doesn't report what it has decoded. So each call gets one
/// piece, and earlier calls have delivered everything before damage.
struct ZstdFraming {
  enum Piece {
    case frameHeader
    case blockHeader
    case block
    case checksum

    /// The content of a frame that is skipped.
    case skipped
    case end
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
  private(set) var isLastBlock = false

  mutating func advance(_ count: Int) {
    position += count
    rest -= count
  }

  /// Adds bytes of a header; if more must follow, ``rest`` says how many.
  ///
  /// - Returns: Whether they can be the header of a frame.
  mutating func add(header bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices { header.append(bytes[index]) }
    advance(bytes.count)
    guard rest == 0, piece == .frameHeader else { return true }
    switch position {
    // After the magic number: a size, or a byte that describes the next field.
    case 4: rest = isSkippable ? 4 : 1
    case 5: rest = fieldSizes.window + fieldSizes.dictionary + fieldSizes.content
    default: break
    }
    return isSkippable || header.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
  }

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
