internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

/// The path groups of paths and of referring pages, looked up by their templates.
///
/// It is a cache: a tree of path groups numbers the groups, once for each template.
struct PathTemplates: ~Copyable {
  /// The size above which all templates are discarded, because a hostile log can hold any number of
  /// them.
  private static let byteLimit = 1 << 23
  private var table = ByteTable()

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

  init(_ grouping: PathGrouping) { self.grouping = grouping }

  /// Returns the number of a path's group, which the tree may since have given a successor.
  ///
  /// `route` is the position of the path's route if path groups follow routes. `add` adds a template
  /// to the tree of the site and returns the number of its group.
  @inline(__always)
  mutating func group(
    of path: Span<UInt8>, site: Int, route: Int? = nil, of routes: RouteMatcher? = nil,
    add: (Span<UInt8>) -> Int
  ) -> Int {
    lastHasPlaceholder = false
    if grouping == .template, route == nil || routes == nil,
      let folded = scanner.fold(path, from: 0, into: &folding), folded.end == path.count
    {
      lastHasPlaceholder = folded.hasPlaceholder
      let id = table.insert(prefix: folded.count, of: folding, scope: UInt32(site))
      return group(ofTemplate: id, add: add)
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
    return group(ofTemplate: table.insert(buffer, scope: UInt32(site)).id, add: add)
  }

  /// Returns the number of the path group of a template that has just been looked up.
  @inline(__always)
  private mutating func group(ofTemplate id: Int, add: (Span<UInt8>) -> Int) -> Int {
    id < groups.count ? Int(groups[id]) : addGroup(ofTemplate: id, add: add)
  }

  @inline(never)
  private mutating func addGroup(ofTemplate id: Int, add: (Span<UInt8>) -> Int) -> Int {
    let group = table.withBytes(id, add)
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
    using search: inout RouteSearch, add: (Span<UInt8>) -> Int
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
    let group = group(ofTemplate: table.insert(encoded, scope: UInt32(site)).id, add: add)
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
