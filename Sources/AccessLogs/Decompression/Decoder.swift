/// A decoder for the compression of an input, told by its first bytes and never
/// by its name.
enum Decoder: ~Copyable {
  case plain
  case gzip(GzipDecoder)

  /// Chooses a decoder for an input that begins with `start`.
  init(forInputBeginningWith start: Span<UInt8>, engine: GzipEngine) throws(LogDamage) {
    // The identification of a gzip member (RFC 1952, 2.3.1).
    if start.count >= 2, start[0] == 0x1F, start[1] == 0x8B {
      self = .gzip(try GzipDecoder(engine: engine))
    } else {
      self = .plain
    }
  }

  /// A Boolean value indicating whether the input may end here.
  var isAtEnd: Bool {
    switch self {
    case .plain: true
    case .gzip(let decoder): decoder.isAtEnd
    }
  }

  /// Decodes bytes from `input` until it is used up or `output` is full.
  ///
  /// The parameters and the result are those of ``GzipDecoder``.
  mutating func decode(
    _ input: Span<UInt8>, at offset: Int, into output: inout MutableSpan<UInt8>,
    produced: inout Int
  ) throws(LogDamage) -> Int {
    switch consume self {
    case .plain:
      self = .plain
      let count = output.copy(input, at: produced)
      produced += count
      return count
    case .gzip(var decoder):
      do throws(LogDamage) {
        let used = try decoder.decode(input, at: offset, into: &output, produced: &produced)
        self = .gzip(decoder)
        return used
      } catch {
        self = .gzip(decoder)
        throw error
      }
    }
  }
}
