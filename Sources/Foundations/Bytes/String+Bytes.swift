extension String {
  /// Returns a Boolean value indicating whether the bytes of two strings are the same.
  ///
  /// Strings are also equal where they only look alike (Unicode, UAX #15). Hosts and paths of
  /// files are told apart by their bytes, by servers as by file systems, and whatever takes one
  /// for the other depends on which of them came first.
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Returns a Boolean value indicating whether this string comes before another one in an order
  /// that has short strings first, and is that of bytes among those of one length.
  ///
  /// Where only so many names are kept, the first ones in this order are: then it doesn't matter
  /// what was counted where, and long names that are made up displace no ordinary ones.
  package func precedesByLength(_ other: String) -> Bool {
    let (length, otherLength) = (utf8.count, other.utf8.count)
    return length == otherLength
      ? utf8.lexicographicallyPrecedes(other.utf8) : length < otherLength
  }
}

extension StringProtocol {
  /// The text with its first letter in upper case.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
