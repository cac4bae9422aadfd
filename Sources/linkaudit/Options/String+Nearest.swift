extension String {
  /// The name that is the fewest changes away from this text, letter case apart, or
  /// `nil` if none is near.
  func nearest(among names: [String]) -> String? {
    let text = Array(lowercased().prefix(100))
    let distances = names.map { name in
      (name: name, distance: text.distance(to: Array(name.lowercased())))
    }
    guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return nearest.distance <= Swift.max(1, nearest.name.count / 2) ? nearest.name : nil
  }
}

extension [Character] {
  // The distance of F. Damerau ("A technique for computer detection and correction of
  // spelling errors", 1964).

  /// The number of characters that are to be put in, left out, replaced, or exchanged
  /// with their neighbour, to come to `other`.
  fileprivate func distance(to other: [Character]) -> Int {
    var (last, row) = ([Int](), [Int](0...other.count))
    for index in indices {
      var next = [index + 1]
      for column in other.indices {
        let isSame = self[index] == other[column]
        var distance = Swift.min(
          row[column] + (isSame ? 0 : 1), row[column + 1] + 1, next[column] + 1)
        if index > 0, column > 0, self[index] == other[column - 1], self[index - 1] == other[column]
        {
          distance = Swift.min(distance, last[column - 1] + 1)
        }
        next.append(distance)
      }
      (last, row) = (row, next)
    }
    return row[other.count]
  }
}
