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
  /// The greatest window, which `zstd --long=31` makes.
  ///
  /// Its pages are used only as it fills, so a short file needs little memory whatever its header
  /// says. Only one file at a time may use a large window.
  private static let windowLogLimit = 31

  private var context: OpaquePointer
  private var largeWindow: LargeWindow?
  private var framing = ZstdFraming()

  /// The number of bytes that the frame has produced so far.
  private var length = 0

  /// A Boolean value indicating whether libzstd may hold bytes that had no room in
  /// the output.
  private var holdsOutput = false

  init() throws(LogDamage) {
    unsafe context = try Self.makeContext()
  }

  private static func makeContext() throws(LogDamage) -> OpaquePointer {
    guard let context = unsafe ZSTD_createDCtx() else {
      throw LogDamage(.outOfMemory, offset: 0)
    }
    unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, CInt(windowLogLimit))
    return unsafe context
  }

  deinit { unsafe ZSTD_freeDCtx(context) }

  func reset() throws(LogDamage) {
    if largeWindow == nil {
      unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    } else {
      // A context keeps its memory.
      let next = unsafe try Self.makeContext()
      unsafe ZSTD_freeDCtx(context)
      unsafe context = next
      largeWindow = nil
    }
    framing = ZstdFraming()
    length = 0
    holdsOutput = false
  }

  func inflate(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int
  ) -> InflateStep {
    var step = InflateStep(consumed: 0, produced: 0, outcome: .more)
    // A header must not be read in the call that delivers the block before it.
    if holdsOutput { decompress([UInt8]().span, into: &output, from: start, &step) }
    while case .more = step.outcome, !holdsOutput {
      if framing.rest == 0 {
        framing.next()
        if framing.piece == .end { step.outcome = .memberEnd }
        if framing.piece == .block, !fitsBlock { step.outcome = .failure(.invalidData) }
        continue
      }
      let count = min(framing.rest, input.count - step.consumed)
      guard count > 0 else { break }
      let bytes = input.extracting(step.consumed..<(step.consumed + count))
      switch framing.piece {
      case .frameHeader, .blockHeader:
        step.consumed += count
        decompress(header: bytes, into: &output, from: start, &step)
      case .skipped:
        step.consumed += count
        framing.advance(count)
      case .block, .checksum, .end:
        let used = decompress(bytes, into: &output, from: start, &step)
        step.consumed += used
        framing.advance(used)
      }
    }
    // Damage is where the piece begins.
    if case .failure = step.outcome { step.consumed -= framing.position }
    return step
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
    header bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int,
    _ step: inout InflateStep
  ) {
    switch framing.add(header: bytes) {
    case .incomplete: break
    case .invalid: step.outcome = .notAMember
    case .complete where framing.isSkippable: break
    case .complete where framing.window > 1 << Self.windowLogLimit:
      step.outcome = .failure(
        .memoryLimit(needed: framing.window, allowed: 1 << Self.windowLogLimit))
    case .complete:
      if framing.window > LargeWindow.freeLength { largeWindow = LargeWindow() }
      let header = framing.header
      decompress(header.span, into: &output, from: start, &step)
    }
  }

  /// Decompresses a piece or a part of it.
  ///
  /// - Returns: The number of bytes of the piece used up.
  @discardableResult
  private func decompress(
    _ bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int,
    _ step: inout InflateStep
  ) -> Int {
    let position = start + step.produced
    let (status, used, produced) = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe output.withUnsafeMutableBufferPointer { output in
        let free = unsafe UnsafeMutableBufferPointer(rebasing: output[position...])
        var input = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: free.baseAddress, size: free.count, pos: 0)
        let status = unsafe ZSTD_decompressStream(context, &target, &input)
        return unsafe (status, input.pos, target.pos)
      }
    }
    step.produced += produced
    length += produced
    holdsOutput = position + produced == output.count
    if ZSTD_isError(status) != 0 {
      step.outcome = .failure(damage(ZSTD_getErrorCode(status)))
    } else if status == 0 {
      step.outcome = .memberEnd
    } else if used < bytes.count, !holdsOutput {
      step.outcome = .failure(.invalidData)
    }
    return used
  }

  private func damage(_ error: ZSTD_ErrorCode) -> LogDamage.Kind {
    switch error {
    case ZSTD_error_checksum_wrong: .wrongChecksum
    case ZSTD_error_memory_allocation: .outOfMemory
    default: .invalidData
    }
  }
}

/// The right to decompress data that needs much memory; one file has it at a time.
///
/// The holder reads its file to the end, or closes it, before it opens another one that could need
/// the right.
final class LargeWindow: Sendable {
  /// The largest window that every worker may use at the same time: the limit of `zstd -d` without
  /// options.
  static let freeLength = 1 << 27

  private static let turn = DispatchSemaphore(value: 1)

  /// Waits until nobody else holds the right.
  init() { Self.turn.wait() }

  deinit { Self.turn.signal() }
}
#endif
