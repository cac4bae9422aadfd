internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

/// The path groups of paths and of referring pages, looked up by their templates.
///
/// It is a cache of the trees of path groups, which number the groups, once for each template.
struct PathTemplates: ~Copyable {
  /// The size above which all templates are discarded, because a hostile log can hold any number of
  /// them.
  private static let byteLimit = 1 << 23
  private var table = ByteTable()

  /// By site, its path groups.
  private(set) var trees: [PathGroupTree]

  /// By number of a template, that of its path group.
  private var groups: [Int32] = []
  private let grouping: PathGrouping

  /// Whether the template of the last path, if it has no route, stands for other paths, too.
  private(set) var lastHasPlaceholder = false
  private let scanner = TemplateScanner()
  private var buffer: [UInt8] = []
  private var folding: [UInt8] = []

  /// By page, its path group for the last requested site, or -1: few pages are referrers of several
  /// sites.
  private var pages: [(site: Int, group: Int)] = []

  /// Creates the path groups of some sites; in them, one parent may have up to `fanOut` segments.
  init(_ grouping: PathGrouping, fanOut: Int, siteCount: Int) {
    self.grouping = grouping
    let tree = PathGroupTree(fanOut: grouping == .exact ? .max : fanOut)
    trees = Array(repeating: tree, count: siteCount)
  }

  /// Returns the number of a path's group, which the tree may since have given a successor.
  ///
  /// `route` is the position of the path's route if path groups follow routes.
  @inline(__always)
  mutating func group(
    of path: Span<UInt8>, site: Int, route: Int? = nil, of routes: RouteMatcher? = nil
  ) -> Int {
    lastHasPlaceholder = false
    if grouping == .template, route == nil || routes == nil,
      let folded = scanner.fold(path, from: 0, into: &folding), folded.end == path.count
    {
      lastHasPlaceholder = folded.hasPlaceholder
      let id = table.insert(prefix: folded.count, of: folding, scope: UInt32(site))
      return group(ofTemplate: id, site: site)
    }
    buffer.removeAll(keepingCapacity: true)
    if grouping == .template, let route, let routes {
      let rest = routes.groups.append(path, ofRoute: route, to: &buffer)
      PathTemplate.append(folding: path.extracting(rest..<path.count), to: &buffer)
    } else if grouping == .exact {
      PathTemplate.append(escaping: path, to: &buffer)
    } else {
      PathTemplate.append(folding: path, to: &buffer)
      grouping.fold(&buffer)
    }
    return group(ofTemplate: table.insert(buffer, scope: UInt32(site)).id, site: site)
  }

  /// Returns the number of the path group of a template that has just been looked up.
  @inline(__always)
  private mutating func group(ofTemplate id: Int, site: Int) -> Int {
    id < groups.count ? Int(groups[id]) : addGroup(ofTemplate: id, site: site)
  }

  private static func insert(
    _ table: borrowing ByteTable, _ id: Int, into tree: inout PathGroupTree
  ) -> Int {
    table.withBytes(id) { tree.insert($0) }
  }

  @inline(never)
  private mutating func addGroup(ofTemplate id: Int, site: Int) -> Int {
    let group = Self.insert(table, id, into: &trees[site])
    groups.append(Int32(group))
    if table.byteCount > Self.byteLimit {
      table.removeAll()
      groups.removeAll()
    }
    return group
  }

  /// Returns the number of the path group of a referring page.
  ///
  /// A page without its query has the route of a request for it. A route of digits that comes first
  /// can change that, because templates don't distinguish digits.
  @inline(__always)
  mutating func group(
    ofPage page: Int, of names: TargetNames, site: Int, _ routes: RouteMatcher?,
    using search: inout RouteSearch
  ) -> Int {
    // A page's host is that of the request, but a part numbers the templates of
    // all hosts together.
    if pages[page].site == site { return pages[page].group }
    var encoded = PathTemplate.encoded(names.templates[page])
    grouping.fold(&encoded)
    if grouping == .template, let routes,
      let route = routes.match(path: encoded, query: [], using: &search).routeOfPath
    {
      buffer.removeAll(keepingCapacity: true)
      let rest = routes.groups.append(encoded.span, ofRoute: route, to: &buffer)
      encoded.replaceSubrange(..<rest, with: buffer)
    }
    let group = group(ofTemplate: table.insert(encoded, scope: UInt32(site)).id, site: site)
    pages[page] = (site, group)
    return group
  }

  mutating func makeRoom(for names: TargetNames, areAnew: Bool) {
    if areAnew { pages.removeAll(keepingCapacity: true) }
    let missing = names.templates.count - pages.count
    pages.append(contentsOf: repeatElement((site: -1, group: -1), count: max(0, missing)))
  }
}

extension PathTemplate {
  /// Returns the template of a referring page, which digests hold as logged, with bytes that a URL
  /// cannot hold percent-encoded, so that it equals the template of a request for the page.
  package static func encoded(_ template: [UInt8]) -> [UInt8] {
    // Most have nothing to encode; braces occur only in placeholders.
    let isEncoded = template.allSatisfy { byte in
      byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
        || byte != UInt8(ascii: "%") && PercentEncoding.isAllowed(byte)
    }
    if isEncoded { return template }
    let segments = template.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // A stray '%' changes all others of the path (Matching.md, 3.3).
    let keepsEscapes = !segments.contains { segment in
      !PathTemplate.isPlaceholder(segment) && PercentEncoding.hasStrayPercent(Array(segment).span)
    }
    let encoded = segments.map { segment -> [UInt8] in
      if PathTemplate.isPlaceholder(segment) { return Array(segment) }
      var output: [UInt8] = []
      PercentEncoding.append(
        encoding: Array(segment).span, keepsEscapes: keepsEscapes, to: &output)
      return output
    }
    return Array(encoded.joined(separator: "/".utf8))
  }
}

/// The path groups that routes name: `/product/{*}/{*}` for `/product/:sku/:color`.
///
/// Literal segments stay, and a parameter becomes a placeholder, so all paths of a route are one
/// group. A wildcard for any number of segments says little about them. The part of a path that it
/// matches folds like a path without a route.
struct RouteGroups: Sendable {
  /// A byte that represents a slash of a group in a template.
  ///
  /// ``PathGroupTree`` reads such a text as a single segment, which never folds. URLs have no such
  /// byte.
  static let joint: UInt8 = 1

  /// The paths of each route, and the group that replaces all of their segments, or `nil` if the
  /// segments that are parameters differ between paths.
  private let routes: [(group: [UInt8]?, paths: [[RouteElement]])]

  init(_ routes: [RoutePattern]) {
    self.routes = routes.map { route in
      let path = route.paths.first ?? []
      let isFixed =
        route.paths.count == 1 && !path.isEmpty
        && path.allSatisfy { !$0.allowsNone && !$0.allowsMany }
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
    let raised = path.array.withRaisedEscapes
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

extension RouteElement.Matcher {
  /// The text of such segments in a path group.
  fileprivate var groupSegment: [UInt8] {
    switch self {
    case .literal(let text): return text
    case .digits: return Array(PathTemplate.number.utf8)
    case .uuid: return Array(PathTemplate.uuid.utf8)
    case .any, .number, .words: return Array(PathTemplate.anything.utf8)
    case .glob(let glob):
      let texts = glob.texts.dropLast().enumerated().filter { $0 == 0 || !$1.isEmpty }
      let parts = texts.map(\.element) + glob.texts.suffix(1)
      return Array(parts.joined(separator: PathTemplate.anything.utf8))
    }
  }
}
