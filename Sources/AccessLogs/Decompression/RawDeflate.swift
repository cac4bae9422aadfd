// Unsafe code: this file lends buffers to libz, which uses them only during the one call that gets
// them. The stream lives inside that call.

internal import CZlib

/// Compression of a buffer whose length is stored elsewhere (RFC 1951).
package enum RawDeflate {
  /// The level with the best compression for its time; one library gives the same output for the
  /// same input.
  private static let level: CInt = 2

  /// Returns the maximum number of bytes that `length` bytes of data inflate to.
  package static func inflatedLimit(ofLength length: Int) -> Int { (length + 1) * 1_032 }

  /// Compresses bytes.
  ///
  /// - Returns: The compressed bytes, or `nil` if there is no memory for it.
  package static func compress(_ bytes: Span<UInt8>) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard unsafe czlib_deflateInitRaw(&stream, level) == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    guard bytes.count <= Int(UInt32.max) else { return nil }
    let bound = Int(unsafe deflateBound(&stream, uLong(bytes.count)))
    var isWhole = false
    let output = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      unsafe bytes.withUnsafeBufferPointer { input in
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

  /// Decompresses bytes.
  ///
  /// - Parameters:
  ///   - bytes: The compressed bytes.
  ///   - output: An array that becomes at least `count` bytes long, of which the first `count` are
  ///     what was compressed.
  ///   - count: How many bytes were compressed.
  /// - Returns: Whether `bytes` decompress to exactly `count` bytes.
  package static func decompress(
    _ bytes: Span<UInt8>, into output: inout [UInt8], count: Int
  ) -> Bool {
    guard count <= inflatedLimit(ofLength: bytes.count), bytes.count <= Int(UInt32.max),
      count < Int(UInt32.max)
    else { return false }
    // One byte more, so that too many are noticed.
    if output.count <= count {
      output.append(contentsOf: repeatElement(0, count: count + 1 - output.count))
    }
    var stream = unsafe z_stream()
    guard unsafe czlib_inflateInitRaw(&stream) == Z_OK else { return false }
    defer { unsafe inflateEnd(&stream) }
    return unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = uInt(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = uInt(count + 1)
        let status = unsafe inflate(&stream, Z_FINISH)
        return unsafe status == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 1
      }
    }
  }
}

/// The checksum with which files of this project detect damage.
package enum Checksum {
  /// Computes the CRC-32 of some bytes (RFC 1952, 8).
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: The checksum of what precedes them.
  /// - Returns: The checksum of both.
  package static func crc32(_ bytes: Span<UInt8>, after start: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe UInt32(
        truncatingIfNeeded: crc32_z(uLong(start), buffer.baseAddress, z_size_t(buffer.count)))
    }
  }
}
