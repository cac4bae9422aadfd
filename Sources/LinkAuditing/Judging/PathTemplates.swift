internal import Foundations
internal import TrafficDigest

/// The templates of paths and of referring pages, numbered together for each site.
struct PathTemplates: ~Copyable {
  /// The size above which templates are folded to path groups, because a hostile log can hold any
  /// number of them.
  static let byteLimit = 1 << 23

  private var table = ByteTable()
  private let grouping: PathGrouping

  /// A Boolean value indicating whether the template of the last path, if it has no route, stands for
  /// other paths, too.
  private(set) var lastHasPlaceholder = false
  private let scanner = TemplateScanner()
  private var buffer: [UInt8] = []

  /// The template of the last path.
  private var folding: [UInt8] = []

  /// The template of a page among those of a site.
  private struct PageTemplate {
    var site: Int
    var number: Int

    /// A template that isn't known yet.
    static let unknown = PageTemplate(site: -1, number: -1)
  }

  /// By page, its template for the last requested site: few pages are referrers of several sites.
  private var pages: [PageTemplate] = []

  init(_ grouping: PathGrouping) { self.grouping = grouping }

  var isFull: Bool { table.byteCount > Self.byteLimit }

  /// The number of a path's template.
  ///
  /// - Parameters:
  ///   - path: The path, percent-encoded.
  ///   - site: The number of its site.
  ///   - route: The position of its route if path groups follow routes, or `nil`.
  ///   - routes: The routes of the site.
  /// - Returns: The number.
  @inline(__always)
  mutating func number(
    of path: Span<UInt8>, site: Int, route: Int? = nil, of routes: RouteMatcher? = nil
  ) -> Int {
    lastHasPlaceholder = false
    if let route, let routes, grouping == .template {
      return number(of: path, site: site, route: route, routes)
    }
    if grouping == .template, let folded = scanner.fold(path, from: 0, into: &folding),
      folded.end == path.count
    {
      lastHasPlaceholder = folded.hasPlaceholder
      return table.insert(prefix: folded.count, of: folding, scope: UInt32(site))
    }
    buffer.removeAll(keepingCapacity: true)
    if grouping == .exact {
      PathTemplate.append(escaping: path, to: &buffer)
    } else {
      PathTemplate.append(folding: path, to: &buffer)
      grouping.fold(&buffer)
    }
    return table.insert(buffer, scope: UInt32(site)).id
  }

  private mutating func number(
    of path: Span<UInt8>, site: Int, route: Int, _ routes: RouteMatcher
  ) -> Int {
    buffer.removeAll(keepingCapacity: true)
    let rest = routes.groups.append(path, ofRoute: route, to: &buffer)
    PathTemplate.append(folding: path.extracting(rest..<path.count), to: &buffer)
    return table.insert(buffer, scope: UInt32(site)).id
  }

  /// Returns the number of the template of a referring page.
  ///
  /// A page without its query has the route of a request for it. A route of digits that comes first
  /// can change that, because templates don't distinguish digits.
  @inline(__always)
  mutating func number(
    ofPage page: Int, of names: TargetNames, site: Int, _ routes: RouteMatcher?,
    using search: inout RouteSearch
  ) -> Int {
    // A page's host is that of the request, but a part numbers the templates of
    // all hosts together.
    if pages[page].site == site { return pages[page].number }
    var encoded = ReferrerTemplate.encoded(names.templates[page])
    grouping.fold(&encoded)
    if grouping == .template, let routes,
      let route = routes.match(path: encoded, query: [], using: &search).routeOfPath
    {
      buffer.removeAll(keepingCapacity: true)
      let rest = routes.groups.append(encoded.span, ofRoute: route, to: &buffer)
      encoded.replaceSubrange(..<rest, with: buffer)
    }
    let number = table.insert(encoded, scope: UInt32(site)).id
    pages[page] = PageTemplate(site: site, number: number)
    return number
  }

  /// Reserves memory for the pages of names.
  mutating func makeRoom(for names: TargetNames, areAnew: Bool) {
    if areAnew { pages.removeAll(keepingCapacity: true) }
    let missing = names.templates.count - pages.count
    pages.append(contentsOf: repeatElement(.unknown, count: max(0, missing)))
  }

  /// Transforms each template and its site in order, returns the results, and removes the
  /// templates.
  mutating func removeAll(_ transform: (Span<UInt8>, _ site: Int) -> Int) -> [Int] {
    let results = (0..<table.count).map { id in
      table.withBytes(id) { transform($0, Int(table.scope(id))) }
    }
    table.removeAll()
    for index in pages.indices { pages[index] = .unknown }
    return results
  }
}
