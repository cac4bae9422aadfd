/// A streaming decoder of members that follow one another (RFC 1952, 2.2).
///
/// Zeros may follow the last member, because tapes and some tools pad the end. In xz, their number
/// is a multiple of four, and other members may follow them.
struct MemberDecoder: ~Copyable {
  let compression: Compression

  private var inflater: any Inflater
  private var isInMember = false

  /// The number of zeros after the last member that have been skipped.
  var padding = 0

  private(set) var memberStart = 0

  /// Whether there may be decoded bytes that had no room in the output.
  private(set) var holdsOutput = false

  /// The library that decompresses gzip, and the preferred one.
  private var engine: GzipEngine
  private let preferredEngine: GzipEngine

  /// The number of bytes of the member so far, and the number of short members before it.
  private var memberLength = 0
  private var shortMembers = 0

  init(
    _ compression: Compression, engine: GzipEngine = .preferred,
    window: Int = ExpansionLimit.defaultWindow
  ) throws(LogDamage) {
    self.compression = compression
    (preferredEngine, self.engine) = (engine, engine)
    inflater = try compression.inflater(engine: engine, window: window)
  }

  var isAtEnd: Bool { !isInMember && (compression != .xz || padding & 3 == 0) }

  /// Decodes bytes from `input`, which is at `offset` in the file, until it is used up or `output`
  /// is full.
  ///
  /// `produced` becomes the number of bytes that `output` holds, also before an error.
  ///
  /// - Returns: The number of bytes of `input` used up.
  mutating func decode(
    _ input: Span<UInt8>, at offset: Int, into output: inout MutableSpan<UInt8>,
    produced: inout Int
  ) throws(LogDamage) -> Int {
    var used = 0
    while used < input.count || holdsOutput, produced < output.count {
      if !isInMember, try !begin(with: input[used], at: offset + used) {
        used += 1
        continue
      }
      let step = inflater.inflate(
        input.extracting(used..<input.count), into: &output, from: produced)
      used += step.consumed
      produced += step.produced
      memberLength += step.produced
      holdsOutput = produced == output.count
      switch step.outcome {
      case .more: break
      case .memberEnd:
        isInMember = false
        holdsOutput = false
        shortMembers = memberLength < Self.shortLength ? shortMembers + 1 : 0
        memberLength = 0
      case .notAMember where memberStart > 0:
        throw LogDamage(.trailingGarbage(after: compression), offset: memberStart)
      case .notAMember: throw LogDamage(.invalidData, offset: 0)
      case .failure(let kind): throw LogDamage(kind, offset: offset + used)
      }
    }
    return used
  }

  /// Begins a member with its first byte.
  ///
  /// - Returns: Whether the byte begins one; otherwise it is padding.
  /// - Throws: ``LogDamage`` where it is neither.
  private mutating func begin(with byte: UInt8, at offset: Int) throws(LogDamage) -> Bool {
    if offset > 0 {
      if byte == 0 {
        padding += 1
        return false
      }
      let mayFollow = padding == 0 || compression == .xz && padding & 3 == 0
      guard mayFollow, compression.mayBegin(with: byte) else {
        throw LogDamage(.trailingGarbage(after: compression), offset: offset)
      }
      try chooseEngine()
      try inflater.reset()
    }
    (memberStart, isInMember, padding) = (offset, true, 0)
    return true
  }

  private static let shortLength = 4_096

  /// Leaves short gzip members to libz, which starts a member faster.
  private mutating func chooseEngine() throws(LogDamage) {
    guard compression == .gzip else { return }
    let best = shortMembers < 4 ? preferredEngine : .libz
    guard best != engine else { return }
    inflater = try best.inflater()
    engine = best
  }
}

extension Compression {
  /// Creates a decoder of members.
  ///
  /// - Throws: ``LogDamage`` if this build can't read them, or there is no memory.
  fileprivate func inflater(
    engine: GzipEngine, window: Int
  ) throws(LogDamage) -> any Inflater {
    switch self {
    case .gzip: return try engine.inflater()
    #if Zstd
    case .zstd: return try ZstdInflater(window: window)
    #endif
    #if Bzip2
    case .bzip2: return try Bzip2Inflater()
    #endif
    #if XZ
    case .xz: return try XZInflater()
    #endif
    default: throw LogDamage(.unsupported(self), offset: 0)
    }
  }
}

extension Compression {
  /// Decompresses gzip data in memory as far as it is valid and the limit allows.
  ///
  /// - Parameters:
  ///   - data: One or more members (RFC 1952).
  ///   - limit: The greatest number of decompressed bytes.
  /// - Returns: All bytes before damage, at most as many as are allowed; the damage, or `nil`; and
  ///   whether there is more data than the limit allows, the rest of which isn't checked.
  package static func gunzip(
    _ data: [UInt8], limit: Int
  ) -> (bytes: [UInt8], damage: LogDamage?, isBeyondLimit: Bool) {
    // One byte more, so that too many are noticed.
    var output = [UInt8](repeating: 0, count: limit + 1)
    var (produced, damage): (Int, LogDamage?) = (0, nil)
    do throws(LogDamage) {
      // libz delivers every byte before damage.
      var decoder = try MemberDecoder(.gzip, engine: .libz)
      var free = output.mutableSpan
      _ = try decoder.decode(data.span, at: 0, into: &free, produced: &produced)
      if produced <= limit, !decoder.isAtEnd {
        throw LogDamage(.truncated, offset: data.count)
      }
    } catch {
      damage = error
    }
    return (Array(output.prefix(min(produced, limit))), damage, produced > limit)
  }
}
