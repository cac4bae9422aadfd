internal import Foundations

/// A log, decompressed and cut into chunks of whole lines.
///
///     var reader = LogReader(input)
///     var chunk = LineChunk()
///     while reader.next(into: &chunk) {
///       chunk.withBytes { lines in … }
///     }
///     if let damage = reader.damage { … }
///
/// Damage ends a log: the lines before it are delivered, and ``damage`` says
/// what and where it is.
public struct LogReader: ~Copyable {
  /// The default of the maximum length of a line, in bytes.
  public static let defaultLineLimit = 1 << 20

  /// The damage that ended the reading, or `nil` so far.
  public private(set) var damage: LogDamage?

  private let input: LogInput
  private let lineLimit: Int
  private let expansion: ExpansionLimit
  var engine = GzipEngine.preferred
  private var stream: DecodedStream?
  private var hasEnded = false

  /// The start of a line whose end the last chunk didn't have.
  private var carry: [UInt8] = []
  private var chunkCount = 0

  /// The numbers of bytes that were delivered or skipped, and that were skipped since the last
  /// chunk.
  private var contentOffset = 0
  private var skipped = 0

  /// The number of zero bytes that were skipped before the next chunk.
  private var leadingZeros = 0

  /// A trace of all decompressed bytes so far, including lines that are too long, or `nil` if none
  /// was requested.
  public private(set) var trace: ContentTrace?

  /// The stamp of the file when it was opened, or `nil` if there is none.
  ///
  /// There is none if the file isn't a regular one, isn't open yet, or no trace was requested.
  public private(set) var stamp: FileStamp?

  /// A Boolean value indicating whether the input is compressed.
  public private(set) var isCompressed = false

  /// A Boolean value indicating whether all has been delivered.
  public var isAtEnd: Bool { hasEnded && carry.isEmpty }

  /// Creates a reader; the input is opened when its first chunk is asked for.
  ///
  /// A line of more than `lineLimit` bytes is cut to one byte more, so that it can be recognized.
  /// Zero bytes before a line don't count.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - lineLimit: The greatest number of bytes in a line.
  ///   - expansion: How many bytes compressed data may decompress to.
  ///   - trace: The trace to which the content is added, or `nil` if none is wanted.
  public init(
    _ input: LogInput, lineLimit: Int = LogReader.defaultLineLimit,
    expansion: ExpansionLimit = ExpansionLimit(), trace: ContentTrace? = nil
  ) {
    self.input = input
    self.lineLimit = lineLimit
    self.expansion = expansion
    self.trace = trace
  }

  /// The number of bytes of the stored input that have been used.
  public private(set) var offset = 0

  /// Ends the reading and discards everything that hasn't been delivered.
  package mutating func close() {
    finish()
    hasEnded = true
    carry.removeAll()
  }

  /// Releases the file and its bytes, because a caller that reads many logs can't keep all of them.
  private mutating func finish() {
    stream = nil
    trace?.finish()
  }

  /// Fills `chunk` with the next lines.
  ///
  /// - Returns: Whether there were any.
  public mutating func next(into chunk: inout LineChunk) -> Bool {
    chunk.reset()
    chunk.append(carry.span)
    carry.removeAll(keepingCapacity: true)
    var searched = 0
    while true {
      decode(into: &chunk)
      if hasEnded {
        if leadingZeros > 0 { addTrailingZeros(to: &chunk) }
        return chunk.count > 0 && deliver(&chunk)
      }
      let lineFeed = UInt8(ascii: "\n")
      if let end = chunk.storage.span.lastIndex(of: lineFeed, from: searched, to: chunk.count) {
        carry.append(contentsOf: chunk.storage[(end + 1)..<chunk.count])
        chunk.count = end + 1
        return deliver(&chunk)
      }
      if chunk.count > lineLimit {
        let zeros = chunk.removeLeadingZeros()
        if zeros > 0 {
          leadingZeros += zeros
          if chunk.count == 0 { leadingZeros += skipHole() }
          searched = 0
          continue
        }
        skipLine(&chunk)
        return deliver(&chunk)
      }
      searched = chunk.count
      chunk.grow()
    }
  }

  /// Adds skipped zeros that no line follows, as a line that is too long.
  private mutating func addTrailingZeros(to chunk: inout LineChunk) {
    let zeros = chunk.removeLeadingZeros()
    guard chunk.count == 0 else {
      leadingZeros += zeros
      return
    }
    skipped = leadingZeros + zeros - lineLimit - 1
    leadingZeros = 0
    chunk.append([UInt8](repeating: 0, count: lineLimit + 1).span)
  }

  private mutating func deliver(_ chunk: inout LineChunk) -> Bool {
    chunk.index = chunkCount
    chunkCount += 1
    chunk.offset = contentOffset + leadingZeros
    contentOffset = chunk.offset + chunk.count + skipped
    chunk.contentEnd = contentOffset
    (skipped, leadingZeros) = (0, 0)
    return true
  }

  /// Cuts a line that is too long to the limit and one byte, and skips its
  /// rest.
  private mutating func skipLine(_ chunk: inout LineChunk) {
    skipped = chunk.count - lineLimit - 1
    chunk.count = lineLimit + 1
    // A carriage return here is not the line's end and must not be taken for it.
    if chunk.storage[lineLimit] == UInt8(ascii: "\r") {
      chunk.storage[lineLimit] = UInt8(ascii: " ")
    }
    var rest = LineChunk()
    while true {
      skipped += skipHole()
      rest.count = 0
      decode(into: &rest)
      guard rest.count > 0 else { return }
      guard let end = rest.withBytes({ $0.firstIndex(of: UInt8(ascii: "\n")) }) else {
        skipped += rest.count
        continue
      }
      skipped += end
      chunk.append([UInt8(ascii: "\n")].span)
      carry.append(contentsOf: rest.storage[(end + 1)..<rest.count])
      return
    }
  }

  /// Skips a hole of the file, whose zeros end no line.
  ///
  /// - Returns: The number of bytes.
  private mutating func skipHole() -> Int {
    // The trace must contain every byte.
    guard trace == nil, !hasEnded else { return 0 }
    defer { offset = stream?.offset ?? offset }
    return stream?.skipHole() ?? 0
  }

  /// Decodes until `chunk` is full or the input ends, here or by damage.
  private mutating func decode(into chunk: inout LineChunk) {
    guard !hasEnded else { return }
    let start = chunk.count
    do throws(LogDamage) {
      if stream == nil {
        let opened = try DecodedStream(input, engine: engine, expansion: expansion)
        isCompressed = opened.isCompressed
        if trace != nil { stamp = opened.stamp }
        stream = consume opened
      }
      var count = start
      defer { (chunk.count, offset) = (count, stream?.offset ?? offset) }
      var output = chunk.storage.mutableSpan
      try stream?.read(into: &output, count: &count)
      hasEnded = count < chunk.storage.count
    } catch {
      damage = error
      hasEnded = true
    }
    trace?.update(chunk.storage.span.extracting(start..<chunk.count))
    if hasEnded { finish() }
  }
}
