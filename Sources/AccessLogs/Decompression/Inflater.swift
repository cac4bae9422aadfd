internal import Foundations

/// The progress of a step of decompression.
struct InflateStep {
  /// The next thing in the data.
  enum Outcome {
    case more

    /// The member has ended, and its checksum is right.
    case memberEnd
    case failure(LogDamage.Kind)

    /// No member begins where one should.
    case notAMember
  }

  /// The number of input bytes used up; after a failure, the place of the error, which may precede
  /// this input.
  var consumed: Int

  var produced: Int
  var outcome: Outcome
}

/// A decoder of one member at a time: what gzip calls a member, zstd a frame, and bzip2 and xz a
/// stream.
///
/// A decoder delivers every byte before damage. The result doesn't depend on where input and output
/// are cut.
protocol Inflater: AnyObject {
  /// Becomes ready for another member, unless there is no memory.
  func reset() throws(LogDamage)

  /// Decodes until the input is used up, the output is full, or the member ends.
  ///
  /// Without input, it delivers bytes that had no room in the output.
  func inflate(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int
  ) -> InflateStep
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
  var end: InflateStep.Outcome?

  init(capacity: Int) { room = [UInt8](repeating: 0, count: capacity) }

  /// Records the decoded bytes, after all earlier ones have been delivered.
  mutating func add(_ count: Int) { pending = 0..<count }

  mutating func removeAll() { (pending, end) = (0..<0, nil) }

  /// Delivers as many bytes as there is room for, and then the end that follows them.
  ///
  /// - Returns: Whether more has to be decoded.
  mutating func deliver(
    into output: inout MutableSpan<UInt8>, from start: Int, _ step: inout InflateStep
  ) -> Bool {
    let count = output.copy(room.span.extracting(pending), at: start + step.produced)
    step.produced += count
    pending = (pending.lowerBound + count)..<pending.upperBound
    guard pending.isEmpty else { return false }
    guard let end else { return true }
    step.outcome = end
    return false
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

  func inflater() throws(LogDamage) -> any Inflater {
    switch self {
    case .libz: return try LibzInflater()
    #if ISAL
    case .isal:
      guard let library = IsalInflater.library else { return try LibzInflater() }
      return try IsalInflater(library)
    #endif
    }
  }
}
