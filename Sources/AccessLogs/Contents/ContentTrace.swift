internal import Foundations

/// The fingerprints of a log's decompressed content and of some of its beginnings: they identify
/// the log when it has grown, has another name, or is compressed.
public struct ContentTrace: Hashable, Sendable {
  /// The number of bytes of the head: enough for some lines with their times, so that
  /// logs hardly ever share it.
  public static let headLength = 4_096

  /// The number of bytes in front of a checkpoint: a multiple of 4 KiB up to 64 KiB, and
  /// one of 64 KiB from there on.
  ///
  /// - Parameter number: The number of the checkpoint, from 0.
  /// - Returns: The number of bytes.
  public static func checkpoint(_ number: Int) -> Int {
    number < 16 ? (number + 1) << 12 : (number - 14) << 16
  }

  /// The last checkpoint in the first `length` bytes, or 0 if there is none.
  public static func lastCheckpoint(in length: Int) -> Int {
    length < 1 << 16 ? length & ~0xFFF : length & ~0xFFFF
  }

  /// The fingerprint of the whole content so far.
  public private(set) var fingerprint: ContentFingerprint

  /// The fingerprint of the first ``headLength`` bytes, or of all if there are fewer.
  public private(set) var head: ContentFingerprint

  /// One word of the fingerprint of what is in front of each ``checkpoint(_:)`` that the
  /// content reaches.
  public private(set) var checkpoints: [UInt64] = []

  /// One word of the fingerprint of each beginning that ends with a line, within the
  /// first ``headLength`` bytes.
  public private(set) var lineBeginnings: [UInt64] = []

  /// The fingerprints of the beginnings that were asked for and that the content
  /// reaches, in ascending order of their lengths.
  public private(set) var beginnings: [ContentFingerprint] = []

  /// The end of a line, in bytes, with some bits of the fingerprint of what is in front
  /// of it.
  public struct LineMark: Hashable, Sendable {
    /// The number of bytes of the line, its end among them.
    public var length: UInt32

    /// The bits: what agrees in those of some lines in a row agrees up to there.
    public var hash: UInt32
  }

  /// The ends of lines in the part of the content whose lines are marked.
  public private(set) var marks: [LineMark] = []

  /// The number of bytes up to the end of the first line that is marked, or 0.
  public private(set) var firstMarkedEnd = 0

  /// The end of the line before the next one, in bytes, while lines are marked.
  private var lastEnd = 0

  /// The part of the content whose lines are marked, in bytes.
  public var markedPart: Range<Int>

  /// The number of bytes at the end of a log whose lines are marked: where logs go on
  /// otherwise than they did, that is near their end.
  private static let markedLength = 1 << 22

  /// The number of bytes at the beginning of a compressed log whose lines are marked: one
  /// that is seldom changed, and whose length isn't known.
  private static let markedCompressedLength = 1 << 20

  /// The lengths of beginnings that are still to come, in descending order.
  private var lengths: [Int]

  private var hasher = ContentHasher()

  /// Creates a trace of nothing.
  ///
  /// - Parameters:
  ///   - lengths: The numbers of bytes of beginnings whose fingerprints are
  ///   wanted, each at least 1.
  ///   - markedPart: The part of the content whose lines are marked, in bytes.
  public init(lengths: [Int] = [], markedPart: Range<Int> = 0..<0) {
    self.markedPart = markedPart
    self.lengths = Set(lengths).filter { $0 > 0 }.sorted(by: >)
    fingerprint = hasher.fingerprint
    head = fingerprint
  }

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    var position = 0
    while position < bytes.count {
      let length = hasher.length
      var stop = Self.checkpoint(checkpoints.count)
      if length < Self.headLength { stop = min(stop, Self.headLength) }
      let isMarked = markedPart.contains(length)
      if length < markedPart.lowerBound { stop = min(stop, markedPart.lowerBound) }
      if isMarked || length < Self.headLength {
        if let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: position) {
          stop = min(stop, length + end - position + 1)
        }
      }
      if let next = lengths.last { stop = min(stop, next) }
      let count = min(stop - length, bytes.count - position)
      hasher.update(bytes.extracting(position..<(position + count)))
      position += count
      let endsLine = bytes[position - 1] == UInt8(ascii: "\n")
      if endsLine, isMarked || length < Self.headLength {
        let hash = hasher.fingerprint.first
        if length < Self.headLength { lineBeginnings.append(hash) }
        if isMarked {
          mark(lineEndingAt: length + count, hash)
        }
      }
      if length + count == stop { reach(stop) }
    }
    fingerprint = hasher.fingerprint
    if hasher.length < Self.headLength { head = fingerprint }
  }

  private mutating func mark(lineEndingAt end: Int, _ hash: UInt64) {
    if marks.isEmpty { (firstMarkedEnd, lastEnd) = (end, end) }
    marks.append(
      LineMark(
        length: UInt32(clamping: end - lastEnd), hash: UInt32(truncatingIfNeeded: hash)))
    lastEnd = end
    if isKept, marks.count == Self.keptCount { forgetMarks(Self.keptCount / 2) }
  }

  /// Whether the marks are to be kept, of which there mustn't be too many.
  private var isKept = false

  /// So many lines are marked at most if the marks are kept: logs of empty lines would have
  /// millions, and logs are looked at by the thousand.
  private static let keptCount = 1 << 14

  /// Where there are fewer marks that were kept, none have been forgotten.
  package static let leastCountOfLimitedMarks = keptCount / 2

  /// Forgets marks, so that the marked part begins behind their lines.
  private mutating func forgetMarks(_ count: Int) {
    let end = marks[1..<count].reduce(firstMarkedEnd) { $0 + Int($1.length) }
    firstMarkedEnd = end + Int(marks[count].length)
    markedPart = end..<max(end, markedPart.upperBound)
    marks.removeFirst(count)
  }

  /// Marks the lines by which a log is known when it has gone on otherwise.
  ///
  /// - Parameters:
  ///   - stamp: What is known of the file when it is opened, or `nil` if that is nothing.
  ///   - isCompressed: Whether it is compressed.
  mutating func markEnd(of stamp: FileStamp?, _ isCompressed: Bool) {
    isKept = true
    markedPart = Self.markedPart(of: stamp, isCompressed)
  }

  private mutating func reach(_ length: Int) {
    let fingerprint = hasher.fingerprint
    if length == Self.headLength { head = fingerprint }
    if length == Self.checkpoint(checkpoints.count) { checkpoints.append(fingerprint.first) }
    if lengths.last == length {
      lengths.removeLast()
      beginnings.append(fingerprint)
    }
  }

  /// The part of a content whose lines are marked, by what is known when it is opened.
  private static func markedPart(of stamp: FileStamp?, _ isCompressed: Bool) -> Range<Int> {
    guard let size = stamp.flatMap({ Int(exactly: $0.size) }) else { return 0..<0 }
    if isCompressed { return 0..<markedCompressedLength }
    return max(0, size - markedLength)..<Int.max
  }

  public static func == (one: ContentTrace, other: ContentTrace) -> Bool {
    one.fingerprint == other.fingerprint
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
