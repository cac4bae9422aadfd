/// Gzip members in the simplest encoding: stored blocks without compression (RFC 1951, 3.2.4; RFC
/// 1952).
public enum GzipWriter {
  /// A member that contains `data`.
  public static func member(_ data: some Collection<UInt8>, blockSize: Int = 1000) -> [UInt8] {
    var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var rest = Array(data)[...]
    repeat {
      let block = rest.prefix(blockSize)
      rest = rest.dropFirst(blockSize)
      output.append(rest.isEmpty ? 1 : 0)
      output += littleEndian(UInt32(block.count), bytes: 2)
      output += littleEndian(~UInt32(block.count), bytes: 2)
      output += block
    } while !rest.isEmpty
    return output + littleEndian(checksum(data), bytes: 4)
      + littleEndian(UInt32(truncatingIfNeeded: data.count), bytes: 4)
  }

  /// A member of externally compressed data.
  public static func member(
    deflated: [UInt8], checksum: UInt32, count: Int
  ) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflated + littleEndian(checksum, bytes: 4)
      + littleEndian(UInt32(truncatingIfNeeded: count), bytes: 4)
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
