internal import Foundations

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
      let before = produced
      let outcome = inflater.inflate(input, from: &used, into: &output, at: &produced)
      memberLength += produced - before
      holdsOutput = produced == output.count
      switch outcome {
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
    inflater = try compression.inflater(engine: best, window: ExpansionLimit.defaultWindow)
    engine = best
  }
}

/// The next thing in compressed data.
enum InflateOutcome {
  case more

  /// The member has ended, and its checksum is right.
  case memberEnd
  case failure(LogDamage.Kind)

  /// No member begins where one should.
  case notAMember
}

/// A decoder of one member at a time: what gzip calls a member, zstd a frame, and bzip2 and xz a
/// stream.
///
/// A decoder delivers every byte before damage. The result doesn't depend on where input and output
/// are cut.
protocol Inflater: AnyObject {
  /// Becomes ready for another member, unless there is no memory.
  func reset() throws(LogDamage)

  /// Decodes the input from `used` on, until it is used up, the output is full, or the member ends.
  ///
  /// Without input, it delivers bytes that had no room in the output. The positions move; after a
  /// failure, `used` is the place of the error, which may precede this input.
  ///
  /// - Returns: What comes next.
  func inflate(
    _ input: Span<UInt8>, from used: inout Int, into output: inout MutableSpan<UInt8>,
    at produced: inout Int
  ) -> InflateOutcome
}

/// Bytes that a library has decoded and that wait for room, and what comes after them.
///
/// When a call fails, some libraries may not report what they have written, or have decoded beyond
/// the damage. With room of a constant size, the outcome is the same wherever the bytes go.
struct DecodedBytes {
  /// Where the library decodes to.
  var room: [UInt8]
  private var pending = 0..<0

  /// The end that follows them, or `nil` if more of the member does.
  var end: InflateOutcome?

  init(capacity: Int) { room = [UInt8](repeating: 0, count: capacity) }

  /// Records the decoded bytes, after all earlier ones have been delivered.
  mutating func add(_ count: Int) { pending = 0..<count }

  mutating func removeAll() { (pending, end) = (0..<0, nil) }

  /// Delivers as many bytes as there is room for, and then the end that follows them.
  ///
  /// - Returns: What comes next, or `nil` if it has to be decoded.
  mutating func deliver(
    into output: inout MutableSpan<UInt8>, at produced: inout Int
  ) -> InflateOutcome? {
    let count = output.copy(room.span.extracting(pending), at: produced)
    produced += count
    pending = (pending.lowerBound + count)..<pending.upperBound
    return pending.isEmpty ? end : .more
  }
}

extension UInt128 {
  /// Adds bytes at the lower end; the last sixteen stay.
  mutating func append(_ bytes: Span<UInt8>) {
    for index in Swift.max(0, bytes.count - 16)..<bytes.count {
      self = self << 8 | UInt128(bytes[index])
    }
  }
}

/// The libraries that can decompress gzip members.
enum GzipEngine: CaseIterable, Hashable, Sendable {
  /// libz, which is everywhere.
  case libz

  #if ISAL
  /// Intel's ISA-L, which is about twice as fast. It is loaded when it is first needed.
  case isal

  static let allCases: [GzipEngine] = IsalInflater.library == nil ? [.libz] : [.libz, .isal]
  #endif

  /// The fastest one that this machine has.
  static let preferred = allCases.last ?? .libz
}

extension Compression {
  /// Creates a decoder of members.
  ///
  /// - Throws: ``LogDamage`` if this build can't read them, or there is no memory.
  fileprivate func inflater(
    engine: GzipEngine, window: Int
  ) throws(LogDamage) -> any Inflater {
    switch self {
    case .gzip:
      #if ISAL
      if engine == .isal, let library = IsalInflater.library { return try IsalInflater(library) }
      #endif
      return try LibzInflater()
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
