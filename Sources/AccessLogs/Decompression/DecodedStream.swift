/// The decompressed bytes of an input.
struct DecodedStream: ~Copyable {
  private let input: LogInput
  private var source: InputStream
  private var decoder: Decoder

  /// The library that decompresses.
  private var engine: GzipEngine

  /// The number of bytes that have been delivered.
  private var delivered = 0

  /// What the system says of the file, or `nil` if it isn't a regular one.
  var stamp: FileStamp? { source.stamp }

  /// A Boolean value indicating whether the input is compressed.
  var isCompressed: Bool { decoder.compression != nil }

  /// Opens an input and chooses a decoder by its first bytes.
  init(_ input: LogInput, engine: GzipEngine) throws(LogDamage) {
    self.input = input
    // What can't be read again is read with the library that delivers all bytes
    // in front of damage.
    self.engine = input.size == nil ? .libz : engine
    var source = try InputStream(input)
    try source.fill(minimum: Compression.startLength)
    let engine = self.engine
    let decoder = try source.withBytes { bytes throws(LogDamage) in
      try Decoder(forInputBeginningWith: bytes, engine: engine)
    }
    self.source = consume source
    self.decoder = consume decoder
  }

  /// Reads until `output` is full or the input ends.
  ///
  /// - Parameters:
  ///   - output: Where the bytes go.
  ///   - count: The number of bytes that `output` holds, also after an error.
  ///   - offset: The number of bytes of the input, as it is stored, that have
  ///     been used.
  /// - Throws: ``LogDamage`` where the input can't be read or decoded further.
  mutating func read(
    into output: inout MutableSpan<UInt8>, count: inout Int, offset: inout Int
  ) throws(LogDamage) {
    defer { offset = source.offset }
    while true {
      let start = count
      do throws(LogDamage) {
        try decode(into: &output, count: &count)
        delivered += count - start
        return
      } catch {
        delivered += count - start
        // Other libraries than libz may keep back some of the bytes in front of
        // damage.
        guard error.isDamagedData, decoder.compression == .gzip, engine != .libz else {
          throw error
        }
        try startOver()
      }
    }
  }

  private mutating func decode(
    into output: inout MutableSpan<UInt8>, count: inout Int
  ) throws(LogDamage) {
    while count < output.count {
      if source.count == 0, !decoder.holdsOutput {
        try source.fill()
        guard source.count > 0 else {
          if !decoder.isAtEnd { throw LogDamage(.truncated, offset: source.offset) }
          return
        }
      }
      let used = try Self.decode(&decoder, source, into: &output, count: &count)
      source.consume(used)
    }
  }

  /// Decodes what the source holds, without changing it.
  private static func decode(
    _ decoder: inout Decoder, _ source: borrowing InputStream,
    into output: inout MutableSpan<UInt8>, count: inout Int
  ) throws(LogDamage) -> Int {
    let offset = source.offset
    return try source.withBytes { bytes throws(LogDamage) in
      try decoder.decode(bytes, at: offset, into: &output, produced: &count)
    }
  }

  /// Opens the input again, with libz, and passes over what has been delivered.
  private mutating func startOver() throws(LogDamage) {
    let count = delivered
    self = try DecodedStream(input, engine: .libz)
    while delivered < count {
      let length = min(LineChunk.defaultCapacity, count - delivered)
      var buffer = [UInt8](repeating: 0, count: length)
      var (used, offset) = (0, 0)
      var output = buffer.mutableSpan
      try read(into: &output, count: &used, offset: &offset)
      guard used > 0 else { return }
    }
  }
}

extension LogDamage {
  /// A Boolean value indicating whether compressed data is not valid or ends too
  /// early.
  fileprivate var isDamagedData: Bool {
    switch kind {
    case .invalidData, .wrongChecksum, .truncated: true
    case .trailingGarbage, .memoryLimit, .unsupported, .outOfMemory, .system: false
    }
  }
}
