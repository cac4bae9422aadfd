#if XZ
// Unsafe code: this file lends buffers to liblzma. Each call gets its pointers
// inside one closure and they are cleared before it returns, so that liblzma keeps
// none. The stream is allocated once, has one owner, and is released with it.

internal import CLZMA

/// A decoder of one stream of xz at a time, by liblzma.
@safe
final class XZInflater: Inflater {
  /// The number of bytes of memory that decompressing may take: four times what
  /// `xz -9` makes needful.
  private static let memoryLimit = 256 << 20

  // liblzma compares pointers into its stream, so it needs a fixed place.
  private let stream: UnsafeMutablePointer<lzma_stream>
  private var framing = XZFraming()

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
  }

  func inflate(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int
  ) -> InflateStep {
    let (status, consumed, produced) = unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        let free = unsafe UnsafeMutableBufferPointer(rebasing: output[start...])
        unsafe (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, input.count)
        unsafe (stream.pointee.next_out, stream.pointee.avail_out) = (free.baseAddress, free.count)
        defer {
          unsafe (stream.pointee.next_in, stream.pointee.avail_in) = (nil, 0)
          unsafe (stream.pointee.next_out, stream.pointee.avail_out) = (nil, 0)
        }
        let status = unsafe lzma_code(stream, LZMA_RUN)
        return unsafe (
          status, input.count - stream.pointee.avail_in, free.count - stream.pointee.avail_out
        )
      }
    }
    framing.add(input.extracting(0..<consumed))
    return InflateStep(consumed: consumed, produced: produced, outcome: outcome(status))
  }

  private func outcome(_ status: lzma_ret) -> InflateStep.Outcome {
    switch status {
    // With neither input nor room, nothing moves, which is no error here.
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
