// Unsafe code: libz reads the bytes through a pointer that it doesn't keep.

internal import CZlib

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
