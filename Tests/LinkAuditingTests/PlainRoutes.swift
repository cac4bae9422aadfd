import TrafficDigest

@testable import LinkAuditing

/// The definition of a path's route, written for clarity, not speed.
struct PlainRoutes {
  var table: RouteTable

  func firstMatch(path: String, query: String) -> Int? {
    let items = Self.raised(query).utf8.split(separator: UInt8(ascii: "&")).map { item in
      let parts = item.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (name: Array(parts[0]), value: parts.count > 1 ? Array(parts[1]) : [])
    }
    return table.order.first { position in
      let route = table.routes[position]
      return elements(of: route, path) != nil
        && route.items.allSatisfy { needed in
          items.contains { item in
            item.name == needed.name && (needed.value == nil || needed.value == item.value)
          }
        }
    }
  }

  /// The beginning of a path's template that its route names, and the rest of the path.
  ///
  /// A route of the path with another query is enough.
  func group(path: String, query: String) -> (text: String, rest: String) {
    let own = firstMatch(path: path, query: query)
    guard
      let route = own ?? table.order.first(where: { elements(of: table.routes[$0], path) != nil })
    else { return ("", path) }
    let single = (elements(of: table.routes[route], path) ?? []).prefix { !$0.allowsMany }
    var rest = path[...]
    for _ in single { rest = rest.drop { $0 == "/" }.drop { $0 != "/" } }
    return (single.map { "/" + text($0.matcher) }.joined(), String(rest))
  }

  private func text(_ matcher: RouteElement.Matcher) -> String {
    switch matcher {
    case .literal(let text): String(decoding: text, as: UTF8.self)
    case .digits: "{n}"
    case .uuid: "{uuid}"
    case .any, .number, .words: "{*}"
    case .glob(let glob):
      glob.texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "{*}").replacing(
        /(\{\*\}){2,}/, with: "{*}")
    }
  }

  /// The element of each segment of a path under the first variant of a route that it matches.
  private func elements(of route: RoutePattern, _ path: String) -> [RouteElement]? {
    let path = Array(Self.raised(path).utf8)
    let segments = path.split(separator: UInt8(ascii: "/")).map(Array.init)
    return route.paths.lazy.compactMap { route in elements(route[...], segments[...]) }.first
  }

  /// Tries every way to give each element its number of segments, the greatest first.
  private func elements(
    _ elements: ArraySlice<RouteElement>, _ segments: ArraySlice<[UInt8]>
  ) -> [RouteElement]? {
    guard let element = elements.first else { return segments.isEmpty ? [] : nil }
    let counts: ClosedRange<Int> =
      (element.allowsNone ? 0 : 1)...(element.allowsMany ? max(1, segments.count) : 1)
    return counts.reversed().lazy.compactMap { count -> [RouteElement]? in
      guard count <= segments.count,
        segments.prefix(count).allSatisfy({ matches(element.matcher, $0) }),
        let rest = self.elements(elements.dropFirst(), segments.dropFirst(count))
      else { return nil }
      return Array(repeating: element, count: count) + rest
    }.first
  }

  private func matches(_ matcher: RouteElement.Matcher, _ segment: [UInt8]) -> Bool {
    switch matcher {
    case .literal(let text): segment == text
    case .words(let words): words.contains(segment)
    case .glob(let glob): matches(glob.texts[...], segment[...])
    case .any: true
    case .digits:
      String(decoding: segment, as: UTF8.self).wholeMatch(of: /[0-9]+/) != nil
    case .number:
      String(decoding: segment, as: UTF8.self).wholeMatch(of: /[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)/)
        != nil
    case .uuid:
      String(decoding: segment, as: UTF8.self).lowercased()
        .wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil
    }
  }

  /// Tries every way to put something between two of the texts.
  private func matches(
    _ texts: ArraySlice<ArraySlice<UInt8>>, _ segment: ArraySlice<UInt8>
  ) -> Bool {
    guard let first = texts.first, segment.starts(with: first) else { return false }
    let rest = segment.dropFirst(first.count)
    guard texts.count > 1 else { return rest.isEmpty }
    return rest.indices.contains { matches(texts.dropFirst(), rest[($0 + 1)...]) }
  }

  /// Escapes in upper case.
  private static func raised(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    return text.replacing(/%[0-9a-fA-F]{2}/) { $0.output.uppercased() }
  }
}
