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
/// They identify a log that has grown, or was copied, cut, renamed or compressed. Checkpoints are a
/// function of the content. Two contents that begin with the same bytes have the same checkpoints
/// there, as far as both keep them.
public struct ContentTrace: Sendable {
  /// The number of bytes of the head, by which logs are looked up.
  public static let headLength = 4_096

  /// The number of bytes of a block, which ends with a checkpoint.
  ///
  /// In the first block and in the last ones, the ends of lines are checkpoints, too.
  public static let blockLength = 1 << 16

  /// The number of complete blocks before the last one in which the ends of lines are checkpoints.
  private static let recentBlockCount = 4

  /// The least number of bytes between the ends of two lines that are checkpoints.
  ///
  /// Requests take more; a log of empty lines would have a checkpoint for each byte.
  private static let lineLength = 32

  /// The requested fingerprints of beginnings that the content reaches, in ascending order of their
  /// lengths.
  public private(set) var beginnings: [ContentFingerprint] = []

  /// The lengths of beginnings that are still to come, in descending order.
  private var lengths: [Int]

  private var hasher = ContentHasher()

  /// The fingerprint of the content if it is finished.
  private var finished: ContentFingerprint?

  /// A block whose bytes are kept, and the hash of everything before it.
  private typealias Block = (start: ContentHasher, bytes: [UInt8])

  /// The last blocks, of which the last one is incomplete.
  ///
  /// There are none once the content is finished, or if no checkpoints are wanted.
  private var blocks: [Block] = []

  /// The checkpoints of the blocks before those.
  private var earlierCheckpoints: [Checkpoint] = []

  /// Creates a trace of nothing.
  ///
  /// - Parameters:
  ///   - lengths: The numbers of bytes of beginnings whose fingerprints are wanted, each at least 1.
  ///   - keepsCheckpoints: Whether ``checkpoints`` are wanted.
  public init(lengths: [Int] = [], keepsCheckpoints: Bool = false) {
    self.lengths = lengths.isEmpty ? [] : Set(lengths).filter { $0 > 0 }.sorted(by: >)
    if keepsCheckpoints { blocks.append((ContentHasher(), [])) }
  }

  /// The fingerprint of the whole content so far.
  public var fingerprint: ContentFingerprint { finished ?? hasher.fingerprint }

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    let keepsCheckpoints = !blocks.isEmpty
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
        piece.append(to: &blocks[blocks.count - 1].bytes)
        if stop.isMultiple(of: Self.blockLength) { beginBlock() }
      }
    }
  }

  /// Begins a block, and drops the bytes of the first one if there are too many.
  private mutating func beginBlock() {
    guard blocks.count > Self.recentBlockCount else {
      blocks.append((hasher, []))
      return
    }
    var first = blocks.removeFirst()
    earlierCheckpoints +=
      first.start.length == 0
      ? Self.checkpoints(of: first) : [blocks[0].start.fingerprint.checkpoint]
    // Its memory is in the processor's caches.
    first.bytes.removeAll(keepingCapacity: true)
    blocks.append(Block(start: hasher, bytes: first.bytes))
  }

  /// Ends the content: no bytes follow, and none are kept.
  package mutating func finish() {
    if finished != nil { return }
    earlierCheckpoints = checkpoints
    blocks = []
    // The hasher holds bytes, which are too many if there are many logs.
    finished = hasher.fingerprint
    hasher = ContentHasher()
  }

  /// The checkpoints of the content in ascending order.
  ///
  /// They are the end of the head, the ends of blocks, and the ends of lines in the first block and
  /// in the last ones.
  public var checkpoints: [Checkpoint] {
    earlierCheckpoints + blocks.flatMap { Self.checkpoints(of: $0) }
  }

  private static func checkpoints(of block: Block) -> [Checkpoint] {
    let bytes = block.bytes
    var hasher = block.start
    var checkpoints: [Checkpoint] = []
    var (position, last) = (0, 0)
    while position < bytes.count {
      var end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      if hasher.length < headLength { end = min(end, position + headLength - hasher.length) }
      hasher.update(bytes.span.extracting(position..<end))
      position = end
      let endsLine = bytes[end - 1] == UInt8(ascii: "\n") && end - last >= lineLength
      if endsLine || hasher.length == headLength || end == blockLength {
        checkpoints.append(hasher.fingerprint.checkpoint)
        last = end
      }
    }
    return checkpoints
  }
}
