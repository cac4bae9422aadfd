// Unsafe code: texts of the program and appended bytes are lent to closures that don't keep them.

extension Span<UInt8> {
  /// Appends these bytes to `output`.
  @inlinable
  package func append(to output: inout [UInt8]) {
    unsafe withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
  }

  /// A copy of these bytes.
  package var array: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The decimal number at a position, or `nil` if there are other bytes or too few.
  @inlinable
  package func decimal(_ range: Range<Int>) -> Int? {
    guard range.lowerBound >= 0, range.upperBound <= count, range.count <= 18 else { return nil }
    var value = 0
    for index in range {
      guard self[index].isDigit else { return nil }
      value = value * 10 + Int(self[index] &- 0x30)
    }
    return value
  }

  /// The number whose hexadecimal digits begin at `start`, or `nil` if there are too few.
  package func hexadecimal(_ start: Int, digits: Int) -> UInt32? {
    guard start + digits <= count else { return nil }
    var value: UInt32 = 0
    for index in start..<(start + digits) {
      guard let digit = self[index].hexadecimalValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Reads the scalar that JSON writes as `\u` and four hexadecimal digits, or as two of these for a
  /// pair of surrogates (RFC 8259, 7).
  ///
  /// - Parameter position: The position of the first digit, which moves to the end.
  /// - Returns: The scalar, U+FFFD for half of a pair, or `nil` if there are too few digits.
  package func escapedScalar(at position: inout Int) -> Unicode.Scalar? {
    guard var value = hexadecimal(position, digits: 4) else { return nil }
    position += 4
    if (0xD800..<0xDC00).contains(value), begins(with: "\\u", at: position),
      let low = hexadecimal(position + 2, digits: 4), (0xDC00..<0xE000).contains(low)
    {
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      position += 6
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// Returns the bytes with percent-encoding removed once, or `nil` if there is none.
  package func percentDecoded() -> [UInt8]? {
    var decoded: [UInt8] = []
    return appendPercentDecoded(to: &decoded) ? decoded : nil
  }

  /// Appends the bytes with percent-encoding removed once.
  ///
  /// - Returns: Whether there is any; else nothing is appended.
  package func appendPercentDecoded(to output: inout [UInt8]) -> Bool {
    var (position, search) = (0, 0)
    while let percent = firstIndex(of: UInt8(ascii: "%"), from: search) {
      search = percent + 1
      guard let byte = hexadecimal(search, digits: 2) else { continue }
      extracting(position..<percent).append(to: &output)
      output.append(UInt8(truncatingIfNeeded: byte))
      search = percent + 3
      position = search
    }
    if position == 0 { return false }
    extracting(position..<count).append(to: &output)
    return true
  }

  /// Calls `body` with the name and the value of each item of a query, as the query spells them.
  ///
  /// The query is split at each `&`, and an item at its first `=`.
  @inlinable @inline(__always)
  package func forEachQueryItem(_ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) -> Void) {
    var start = 0
    while start <= count {
      var (end, nameEnd) = (start, -1)
      while end < count, byte(end) != UInt8(ascii: "&") {
        if byte(end) == UInt8(ascii: "="), nameEnd < 0 { nameEnd = end }
        end += 1
      }
      body(
        extracting(start..<(nameEnd < 0 ? end : nameEnd)),
        extracting((nameEnd < 0 ? end : nameEnd + 1)..<end))
      start = end + 1
    }
  }

  /// Returns a Boolean value indicating whether these bytes begin with a text.
  package func begins(with text: StaticString, at start: Int = 0) -> Bool {
    guard start >= 0, count - start >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { buffer in
      unsafe extracting(start..<(start + buffer.count)).isEqual(to: buffer.span)
    }
  }

  /// Returns a Boolean value indicating whether bytes of a shape are at a position.
  ///
  /// In a shape, `0` is any digit, `a` any letter, and `?` any byte; another character is itself.
  ///
  ///     "0000-00-00T??"
  @inlinable @inline(__always)
  package func hasShape(_ shape: StaticString, at start: Int = 0) -> Bool {
    guard start >= 0, count - start >= shape.utf8CodeUnitCount else { return false }
    for index in 0..<shape.utf8CodeUnitCount {
      let byte = byte(start + index)
      let mark = unsafe shape.utf8Start[index]
      switch mark {
      case UInt8(ascii: "0"): if !byte.isDigit { return false }
      case UInt8(ascii: "a"): if !byte.isLetter { return false }
      case UInt8(ascii: "?"): break
      default: if byte != mark { return false }
      }
    }
    return true
  }

  /// Returns a Boolean value indicating whether these bytes contain a text.
  package func contains(_ text: StaticString) -> Bool {
    position(of: text) != nil
  }

  /// Returns the position of a text, from `start` on, or `nil` if it isn't there.
  package func position(of text: StaticString, from start: Int = 0) -> Int? {
    guard text.utf8CodeUnitCount > 0, count >= text.utf8CodeUnitCount else { return nil }
    let first = unsafe text.utf8Start.pointee
    let end = count - text.utf8CodeUnitCount + 1
    var search = start
    while let found = firstIndex(of: first, from: search, to: end) {
      if begins(with: text, at: found) { return found }
      search = found + 1
    }
    return nil
  }
}
