extension Sequence<String> {
  /// Returns the name that is nearest to a text, which someone may have meant, or `nil` if none is
  /// near.
  package func nearest(to text: String) -> String? {
    let wanted = Array(text.lowercased().utf8)
    let limit = Swift.max(1, Swift.min(3, wanted.count / 3))
    var best: (distance: Int, name: String)?
    for name in self {
      let distance = editDistance(wanted, Array(name.lowercased().utf8))
      guard distance <= limit else { continue }
      if let best, (best.distance, best.name) <= (distance, name) { continue }
      best = (distance, name)
    }
    return best?.name
  }
}

/// Returns the number of letters to add, remove, replace or exchange with the next one to turn
/// one text into another.
private func editDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...other.count)
  for (row, letter) in one.enumerated() {
    var current = [row + 1]
    for (column, otherLetter) in other.enumerated() {
      var least = min(last[column + 1], current[column]) + 1
      least = min(least, last[column] + (letter == otherLetter ? 0 : 1))
      if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
        least = min(least, beforeLast[column - 1] + 1)
      }
      current.append(least)
    }
    (beforeLast, last) = (last, current)
  }
  return last[other.count]
}
