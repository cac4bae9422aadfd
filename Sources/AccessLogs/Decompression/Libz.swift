// Unsafe code: this file lends buffers to libz. Each call gets its pointers inside one closure.
// Those in the stream of a decoder are cleared before it returns, so that libz keeps none. That
// stream is allocated once, has one owner, and is released with it; that of an encoder lives inside
// one call.

internal import CZlib

/// A decoder of one gzip member at a time, or of all raw data in one call, by libz.
@safe
final class LibzInflater: Inflater {
  // libz stores the address of its stream, so it needs a fixed place.
  private let stream: UnsafeMutablePointer<z_stream>
  private let flush: CInt

  init(isRaw: Bool = false) throws(LogDamage) {
    flush = isRaw ? Z_FINISH : Z_NO_FLUSH
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe isRaw ? czlib_inflateInitRaw(stream) : czlib_inflateInitGzip(stream)
    guard status == Z_OK else { throw LogDamage(.outOfMemory, offset: 0) }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  func reset() { unsafe inflateReset(stream) }

  func inflate(
    _ input: Span<UInt8>, from used: inout Int, into output: inout MutableSpan<UInt8>,
    at produced: inout Int
  ) -> InflateOutcome {
    unsafe input.extracting(used..<input.count).withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        let free = unsafe UnsafeMutableBufferPointer(rebasing: output[produced...])
        unsafe stream.pointee.next_in = input.baseAddress
        unsafe stream.pointee.avail_in = uInt(clamping: input.count)
        unsafe stream.pointee.next_out = free.baseAddress
        unsafe stream.pointee.avail_out = uInt(clamping: free.count)
        let (offeredIn, offeredOut) = unsafe (stream.pointee.avail_in, stream.pointee.avail_out)
        defer {
          unsafe stream.pointee.next_in = nil
          unsafe stream.pointee.next_out = nil
        }
        let status = unsafe CZlib.inflate(stream, flush)
        used += unsafe Int(offeredIn - stream.pointee.avail_in)
        produced += unsafe Int(offeredOut - stream.pointee.avail_out)
        return outcome(status)
      }
    }
  }

  private func outcome(_ status: CInt) -> InflateOutcome {
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
    guard let inflater = try? LibzInflater(isRaw: true) else { return false }
    var (used, produced) = (0, 0)
    var bytes = output.mutableSpan
    var room = bytes._mutatingExtracting(0..<(length + 1))
    let outcome = inflater.inflate(self, from: &used, into: &room, at: &produced)
    guard case .memberEnd = outcome else { return false }
    return used == count && produced == length
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
