extension Span<UInt8> {
  /// The end of what Kubernetes writes in front of a line, or `nil` if it isn't there
  /// (https://kubernetes.io/docs/concepts/cluster-administration/logging).
  ///
  ///     2026-11-19T12:00:00.123456789+00:00 stdout F
  ///
  /// A byte order mark counts as well, as some editors and servers put it in front of a file.
  var collectorPrefixEnd: Int? {
    if count > 3, self[0] == 0xEF, self[1] == 0xBB, self[2] == 0xBF { return 3 }
    guard count > 40, self[10] == UInt8(ascii: "T"), self[4] == UInt8(ascii: "-"), self[0].isDigit,
      let space = firstIndex(of: UInt8(ascii: " "), from: 19, to: 40), count >= space + 10,
      begins(with: " stdout ", at: space) || begins(with: " stderr ", at: space),
      self[space + 9] == UInt8(ascii: " "),
      self[space + 8] == UInt8(ascii: "F") || self[space + 8] == UInt8(ascii: "P")
    else { return nil }
    return space + 10
  }
}
