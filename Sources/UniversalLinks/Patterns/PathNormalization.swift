/// The one normalisation of paths, applied to each pattern once and to the path
/// of each URL, so that `/buy`, `/buy/`, `buy` and `//buy//` are one
/// (MATCHING.md, 3a).
enum PathNormalization {
  /// Normalises the path in `text` in place.
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

    // Most paths have no runs.
    if hasRuns(text) {
      collapse(star, in: &text)
      collapse(slash, in: &text)
    }

    // A lone star that was two is no longer taken off.
    let hasStars = text.count >= 2
    let beginsWithStar = hasStars && text.first == star
    let endsWithStar = hasStars && text.last == star
    if !endsWithStar, text.last != slash { text.append(slash) }
    if !beginsWithStar, text.first != slash { text.insert(slash, at: 0) }
  }

  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")

  private static func isOneUnit(_ text: [UInt8]) -> Bool {
    UTF8Text.length(ofScalarWithLead: text[0]) == text.count
  }

  private static func hasRuns(_ text: [UInt8]) -> Bool {
    var previous: UInt8 = 0
    for byte in text {
      if byte == previous, byte == slash || byte == star { return true }
      previous = byte
    }
    return false
  }

  /// Replaces each run of `byte` by a single one.
  private static func collapse(_ byte: UInt8, in text: inout [UInt8]) {
    var (read, written) = (0, 0)
    while read < text.count {
      let isRepeated = read > 0 && text[read] == byte && text[read - 1] == byte
      if !isRepeated {
        if read != written { text[written] = text[read] }
        written += 1
      }
      read += 1
    }
    if written < text.count { text.removeLast(text.count - written) }
  }
}
