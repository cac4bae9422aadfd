/// Values in DER, one behind another (X.690).
///
/// Certificates come from whoever answers, so whatever is not well formed ends the
/// reading, and nothing is read twice.
struct DERReader {
  /// A value.
  struct Value {
    /// What it is: the class, whether it is made of others, and the number.
    var tag: UInt8

    /// What stands in it.
    var content: ArraySlice<UInt8>

    /// All of it, with tag and length.
    var encoded: ArraySlice<UInt8>

    /// The values that it is made of.
    var values: DERReader { DERReader(content) }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

  /// The next value, or `nil` at the end, and where none can be read.
  mutating func next() -> Value? {
    guard rest.count >= 2 else { return nil }
    let start = rest.startIndex
    let (tag, first) = (rest[start], rest[start + 1])
    var (length, header) = (Int(first), 2)
    if first >= 0x80 {
      // As many bytes of length follow; no certificate needs more than three.
      let count = Int(first & 0x7F)
      guard (1...3).contains(count), rest.count >= 2 + count else { return nil }
      length = rest[(start + 2)..<(start + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
      header += count
    }
    guard rest.count - header >= length else { return nil }
    let encoded = rest[start..<(start + header + length)]
    rest = rest[encoded.endIndex...]
    return Value(tag: tag, content: encoded.dropFirst(header), encoded: encoded)
  }

  /// The next value if it has a tag; nothing is passed over if it has another one.
  mutating func next(_ tag: UInt8) -> Value? {
    guard rest.first == tag else { return nil }
    return next()
  }
}
