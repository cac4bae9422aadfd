internal import Foundations

/// The ways in which a log can be compressed.
public enum Compression: String, CaseIterable, Codable, Hashable, Sendable {
  case gzip
  case zstd
  case bzip2
  case xz
  case lz4
  case zip
  case compress
  case sevenZip = "7z"

  /// The maximum number of bytes that detection needs.
  static let startLength = 10

  /// The package trait with which it can be read, or `nil` if it needs none or
  /// can't be read at all.
  public var trait: String? {
    switch self {
    case .zstd: "Zstd"
    case .bzip2: "Bzip2"
    case .xz: "XZ"
    case .gzip, .lz4, .zip, .compress, .sevenZip: nil
    }
  }

  /// The first bytes of compressed data; LZ4 has frames of today and older ones.
  private static let signatures: [(compression: Compression, start: [UInt8])] = {
    var signatures: [(compression: Compression, start: [UInt8])] = [
      (.gzip, [0x1F, 0x8B]), (.zstd, [0x28, 0xB5, 0x2F, 0xFD]),
      (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]), (.lz4, [0x04, 0x22, 0x4D, 0x18]),
      (.lz4, [0x02, 0x21, 0x4C, 0x18]), (.zip, [0x50, 0x4B, 0x03, 0x04]),
      (.zip, [0x50, 0x4B, 0x05, 0x06]), (.compress, [0x1F, 0x9D]),
      (.sevenZip, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
    ]
    // A frame that is skipped (RFC 8878, 3.1.2); `pzstd` and the seekable format begin so.
    for kind: UInt8 in 0x50...0x5F { signatures.append((.zstd, [kind, 0x2A, 0x4D, 0x18])) }
    // `BZh`, the size of blocks, and the mark of a first block or of the end.
    for size: UInt8 in 0x31...0x39 {
      let start: [UInt8] = [0x42, 0x5A, 0x68, size]
      signatures.append((.bzip2, start + [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]))
      signatures.append((.bzip2, start + [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]))
    }
    return signatures
  }()

  /// Detects the compression of an input that begins with `start`, or returns `nil` if it isn't
  /// compressed in a known way.
  init?(ofInputBeginningWith start: Span<UInt8>) {
    let known = Self.signatures.first { compression, bytes in
      // A log could begin with four bytes of bzip2, so compare the rest as far as the input goes.
      let least = compression == .bzip2 ? 4 : bytes.count
      return start.count >= least
        && bytes.indices.prefix(start.count).allSatisfy { start[$0] == bytes[$0] }
    }
    guard let known else { return nil }
    self = known.compression
  }

  func mayBegin(with byte: UInt8) -> Bool {
    Self.signatures.contains { $0.compression == self && $0.start[0] == byte }
  }
}

/// Content that linkaudit doesn't read, though it may hold a log.
public enum ForeignContent: String, CaseIterable, Codable, Hashable, Sendable {
  /// Text in UTF-16, as PowerShell writes it.
  case utf16

  /// Lines that end with a carriage return only.
  case carriageReturns

  /// A file of Apache Parquet.
  case parquet

  /// The kind of content, and the remedy.
  var explanation: String {
    switch self {
    case .utf16:
      "the text is UTF-16; convert it to UTF-8 first, for example with 'iconv -f UTF-16 -t UTF-8'"
    case .carriageReturns:
      "its lines end with carriage returns only; convert them first, for example with \"tr '\\r' "
        + "'\\n'\""
    case .parquet: "linkaudit does not read Parquet files; export the rows as lines of JSON first"
    }
  }

  /// The number of bytes without a line feed that shows carriage returns as line ends, unless the
  /// content is shorter.
  private static let lineLength = 4_096

  /// Detects content that isn't a log in text by its first bytes, or returns `nil` if it can be one.
  init?(beginningWith start: Span<UInt8>, isWhole: Bool) {
    if start.isUTF16 {
      self = .utf16
    } else if start.begins(with: "PAR1"), start.count == 4 || start[4] < 0x20 && start[4] != 0x0A {
      self = .parquet
    } else if isWhole || start.count >= Self.lineLength, start.endsLinesWithCarriageReturns {
      self = .carriageReturns
    } else {
      return nil
    }
  }
}

extension Span<UInt8> {
  /// A Boolean value indicating whether these bytes begin with the byte order mark of UTF-16, or
  /// with four units of it that are printable ASCII.
  fileprivate var isUTF16: Bool {
    guard count >= 2 else { return false }
    if self[0] == 0xFF, self[1] == 0xFE { return true }
    if self[0] == 0xFE, self[1] == 0xFF { return true }
    guard count >= 8 else { return false }
    return [0, 1].contains { zeros in
      (0..<8).allSatisfy { index in
        index & 1 == zeros ? self[index] == 0 : (0x20..<0x7F).contains(self[index])
      }
    }
  }

  /// Whether the bytes have carriage returns, not only at the end, but no line feed and no NUL.
  fileprivate var endsLinesWithCarriageReturns: Bool {
    firstIndex(of: UInt8(ascii: "\r"), from: 0, to: count - 1) != nil
      && firstIndex(of: UInt8(ascii: "\n")) == nil && firstIndex(of: 0) == nil
  }

  /// A Boolean value indicating whether these bytes begin with the header of a file in a tar archive
  /// ([POSIX.1-2017, pax](https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html),
  /// "ustar Interchange Format").
  ///
  /// Read as a log, the first line of each file of an archive would be lost in a header. The mark
  /// alone isn't enough: whoever chooses the first line of a log could keep the log from being read.
  /// So the checksum has to fit, too, and there must be a NUL, which no server writes.
  var beginsTarArchive: Bool {
    let headerLength = 512
    guard count >= headerLength, begins(with: "ustar", at: 257),
      firstIndex(of: 0, from: 0, to: 257) != nil
    else { return false }
    // The sum of all bytes, those of the field itself taken for spaces.
    let field = 148..<156
    let sum = (0..<headerLength).reduce(0) { sum, index in
      sum + (field.contains(index) ? Int(UInt8(ascii: " ")) : Int(self[index]))
    }
    let digits = field.map { self[$0] }.filter { $0 != UInt8(ascii: " ") && $0 != 0 }
    return Int("0" + String(decoding: digits, as: UTF8.self), radix: 8) == sum
  }

  /// Returns the start of a line that begins with the first bytes of a gzip member, as far as these
  /// bytes tell, or `nil` if there is none.
  func gzipMagic(from start: Int, to end: Int, isLineStart: Bool) -> Int? {
    var position = start
    while let found = firstIndex(of: 0x1F, from: position, to: end) {
      position = found + 1
      let beginsLine = found > start ? self[found - 1] == UInt8(ascii: "\n") : isLineStart
      if beginsLine, extracting(found..<count).mayBeginGzipHeader { return found }
    }
    return nil
  }

  /// Whether these bytes are the header of a gzip member (RFC 1952, 2.3) as far as they go.
  private var mayBeginGzipHeader: Bool {
    count > 0 && self[0] == 0x1F && (count < 2 || self[1] == 0x8B) && (count < 3 || self[2] == 8)
      && (count < 4 || self[3] & 0xE0 == 0)
  }

  var beginsWithGzipHeader: Bool { count >= Compression.startLength && mayBeginGzipHeader }
}
