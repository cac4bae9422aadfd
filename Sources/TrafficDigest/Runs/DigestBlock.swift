internal import AccessLogs

/// The layout of a digest file.
///
/// A file is a ``magic`` of 16 bytes, the version in four, then blocks one after
/// another, then a trailer: the offset of the index in eight bytes, and the first
/// eight of the magic. Numbers of fixed length have the lowest byte first. A block
/// is a header of 16 bytes and a payload:
///
/// | bytes | |
/// | --- | --- |
/// | 1 | the kind: 1 targets, 2 index |
/// | 1 | the compression of the payload: 0 none |
/// | 2 | 0 |
/// | 4 | the length of the payload |
/// | 4 | its length without compression |
/// | 4 | the CRC-32 of the 12 bytes in front and of the payload |
///
/// In payloads, numbers have variable length (LEB128), and a text is its length and
/// its bytes. A block of targets stands alone:
///
/// 1. the number of combinations of dimensions, and each of them as
///    ``PackedDimensions`` has it;
/// 2. the number of templates of pages, and each of them as a text;
/// 3. the number of targets, and each of them in the order of ``TargetOrder``:
///    0 if the host is that of the target before, else the length of the host plus
///    one, and the host; the number of bytes that the target shares with the one
///    before, and the rest as a text; the number of combinations, and for each its
///    position and the number of requests, ascending by dimensions; the number of
///    kinds of same-host visits, and for each the position of the page's template,
///    that of the combination, and the number of visits, ascending by template and
///    by dimensions.
///
/// The index has the number of blocks of targets, and for each of them the offset
/// and, as texts, the host and the first ``indexKeyLimit`` bytes of the first
/// target.
enum DigestBlock {
  static let magic = Array("linkaudit digest".utf8)
  static let version: UInt32 = 1
  static let headerLength = 16

  /// A block of targets is ended when its payload has about this many bytes.
  static let targetLength = 64 * 1024

  /// A payload of more bytes than this is none that this program wrote.
  static let payloadLimit = 1 << 30

  /// The greatest number of bytes of a target that the index holds.
  static let indexKeyLimit = 256

  enum Kind: UInt8 {
    case targets = 1
    case index = 2
  }

  /// Appends a block to `output`.
  static func append(_ kind: Kind, _ payload: [UInt8], to output: inout [UInt8]) {
    let start = output.count
    output += [kind.rawValue, 0, 0, 0]
    output.append(fixed: UInt32(truncatingIfNeeded: payload.count))
    output.append(fixed: UInt32(truncatingIfNeeded: payload.count))
    let checksum = Checksum.crc32(output.span.extracting(start..<output.count))
    output.append(fixed: Checksum.crc32(payload.span, after: checksum))
    output += payload
  }

  /// Returns the length of the payload behind a header, or `nil` if it is no header
  /// of a block of targets.
  static func payloadLength(_ header: Span<UInt8>) -> Int? {
    guard header.count == headerLength, header[0] == Kind.targets.rawValue, header[1] == 0,
      header[2] == 0, header[3] == 0, header.halfWord(4) == header.halfWord(8),
      header.halfWord(4) <= payloadLimit
    else { return nil }
    return Int(header.halfWord(4))
  }

  /// Returns a Boolean value indicating whether a header and its payload are as
  /// they were written.
  static func isWhole(_ header: Span<UInt8>, _ payload: Span<UInt8>) -> Bool {
    let checksum = Checksum.crc32(header.extracting(0..<12))
    return Checksum.crc32(payload, after: checksum) == header.halfWord(12)
  }
}

extension [UInt8] {
  /// Appends a number of fixed length, the lowest byte first.
  mutating func append(fixed number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
