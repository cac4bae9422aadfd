extension String {
  /// Returns a Boolean value indicating whether the bytes of two strings are the same.
  ///
  /// Strings are also equal where they only look alike (Unicode, UAX #15). Hosts and paths of
  /// files are told apart by their bytes, by servers as by file systems, and whatever takes one
  /// for the other depends on which of them came first.
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
