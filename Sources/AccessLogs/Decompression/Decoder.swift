internal import Foundations

/// A decoder for the compression of an input, detected from its first bytes, never
/// from its name.
enum Decoder: ~Copyable {
  case plain
  case members(MemberDecoder)

  /// Chooses a decoder for an input that begins with `start`.
  ///
  /// - Throws: ``LogDamage`` if this build can't read its compression, or there is
  ///   no memory.
  init(forInputBeginningWith start: Span<UInt8>, engine: GzipEngine) throws(LogDamage) {
    if let compression = Compression(ofInputBeginningWith: start) {
      self = .members(try MemberDecoder(compression, engine: engine))
    } else {
      self = .plain
    }
  }

  /// The compression, or `nil` if there is none.
  var compression: Compression? {
    switch self {
    case .plain: nil
    case .members(let decoder): decoder.compression
    }
  }

  /// A Boolean value indicating whether the input may end here.
  var isAtEnd: Bool {
    switch self {
    case .plain: true
    case .members(let decoder): decoder.isAtEnd
    }
  }

  /// A Boolean value indicating whether there may be decoded bytes that had no
  /// room in the output.
  var holdsOutput: Bool {
    switch self {
    case .plain: false
    case .members(let decoder): decoder.holdsOutput
    }
  }

  /// The position where the latest member begins.
  var memberStart: Int {
    switch self {
    case .plain: 0
    case .members(let decoder): decoder.memberStart
    }
  }

  /// A Boolean value indicating whether zeros after a member are being skipped.
  var isInPadding: Bool {
    switch self {
    case .plain: false
    case .members(let decoder): decoder.isInPadding
    }
  }

  /// Counts zeros that follow others after a member.
  mutating func skipPadding(_ length: Int) {
    switch consume self {
    case .plain: self = .plain
    case .members(var decoder):
      decoder.skipPadding(length)
      self = .members(decoder)
    }
  }

  /// Decodes bytes from `input` until it is used up or `output` is full.
  ///
  /// The parameters and the result are those of ``MemberDecoder``.
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
    case .members(var decoder):
      do throws(LogDamage) {
        let used = try decoder.decode(input, at: offset, into: &output, produced: &produced)
        self = .members(decoder)
        return used
      } catch {
        self = .members(decoder)
        throw error
      }
    }
  }
}
