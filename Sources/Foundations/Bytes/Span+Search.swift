// Unsafe code: `memchr` and `memrchr` compare 32 bytes at a time, and a loop in Swift one. Finding
// delimiters is most of the work of reading a log. `memcpy` is here for the same reason. The
// pointers never leave the closures, and every bound is checked here.

extension Span<UInt8> {
  /// Returns the position of the first `byte` from `start` on and before `end`,
  /// or `nil` if there is none.
  @inlinable @inline(__always)
  package func firstIndex(of byte: UInt8, from start: Int, to end: Int) -> Int? {
    guard start >= 0, start < end, end <= count else { return nil }
    return unsafe withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), end - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  /// Returns the position of the first `byte` from `start` on, or `nil` if there
  /// is none.
  @inlinable @inline(__always)
  package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    firstIndex(of: byte, from: start, to: count)
  }

  /// Returns a Boolean value indicating whether `other` contains the same bytes.
  @inlinable @inline(__always)
  package func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { one in
      unsafe other.withUnsafeBufferPointer { other in
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return unsafe memcmp(first, second, one.count) == 0
      }
    }
  }

  /// Returns a Boolean value indicating whether these bytes have a part of another text at a
  /// position.
  ///
  /// Most parts are a few words, for which a call takes longer than the comparison.
  @inlinable @inline(__always)
  package func holds(_ text: Span<UInt8>, _ start: Int, _ length: Int, at position: Int) -> Bool {
    guard length <= count - position else { return false }
    guard length >= 8 else {
      for index in 0..<length where text.byte(start + index) != byte(position + index) {
        return false
      }
      return true
    }
    // The last word can overlap the one before.
    var index = 0
    while index < length - 8 {
      guard text.word(start + index) == word(position + index) else { return false }
      index += 8
    }
    return text.word(start + length - 8) == word(position + length - 8)
  }

  /// Compares these bytes with those of `other`.
  ///
  /// - Returns: A number below 0 if these bytes precede the others, 0 if they are equal, or a
  ///   number above 0.
  @inlinable @inline(__always)
  package func compare(_ other: Span<UInt8>) -> Int {
    let order = unsafe withUnsafeBufferPointer { one in
      unsafe other.withUnsafeBufferPointer { other in
        guard let first = one.baseAddress, let second = other.baseAddress else { return Int32(0) }
        return unsafe memcmp(first, second, Swift.min(one.count, other.count))
      }
    }
    return order != 0 ? Int(order) : count - other.count
  }

  /// Returns the position of the last `byte` from `start` on and before `end`,
  /// or `nil` if there is none.
  package func lastIndex(of byte: UInt8, from start: Int, to end: Int) -> Int? {
    var index = end - 1
    while index >= start {
      if self[index] == byte { return index }
      index -= 1
    }
    return nil
  }
}

extension MutableSpan<UInt8> {
  /// Replaces the bytes from `start` on by those of `source`, as many as there
  /// is room for.
  ///
  /// - Returns: The number of bytes that were copied.
  package mutating func copy(_ source: Span<UInt8>, at start: Int) -> Int {
    let length = Swift.min(source.count, count - start)
    guard start >= 0, length > 0 else { return 0 }
    unsafe source.withUnsafeBufferPointer { source in
      unsafe withUnsafeMutableBufferPointer { destination in
        guard let from = source.baseAddress, let to = destination.baseAddress else { return }
        unsafe _ = memcpy(to + start, from, length)
      }
    }
    return length
  }
}

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
