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
    do throws(LogDamage) {
      try reset()
    } catch {
      unsafe lzma_end(stream)
      unsafe stream.deallocate()
      throw error
    }
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
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int
  ) -> InflateStep {
    var step = InflateStep(consumed: 0, produced: 0, outcome: .more)
    while decoded.deliver(into: &output, from: start, &step) {
      let rest = min(framing.countToGive, input.count - step.consumed)
      guard holdsOutput || rest > 0 else { break }
      // Drain liblzma's output before giving it more input.
      let given = holdsOutput ? 0 : rest
      step.consumed += decode(input.extracting(step.consumed..<(step.consumed + given)))
    }
    return step
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

  private func outcome(_ status: lzma_ret) -> InflateStep.Outcome {
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
#endif
