internal import Foundations

/// Bytes that a library has decoded and that wait for room, and what comes after them.
///
/// When a call fails, some libraries may not report what they have written, or have decoded beyond
/// the damage. With room of a constant size, the outcome is the same wherever the bytes go.
struct DecodedBytes {
  /// Where the library decodes to.
  var room: [UInt8]

  /// The bytes that have not been delivered.
  private var pending = 0..<0

  /// The end that follows them, or `nil` if more of the member does.
  var end: InflateStep.Outcome?

  init(capacity: Int) { room = [UInt8](repeating: 0, count: capacity) }

  /// Records the decoded bytes, after all earlier ones have been delivered.
  mutating func add(_ count: Int) { pending = 0..<count }

  /// Discards everything.
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
