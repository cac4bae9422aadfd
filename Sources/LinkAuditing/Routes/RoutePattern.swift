internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

/// A path that an app implements, with parameters.
///
/// `/buy/:id`, `/buy/{id}`, `/buy/[id]` and `/buy/<id>` are the same route: a parameter
/// is one segment. `*` is one segment too, and at the end any number of them. After a `?`
/// follow the query items that the route needs: `/search?q`, `/open?type=order&id`. Slashes
/// at the end don't matter.
public struct RoutePattern: Hashable, Sendable {
  /// A query item that a route needs, with its value if that matters.
  struct Item: Hashable, Sendable {
    var name: [UInt8]
    var value: [UInt8]?
  }

  /// The route as written.
  public let source: String

  /// The number of the line that it was read from, from 1.
  public internal(set) var line = 0

  /// The paths with and without each optional part.
  var paths: [[RouteElement]]
  var items: [Item] = []
}

/// The segments that a route expects in one place of a path.
struct RouteElement: Hashable, Sendable {
  /// The texts that a segment may be, which are never empty.
  ///
  /// They are percent-encoded, as the paths are that they are compared with.
  enum Matcher: Hashable, Sendable {
    case any
    case digits

    /// Decimal digits with an optional sign and an optional point.
    case number

    /// 8-4-4-4-12 hexadecimal digits.
    case uuid

    case literal([UInt8])
    case words([[UInt8]])
    case glob(Glob)
  }

  var matcher = Matcher.any

  /// Whether the place may have no segment.
  var allowsNone = false

  /// Whether the place may have more than one segment.
  var allowsMany = false

  /// Any number of any segments.
  static let rest = RouteElement(allowsNone: true, allowsMany: true)

  static func literal(_ text: some Sequence<UInt8>) -> RouteElement {
    RouteElement(matcher: .literal(Array(text).urlEncoded))
  }
}

extension RouteElement.Matcher {
  /// Returns a Boolean value indicating whether a segment matches, or the placeholder that
  /// represents such segments in templates.
  func matches(_ segment: Span<UInt8>) -> Bool {
    if segment.count > 0, segment[0] == UInt8(ascii: "{") { return matches(placeholder: segment) }
    switch self {
    case .any: return true
    case .literal(let text): return segment.isEqual(to: text.span)
    case .words(let words): return words.contains { segment.isEqual(to: $0.span) }
    case .glob(let glob): return glob.matches(segment)
    case .digits: return segment.count > 0 && segment.indices.allSatisfy { segment[$0].isDigit }
    case .number:
      var (digits, points) = (0, 0)
      for index in segment.indices {
        switch segment[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
        case UInt8(ascii: "."): points += 1
        case UInt8(ascii: "-") where index == 0, UInt8(ascii: "+") where index == 0: continue
        default: return false
        }
      }
      return digits > 0 && points <= 1
    case .uuid:
      return segment.count == 36
        && segment.indices.allSatisfy { index in
          [8, 13, 18, 23].contains(index)
            ? segment[index] == UInt8(ascii: "-") : segment[index].isHexadecimalDigit
        }
    }
  }

  /// Returns a Boolean value indicating whether all segments that a placeholder represents match.
  private func matches(placeholder: Span<UInt8>) -> Bool {
    switch self {
    case .any: true
    case .digits, .number: placeholder.begins(PathTemplate.number)
    case .uuid: placeholder.begins(PathTemplate.uuid)
    case .literal, .words, .glob: false
    }
  }
}

/// A pattern of bytes: percent-encoded texts with gaps between them.
struct Glob: Hashable, Sendable {
  /// The texts, separated by ``gap``, a byte that no URL holds.
  var bytes: [UInt8]

  /// The least number of bytes in a gap, 0 or 1.
  var leastGap: Int
  static let gap: UInt8 = 0

  func matches(_ text: Span<UInt8>) -> Bool {
    var (place, index) = (0, 0)
    // The last gap takes as little as possible; only it can ever need to take more.
    var last: (place: Int, index: Int)?
    while index < text.count {
      if place < bytes.count, bytes[place] == Self.gap {
        (place, index) = (place + 1, index + leastGap)
        last = (place, index)
      } else if place < bytes.count, bytes[place] == text[index] {
        place += 1
        index += 1
      } else if let gap = last {
        (place, index) = (gap.place, gap.index + 1)
        last = (place, index)
      } else {
        return false
      }
    }
    return bytes[place...].allSatisfy { $0 == Self.gap && leastGap == 0 }
  }

  /// The texts before, between and after the gaps.
  var texts: [ArraySlice<UInt8>] {
    bytes.split(separator: Self.gap, omittingEmptySubsequences: false)
  }
}

extension [UInt8] {
  /// This text with what no URL can hold percent-encoded, escapes in upper case.
  var urlEncoded: [UInt8] {
    var output: [UInt8] = []
    PercentEncoding.append(encoding: span, to: &output)
    return output.withRaisedEscapes
  }

  /// This text with the digits of escapes in upper case, so that `%c3` and `%C3` are the same.
  var withRaisedEscapes: [UInt8] {
    guard contains(UInt8(ascii: "%")) else { return self }
    var text = self
    for index in indices where self[index] == UInt8(ascii: "%") {
      for place in (index + 1)..<Swift.min(index + 3, count)
      where (0x61...0x66).contains(self[place]) {
        text[place] = self[place] - 0x20
      }
    }
    return text
  }
}

extension Span<UInt8> {
  /// Calls `body` with the place of each nonempty segment of a path until it returns
  /// `false`.
  func forEachSegment(_ body: (Range<Int>) -> Bool) {
    var start = 0
    while start < count {
      var end = start
      while end < count, self[end] != UInt8(ascii: "/") { end += 1 }
      if end > start, !body(start..<end) { return }
      start = end + 1
    }
  }

  fileprivate func begins(_ text: String) -> Bool {
    holds(text.utf8.span, 0, text.utf8.count, at: 0)
  }
}

extension UInt8 {
  /// A Boolean value indicating whether the name of a parameter can hold this byte.
  var isOfName: Bool { isLetterOrDigit || self == UInt8(ascii: "_") || self >= 0x80 }
}

extension ArraySlice<UInt8> {
  /// The slice without spaces and tabs at its ends.
  var trimmed: ArraySlice<UInt8> {
    var slice = drop(while: \.isBlank)
    while slice.last?.isBlank == true { slice.removeLast() }
    return slice
  }

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
