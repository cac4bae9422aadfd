/// The values of a variable, some of which hold wildcards.
///
/// It is a class, so that all patterns with the variable share the prepared values: a file can have
/// thousands of both.
final class Alternatives {
  /// Each value.
  let values: [[PatternToken]]

  /// The number of bytes, wildcards and ends of all values.
  let length: Int

  /// The steps through each value, by whether the variable ends the pattern.
  private var steps: [Bool: [[GeneralPattern.Step]]] = [:]

  init(_ values: [[PatternToken]]) {
    self.values = values
    length = values.reduce(1) { sum, value in
      value.reduce(sum + 2) {
        if case .literal(let bytes) = $1 { $0 + bytes.count } else { $0 + 1 }
      }
    }
  }

  /// Returns the steps through each value.
  ///
  /// - Parameter isLast: Whether the variable ends the pattern.
  /// - Returns: The steps, which all uses share.
  func steps(isLast: Bool) -> [[GeneralPattern.Step]] {
    if let known = steps[isLast] { return known }
    let new = values.map { GeneralPattern.steps(for: $0, isLastOfAll: isLast) }
    steps[isLast] = new
    return new
  }
}
