import TestSupport
import Testing

@testable import AccessLogs

/// A compression that this build can read, and the writer of its test data.
struct Codec: CustomTestStringConvertible, Sendable {
  let compression: Compression

  /// Compresses data to one member, in pieces that end where blocks do.
  let pieces: @Sendable (_ data: [UInt8], _ blockSize: Int) -> [[UInt8]]

  var testDescription: String { compression.rawValue }

  func member(_ data: some Collection<UInt8>, blockSize: Int = 1000) -> [UInt8] {
    pieces(Array(data), blockSize).flatMap(\.self)
  }

  static let gzip = Codec(compression: .gzip) { data, blockSize in
    let member = GzipWriter.member(data, blockSize: blockSize)
    // A member begins with 10 bytes, each block with 5, and 8 end it.
    var ends: [Int] = [10]
    for start in stride(from: 0, to: max(1, data.count), by: blockSize) {
      ends.append((ends.last ?? 0) + 5 + min(blockSize, data.count - start))
    }
    ends[ends.count - 1] += 8
    return zip([0] + ends.dropFirst().dropLast(), ends.dropFirst()).map { Array(member[$0..<$1]) }
  }

  static let all: [Codec] = {
    var codecs = [gzip]
    #if Zstd
    codecs.append(Codec(compression: .zstd) { CompressedWriter.zstdFrame($0, blockSize: $1) })
    #endif
    #if Bzip2
    codecs.append(Codec(compression: .bzip2) { CompressedWriter.bzip2Stream($0, blockSize: $1) })
    #endif
    #if XZ
    codecs.append(Codec(compression: .xz) { CompressedWriter.xzStream($0, blockSize: $1) })
    #endif
    return codecs
  }()

  /// The number of bytes that identify the compression.
  var startLength: Int {
    switch compression {
    case .gzip: 2
    case .xz: 6
    default: 4
    }
  }
}
