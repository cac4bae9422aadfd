package import AccessLogs

#if Zstd
internal import CZstd
#endif
#if Bzip2
internal import CBzip2
#endif
#if XZ
internal import CLZMA
#endif

/// A compression that this build can read, and the writer of its test data.
package struct Codec: CustomStringConvertible, Sendable {
  package let compression: Compression

  /// The number of bytes that identify the compression.
  package let startLength: Int

  /// Compresses data to one member, in pieces that end where blocks do.
  ///
  /// In bzip2, blocks end inside bytes, so pieces end some bits earlier.
  package let pieces: @Sendable (_ data: [UInt8], _ blockSize: Int) -> [[UInt8]]

  package var description: String { compression.rawValue }

  package func member(_ data: some Collection<UInt8>, blockSize: Int = 1000) -> [UInt8] {
    pieces(Array(data), blockSize).flatMap(\.self)
  }

  package static let all: [Codec] = {
    var codecs = [gzip]
    #if Zstd
    codecs.append(zstd)
    #endif
    #if Bzip2
    codecs.append(bzip2)
    #endif
    #if XZ
    codecs.append(xz)
    #endif
    return codecs
  }()

  package static let gzip = Codec(compression: .gzip, startLength: 2) { data, blockSize in
    GzipWriter.pieces(data, blockSize: blockSize)
  }

  #if Zstd
  /// Members are frames with a checksum.
  package static let zstd = Codec(compression: .zstd, startLength: 4) { data, blockSize in
    let context = unsafe ZSTD_createCCtx()
    defer { unsafe ZSTD_freeCCtx(context) }
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    return unsafe blocks(of: data, blockSize) { block, isLast, output in
      var source = unsafe ZSTD_inBuffer(src: block.baseAddress, size: block.count, pos: 0)
      var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
      let mode = isLast ? ZSTD_e_end : ZSTD_e_flush
      unsafe ZSTD_compressStream2(context, &target, &source, mode)
      return unsafe target.pos
    }
  }
  #endif

  #if Bzip2
  package static let bzip2 = Codec(compression: .bzip2, startLength: 4) { data, blockSize in
    var stream = unsafe bz_stream()
    unsafe BZ2_bzCompressInit(&stream, 1, 0, 0)
    defer { unsafe BZ2_bzCompressEnd(&stream) }
    return unsafe blocks(of: data, blockSize) { block, isLast, output in
      unsafe stream.next_in = block.baseAddress?.assumingMemoryBound(to: CChar.self)
      unsafe stream.avail_in = CUnsignedInt(block.count)
      unsafe stream.next_out = output.baseAddress?.assumingMemoryBound(to: CChar.self)
      unsafe stream.avail_out = CUnsignedInt(output.count)
      unsafe BZ2_bzCompress(&stream, isLast ? BZ_FINISH : BZ_FLUSH)
      return unsafe output.count - Int(stream.avail_out)
    }
  }
  #endif

  #if XZ
  package static let xz = Codec(compression: .xz, startLength: 6) { data, blockSize in
    var stream = unsafe lzma_stream()
    _ = unsafe lzma_easy_encoder(&stream, 0, LZMA_CHECK_CRC64)
    defer { unsafe lzma_end(&stream) }
    return unsafe blocks(of: data, blockSize) { block, isLast, output in
      unsafe stream.next_in = UnsafePointer(block.baseAddress?.assumingMemoryBound(to: UInt8.self))
      unsafe stream.avail_in = block.count
      unsafe stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      unsafe stream.avail_out = output.count
      _ = unsafe lzma_code(&stream, isLast ? LZMA_FINISH : LZMA_FULL_FLUSH)
      return unsafe output.count - stream.avail_out
    }
  }
  #endif

  /// Processes data block by block.
  ///
  /// `write` receives a block, whether it is the last, and room for the result, whose size it
  /// returns.
  private static func blocks(
    of data: [UInt8], _ size: Int,
    _ write: (
      _ block: UnsafeMutableRawBufferPointer, _ isLast: Bool,
      _ output: UnsafeMutableRawBufferPointer
    ) -> Int
  ) -> [[UInt8]] {
    var rest = data[...]
    var result: [[UInt8]] = []
    repeat {
      var block = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      let isLast = rest.isEmpty
      var output = [UInt8](repeating: 0, count: 2 * block.count + 10_000)
      let count = unsafe block.withUnsafeMutableBytes { block in
        unsafe output.withUnsafeMutableBytes { output in unsafe write(block, isLast, output) }
      }
      result.append(Array(output[..<count]))
    } while !rest.isEmpty
    return result
  }
}

/// Gzip members in the simplest encoding: stored blocks without compression (RFC 1951, 3.2.4; RFC
/// 1952).
public enum GzipWriter {
  /// A member that contains `data`, in pieces that end where blocks do.
  static func pieces(_ data: [UInt8], blockSize: Int) -> [[UInt8]] {
    var pieces = stride(from: 0, to: max(1, data.count), by: blockSize).map { start -> [UInt8] in
      let block = Array(data[start...].prefix(blockSize))
      let size = UInt32(block.count)
      let isLast: UInt8 = start + block.count == data.count ? 1 : 0
      return [isLast] + littleEndian(size, bytes: 2) + littleEndian(~size, bytes: 2) + block
    }
    pieces[0] = header + pieces[0]
    pieces[pieces.count - 1] += trailer(checksum(data), data.count)
    return pieces
  }

  /// A member that contains `data`.
  public static func member(_ data: some Collection<UInt8>, blockSize: Int = 1000) -> [UInt8] {
    pieces(Array(data), blockSize: blockSize).flatMap(\.self)
  }

  /// A member that contains `data`, deflated.
  public static func compressed(_ data: [UInt8]) -> [UInt8] {
    let deflated = data.span.deflated() ?? []
    return header + deflated + trailer(data.span.crc32(), data.count)
  }

  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

  private static func trailer(_ checksum: UInt32, _ count: Int) -> [UInt8] {
    littleEndian(checksum, bytes: 4) + littleEndian(UInt32(truncatingIfNeeded: count), bytes: 4)
  }

  private static func littleEndian(_ value: UInt32, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  /// The CRC-32 of RFC 1952, bit by bit.
  public static func checksum(_ data: some Collection<UInt8>) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in data {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
