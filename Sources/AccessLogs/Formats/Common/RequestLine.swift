internal import Foundations

extension UInt8 {
  /// A Boolean value indicating whether a token, such as a method, can hold this
  /// byte (RFC 9110, 5.6.2).
  var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"),
      UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

extension Span<UInt8> {
  /// Returns the end of the method that begins at `start`, or `nil` if there is none.
  ///
  /// A method is a token (RFC 9110, 5.6.2) with a space after it.
  @inline(__always)
  func methodEnd(_ start: Int, _ end: Int) -> Int? {
    // `GET `, as almost every line has it.
    if start + 3 < end, self[start] == UInt8(ascii: "G"), self[start + 1] == UInt8(ascii: "E"),
      self[start + 2] == UInt8(ascii: "T"), self[start + 3] == UInt8(ascii: " ")
    {
      return start + 3
    }
    var position = start
    while position < end {
      if self[position] == UInt8(ascii: " ") { return position > start ? position : nil }
      guard self[position].isTokenByte else { return nil }
      position += 1
    }
    return nil
  }

  /// Returns the position of the space before the protocol, with which the
  /// request from `start` to `end` ends, or `nil` if it ends otherwise.
  @inline(__always)
  func protocolStart(_ start: Int, _ end: Int) -> Int? {
    // ` HTTP/1.1`, as almost every line has it; then `HTTP/2`, and room for what
    // may come.
    let usual = end - 9
    if usual >= start, self[usual] == UInt8(ascii: " "), self[usual + 1] == UInt8(ascii: "H"),
      self[usual + 5] == UInt8(ascii: "/"), self[usual + 2] == UInt8(ascii: "T"),
      self[usual + 3] == UInt8(ascii: "T"), self[usual + 4] == UInt8(ascii: "P"),
      self[usual + 6] != UInt8(ascii: " "), self[usual + 7] != UInt8(ascii: " "),
      self[usual + 8] != UInt8(ascii: " ")
    {
      return usual
    }
    var position = end - 1
    while position > start, end - position <= 12, self[position] != UInt8(ascii: " ") {
      position -= 1
    }
    guard position >= start, self[position] == UInt8(ascii: " "), end - position >= 6,
      self[position + 1] == UInt8(ascii: "H"), self[position + 2] == UInt8(ascii: "T"),
      self[position + 3] == UInt8(ascii: "T"), self[position + 4] == UInt8(ascii: "P"),
      self[position + 5] == UInt8(ascii: "/")
    else { return nil }
    return position
  }

  func endsWithProtocol(_ start: Int, _ end: Int) -> Bool {
    protocolStart(start, end) != nil
  }

  /// The target in the request whose method ends at `methodEnd`.
  ///
  /// It is between the method and the protocol, which HTTP/0.9 doesn't have.
  @inline(__always)
  func target(_ methodEnd: Int, _ end: Int) -> Range<Int> {
    var (start, end) = (
      methodEnd + 1, protocolStart(methodEnd, end) ?? versionStart(methodEnd, end) ?? end
    )
    while start < end, self[start] == UInt8(ascii: " ") { start += 1 }
    while end > start, self[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return start..<Swift.max(start, end)
  }

  /// Returns the position of the space before the protocol's version alone, as Hypercorn writes it,
  /// or `nil` if a request ends otherwise.
  ///
  ///     GET /a 1.1
  @inline(never)
  private func versionStart(_ start: Int, _ end: Int) -> Int? {
    for version in ["1.1", "2", "3", "1.0"] as [StaticString] {
      let space = end - version.utf8CodeUnitCount - 1
      if space > start, self[space] == UInt8(ascii: " "), begins(with: version, at: space + 1) {
        return space
      }
    }
    return nil
  }
}
