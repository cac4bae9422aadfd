/// A set of positions of a ``PatternProgram``.
///
/// It has a bit for each position, and a summary bit for each word that is not zero. So the cost of
/// a step is proportional to the number of such words.
struct PositionSet: Sendable {
  private(set) var words: [UInt64]

  /// A bit for each word that is not zero.
  private(set) var used: [UInt64]

  init(wordCount: Int) {
    words = Array(repeating: 0, count: wordCount)
    used = Array(repeating: 0, count: (wordCount + 63) / 64)
  }

  var isEmpty: Bool {
    for index in used.indices where used[index] != 0 { return false }
    return true
  }

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

  /// Some positions of one word.
  typealias Part = (word: Int, bits: UInt64)

  /// Moves each of some positions to the next one, and removes all others but those that stay.
  mutating func move(
    readers: Span<UInt64>, stays: Span<UInt64>, marks: Span<UInt64>, reached: inout [Part]
  ) {
    // Each is written in place, on its own.
    var (ownWords, ownUsed): ([UInt64], [UInt64]) = ([], [])
    swap(&ownWords, &self.words)
    swap(&ownUsed, &self.used)
    defer {
      swap(&ownWords, &self.words)
      swap(&ownUsed, &self.used)
    }
    var words = ownWords.mutableSpan
    var used = ownUsed.mutableSpan
    // The last position of a word moves to the first one of the next word, at `place`.
    var (carry, place): (UInt64, Int) = (0, 0)
    for block in used.indices {
      var rest = used[block]
      var isUsed = rest
      while rest != 0 {
        let bit = UInt64(rest.trailingZeroBitCount)
        rest &= rest &- 1
        let index = block &<< 6 &+ Int(bit)
        if carry != 0, place != index {
          words[place] = carry
          if carry & marks[place] != 0 { reached.append((place, carry)) }
          if place >> 6 == block {
            isUsed |= 1 &<< UInt64(place & 63)
          } else {
            used[place >> 6] |= 1 &<< UInt64(place & 63)
          }
          carry = 0
        }
        let old = words[index]
        let moving = old & readers[index]
        let new = moving &<< 1 | carry | old & stays[index]
        (carry, place) = (moving &>> 63, index &+ 1)
        words[index] = new
        if new == 0 { isUsed &= ~(1 &<< bit) }
        let marked = new & ~old & marks[index]
        if marked != 0 { reached.append((index, marked)) }
      }
      used[block] = isUsed
    }
    if carry != 0 {
      words[place] = carry
      used[place >> 6] |= 1 &<< UInt64(place & 63)
      if carry & marks[place] != 0 { reached.append((place, carry)) }
    }
  }
}

/// Bit sets.
extension [UInt64] {
  /// Creates an empty set of numbers below `count`.
  init(bitCount count: Int) { self.init(repeating: 0, count: (count + 63) / 64) }

  /// Returns a Boolean value indicating whether the set has a number.
  @inline(__always)
  func hasBit(_ number: Int) -> Bool { self[number >> 6] >> UInt64(number & 63) & 1 == 1 }

  @inline(__always)
  mutating func insertBit(_ number: Int) { self[number >> 6] |= 1 &<< UInt64(number & 63) }

  /// The numbers in the set, ascending.
  var bits: [Int] {
    var bits: [Int] = []
    bits.reserveCapacity(reduce(0) { $0 + $1.nonzeroBitCount })
    for (index, word) in enumerated() {
      var rest = word
      while rest != 0 {
        bits.append(index << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return bits
  }
}
