/// An element that is sorted by a word, and counted.
protocol RadixSorted: BitwiseCopyable {
  var sortKey: UInt64 { get }

  /// The number of times that the word occurs.
  var occurrences: UInt64 { get }
}

extension UInt64: RadixSorted {
  var sortKey: UInt64 { self }
  var occurrences: UInt64 { 1 }
}

/// A radix sort from the lowest digit of the keys to the highest, for keys that differ in some bits
/// only.
enum RadixSort {
  private static let digitBits: UInt64 = 11
  private static let digitMask: UInt64 = 1 << digitBits - 1

  /// Sorts elements in ascending order of their keys.
  ///
  /// - Parameters:
  ///   - words: The elements.
  ///   - spare: Space for as many.
  static func sort<Element: RadixSorted>(
    _ words: inout Buffer<Element>, spare: inout Buffer<Element>
  ) {
    guard words.count > 1 else { return }
    // Skip bits that are the same in all words; there are many.
    var (all, any): (UInt64, UInt64) = (.max, 0)
    for index in 0..<words.count {
      all &= words[index].sortKey
      any |= words[index].sortKey
    }
    var differing = all ^ any
    spare.setCount(words.count, filling: words[0])
    var starts = Buffer<UInt32>(repeating: 0, count: Int(digitMask) + 1)
    while differing != 0 {
      let shift = UInt64(differing.trailingZeroBitCount)
      pass(&words, &spare, shift: shift, starts: &starts)
      swap(&words, &spare)
      differing &= shift + digitBits < 64 ? ~UInt64(0) << (shift + digitBits) : 0
    }
  }

  /// Distributes elements by a digit, and keeps the order of elements with equal digits.
  private static func pass<Element: RadixSorted>(
    _ words: inout Buffer<Element>, _ output: inout Buffer<Element>, shift: UInt64,
    starts: inout Buffer<UInt32>
  ) {
    for digit in 0..<starts.count { starts[digit] = 0 }
    for index in 0..<words.count { starts[Int(words[index].sortKey >> shift & digitMask)] += 1 }
    var sum: UInt32 = 0
    for digit in 0..<starts.count {
      let count = starts[digit]
      starts[digit] = sum
      sum += count
    }
    for index in 0..<words.count {
      let word = words[index]
      let digit = Int(word.sortKey >> shift & digitMask)
      output[Int(starts[digit])] = word
      starts[digit] += 1
    }
  }
}
