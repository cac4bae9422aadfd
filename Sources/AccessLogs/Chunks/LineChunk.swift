public import Foundations

/// A piece of a log that consists of complete lines, except that the last line of a file may lack
/// its end.
///
/// A worker keeps one chunk and fills it again and again.
public struct LineChunk: Sendable {
  /// The number of bytes that a chunk is made for.
  ///
  /// It fits into the second-level cache of a core together with the tables that
  /// are looked up for each line.
  public static let defaultCapacity = 256 * 1024

  /// The position of the chunk among those of its file, from 0.
  public internal(set) var index = 0

  /// The number of bytes of the log, decompressed, before the chunk.
  public internal(set) var offset = 0

  /// The number of bytes of the log before the next chunk; a line that is too long takes more of
  /// them than the chunk holds.
  public internal(set) var contentEnd = 0

  /// The bytes; those from ``count`` on mean nothing.
  var storage: [UInt8]

  /// The number of bytes.
  public internal(set) var count = 0

  private let capacity: Int

  /// Creates an empty chunk.
  public init(capacity: Int = LineChunk.defaultCapacity) {
    self.capacity = max(1, capacity)
    storage = Array(repeating: 0, count: self.capacity)
  }

  /// Empties the chunk and restores its original size, whatever long lines needed.
  ///
  /// Where a log is cut must not depend on earlier reads.
  mutating func reset() {
    count = 0
    if storage.count > capacity { storage = Array(repeating: 0, count: capacity) }
  }

  /// Makes room for twice as many bytes.
  mutating func grow() {
    storage.append(contentsOf: repeatElement(0, count: storage.count))
  }

  /// Removes zero bytes at the beginning.
  ///
  /// - Returns: Their number.
  mutating func removeLeadingZeros() -> Int {
    let zeros = storage.span.extracting(0..<count).endOfZeros(from: 0)
    guard zeros > 0 else { return 0 }
    for position in zeros..<count { storage[position - zeros] = storage[position] }
    count -= zeros
    return zeros
  }

  /// Adds bytes at the end.
  package mutating func append(_ bytes: Span<UInt8>) {
    while count + bytes.count > storage.count { grow() }
    let start = count
    var output = storage.mutableSpan
    let length = output.copy(bytes, at: start)
    count = start + length
  }

  /// The number of bytes up to the end of the last whole line.
  public var wholeLineCount: Int { wholeLineCount(upTo: count) }

  /// The number of bytes up to the end of the last line that ends in the first `end` bytes.
  public func wholeLineCount(upTo end: Int) -> Int {
    storage.span.lastIndex(of: UInt8(ascii: "\n"), from: 0, to: min(end, count))
      .map { $0 + 1 } ?? 0
  }

  /// The number of lines that begin in the first `end` bytes.
  public func lineCount(upTo end: Int) -> Int {
    withBytes { bytes in
      var (count, position) = (0, 0)
      while position < end, bytes.nextLine(&position) != nil { count += 1 }
      return count
    }
  }

  /// The start of the line that begins at `position` or after it, or ``count`` if there is none.
  public func lineStart(from position: Int) -> Int {
    guard position > 0, position < count else { return max(0, min(position, count)) }
    return storage.span.firstIndex(of: UInt8(ascii: "\n"), from: position - 1, to: count)
      .map { $0 + 1 } ?? count
  }

  /// Returns the start of the last `lines` whole lines, or of all if there are fewer.
  package func start(ofLast lines: Int) -> Int {
    var start = wholeLineCount
    for _ in 0..<lines where start > 0 { start = wholeLineCount(upTo: start - 1) }
    return start
  }

  /// The first bytes, as whole lines where there is one.
  public func start(upTo limit: Int) -> [UInt8] {
    guard count > limit else { return Array(storage[..<count]) }
    let end = storage.span.lastIndex(of: UInt8(ascii: "\n"), from: 0, to: limit) ?? limit
    return Array(storage[..<end])
  }

  /// Calls `body` with the bytes.
  public func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(storage.span.extracting(0..<count))
  }
}

extension Span<UInt8> {
  /// Returns the line that begins at `start`, without its line feed and a
  /// carriage return before that, and moves `start` to the next line.
  ///
  /// Zero bytes before a line are not part of it: a server that doesn't append to its log
  /// leaves a hole when the log is truncated.
  ///
  /// - Returns: The position of the line, or `nil` if `start` is at the end.
  @inlinable @inline(__always)
  package func nextLine(_ start: inout Int) -> Range<Int>? {
    guard start < count else { return nil }
    var lineStart = byte(start) == 0 ? endOfZeros(from: start) : start
    // Zeros with nothing after them are a line of their own.
    if lineStart == count { lineStart = start }
    let lineFeed = firstIndex(of: UInt8(ascii: "\n"), from: lineStart) ?? count
    start = lineFeed + 1
    let hasReturn = lineFeed > lineStart && byte(lineFeed - 1) == UInt8(ascii: "\r")
    return lineStart..<(hasReturn ? lineFeed - 1 : lineFeed)
  }

  /// Returns the position of the first byte from `start` on that isn't zero, or ``count``.
  @usableFromInline
  package func endOfZeros(from start: Int) -> Int {
    var position = start
    while count - position >= 8, word(position) == 0 { position += 8 }
    while position < count, byte(position) == 0 { position += 1 }
    return position
  }

  /// Moves `start` past the empty lines that begin there, eight bytes at a time where it can.
  ///
  /// A compressed log of a megabyte can hold a thousand million of them. A line without a line feed
  /// is left to ``nextLine(_:)``.
  ///
  /// - Returns: The number of lines.
  package func skipEmptyLines(_ start: inout Int) -> Int {
    var (lines, position) = (0, start)
    while position < count {
      if position + 8 <= count {
        let word = word(position)
        // Eight line feeds, or four pairs of a carriage return and a line feed.
        if word == 0x0A0A_0A0A_0A0A_0A0A || word == 0x0A0D_0A0D_0A0D_0A0D {
          lines += word & 0xFF == 0x0A ? 8 : 4
          position += 8
          continue
        }
      }
      if byte(position) == UInt8(ascii: "\n") {
        position += 1
      } else if byte(position) == UInt8(ascii: "\r"), position + 1 < count,
        byte(position + 1) == UInt8(ascii: "\n")
      {
        position += 2
      } else {
        break
      }
      lines += 1
    }
    start = position
    return lines
  }
}
