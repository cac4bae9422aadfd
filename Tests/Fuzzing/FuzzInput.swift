/// Bytes of which some at the beginning say how the others are used.
struct FuzzInput {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The bytes that are left.
  var bytes: [UInt8] { Array(rest) }

  /// Takes a byte; 0 if there is none.
  mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

  /// Takes a number of two bytes, the lowest first.
  mutating func halfWord() -> Int {
    let low = byte()
    return low | byte() << 8
  }

  /// Takes some bytes, fewer if there are not as many.
  mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Chooses one of some values by a byte.
  mutating func choose<Value>(_ values: [Value]) -> Value { values[byte() % values.count] }

  /// Takes the last line, without the line feed in front of it.
  mutating func lastLine() -> [UInt8] {
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else {
      defer { rest = [] }
      return Array(rest)
    }
    defer { rest = rest[..<end] }
    return Array(rest[(end + 1)...])
  }

  /// Takes the first line and the line feed behind it.
  mutating func firstLine() -> [UInt8] {
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest[line.endIndex...].dropFirst()
    return Array(line)
  }
}

extension [UInt8] {
  /// The text, with what isn't UTF-8 replaced.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The first bytes and how many there are in all, for messages.
  var shown: String { "\(prefix(200).map { $0 })" + (count > 200 ? " … \(count)" : "") }
}
