internal import Foundations

/// The ways in which a log can be compressed.
public enum Compression: String, CaseIterable, Hashable, Sendable {
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

  /// Detects the compression of an input that begins with `start`, or returns `nil` if it isn't
  /// compressed in a known way.
  init?(ofInputBeginningWith start: Span<UInt8>) {
    if start.begins(with: 0x1F, 0x8B) {
      self = .gzip
    } else if start.begins(with: 0x28, 0xB5, 0x2F, 0xFD) || start.beginsWithSkippableFrame {
      self = .zstd
    } else if start.beginsWithBzip2Stream {
      self = .bzip2
    } else if start.begins(with: 0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00) {
      self = .xz
    } else if start.begins(with: 0x04, 0x22, 0x4D, 0x18) || start.begins(with: 2, 0x21, 0x4C, 0x18)
    {
      // The frames of today and the older ones.
      self = .lz4
    } else if start.begins(with: 0x50, 0x4B, 0x03, 0x04) || start.begins(with: 0x50, 0x4B, 5, 6) {
      self = .zip
    } else if start.begins(with: 0x1F, 0x9D) {
      self = .compress
    } else if start.begins(with: 0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C) {
      self = .sevenZip
    } else {
      return nil
    }
  }
}

extension Span<UInt8> {
  fileprivate func begins(with bytes: UInt8...) -> Bool {
    count >= bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
  }

  /// Whether a skippable frame of zstd begins here (RFC 8878, 3.1.2); `pzstd` and the seekable
  /// format begin so.
  fileprivate var beginsWithSkippableFrame: Bool {
    count >= 4 && self[0] & 0xF0 == 0x50 && self[1] == 0x2A && self[2] == 0x4D && self[3] == 0x18
  }

  /// `BZh`, the size of blocks, and the mark of a first block or of the end, as
  /// far as the input goes: a log could begin with the first four.
  fileprivate var beginsWithBzip2Stream: Bool {
    guard begins(with: 0x42, 0x5A, 0x68), count >= 4, (0x31...0x39).contains(self[3]) else {
      return false
    }
    let marks: [[UInt8]] = [
      [0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90],
    ]
    return marks.contains { mark in
      mark.indices.allSatisfy { 4 + $0 >= count || self[4 + $0] == mark[$0] }
    }
  }
}
