/// The decompressed bytes of an input.
struct DecodedStream: ~Copyable {
  private var source: InputStream
  private var decoder: Decoder

  /// Opens an input and chooses a decoder by its first bytes.
  init(_ input: LogInput) throws(LogDamage) {
    var source = try InputStream(input)
    // A gzip member is told by two bytes.
    try source.fill(minimum: 2)
    let decoder = try source.withBytes { bytes throws(LogDamage) in
      try Decoder(forInputBeginningWith: bytes)
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
    while count < output.count {
      if source.count == 0 {
        try source.fill()
        guard source.count > 0 else {
          if !decoder.isAtEnd { throw LogDamage(.truncated, offset: source.offset) }
          return
        }
      }
      try step(into: &output, count: &count)
    }
  }

  private mutating func step(
    into output: inout MutableSpan<UInt8>, count: inout Int
  ) throws(LogDamage) {
    let used = try Self.decode(&decoder, source, into: &output, count: &count)
    source.consume(used)
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
}
