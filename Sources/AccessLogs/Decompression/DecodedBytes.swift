internal import Foundations

/// Bytes that a library has decoded and that wait for room, and what comes after them.
///
/// Of a call that fails, some libraries may not tell what they have written, or have decoded
/// beyond the damage. With room that is always the same, that is the same, too, wherever the
/// bytes go.
struct DecodedBytes {
  /// Where the library decodes to.
  var room: [UInt8]

  /// Those that are not delivered.
  private var pending = 0..<0

  /// The end that follows them, or `nil` if more of the member does.
  var end: InflateStep.Outcome?

  init(capacity: Int) { room = [UInt8](repeating: 0, count: capacity) }

  /// Takes note of what has been decoded, when all before has been delivered.
  mutating func add(_ count: Int) { pending = 0..<count }

  /// Forgets all.
  mutating func removeAll() { (pending, end) = (0..<0, nil) }

  /// Delivers as many as there is room for, and then what comes after them.
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
