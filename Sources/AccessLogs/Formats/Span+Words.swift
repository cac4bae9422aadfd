internal import Foundations

extension Span<UInt8> {
  /// Returns the next bytes between spaces from `start` on, or `nil` if there are none before `end`.
  func word(from start: Int, to end: Int) -> Range<Int>? {
    var first = start
    while first < end, self[first] == UInt8(ascii: " ") { first += 1 }
    guard first < end else { return nil }
    return first..<(firstIndex(of: UInt8(ascii: " "), from: first, to: end) ?? end)
  }

  /// Returns a Boolean value indicating whether a field is empty or `-`.
  @inline(__always)
  func isAbsent(_ range: Range<Int>) -> Bool {
    range.isEmpty || range.count == 1 && byte(range.lowerBound) == UInt8(ascii: "-")
  }

  /// Returns a Boolean value indicating whether these bytes are one of some texts.
  func isOne(of texts: [StaticString]) -> Bool {
    texts.contains { $0.utf8CodeUnitCount == count && begins(with: $0) }
  }

  /// Finds the next quotation mark that ends a field.
  ///
  /// - Parameters:
  ///   - start: The position after the opening quotation mark.
  ///   - quoting: The notation of quotation marks inside the field.
  ///   - ends: Whether the field can end before a position, the one after a quotation mark. Some
  ///     servers write quotation marks in a user agent without escapes.
  /// - Returns: Its position, or `nil` if there is none.
  @inline(__always)
  func closingQuote(
    from start: Int, _ quoting: ColumnLayout.Quoting = .backslash,
    where ends: (_ next: Int) -> Bool = { _ in true }
  ) -> Int? {
    var search = start
    while let quote = firstIndex(of: UInt8(ascii: "\""), from: search) {
      search = quote + 1
      switch quoting {
      case .backslash:
        if isEscaped(quote, from: start) { continue }
      case .doubled:
        if search < count, byte(search) == UInt8(ascii: "\"") {
          search += 1
          continue
        }
      }
      if ends(search) { return quote }
    }
    return nil
  }

  /// Returns a Boolean value indicating whether an odd number of backslashes precedes a position,
  /// from `start` on.
  @inline(__always)
  func isEscaped(_ position: Int, from start: Int) -> Bool {
    backslashCount(before: position, from: start) & 1 == 1
  }

  /// The number of backslashes before a position, from `start` on.
  @inline(__always)
  func backslashCount(before position: Int, from start: Int) -> Int {
    var backslashes = 0
    while position - backslashes > start, byte(position - backslashes - 1) == UInt8(ascii: "\\") {
      backslashes += 1
    }
    return backslashes
  }
}
