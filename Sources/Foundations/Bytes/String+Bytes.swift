extension String {
  /// Returns a Boolean value indicating whether the bytes of two strings are the same.
  ///
  /// Swift's strings are equal if they are canonically equivalent (Unicode, UAX #15). Servers and
  /// file systems distinguish hosts and paths by their bytes. If equivalent strings were treated as
  /// the same, the result would depend on their order.
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Returns a Boolean value indicating whether this string precedes another one in the order of
  /// their bytes, as `utf8.lexicographicallyPrecedes` does, but without a loop over single bytes.
  @inlinable
  package func precedesByBytes(_ other: String) -> Bool {
    utf8.span.compare(other.utf8.span) < 0
  }

  /// Returns a Boolean value indicating whether this string precedes another one in the order of
  /// length, then bytes.
  ///
  /// Where the number of names is limited, the first ones in this order are kept. So the place of
  /// counting doesn't matter, and long made-up names displace no ordinary ones.
  package func precedesByLength(_ other: String) -> Bool {
    let (length, otherLength) = (utf8.count, other.utf8.count)
    return length == otherLength
      ? precedesByBytes(other) : length < otherLength
  }
}

extension StringProtocol {
  /// The text with its first letter in upper case.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension [String] {
  /// The words as a list in a sentence: `a`, `a and b`, `a, b and c`.
  package var listed: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
