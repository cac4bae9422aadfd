#if Bzip2
// Unsafe code: this file lends buffers to libbz2. Each call gets its pointers inside one closure
// and they are cleared before it returns, so that libbz2 keeps none. The stream is allocated once,
// has one owner, and is released with it.

internal import CBzip2

/// A decoder of one stream of bzip2 at a time, by libbz2.
///
/// libbz2 has one error for a wrong checksum and for invalid data. To tell them apart, a call gives
/// it either input or room for output. With input, it reads a block. With room, it delivers the
/// block and compares its checksum.
@safe
final class Bzip2Inflater: Inflater {
  // libbz2 stores the address of its stream, so it needs a fixed place.
  private let stream: UnsafeMutablePointer<bz_stream>

  private var tail = UInt128(0)

  /// Bytes of the block that was read; when a call fails, libbz2 may not report what it has
  /// written.
  private var decoded = DecodedBytes(capacity: 4_096)

  init() throws(LogDamage) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: bz_stream())
    try reset()
  }

  deinit {
    unsafe BZ2_bzDecompressEnd(stream)
    unsafe stream.deallocate()
  }

  func reset() throws(LogDamage) {
    unsafe BZ2_bzDecompressEnd(stream)
    unsafe stream.pointee = bz_stream()
    tail = 0
    decoded.removeAll()
    guard unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else {
      throw LogDamage(.outOfMemory, offset: 0)
    }
  }

  func inflate(
    _ input: Span<UInt8>, from used: inout Int, into output: inout MutableSpan<UInt8>,
    at produced: inout Int
  ) -> InflateOutcome {
    while true {
      if let outcome = decoded.deliver(into: &output, at: &produced) { return outcome }
      let (end, written) = decompress(input.extracting(0..<0))
      decoded.add(written)
      if end != BZ_OK { decoded.end = outcome(end, ofData: .wrongChecksum) }
      if written > 0 || end != BZ_OK { continue }
      guard produced < output.count, used < input.count else { return .more }
      let (status, read) = decompress(input.extracting(used..<input.count))
      tail.append(input.extracting(used..<(used + read)))
      used += read
      let outcome = outcome(status, ofData: hasReachedChecksum ? .wrongChecksum : .invalidData)
      guard case .more = outcome else { return outcome }
    }
  }

  /// Reads input until there is a block or the stream ends; without input, decodes some of the block
  /// that was read.
  ///
  /// - Returns: libbz2's status, and the number of bytes read or decoded.
  private func decompress(_ input: Span<UInt8>) -> (CInt, Int) {
    let reads = !input.isEmpty
    return unsafe input.withUnsafeBufferPointer { input in
      unsafe decoded.room.withUnsafeMutableBufferPointer { room in
        let size = CUnsignedInt(clamping: reads ? input.count : room.count)
        unsafe input.withMemoryRebound(to: CChar.self) {
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: $0.baseAddress)
        }
        unsafe room.withMemoryRebound(to: CChar.self) {
          unsafe stream.pointee.next_out = $0.baseAddress
        }
        unsafe stream.pointee.avail_in = reads ? size : 0
        unsafe stream.pointee.avail_out = reads ? 0 : size
        defer {
          unsafe (stream.pointee.next_in, stream.pointee.avail_in) = (nil, 0)
          unsafe (stream.pointee.next_out, stream.pointee.avail_out) = (nil, 0)
        }
        let status = unsafe BZ2_bzDecompress(stream)
        return unsafe (
          status, Int(size - stream.pointee.avail_in - stream.pointee.avail_out)
        )
      }
    }
  }

  /// A Boolean value indicating whether the last bytes are the end of a stream: its
  /// mark, the checksum of all blocks, and up to seven bits that fill the byte.
  private var hasReachedChecksum: Bool {
    (0..<8).contains { tail >> (32 + $0) & 0xFFFF_FFFF_FFFF == 0x1772_4538_5090 }
  }

  private func outcome(_ status: CInt, ofData damage: LogDamage.Kind) -> InflateOutcome {
    switch status {
    case BZ_OK: .more
    case BZ_STREAM_END: .memberEnd
    case BZ_MEM_ERROR: .failure(.outOfMemory)
    case BZ_DATA_ERROR_MAGIC: .notAMember
    default: .failure(damage)
    }
  }
}
#endif
