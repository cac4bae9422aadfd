internal import TrafficDigest

/// The templates of paths and of referring pages, numbered together for each site.
struct PathTemplates: ~Copyable {
  /// Templates that take more bytes than this are folded to path groups: a log can be made to hold any
  /// number of them.
  static let byteLimit = 1 << 23

  private var table = ByteTable()
  private let grouping: PathGrouping
  private let scanner = TemplateScanner()
  private var buffer: [UInt8] = []

  /// The template of a page among those of a site.
  private struct PageTemplate {
    var site: Int
    var number: Int

    /// Stands for a template that isn't known yet.
    static let unknown = PageTemplate(site: -1, number: -1)
  }

  /// By page, its template for the site that was asked about last: few pages are referrers of
  /// several sites.
  private var pages: [PageTemplate] = []

  init(_ grouping: PathGrouping) { self.grouping = grouping }

  var isFull: Bool { table.byteCount > Self.byteLimit }

  /// The number of a path's template.
  @inline(__always)
  mutating func number(of path: [UInt8], site: Int) -> Int {
    if grouping == .template, scanner.isTemplate(path.span) {
      return table.insert(path, scope: UInt32(site)).id
    }
    buffer.removeAll(keepingCapacity: true)
    if grouping == .exact {
      PathTemplate.append(escaping: path.span, to: &buffer)
    } else {
      scanner.append(folding: path.span, to: &buffer)
      grouping.fold(&buffer)
    }
    return table.insert(buffer, scope: UInt32(site)).id
  }

  /// The number of the template of a referring page.
  @inline(__always)
  mutating func number(ofPage page: Int, of names: TargetNames, site: Int) -> Int {
    // A page's host is that of the request, but a part numbers the templates of
    // all hosts together.
    if pages[page].site == site { return pages[page].number }
    var encoded = ReferrerTemplate.encoded(names.templates[page])
    grouping.fold(&encoded)
    let number = table.insert(encoded, scope: UInt32(site)).id
    pages[page] = PageTemplate(site: site, number: number)
    return number
  }

  /// Makes room for the pages of names.
  mutating func makeRoom(for names: TargetNames, areAnew: Bool) {
    if areAnew { pages.removeAll(keepingCapacity: true) }
    let missing = names.templates.count - pages.count
    pages.append(contentsOf: repeatElement(.unknown, count: max(0, missing)))
  }

  /// Returns what a closure makes of each template and its site, in order, and forgets the templates.
  mutating func removeAll(_ transform: (Span<UInt8>, _ site: Int) -> Int) -> [Int] {
    let results = (0..<table.count).map { id in
      table.withBytes(id) { transform($0, Int(table.scope(id))) }
    }
    table.removeAll()
    for index in pages.indices { pages[index] = .unknown }
    return results
  }
}
