internal import Foundations
internal import TrafficDigest

/// The path groups that routes name: `/product/{*}/{*}` for `/product/:sku/:color`.
///
/// Literal segments stay, and a parameter becomes a placeholder, so all paths of a route are one
/// group. A wildcard for any number of segments says little about them. The part of a path that it
/// matches folds like a path without a route.
struct RouteGroups: Sendable {
  /// The paths of a route, and the group that replaces all of their segments, or `nil` if the segments
  /// that are parameters differ between paths.
  private typealias Route = (group: [UInt8]?, paths: [[RouteElement]])

  /// A byte that represents a slash of a group in a template.
  ///
  /// ``PathGroupTree`` reads such a text as a single segment, which never folds. URLs have no such
  /// byte.
  static let joint: UInt8 = 1
  private let routes: [Route]

  init(_ routes: [RoutePattern]) {
    self.routes = routes.map { route in
      let path = route.paths.first ?? []
      let isFixed = route.paths.count == 1 && !path.isEmpty && path.allSatisfy(\.isOneSegment)
      return (isFixed ? Self.text(path) : nil, route.paths)
    }
  }

  /// Appends the beginning of the template of a path that has a route, and returns the position in the
  /// path of the text that the template still lacks.
  ///
  /// The path is percent-encoded; placeholders may replace segments.
  func append(_ path: Span<UInt8>, ofRoute route: Int, to output: inout [UInt8]) -> Int {
    if let text = routes[route].group {
      output += text
      var end = path.count
      while end > 0, path[end - 1] == UInt8(ascii: "/") { end -= 1 }
      return end
    }
    var segments: [Range<Int>] = []
    path.forEachSegment { range in
      segments.append(range)
      return segments.count <= PathTemplate.segmentLimit
    }
    guard segments.count <= PathTemplate.segmentLimit else { return 0 }
    var bytes: [UInt8] = []
    path.append(to: &bytes)
    let raised = bytes.withRaisedEscapes
    let texts = segments.map { Array(raised[$0]) }
    for path in routes[route].paths {
      guard let elements = path.elements(of: texts) else { continue }
      output += Self.text(elements)
      return elements.isEmpty ? 0 : segments[elements.count - 1].upperBound
    }
    return 0
  }

  private static func text(_ elements: [RouteElement]) -> [UInt8] {
    elements.flatMap { [joint] + $0.matcher.groupSegment }
  }
}

extension [RouteElement] {
  /// Returns the elements that match the first segments of a path one by one, or `nil` if the path
  /// doesn't match.
  ///
  /// They end before the first element that matches any number of segments.
  fileprivate func elements(of segments: [[UInt8]]) -> [RouteElement]? {
    let width = segments.count + 1
    // Whether the elements from one on match the segments from one on.
    var fits = Array<Bool>(repeating: false, count: (count + 1) * width)
    fits[fits.count - 1] = true
    func takes(_ element: Int, _ segment: Int) -> Bool {
      guard segment < segments.count else { return false }
      let text = segments[segment]
      guard self[element].matcher.matches(text.span) else { return false }
      return fits[(element + 1) * width + segment + 1]
        || self[element].allowsMany && fits[element * width + segment + 1]
    }
    for element in indices.reversed() {
      for segment in (0..<width).reversed() {
        fits[element * width + segment] =
          takes(element, segment)
          || self[element].allowsNone && fits[(element + 1) * width + segment]
      }
    }
    guard fits[0] else { return nil }
    var found: [RouteElement] = []
    for element in indices where takes(element, found.count) {
      if self[element].allowsMany { break }
      found.append(self[element])
    }
    return found
  }
}

extension RouteElement {
  /// A Boolean value indicating whether the place always has one segment.
  fileprivate var isOneSegment: Bool { !allowsNone && !allowsMany }
}

extension RouteElement.Matcher {
  /// The text of such segments in a path group.
  fileprivate var groupSegment: [UInt8] {
    switch self {
    case .literal(let text): return text
    case .digits: return Array(PathTemplate.number.utf8)
    case .uuid: return Array(PathTemplate.uuid.utf8)
    case .any, .number, .words: return Array(PathTemplate.anything.utf8)
    case .glob(let glob):
      var text: [UInt8] = []
      for byte in glob.bytes {
        if byte != Glob.gap {
          text.append(byte)
        } else if !text[...].hasSuffix("{*}") {
          text += PathTemplate.anything.utf8
        }
      }
      return text
    }
  }
}
