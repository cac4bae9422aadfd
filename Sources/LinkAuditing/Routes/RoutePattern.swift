internal import UniversalLinks

/// A path that an app implements, with parameters.
///
/// `/buy/:id`, `/buy/{id}` and `/buy/[id]` are the same route: a parameter stands
/// for one segment. `*` stands for one segment too, and at the end for any number
/// of them. A `?` is followed by the query items that the route needs:
/// `/search?q`, `/open?type=order&id`. Slashes at the end don't matter.
public struct RoutePattern: Hashable, Sendable {
  enum Segment: Hashable, Sendable {
    case literal([UInt8])
    case parameter
  }

  /// A query item that a route needs, with its value if that matters.
  struct Item: Hashable, Sendable {
    var name: [UInt8]
    var value: [UInt8]?
  }

  /// The route as written.
  public let source: String

  let segments: [Segment]
  let endsWithRest: Bool
  let items: [Item]

  /// Reads a route, in which what a URL cannot hold may be percent-encoded or not.
  public init(_ source: String) {
    self.source = source
    let bytes = Array(source.utf8)
    let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    var words = bytes[..<mark].split(separator: UInt8(ascii: "/")).map(Array.init)
    endsWithRest = words.last == [UInt8(ascii: "*")] || words.last == Array("**".utf8)
    if endsWithRest { words.removeLast() }
    segments = words.map { word in
      switch (word.first, word.last, word.count) {
      case (UInt8(ascii: ":"), _, 2...), (UInt8(ascii: "{"), UInt8(ascii: "}"), _),
        (UInt8(ascii: "["), UInt8(ascii: "]"), _), (UInt8(ascii: "*"), _, 1):
        .parameter
      default: .literal(Self.encoded(word))
      }
    }
    items = bytes[min(mark + 1, bytes.count)...].split(separator: UInt8(ascii: "&")).map { item in
      let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      let value = item[equals...].dropFirst()
      let isFree = value.isEmpty || value.first == UInt8(ascii: ":") || value.first == 0x7B
      return Item(
        name: Self.encoded(Array(item[..<equals])),
        value: isFree ? nil : Self.encoded(Array(value)))
    }
  }

  private static func encoded(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    PercentEncoding.append(encoding: text.span, to: &output)
    return output
  }
}
