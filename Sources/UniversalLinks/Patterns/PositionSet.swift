/// A set of positions of a ``PatternAutomaton``.
///
/// It has a bit for each position, and one for each word of these bits that is not zero, so that
/// a step costs as much as there are such words.
struct PositionSet: Sendable {
  private(set) var words: [UInt64]

  /// A bit for each word that is not zero.
  private(set) var used: [UInt64]

  init(wordCount: Int) {
    words = Array(repeating: 0, count: wordCount)
    used = Array(repeating: 0, count: (wordCount + 63) / 64)
  }

  /// A Boolean value indicating whether there is no position.
  var isEmpty: Bool {
    for index in used.indices where used[index] != 0 { return false }
    return true
  }

  /// Replaces a word.
  @inline(__always)
  mutating func replace(_ index: Int, by bits: UInt64) {
    words[index] = bits
    if bits == 0 {
      used[index >> 6] &= ~(1 &<< UInt64(index & 63))
    } else {
      used[index >> 6] |= 1 &<< UInt64(index & 63)
    }
  }

  /// Removes the positions from `start` up to, but not including, `end`.
  mutating func remove(from start: Int, to end: Int) {
    var index = start >> 6
    while start < end, index << 6 < end {
      if words[index] != 0 {
        let (low, high) = (max(start - index << 6, 0), min(end - index << 6, 64))
        let mask = (UInt64.max &>> UInt64(64 - (high - low))) &<< UInt64(low)
        replace(index, by: words[index] & ~mask)
      }
      index += 1
    }
  }

  /// Removes all positions.
  mutating func removeAll() {
    var index = firstWord(from: 0)
    while index < words.count {
      replace(index, by: 0)
      index = firstWord(from: index + 1)
    }
  }

  /// Returns the first word from `start` on that is not zero, or the number of words.
  @inline(__always)
  func firstWord(from start: Int) -> Int {
    var block = start >> 6
    guard block < used.count else { return words.count }
    var rest = used[block] & (UInt64.max &<< UInt64(start & 63))
    while rest == 0 {
      block += 1
      guard block < used.count else { return words.count }
      rest = used[block]
    }
    return block << 6 + rest.trailingZeroBitCount
  }
}
