// Unsafe code: this file lends buffers to libz. Each call of `inflate` gets its
// pointers inside one closure and they are cleared before it returns, so that
// libz keeps none. The stream is allocated once, has one owner, and is released
// with it.

internal import CZlib

/// A decoder of one gzip member at a time, by libz.
@safe
final class LibzInflater: Inflater {
  // libz stores the address of its stream, so it needs a fixed place.
  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(LogDamage) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe czlib_inflateInitGzip(stream) == Z_OK else {
      unsafe stream.deallocate()
      throw LogDamage(.outOfMemory, offset: 0)
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  func reset() { unsafe inflateReset(stream) }

  func inflate(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int
  ) -> InflateStep {
    unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        let free = unsafe UnsafeMutableBufferPointer(rebasing: output[start...])
        unsafe stream.pointee.next_in = input.baseAddress
        unsafe stream.pointee.avail_in = uInt(clamping: input.count)
        unsafe stream.pointee.next_out = free.baseAddress
        unsafe stream.pointee.avail_out = uInt(clamping: free.count)
        let (offeredIn, offeredOut) = unsafe (stream.pointee.avail_in, stream.pointee.avail_out)
        defer {
          unsafe stream.pointee.next_in = nil
          unsafe stream.pointee.next_out = nil
        }
        let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        return unsafe InflateStep(
          consumed: Int(offeredIn - stream.pointee.avail_in),
          produced: Int(offeredOut - stream.pointee.avail_out), outcome: outcome(status))
      }
    }
  }

  private func outcome(_ status: CInt) -> InflateStep.Outcome {
    switch status {
    case Z_OK, Z_BUF_ERROR: .more
    case Z_STREAM_END: .memberEnd
    case Z_MEM_ERROR: .failure(.outOfMemory)
    default: .failure(damage)
    }
  }

  /// The damage that libz reports.
  private var damage: LogDamage.Kind {
    guard let message = unsafe stream.pointee.msg else { return .invalidData }
    return switch unsafe String(cString: message) {
    case "incorrect data check", "incorrect length check": .wrongChecksum
    default: .invalidData
    }
  }
}
