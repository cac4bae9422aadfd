/// The libraries that can decompress gzip members.
enum GzipEngine: CaseIterable, Hashable, Sendable {
  /// libz, which is everywhere.
  case libz

  #if ISAL
  /// Intel's ISA-L, which is about twice as fast.
  case isal

  static let preferred = GzipEngine.isal
  #else
  static let preferred = GzipEngine.libz
  #endif
}

/// How far a step of decompression came.
struct InflateStep {
  /// What comes next.
  enum Outcome {
    /// More of the member.
    case more

    /// The member has ended, and its checksum is right.
    case memberEnd

    /// The member is not valid.
    case failure(LogDamage.Kind)
  }

  /// The number of bytes of input used up.
  var consumed: Int

  /// The number of bytes of output written.
  var produced: Int

  var outcome: Outcome
}

/// A streaming decoder of gzip members that follow one another (RFC 1952, 2.2).
struct GzipDecoder: ~Copyable {
  private enum Inflater: ~Copyable {
    case libz(LibzInflater)
    #if ISAL
    case isal(IsalInflater)
    #endif
  }

  private enum State {
    /// Before a member: at the start, or behind the end of another one.
    case betweenMembers

    /// Inside a member.
    case inMember

    /// In the zeros with which tapes and some tools fill up the end.
    case inPadding
  }

  /// The library that decompresses, and the one that does it best.
  private var engine: GzipEngine
  private let preferredEngine: GzipEngine
  private var inflater: Inflater
  private var state = State.betweenMembers

  /// The number of bytes that the member has had so far, and how many members in
  /// front of it have been short.
  private var memberLength = 0
  private var shortMembers = 0

  init(engine: GzipEngine = .preferred) throws(LogDamage) {
    (preferredEngine, self.engine) = (engine, engine)
    inflater = try Self.inflater(engine)
  }

  private static func inflater(_ engine: GzipEngine) throws(LogDamage) -> Inflater {
    switch engine {
    case .libz: return .libz(try LibzInflater())
    #if ISAL
    case .isal: return .isal(try IsalInflater())
    #endif
    }
  }

  /// A Boolean value indicating whether the input may end here.
  var isAtEnd: Bool {
    if case .inMember = state { false } else { true }
  }

  /// Decodes bytes from `input` until it is used up or `output` is full.
  ///
  /// - Parameters:
  ///   - input: Compressed bytes.
  ///   - offset: Where `input` stands in the whole, for errors.
  ///   - output: Where the decoded bytes go.
  ///   - produced: The number of bytes that have been written to `output`, also
  ///     before an error.
  /// - Returns: The number of bytes of `input` used up.
  /// - Throws: ``LogDamage`` where the data is not valid.
  mutating func decode(
    _ input: Span<UInt8>, at offset: Int, into output: inout MutableSpan<UInt8>,
    produced: inout Int
  ) throws(LogDamage) -> Int {
    var used = 0
    while used < input.count, produced < output.count {
      switch state {
      case .inPadding:
        guard input[used] == 0 else { throw LogDamage(.trailingGarbage, offset: offset + used) }
        used += 1
        continue
      case .betweenMembers where offset + used > 0:
        switch input[used] {
        case 0:
          state = .inPadding
          continue
        case 0x1F:
          try chooseEngine()
          reset()
        default: throw LogDamage(.trailingGarbage, offset: offset + used)
        }
      default: break
      }
      state = .inMember
      let step = inflate(input.extracting(used..<input.count), into: &output, from: produced)
      used += step.consumed
      produced += step.produced
      memberLength += step.produced
      switch step.outcome {
      case .more: break
      case .memberEnd:
        state = .betweenMembers
        shortMembers = memberLength < Self.shortLength ? shortMembers + 1 : 0
        memberLength = 0
      case .failure(let kind): throw LogDamage(kind, offset: offset + used)
      }
    }
    return used
  }

  /// A member of fewer bytes than this is short.
  private static let shortLength = 4_096

  /// Leaves short members to libz, which needs less time to begin one.
  private mutating func chooseEngine() throws(LogDamage) {
    let best = shortMembers < 4 ? preferredEngine : .libz
    guard best != engine else { return }
    inflater = try Self.inflater(best)
    engine = best
  }

  private func reset() {
    switch inflater {
    case .libz(let inflater): inflater.reset()
    #if ISAL
    case .isal(let inflater): inflater.reset()
    #endif
    }
  }

  private func inflate(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int
  ) -> InflateStep {
    switch inflater {
    case .libz(let inflater): inflater.inflate(input, into: &output, from: start)
    #if ISAL
    case .isal(let inflater): inflater.inflate(input, into: &output, from: start)
    #endif
    }
  }
}
