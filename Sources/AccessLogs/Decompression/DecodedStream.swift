internal import Foundations

/// The decompressed bytes of an input.
struct DecodedStream: ~Copyable {
  private var source: InputStream

  /// The decoder of the input's compression, or `nil` if it isn't compressed.
  private var decoder: MemberDecoder?
  private var engine: GzipEngine
  private let expansion: ExpansionLimit
  private var delivered = 0

  /// A Boolean value indicating whether the last byte of text was a line feed.
  private var endsLine = false

  var stamp: FileStamp? { source.stamp }
  var isCompressed: Bool { decoder != nil }

  /// The number of stored bytes that have been used.
  var offset: Int { source.offset }

  /// Opens an input and chooses a decoder by its first bytes.
  init(
    _ input: LogInput, engine: GzipEngine, expansion: ExpansionLimit = ExpansionLimit()
  ) throws(LogDamage) {
    self.expansion = expansion
    // A stream can't be read again, so use the library that delivers all bytes before damage
    // at the first attempt.
    self.engine = input.size == nil ? .libz : engine
    var source = try InputStream(input)
    try source.fill(minimum: Compression.startLength)
    decoder = try Self.decoder(of: source, self.engine, expansion)
    self.source = consume source
  }

  /// Returns a decoder for the compression that the first bytes show, whatever the name is, or `nil`
  /// if they show none.
  private static func decoder(
    of source: borrowing InputStream, _ engine: GzipEngine, _ expansion: ExpansionLimit
  ) throws(LogDamage) -> MemberDecoder? {
    let compression = source.withBytes { Compression(ofInputBeginningWith: $0) }
    guard let compression else { return nil }
    return try MemberDecoder(compression, engine: engine, window: expansion.window)
  }

  /// Reads until `output` is full or the input ends.
  ///
  /// `count` becomes the number of bytes that `output` holds, also after an error.
  mutating func read(
    into output: inout MutableSpan<UInt8>, count: inout Int
  ) throws(LogDamage) {
    while true {
      let start = count
      do throws(LogDamage) {
        if decoder == nil {
          try copy(into: &output, count: &count)
        } else {
          try expand(into: &output, count: &count)
        }
        if delivered == 0, let kind = refusal(of: output.span, start..<count) {
          count = start
          throw LogDamage(kind, offset: 0)
        }
        delivered += count - start
        return
      } catch {
        // Libraries other than libz may hold back some bytes before damage, or decode beyond it:
        // ISA-L accepts incomplete sets of codes, and copies from before the start of a member. So
        // discard what this call produced. Output of earlier calls, a chunk or more, stays.
        let damage: [LogDamage.Kind] = [.invalidData, .wrongChecksum, .truncated]
        guard damage.contains(error.kind), decoder?.compression == .gzip, engine != .libz else {
          delivered += count - start
          throw error
        }
        count = start
        try startOver()
      }
    }
  }

  /// Moves past a hole of a file that isn't compressed, and returns the number of its zeros.
  mutating func skipHole() -> Int {
    guard decoder == nil, delivered > 0 else { return 0 }
    let length = source.skipHole()
    guard length > 0 else { return 0 }
    delivered += length
    endsLine = false
    return length
  }

  /// Returns why the beginning of the content can't be a log, or `nil` if it can be one.
  private func refusal(of output: Span<UInt8>, _ range: Range<Int>) -> LogDamage.Kind? {
    let start = output.extracting(range)
    if start.beginsTarArchive { return .archive }
    if decoder != nil, let inner = Compression(ofInputBeginningWith: start) {
      return .nested(inner)
    }
    // With room left, the input has ended.
    return ForeignContent(beginningWith: start, isWhole: range.upperBound < output.count)
      .map { .foreign($0) }
  }

  private mutating func copy(
    into output: inout MutableSpan<UInt8>, count: inout Int
  ) throws(LogDamage) {
    while count < output.count {
      if source.count == 0 {
        try source.fill()
        guard source.count > 0 else { return try checkLength() }
      }
      let length = try textLength(upTo: output.count - count)
      let copied = source.withBytes { output.copy($0.extracting(0..<length), at: count) }
      source.consume(copied)
      count += copied
      if copied > 0 { endsLine = output[count - 1] == UInt8(ascii: "\n") }
    }
  }

  /// The number of bytes in the source before compressed data, at most `limit`.
  ///
  /// - Throws: ``LogDamage`` if compressed data is next.
  private mutating func textLength(upTo limit: Int) throws(LogDamage) -> Int {
    let length = min(limit, source.count)
    let endsLine = endsLine
    let found = source.withBytes { bytes in
      bytes.gzipMagic(from: 0, to: length, isLineStart: endsLine)
    }
    guard let found else { return length }
    if found > 0 { return found }
    // The rest of the header may not have been read yet.
    try source.fill(minimum: Compression.startLength)
    let isMember = source.withBytes { $0.beginsWithGzipHeader }
    if isMember { throw LogDamage(.compressedTail(.gzip), offset: source.offset) }
    return 1
  }

  /// Checks that an input hasn't become shorter while it was read.
  ///
  /// 'copytruncate' can truncate a log. The place where standard input began is unknown.
  private func checkLength() throws(LogDamage) {
    if let size = source.stamp?.size, source.offset < size {
      throw LogDamage(.shortened, offset: source.offset)
    }
  }

  /// Delivers bytes of compressed data, as many as it may decompress to.
  private mutating func expand(
    into output: inout MutableSpan<UInt8>, count: inout Int
  ) throws(LogDamage) {
    let start = count
    while count < output.count {
      if source.count == 0, decoder?.holdsOutput != true {
        if let padding = decoder?.padding, padding > 0 {
          decoder?.padding = padding + source.skipHole()
        }
        try source.fill()
        guard source.count > 0 else {
          guard decoder?.isAtEnd != false else {
            throw LogDamage(.truncated, offset: source.offset)
          }
          // A file that was cut between two members looks complete.
          return try checkLength()
        }
      }
      let (inputCount, limit) = piece()
      let rest = limit - (delivered + count - start)
      // One byte more, so that too many are noticed.
      let end = rest < output.count - count ? count + max(0, rest) + 1 : output.count
      var room = output._mutatingExtracting(0..<end)
      var filled = count
      defer { count = min(filled, count + max(0, rest)) }
      source.consume(
        try Self.decode(&decoder, source, upTo: inputCount, into: &room, count: &filled))
      guard filled - count <= rest else {
        throw LogDamage(
          .expansionLimit(ratio: expansion.ratio, length: limit), offset: decoder?.memberStart ?? 0)
      }
    }
  }

  /// The number of bytes in the source to decode next, and the maximum total of decompressed bytes
  /// up to their end.
  private mutating func piece() -> (inputCount: Int, limit: Int) {
    if let storedSize = source.storedSize {
      // A file can grow while it is read.
      let size = max(storedSize, source.offset + source.count)
      return (source.count, expansion.length(ofSize: size))
    }
    // Deliver the rest of the last block before the next one.
    let isPending = decoder?.holdsOutput == true && source.offset > 0
    let end = ExpansionLimit.blockEnd(at: isPending ? source.offset - 1 : source.offset)
    return (min(source.count, end - source.offset), expansion.length(ofSize: end))
  }

  /// Decodes some of what the source holds, without changing it.
  private static func decode(
    _ decoder: inout MemberDecoder?, _ source: borrowing InputStream, upTo inputCount: Int,
    into output: inout MutableSpan<UInt8>, count: inout Int
  ) throws(LogDamage) -> Int {
    let offset = source.offset
    return try source.withBytes { bytes throws(LogDamage) in
      try decoder?.decode(
        bytes.extracting(0..<inputCount), at: offset, into: &output, produced: &count) ?? 0
    }
  }

  /// Decodes the input again, with libz, and skips what has been delivered.
  ///
  /// It stays open: another log may have its path by now.
  private mutating func startOver() throws(LogDamage) {
    let count = delivered
    try source.rewind()
    try source.fill(minimum: Compression.startLength)
    (engine, delivered) = (.libz, 0)
    decoder = try Self.decoder(of: source, .libz, expansion)
    while delivered < count {
      let length = min(LineChunk.defaultCapacity, count - delivered)
      var buffer = [UInt8](repeating: 0, count: length)
      var used = 0
      var output = buffer.mutableSpan
      try read(into: &output, count: &used)
      guard used > 0 else { return }
    }
  }
}

/// The maximum number of bytes that compressed data may decompress to.
///
/// If the size of a file is known, the complete size counts from the beginning on: a log can begin
/// with a megabyte of zeros. Otherwise, the blocks read so far count, so that the sizes of reads
/// don't matter.
public struct ExpansionLimit: Hashable, Sendable {
  /// The default of the maximum decompression ratio.
  public static let defaultRatio = 1_000

  /// The number of decompressed bytes that are always allowed.
  public static let leastLength = 1 << 16

  /// The default of the greatest window: the limit of `zstd -d` without options.
  public static let defaultWindow = 1 << 27

  /// The greatest window that a frame of zstd can ever have, as `zstd --long=31` makes it.
  public static let greatestWindow = 1 << 31

  /// The maximum decompression ratio.
  public var ratio: Int

  /// The greatest number of bytes that a frame of zstd may keep in memory to refer to.
  public var window: Int

  /// Creates a limit.
  public init(
    ratio: Int = ExpansionLimit.defaultRatio, window: Int = ExpansionLimit.defaultWindow
  ) {
    self.ratio = max(1, ratio)
    self.window = min(window, Self.greatestWindow)
  }

  /// The greatest number of decompressed bytes of data.
  ///
  /// - Parameter size: The number of bytes of the data as it is stored.
  /// - Returns: The number.
  public func length(ofSize size: Int) -> Int {
    let (length, isTooMuch) = ratio.multipliedReportingOverflow(by: size)
    return isTooMuch ? .max : max(Self.leastLength, length)
  }

  /// The size of the blocks in which data of unknown size counts.
  ///
  /// The first bytes bring no more than is allowed anyway.
  private static let firstBlock = 64
  private static let block = 4_096

  /// Returns the end of the block that the byte at a position is in.
  static func blockEnd(at offset: Int) -> Int {
    let length = offset < block ? firstBlock : block
    return (offset / length + 1) * length
  }
}
