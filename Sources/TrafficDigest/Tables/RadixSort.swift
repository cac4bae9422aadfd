/// Sorting of words from the lowest digit to the highest, for keys of which only
/// some bits differ.
enum RadixSort {
  private static let digitBits: UInt64 = 11
  private static let digitMask: UInt64 = 1 << digitBits - 1

  /// Sorts words in ascending order.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - spare: Space for as many.
  static func sort(_ words: inout Slab<UInt64>, spare: inout Slab<UInt64>) {
    guard words.count > 1 else { return }
    // Bits that are the same in all words don't matter, and there are many.
    var (all, any): (UInt64, UInt64) = (.max, 0)
    for index in 0..<words.count {
      all &= words[index]
      any |= words[index]
    }
    var differing = all ^ any
    spare.setCount(words.count)
    var starts = Slab<UInt32>(repeating: 0, count: Int(digitMask) + 1)
    while differing != 0 {
      let shift = UInt64(differing.trailingZeroBitCount)
      pass(&words, &spare, shift: shift, starts: &starts)
      swap(&words, &spare)
      differing &= shift + digitBits < 64 ? ~UInt64(0) << (shift + digitBits) : 0
    }
  }

  /// Distributes words by a digit, keeping the order of those that agree in it.
  private static func pass(
    _ words: inout Slab<UInt64>, _ output: inout Slab<UInt64>, shift: UInt64,
    starts: inout Slab<UInt32>
  ) {
    for digit in 0..<starts.count { starts[digit] = 0 }
    for index in 0..<words.count { starts[Int(words[index] >> shift & digitMask)] += 1 }
    var sum: UInt32 = 0
    for digit in 0..<starts.count {
      let count = starts[digit]
      starts[digit] = sum
      sum += count
    }
    for index in 0..<words.count {
      let word = words[index]
      let digit = Int(word >> shift & digitMask)
      output[Int(starts[digit])] = word
      starts[digit] += 1
    }
  }
}
