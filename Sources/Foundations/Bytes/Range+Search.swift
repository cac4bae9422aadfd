extension Range<Int> {
  /// Returns the first position at which a condition holds, or the end if it holds at none.
  ///
  /// If it holds at a position, it must hold at all later positions.
  ///
  /// - Complexity: O(log *n*).
  @inlinable @inline(__always)
  package func partitioningIndex(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
