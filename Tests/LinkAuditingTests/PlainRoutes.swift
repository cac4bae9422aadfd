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
          && holds(route.condition, Array(Self.raised(path).utf8))
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
      switch element.repetition {
      case .once: 1...1
      case .optional: 0...1
      case .anyNumber: 0...max(0, segments.count)
      case .atLeastOne: 1...max(1, segments.count)
      }
    return counts.contains { count in
      count <= segments.count
        && segments.prefix(count).allSatisfy { matches(element.matcher, $0) }
        && matches(rest, segments.dropFirst(count))
    }
  }

  private func matches(_ matcher: RouteSegmentMatcher, _ segment: [UInt8]) -> Bool {
    switch matcher {
    case .literal(let text): segment == text
    case .words(let words): words.contains(segment)
    case .template(let texts): matches(texts[...], segment[...])
    case .parameter(.any): true
    case .parameter(.digits):
      String(decoding: segment, as: UTF8.self).wholeMatch(of: /[0-9]+/) != nil
    case .parameter(.number):
      String(decoding: segment, as: UTF8.self).wholeMatch(of: /[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)/)
        != nil
    case .parameter(.uuid):
      String(decoding: segment, as: UTF8.self).lowercased()
        .wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil
    }
  }

  /// Between each two texts stands something.
  private func matches(_ texts: ArraySlice<[UInt8]>, _ segment: ArraySlice<UInt8>) -> Bool {
    guard let text = texts.first else { return segment.isEmpty }
    guard segment.starts(with: text) else { return false }
    let behind = segment.dropFirst(text.count)
    if texts.count == 1 { return behind.isEmpty }
    return behind.indices.contains { index in
      matches(texts.dropFirst(), behind[(index + 1)...])
    }
  }

  private func holds(_ condition: PathCondition?, _ path: [UInt8]) -> Bool {
    guard let condition else { return true }
    var trimmed = path
    while trimmed.count > 1, trimmed.last == UInt8(ascii: "/") { trimmed.removeLast() }
    return [path, trimmed].contains { path in
      switch condition {
      case .prefix(let text): path.starts(with: text)
      case .suffix(let text): path.suffix(text.count).elementsEqual(text)
      case .glob(let glob): matches(glob.atoms[...], path[...])
      }
    }
  }

  private func matches(
    _ atoms: ArraySlice<PathGlob.Atom>, _ path: ArraySlice<UInt8>
  ) -> Bool {
    guard let atom = atoms.first else { return path.isEmpty }
    let takes = path.first.map { atom.byte == nil || atom.byte == $0 } ?? false
    if atom.isRepeated {
      return matches(atoms.dropFirst(), path) || (takes && matches(atoms, path.dropFirst()))
    }
    return takes && matches(atoms.dropFirst(), path.dropFirst())
  }

  /// Escapes in upper case.
  private static func raised(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    return text.replacing(/%[0-9a-fA-F]{2}/) { $0.output.uppercased() }
  }
}
