// Unsafe code: this file lends buffers to libz. Each call gets its pointers inside one closure.
// Those in the stream of a decoder are cleared before it returns, so that libz keeps none. That
// stream is allocated once, has one owner, and is released with it; others live inside one call.

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
    default: .failure(isChecksumWrong ? .wrongChecksum : .invalidData)
    }
  }

  private var isChecksumWrong: Bool {
    guard let message = unsafe stream.pointee.msg else { return false }
    return ["incorrect data check", "incorrect length check"].contains(
      unsafe String(cString: message))
  }
}

extension Span<UInt8> {
  /// Compresses these bytes (RFC 1951), with ISA-L if this machine has it; their number has to be
  /// stored elsewhere.
  ///
  /// The output depends on the input, the library and its version, and the kind of processor.
  ///
  /// - Returns: The compressed bytes, or `nil` if there is no memory for it.
  package func deflated() -> [UInt8]? {
    #if ISAL
    if let output = IsalInflater.deflate(self) { return output }
    #endif
    // The level with the best compression for its time.
    let level: CInt = 2
    var stream = unsafe z_stream()
    guard count <= Int(UInt32.max), unsafe czlib_deflateInitRaw(&stream, level) == Z_OK else {
      return nil
    }
    defer { unsafe deflateEnd(&stream) }
    let bound = Int(unsafe deflateBound(&stream, uLong(count)))
    var isWhole = false
    let output = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      unsafe withUnsafeBufferPointer { input in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = uInt(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = uInt(clamping: output.count)
        isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = unsafe output.count - Int(stream.avail_out)
      }
    }
    return isWhole ? output : nil
  }

  /// Decompresses these bytes.
  ///
  /// - Parameters:
  ///   - output: An array that becomes at least `length` bytes long, of which the first `length` are
  ///     what was compressed.
  ///   - length: How many bytes were compressed.
  /// - Returns: Whether these bytes decompress to exactly `length` bytes.
  package func inflate(into output: inout [UInt8], count length: Int) -> Bool {
    // A byte stands for 1,032 at most.
    guard length <= (count + 1) * 1_032, count <= Int(UInt32.max), length < Int(UInt32.max)
    else { return false }
    // One byte more, so that too many are noticed.
    if output.count <= length {
      output.append(contentsOf: repeatElement(0, count: length + 1 - output.count))
    }
    var stream = unsafe z_stream()
    guard unsafe czlib_inflateInitRaw(&stream) == Z_OK else { return false }
    defer { unsafe inflateEnd(&stream) }
    return unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe withUnsafeBufferPointer { input in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = uInt(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = uInt(length + 1)
        let status = unsafe CZlib.inflate(&stream, Z_FINISH)
        return unsafe status == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 1
      }
    }
  }

  /// Computes the CRC-32 of these bytes (RFC 1952, 8), with which files of this project detect
  /// damage.
  ///
  /// - Parameter start: The checksum of what precedes them.
  /// - Returns: The checksum of both.
  package func crc32(after start: UInt32 = 0) -> UInt32 {
    unsafe withUnsafeBufferPointer { buffer in
      unsafe UInt32(
        truncatingIfNeeded: crc32_z(uLong(start), buffer.baseAddress, z_size_t(buffer.count)))
    }
  }
}
