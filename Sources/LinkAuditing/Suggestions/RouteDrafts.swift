/// Makes rules of routes, and of what is seen of their traffic.
struct RouteDrafts {
  /// Paths of a route that nobody claims.
  struct Family {
    var path: String
    var weight: Int
  }

  let routes: RouteTable
  let form: ComponentDraft.Form
  private var patterns: SegmentPatterns

  private(set) var drafts = RuleDrafts()

  /// By what they begin with, the number of shapes, and their routes.
  private var prefixes: [RouteShape: (shapes: Int, routes: Set<Int>)] = [:]

  /// From how many words of one route on what they begin with is tried alone.
  private static let leastShapes = 3

  init(_ routes: RouteTable, text: AssociationText, form: ComponentDraft.Form) {
    (self.routes, self.form) = (routes, form)
    patterns = SegmentPatterns(text)
  }

  /// Adds the rules of a route.
  ///
  /// - Parameters:
  ///   - position: The position of the route.
  ///   - families: What is seen of it.
  mutating func add(_ position: Int, _ families: [Family]) {
    let route = routes.routes[position]
    add(route.paths, items(of: route, any: "?*"), position, families)
    // A value may be empty; a rule for such matches without the item, too.
    if form.list == .components, route.items.contains(where: { $0.value == nil }) {
      add(route.paths, items(of: route, any: "*"), position, families, isWider: true)
    }
  }

  /// The query items of a route, with a pattern for values that it leaves open.
  private func items(of route: RoutePattern, any: String) -> [ComponentDraft.Item] {
    // `paths` know no query.
    guard form.list == .components else { return [] }
    return route.items.map { item in
      ComponentDraft.Item(name: item.name.text, pattern: item.value.map { $0.text } ?? any)
    }
  }

  /// Adds the rules of a route's paths with some query items.
  private mutating func add(
    _ paths: [RoutePath], _ items: [ComponentDraft.Item], _ position: Int, _ families: [Family],
    isWider: Bool = false
  ) {
    for path in paths {
      for shape in RouteShape.shapes(of: path) {
        let narrower = self.narrower(shape, families)
        // Any segment at the start of a path is a lot; where all are of one kind, that
        // says as much.
        let isLoose = shape.wholePattern == nil && shape.segments.first?.isSpecific == false
        let likeness: RuleDrafts.Likeness =
          isLoose && narrower.contains(where: \.isWhole) ? .narrower : .route
        add(shape.pattern, items, isWider ? .wider : likeness, position)
        for variant in narrower {
          let isRoute = variant.isTyped || isLoose && variant.isWhole
          add(
            variant.shape.pattern, items, isWider ? .wider : isRoute ? .route : .narrower, position)
        }
        if isWider { continue }
        // Where no parameter gave way to a variable, the prefix is the same.
        for prefix in Set(([shape] + narrower.map(\.shape)).flatMap(\.prefixes)) {
          prefixes[prefix, default: (0, [])].shapes += 1
          prefixes[prefix, default: (0, [])].routes.insert(position)
        }
      }
    }
  }

  /// Adds the rules for what several shapes begin with.
  mutating func addPrefixes() {
    let shared = prefixes.filter {
      $0.value.routes.count > 1 || $0.value.shapes >= Self.leastShapes
    }
    .sorted { $0.key.pattern < $1.key.pattern }
    for (prefix, users) in shared {
      for ending in ["/*", "/?*"] {
        for route in users.routes.sorted() { add(prefix.pattern + ending, [], .wider, route) }
      }
    }
  }

  /// Adds a rule in the forms that the file's defaults ask for.
  private mutating func add(
    _ path: String, _ items: [ComponentDraft.Item], _ likeness: RuleDrafts.Likeness, _ route: Int
  ) {
    var draft = ComponentDraft(path: path, items: items)
    if form.list == .paths {
      drafts.add(draft, likeness, route: route)
      // Elements can't say how they are compared, so defaults decide which of the two matches.
      if form.defaults.contains("percentEncoded"), var decoded = draft.decoded {
        decoded.isPercentEncoded = nil
        drafts.add(decoded, likeness, route: route)
      }
      return
    }
    if form.defaults.contains("percentEncoded") { draft.isPercentEncoded = true }
    for draft in [draft, draft.decoded].compactMap({ $0 }) {
      var draft = draft
      drafts.add(draft, likeness, route: route)
      if form.defaults.contains("caseSensitive") {
        draft.isCaseSensitive = true
        drafts.add(draft, likeness, route: route)
      }
    }
  }

  // MARK: - Variables

  private struct Variant {
    var shape: RouteShape

    /// Whether nothing else is seen.
    var isWhole: Bool

    /// Whether the route itself says so.
    var isTyped: Bool
  }

  /// The shape with patterns that say more in place of parameters, as the route or its
  /// traffic has them.
  private mutating func narrower(_ shape: RouteShape, _ families: [Family]) -> [Variant] {
    guard shape.wholePattern == nil else { return [] }
    var variants: [Variant] = []
    var all = shape
    var (isWhole, isTyped, count) = (true, true, 0)
    for index in shape.segments.indices {
      guard let type = shape.segments[index].parameter,
        let found = pattern(type, index, shape, families)
      else { continue }
      let segment = RouteShape.Segment(
        pattern: found.pattern, isSpecific: found.pattern != SegmentPatterns.digits)
      var one = shape
      one.segments[index] = segment
      all.segments[index] = segment
      variants.append(Variant(shape: one, isWhole: found.isWhole, isTyped: type != .any))
      (isWhole, isTyped, count) = (isWhole && found.isWhole, isTyped && type != .any, count + 1)
    }
    if count > 1 { variants.append(Variant(shape: all, isWhole: isWhole, isTyped: isTyped)) }
    return variants
  }

  /// The pattern that most of what is seen in place of a parameter is like.
  private mutating func pattern(
    _ type: RouteParameterType, _ index: Int, _ shape: RouteShape, _ families: [Family]
  ) -> (pattern: String, isWhole: Bool)? {
    switch type {
    case .digits: return (SegmentPatterns.digits, true)
    case .uuid: return (SegmentPatterns.uuid, true)
    case .any, .number: break
    }
    var (total, weights) = (0, Array(repeating: 0, count: patterns.patterns.count))
    for family in families {
      let segments = family.path.split(separator: "/")
      let fits =
        shape.isOpen
        ? segments.count >= shape.segments.count : segments.count == shape.segments.count
      guard fits else { continue }
      total += family.weight
      for match in patterns.matches(segments[index]) { weights[match] += family.weight }
    }
    // The first of those that most are like.
    guard let most = weights.max(), most > 0, most * 2 >= total,
      let best = weights.firstIndex(of: most)
    else { return nil }
    return (patterns.patterns[best], most == total)
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
