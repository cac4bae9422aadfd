internal import Foundations

/// A place in a log's decompressed content, and a hash of everything before it.
public struct Checkpoint: Hashable, Sendable {
  /// The number of bytes before the place.
  public var length: Int

  /// The first word of the fingerprint of those bytes.
  public var hash: UInt64

  /// Creates a checkpoint from its parts.
  public init(length: Int, hash: UInt64) { (self.length, self.hash) = (length, hash) }
}

extension ContentFingerprint {
  /// The end of the content as a checkpoint.
  public var checkpoint: Checkpoint { Checkpoint(length: length, hash: first) }
}

/// Hashes of the beginnings of a content, computed while it is read.
///
/// By them, a log is known when it has grown, was copied, cut, renamed or compressed. Checkpoints are
/// a function of the content: two contents that begin with the same bytes have the same
/// checkpoints there, as far as both keep them.
public struct ContentTrace: Sendable {
  /// The number of bytes of the head, by which logs are looked up.
  public static let headLength = 4_096

  /// The number of bytes of a block: each ends with a checkpoint, and the ends of lines are checkpoints
  /// in the first block and in the last two.
  public static let blockLength = 1 << 16

  /// The least number of bytes between the ends of two lines that are checkpoints.
  ///
  /// Requests take more; a log of empty lines would have a checkpoint for each byte.
  private static let lineLength = 32

  /// The fingerprints of the beginnings that were asked for and that the content reaches, in
  /// ascending order of their lengths.
  public private(set) var beginnings: [ContentFingerprint] = []

  /// The lengths of beginnings that are still to come, in descending order.
  private var lengths: [Int]

  private var hasher = ContentHasher()

  private let keepsCheckpoints: Bool

  /// The checkpoints of blocks before the recent ones.
  private var earlierCheckpoints: [Checkpoint] = []

  /// The last whole block and the bytes after it, with the hashes of what is before each of both.
  private var recent: [UInt8] = []
  private var blockStarts = [ContentHasher()]

  /// Creates a trace of nothing.
  ///
  /// - Parameters:
  ///   - lengths: The numbers of bytes of beginnings whose fingerprints are wanted, each at least 1.
  ///   - keepsCheckpoints: Whether ``checkpoints`` are wanted.
  public init(lengths: some Sequence<Int> = [], keepsCheckpoints: Bool = false) {
    self.lengths = Set(lengths).filter { $0 > 0 }.sorted(by: >)
    self.keepsCheckpoints = keepsCheckpoints
  }

  /// The fingerprint of the whole content so far.
  public var fingerprint: ContentFingerprint { hasher.fingerprint }

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    var position = 0
    while position < bytes.count {
      let length = hasher.length
      var stop = length + bytes.count - position
      if let next = lengths.last { stop = min(stop, next) }
      if keepsCheckpoints { stop = min(stop, (length / Self.blockLength + 1) * Self.blockLength) }
      let piece = bytes.extracting(position..<(position + stop - length))
      hasher.update(piece)
      position += piece.count
      if lengths.last == stop {
        lengths.removeLast()
        beginnings.append(hasher.fingerprint)
      }
      if keepsCheckpoints {
        piece.append(to: &recent)
        if stop.isMultiple(of: Self.blockLength) { endBlock() }
      }
    }
  }

  /// Ends a block, and keeps no more of the one before it than its checkpoints.
  private mutating func endBlock() {
    blockStarts.append(hasher)
    guard blockStarts.count > 2 else { return }
    if earlierCheckpoints.isEmpty {
      earlierCheckpoints = checkpoints(ofRecentBlock: 0)
    } else {
      earlierCheckpoints.append(blockStarts[1].fingerprint.checkpoint)
    }
    blockStarts.removeFirst()
    recent.removeFirst(Self.blockLength)
  }

  /// The checkpoints of the content in ascending order: where the head ends, where blocks end, and
  /// where lines do, in the first block and in the last ones.
  public var checkpoints: [Checkpoint] {
    earlierCheckpoints + blockStarts.indices.flatMap { checkpoints(ofRecentBlock: $0) }
  }

  /// The checkpoints in a block whose bytes are kept.
  private func checkpoints(ofRecentBlock number: Int) -> [Checkpoint] {
    var hasher = blockStarts[number]
    let start = number * Self.blockLength
    let bytes = recent[start..<min(start + Self.blockLength, recent.count)]
    let blockEnd = hasher.length + Self.blockLength
    var checkpoints: [Checkpoint] = []
    var (position, last) = (bytes.startIndex, hasher.length)
    while position < bytes.endIndex {
      var end =
        bytes[position...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.endIndex
      let toHeadEnd = Self.headLength - hasher.length
      if toHeadEnd > 0 { end = min(end, position + toHeadEnd) }
      hasher.update(recent.span.extracting(position..<end))
      position = end
      let endsLine = recent[end - 1] == UInt8(ascii: "\n")
      let length = hasher.length
      if endsLine && length - last >= Self.lineLength || length == Self.headLength
        || length == blockEnd
      {
        checkpoints.append(hasher.fingerprint.checkpoint)
        last = length
      }
    }
    return checkpoints
  }
}
