internal import Foundations
internal import UniversalLinks

/// The bytes of routes and of the paths that are compared with them.
enum RouteText {
  /// A text with what no URL can hold percent-encoded, escapes in upper case.
  static func encoded(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    PercentEncoding.append(encoding: text.span, to: &output)
    return raised(output)
  }

  /// A text with the digits of escapes in upper case, so that `%c3` and `%C3` are the same.
  static func raised(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(UInt8(ascii: "%")) else { return text }
    var (text, index) = (text, 0)
    while index < text.count {
      guard text[index] == UInt8(ascii: "%") else {
        index += 1
        continue
      }
      for place in (index + 1)..<min(index + 3, text.count)
      where (0x61...0x66).contains(text[place]) {
        text[place] -= 0x20
      }
      index += 3
    }
    return text
  }

  /// Calls `body` with the place of each nonempty segment of a path until it returns
  /// `false`.
  static func forEachSegment(of path: Span<UInt8>, _ body: (Range<Int>) -> Bool) {
    var start = 0
    while start < path.count {
      var end = start
      while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
      if end > start, !body(start..<end) { return }
      start = end + 1
    }
  }
}

extension Span<UInt8> {
  /// Returns a Boolean value indicating whether a text occurs at a position.
  func holds(_ text: [UInt8], at position: Int) -> Bool {
    guard position >= 0, position + text.count <= count else { return false }
    for offset in text.indices where self[position + offset] != text[offset] { return false }
    return true
  }
}

extension UInt8 {
  /// A Boolean value indicating whether the name of a parameter can hold this byte.
  var isOfName: Bool {
    isLetterOrDigit || self == UInt8(ascii: "_") || self >= 0x80
  }
}

extension ArraySlice<UInt8> {
  /// The slice without spaces and tabs at its ends.
  var trimmed: ArraySlice<UInt8> {
    var slice = drop { $0 == 0x20 || $0 == 0x09 }
    while let last = slice.last, last == 0x20 || last == 0x09 { slice.removeLast() }
    return slice
  }

  /// The slice as text.
  var text: String { String(decoding: self, as: UTF8.self) }

  func hasPrefix(_ text: StaticString) -> Bool { starts(with: "\(text)".utf8) }

  func hasSuffix(_ text: StaticString) -> Bool {
    suffix(text.utf8CodeUnitCount).elementsEqual("\(text)".utf8)
  }

  /// Returns the position of the bracket that closes the one at `open`, or `nil` if there is none.
  ///
  /// Other brackets between them must close first; a backslash escapes the next byte.
  func closing(_ open: Int) -> Int? {
    var expected: [UInt8] = []
    var index = open
    while index < endIndex {
      let byte = self[index]
      if byte == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      if let closer = byte.closer, byte != UInt8(ascii: "<") || expected.isEmpty {
        expected.append(closer)
      } else if byte == expected.last {
        expected.removeLast()
        if expected.isEmpty { return index }
      }
      index += 1
    }
    return nil
  }

  /// Returns the first position outside brackets at which a condition holds, or `nil` if it holds
  /// at none.
  func firstIndexOutsideBrackets(where condition: (Int) -> Bool) -> Int? {
    var index = startIndex
    while index < endIndex {
      if condition(index) { return index }
      if self[index].closer != nil, let end = closing(index) { index = end }
      index += 1
    }
    return nil
  }

  /// Returns the parts between separators outside brackets, including empty ones.
  func splitOutsideBrackets(at separator: UInt8) -> [ArraySlice<UInt8>] {
    var (parts, rest) = ([ArraySlice<UInt8>](), self)
    while let end = rest.firstIndexOutsideBrackets(where: { rest[$0] == separator }) {
      parts.append(rest[..<end])
      rest = rest[(end + 1)...]
    }
    return parts + [rest]
  }
}

extension UInt8 {
  /// The bracket that closes this one, if it opens one.
  var closer: UInt8? {
    switch self {
    case UInt8(ascii: "("): UInt8(ascii: ")")
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case UInt8(ascii: "{"): UInt8(ascii: "}")
    case UInt8(ascii: "<"): UInt8(ascii: ">")
    default: nil
    }
  }
}
