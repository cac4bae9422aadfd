/// The routes of an app.
public struct RouteTable: Sendable {
  /// The routes in the order of their file.
  public let routes: [RoutePattern]

  /// The positions of routes whose first segment is this literal; those that can
  /// begin with anything stand under `nil`.
  private let candidates: [[UInt8]?: [Int]]

  /// Creates a table of routes.
  public init(_ routes: [RoutePattern]) {
    self.routes = routes
    candidates = Dictionary(grouping: routes.indices) { index in
      if case .literal(let text) = routes[index].segments.first { text } else { nil }
    }
  }

  /// Reads a list of routes: one a line; empty lines and what follows a `#` at
  /// the start of a line or behind white space are passed over.
  public init(parsing text: String) {
    self.init(
      text.split(whereSeparator: \.isNewline).compactMap { line in
        let route = Self.withoutComment(line)
        return route.isEmpty ? nil : RoutePattern(route)
      })
  }

  private static func withoutComment(_ line: Substring) -> String {
    var previous: Character = " "
    var kept = line
    for index in line.indices {
      if line[index] == "#", previous.isWhitespace {
        kept = line[..<index]
        break
      }
      previous = line[index]
    }
    let trimmed = kept.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace)
    return String(trimmed.reversed())
  }

  /// Returns the position of the first route that a path and a query without its
  /// `?`, both percent-encoded, match, or `nil` if none does.
  func firstMatch(path: [UInt8], query: [UInt8]) -> Int? {
    var segments: [Range<Int>] = []
    var start = 0
    while start < path.count {
      let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
      if end > start { segments.append(start..<end) }
      start = end + 1
    }
    let first = segments.first.map { Array(path[$0]) }
    let literal = first.flatMap { candidates[$0] } ?? []
    let found = (literal + (candidates[nil] ?? [])).sorted()
    // Split once, whatever the number of routes that ask.
    lazy var items = query.split(separator: UInt8(ascii: "&"))
    return found.first { index in
      let route = routes[index]
      return matches(route, path, segments)
        && (route.items.isEmpty || hasItems(of: route, among: items))
    }
  }

  private func matches(
    _ route: RoutePattern, _ path: [UInt8], _ segments: [Range<Int>]
  ) -> Bool {
    guard
      route.endsWithRest
        ? segments.count >= route.segments.count : segments.count == route.segments.count
    else { return false }
    for (segment, range) in zip(route.segments, segments) {
      if case .literal(let text) = segment, !path[range].elementsEqual(text) { return false }
    }
    return true
  }

  private func hasItems(of route: RoutePattern, among items: [ArraySlice<UInt8>]) -> Bool {
    route.items.allSatisfy { item in
      items.contains { candidate in
        let equals = candidate.firstIndex(of: UInt8(ascii: "=")) ?? candidate.endIndex
        return candidate[..<equals].elementsEqual(item.name)
          && item.value.map { candidate[equals...].dropFirst().elementsEqual($0) } ?? true
      }
    }
  }
}
