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

  /// A Boolean value indicating whether a parenthesis is open at the end of these bytes.
  var endsInParentheses: Bool {
    guard let first = firstIndex(of: UInt8(ascii: "(")) else { return false }
    var depth = 0
    for index in first..<count {
      let byte = byte(index)
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")"), depth > 0 { depth -= 1 }
    }
    return depth > 0
  }

  func isOne(of texts: [StaticString]) -> Bool {
    texts.contains { $0.utf8CodeUnitCount == count && begins(with: $0) }
  }

  /// Returns the position of the next quotation mark that ends a field, or `nil` if there is none.
  ///
  /// The start is after the opening quotation mark. Some servers write quotation marks in a user
  /// agent without escapes, so `ends` returns whether the field can end before a position. Inside,
  /// a quotation mark has a backslash in front, or is doubled.
  @inline(__always)
  func closingQuote(
    from start: Int, isDoubled: Bool = false,
    where ends: (_ next: Int) -> Bool = { _ in true }
  ) -> Int? {
    var search = start
    while let quote = firstIndex(of: UInt8(ascii: "\""), from: search) {
      search = quote + 1
      if !isDoubled {
        if backslashCount(before: quote, from: start) & 1 == 1 { continue }
      } else if search < count, byte(search) == UInt8(ascii: "\"") {
        search += 1
        continue
      }
      if ends(search) { return quote }
    }
    return nil
  }

  @inline(__always)
  func backslashCount(before position: Int, from start: Int) -> Int {
    var backslashes = 0
    while position - backslashes > start, byte(position - backslashes - 1) == UInt8(ascii: "\\") {
      backslashes += 1
    }
    return backslashes
  }
}

extension Span<UInt8> {
  /// Returns a Boolean value indicating whether a day such as `2000-10-10` is at a position.
  @inline(__always)
  func beginsWithISODay(at start: Int) -> Bool { hasShape("0000-00-00", at: start) }

  /// Returns whether a day such as `10/Oct/2000` or `2000-10-10` is at a position.
  func beginsWithTime(at start: Int) -> Bool {
    hasShape("00/???????", at: start) || beginsWithISODay(at: start)
  }

  /// Returns whether a day such as `10/Oct/2000` and a time of day are at a position.
  func isCommonTime(from start: Int) -> Bool {
    (hasShape("00/???/????:??:??:??", at: start) || hasShape("00/???/???? ??:??:??", at: start))
      && monthNumber(at: start + 3) != nil
  }

  /// Whether these bytes begin with ten digits and a full stop or a blank.
  var beginsWithSeconds: Bool {
    hasShape("0000000000?") && (byte(10) == UInt8(ascii: ".") || byte(10).isBlank)
  }

  /// Whether a time begins a line: a day, a time of day, or seconds since 1970.
  var beginsWithOwnTime: Bool {
    beginsWithTime(at: 0) || beginsWithSeconds || secondOfDay != nil
      || count > 14 && byte(14).isBlank && decimal(0..<14) != nil
  }

  /// Returns whether a time of day, as `10:00:01`, is between two positions.
  func holdsTimeOfDay(from start: Int, to end: Int) -> Bool {
    var position = start
    while let colon = firstIndex(of: UInt8(ascii: ":"), from: position, to: end) {
      position = colon + 1
      if colon > start, end - colon > 5, hasShape("0:00:00", at: colon - 1) { return true }
    }
    return false
  }

  /// Returns the half of the day at a position, after a blank or without one, and its end, or `nil`
  /// if something else is there.
  ///
  ///     1:55:36 PM
  package func halfOfDay(at start: Int) -> (isAfternoon: Bool, end: Int)? {
    let letter = start < count && self[start] == UInt8(ascii: " ") ? start + 1 : start
    let end = letter + 2
    guard end <= count, self[letter + 1] | 0x20 == UInt8(ascii: "m"),
      self[letter] | 0x20 == UInt8(ascii: "a") || self[letter] | 0x20 == UInt8(ascii: "p"),
      end == count || !self[end].isLetter && !self[end].isDigit
    else { return nil }
    return (self[letter] | 0x20 == UInt8(ascii: "p"), end)
  }

  /// Returns a Boolean value indicating whether a word other than the first ends as a time in
  /// seconds since 1970 with milliseconds.
  var holdsSecondsSince1970: Bool {
    var position = 14
    while let stop = firstIndex(of: UInt8(ascii: "."), from: position, to: count) {
      position = stop + 1
      if hasShape("0000000000.000?", at: stop - 10), byte(stop + 4).isBlank { return true }
    }
    return false
  }
}
