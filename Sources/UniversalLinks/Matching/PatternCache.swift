/// Patterns that have been compiled, for those who have them again.
///
/// Defaults give the same patterns to all rules of an entry; long ones are compiled once, and
/// their rules share what comes of it.
struct PatternCache {
  /// How a pattern is compiled.
  struct Key: Hashable {
    var bytes: [UInt8]
    var isPath: Bool
    var folds: Bool
  }

  /// The least length of patterns that are worth it.
  private static let leastLength = 128

  private var known: [Key: Pattern] = [:]

  /// Returns a pattern that was compiled before, or compiles it.
  mutating func pattern(_ key: Key, compile: () -> Pattern) -> Pattern {
    guard key.bytes.count >= Self.leastLength else { return compile() }
    if let pattern = known[key] { return pattern }
    let pattern = compile()
    known[key] = pattern
    return pattern
  }
}
