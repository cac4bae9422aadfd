/// The normalization of paths, so that `/buy`, `/buy/`, `buy` and `//buy//` are the same
/// (Matching.md, 3a).
///
/// It is applied to each pattern once, and to the path of each URL.
enum PathNormalization {
  /// Normalizes the path in `text` in place.
  ///
  /// - Complexity: O(*n*); it allocates only if `text` has no room for two more
  ///   bytes.
  static func normalize(_ text: inout [UInt8]) {
    if text.isEmpty {
      text.append(slash)
      return
    }
    // The rule counts UTF-16 units: one unit is at most three bytes of UTF-8.
    if text.count <= 3, isOneUnit(text) { return }

    // Most paths have no runs. Joining one never makes another.
    if let run = firstRun(in: text.span) { collapse(from: run, in: &text) }

    // A single star that was two stars is no longer removed.
    let hasStars = text.count >= 2
    let beginsWithStar = hasStars && text.first == star
    let endsWithStar = hasStars && text.last == star
    if !endsWithStar, text.last != slash { text.append(slash) }
    if !beginsWithStar, text.first != slash { text.insert(slash, at: 0) }
  }

  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")

  private static func isOneUnit(_ text: [UInt8]) -> Bool {
    text[0].scalarLength == text.count
  }

  /// Returns the position of the first slash or star that follows one of its kind.
  private static func firstRun(in text: Span<UInt8>) -> Int? {
    var previous: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      if byte == previous, byte == slash || byte == star { return index }
      previous = byte
    }
    return nil
  }

  /// Replaces each run of slashes or stars by a single one; the first run continues at `start`.
  private static func collapse(from start: Int, in text: inout [UInt8]) {
    var bytes = text.mutableSpan
    var written = start
    var previous = bytes[start - 1]
    for index in start..<bytes.count {
      let byte = bytes[index]
      if byte != previous || byte != slash && byte != star {
        bytes[written] = byte
        written += 1
      }
      previous = byte
    }
    text.removeLast(text.count - written)
  }
}
