@testable import LinkAuditing

/// The definition of which route a path has, written for clarity rather than speed.
struct PlainRoutes {
  var table: RouteTable

  func firstMatch(path: String, query: String) -> Int? {
    let segments = Self.raised(path).utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    let items = Self.raised(query).utf8.split(separator: UInt8(ascii: "&")).map { item in
      let parts = item.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (name: Array(parts[0]), value: parts.count > 1 ? Array(parts[1]) : [])
    }
    return table.order.first { position in
      let route = table.routes[position]
      return route.paths.contains { route in
        matches(route.elements[...], segments[...])
          && holds(route.glob, Array(Self.raised(path).utf8))
      }
        && route.items.allSatisfy { needed in
          items.contains { item in
            item.name == needed.name && (needed.value == nil || needed.value == item.value)
          }
        }
    }
  }

  /// Every way to give each element its number of segments is tried.
  private func matches(
    _ elements: ArraySlice<RouteElement>, _ segments: ArraySlice<[UInt8]>
  ) -> Bool {
    guard let element = elements.first else { return segments.isEmpty }
    let rest = elements.dropFirst()
    let counts: ClosedRange<Int> =
      (element.allowsNone ? 0 : 1)...(element.allowsMany ? max(1, segments.count) : 1)
    return counts.contains { count in
      count <= segments.count
        && segments.prefix(count).allSatisfy { matches(element.matcher, $0) }
        && matches(rest, segments.dropFirst(count))
    }
  }

  private func matches(_ matcher: RouteElement.Matcher, _ segment: [UInt8]) -> Bool {
    switch matcher {
    case .literal(let text): segment == text
    case .words(let words): words.contains(segment)
    case .glob(let glob): matches(glob.atoms[...], segment[...])
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

  private func holds(_ glob: Glob?, _ path: [UInt8]) -> Bool {
    guard let glob else { return true }
    var trimmed = path
    while trimmed.count > 1, trimmed.last == UInt8(ascii: "/") { trimmed.removeLast() }
    return [path, trimmed].contains { matches(glob.atoms[...], $0[...]) }
  }

  private func matches(_ atoms: ArraySlice<Glob.Atom>, _ text: ArraySlice<UInt8>) -> Bool {
    let rest = atoms.dropFirst()
    return switch atoms.first {
    case nil: text.isEmpty
    case .run: matches(rest, text) || (!text.isEmpty && matches(atoms, text.dropFirst()))
    case .any: !text.isEmpty && matches(rest, text.dropFirst())
    case .byte(let byte): text.first == byte && matches(rest, text.dropFirst())
    }
  }

  /// Escapes in upper case.
  private static func raised(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    return text.replacing(/%[0-9a-fA-F]{2}/) { $0.output.uppercased() }
  }
}
