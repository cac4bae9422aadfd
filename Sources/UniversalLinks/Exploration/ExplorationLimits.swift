/// The limits on the cost of an exploration.
///
/// Rules that begin with literals need about as many states as they have characters. The states of
/// rules that search for texts multiply: with enough of them, they would exceed any limit.
struct ExplorationLimits {
  /// The greatest number of states of reading texts of one part of URLs.
  var states = 100_000

  /// The greatest number of positions in these states, which limits the memory.
  var positions = 8_000_000

  /// The greatest number of moved positions, which limits the time.
  var work = 20_000_000

  /// The greatest number of combinations of paths, queries and fragments.
  var combinations = 100_000

  /// Limits of a part of all.
  func divided(by divisor: Int) -> ExplorationLimits {
    var limits = self
    limits.states /= divisor
    limits.positions /= divisor
    limits.work /= divisor
    limits.combinations /= divisor
    return limits
  }
}
