internal import UniversalLinks

/// Makes rules from routes and from their observed traffic.
struct RouteDrafts {
  /// The distance between a rule and its route; less is nearer.
  enum Likeness: Int {
    /// The rule matches exactly the route.
    case route

    /// The rule is narrower, as the traffic is.
    case narrower
    case wider
  }

  /// A rule that claims, and the routes for which it was made.
  typealias Claim = (draft: ComponentDraft, likeness: Likeness, routes: [Int])

  /// A group of unclaimed paths of a route.
  typealias PathGroup = (path: String, weight: Int)

  private(set) var claims: [Claim] = []
  private var positions: [ComponentDraft: Int] = [:]
  private let routes: [RoutePattern]
  private let text: AssociationText

  /// Patterns of single segments that are more specific than `?*`, those first that are preferred.
  private let patterns: [String]
  private let matcher: LinkMatcher
  private var matches: [Substring: [Int]] = [:]
  private var evaluation = Evaluation()
  private static let digits = "$(digit)*"
  private static let uuid = "????????-????-????-????-????????????"

  /// Segments that represent those that groups have folded.
  private static let examples = [
    "{n}": "10", "{uuid}": "01234567-89ab-cdef-0123-456789abcdef", "{hex}": "deadbeef01",
    "{*}": "~",
  ]

  /// The number of shapes with each beginning, and their routes.
  private var prefixes: [RouteShape: (shapes: Int, routes: Set<Int>)] = [:]

  /// The minimum number of shapes of one route for trying their common beginning alone.
  private static let leastShapes = 3
  private static let limit = 600

  init(_ suggester: Suggester) {
    (routes, text) = (suggester.site.site.routes?.routes ?? [], suggester.text)
    let own = text.variableNames.filter { name in
      !name.isEmpty && name.utf8.allSatisfy { $0.isOfName && $0 < 0x80 || $0 == UInt8(ascii: "-") }
    }
    patterns =
      own.map { "$(\($0))" } + [
        "$(lang)-$(region)", "$(lang)_$(region)", "$(lang)", "$(region)", Self.uuid, Self.digits,
      ]
    var components = text
    components.list = .components
    matcher = LinkMatcher(components.probes(patterns.map { ComponentDraft(path: "/" + $0) }))
  }

  /// Adds the rules of the route at a position, with its traffic.
  mutating func add(_ position: Int, _ groups: [PathGroup]) {
    let route = routes[position]
    // `paths` know no query.
    let items = text.list == .components ? route.items : []
    func drafted(any: String) -> [RuleDefinition.Item] {
      items.map {
        RuleDefinition.Item(name: $0.name[...].text, pattern: $0.value?[...].text ?? any)
      }
    }
    // A value may be empty; a rule for such a value also matches without the item.
    let isOpen = items.contains { $0.value == nil }
    for path in route.paths {
      for shape in RouteShape.shapes(of: path) {
        let narrower = self.narrower(shape, groups)
        // Any segment at the start of a path is a lot; where all are of one kind, that
        // says as much.
        let isLoose = shape.segments.first?.isSpecific == false
        let isNarrowed = isLoose && narrower.contains(where: \.isWhole)
        add(shape.pattern, drafted(any: "?*"), isNarrowed ? .narrower : .route, position)
        for variant in narrower {
          let isRoute = variant.isTyped || isLoose && variant.isWhole
          add(variant.shape.pattern, drafted(any: "?*"), isRoute ? .route : .narrower, position)
        }
        let shapes = [shape] + narrower.map(\.shape)
        if isOpen {
          for shape in shapes { add(shape.pattern, drafted(any: "*"), .wider, position) }
        }
        // If no variable replaced a parameter, the prefix is the same.
        for prefix in Set(shapes.flatMap(\.prefixes)) {
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

  /// Adds a rule, or a route to one that is there.
  private mutating func add(
    _ path: String, _ items: [RuleDefinition.Item], _ likeness: Likeness, _ route: Int
  ) {
    for draft in ComponentDraft(path: path, items: items).variants(in: text) {
      if let position = positions[draft] {
        if likeness.rawValue < claims[position].likeness.rawValue {
          claims[position].likeness = likeness
        }
        if !claims[position].routes.contains(route) { claims[position].routes.append(route) }
      } else if claims.count < Self.limit {
        positions[draft] = claims.count
        claims.append((draft, likeness, [route]))
      }
    }
  }
}

// MARK: - Variables

extension RouteDrafts {
  /// A shape, whether its patterns match all values seen, and whether the route itself says so.
  private typealias Variant = (shape: RouteShape, isWhole: Bool, isTyped: Bool)

  /// The shape with more specific patterns in place of parameters, as the route or its
  /// traffic has them: each alone, and all together.
  private mutating func narrower(_ shape: RouteShape, _ groups: [PathGroup]) -> [Variant] {
    var variants: [Variant] = []
    var all: Variant = (shape, true, true)
    for index in shape.segments.indices {
      guard let type = shape.segments[index].parameter,
        let found = pattern(type, index, shape, groups)
      else { continue }
      var one: Variant = (shape, found.isWhole, type != .any)
      one.shape.segments[index] = RouteShape.Segment(
        pattern: found.pattern, isSpecific: found.pattern != Self.digits)
      variants.append(one)
      all.shape.segments[index] = one.shape.segments[index]
      all.isWhole = all.isWhole && one.isWhole
      all.isTyped = all.isTyped && one.isTyped
    }
    return variants.count > 1 ? variants + [all] : variants
  }

  /// Returns the pattern that matches most values seen for a parameter.
  private mutating func pattern(
    _ type: RouteElement.Matcher, _ index: Int, _ shape: RouteShape, _ groups: [PathGroup]
  ) -> (pattern: String, isWhole: Bool)? {
    if type == .digits { return (Self.digits, true) }
    if type == .uuid { return (Self.uuid, true) }
    var (total, weights) = (0, Array(repeating: 0, count: patterns.count))
    for group in groups {
      let segments = group.path.split(separator: "/")
      let excess = segments.count - shape.segments.count
      guard excess == 0 || excess > 0 && shape.isOpen else { continue }
      total += group.weight
      for match in matches(of: segments[index]) { weights[match] += group.weight }
    }
    // The first of those that match most.
    guard let most = weights.max(), most > 0, most * 2 >= total,
      let best = weights.firstIndex(of: most)
    else { return nil }
    return (patterns[best], most == total)
  }

  /// The positions of the patterns that a segment of a path group matches, ascending.
  private mutating func matches(of segment: Substring) -> [Int] {
    if let found = matches[segment] { return found }
    let example = Self.examples[String(segment)] ?? String(segment)
    var url = LinkURL("https://a.example/" + example, host: "a.example")
    matcher.evaluate(&url, into: &evaluation)
    let found = evaluation.matches.map(\.ruleList).sorted()
    matches[segment] = found
    return found
  }
}

/// The path of a route as segments of a rule's pattern.
struct RouteShape: Hashable, Sendable {
  /// A segment of a pattern.
  struct Segment: Hashable, Sendable {
    /// The pattern, percent-encoded.
    var pattern: String

    /// Whether the pattern holds some text, or a variable, rather than anything at all.
    var isSpecific = true

    /// The parameter that the segment represents, or `nil` for a literal segment.
    var parameter: RouteElement.Matcher?

    /// Any text of at least one character.
    static let any = Segment(pattern: "?*", isSpecific: false, parameter: .any)
  }

  var segments: [Segment]

  /// Whether any number of segments may follow, or none.
  var isOpen = false

  var pattern: String {
    "/" + (segments.map(\.pattern) + (isOpen ? ["*"] : [])).joined(separator: "/")
  }

  /// The greatest number of shapes that one path may have.
  private static let limit = 16

  /// The greatest number of words to choose from that are tried one by one.
  private static let wordLimit = 8

  /// The shapes of a route's path: with and without its optional elements.
  static func shapes(of path: [RouteElement]) -> [RouteShape] {
    var shapes = [RouteShape(segments: [])]
    for (index, element) in path.enumerated() {
      let isLast = index + 1 == path.count
      shapes = Array(shapes.flatMap { $0.followed(by: element, isLast: isLast) }.prefix(limit))
    }
    return shapes
  }

  private func followed(by element: RouteElement, isLast: Bool) -> [RouteShape] {
    func adding(_ segment: Segment) -> RouteShape { RouteShape(segments: segments + [segment]) }
    let open = RouteShape(segments: segments, isOpen: true)
    switch (element.allowsNone, element.allowsMany) {
    case (false, false): return Self.segments(of: element.matcher).map(adding)
    case (true, false):
      return (isLast ? [open] : []) + [self] + Self.segments(of: element.matcher).map(adding)
    case (false, true): return [adding(.any)]
    case (true, true):
      return isLast ? [open] : [self, adding(Segment(pattern: "*", isSpecific: false))]
    }
  }

  private static func segments(of matcher: RouteElement.Matcher) -> [Segment] {
    switch matcher {
    case .literal(let text): [Segment(pattern: text.pattern)]
    case .words(let words):
      (words.count > wordLimit ? [] : words.map { Segment(pattern: $0.pattern) }) + [.any]
    case .glob(let glob):
      [
        Segment(
          pattern: glob.texts.map { Array($0).pattern }.joined(separator: "?*"),
          isSpecific: glob.bytes.contains { $0 != Glob.gap })
      ]
    case .any, .digits, .number, .uuid:
      [Segment(pattern: "?*", isSpecific: false, parameter: matcher)]
    }
  }

  /// The shapes of all beginnings of the path, from the first segment on that holds text or a
  /// variable.
  var prefixes: [RouteShape] {
    segments.indices.filter { index in segments[...index].contains(where: \.isSpecific) }
      .map { RouteShape(segments: Array(segments[...$0])) }
  }
}

extension [UInt8] {
  /// The pattern of a rule that matches a percent-encoded text.
  ///
  /// A star in the text stays, so it matches any text. A dollar sign that would begin a variable
  /// becomes a `?`.
  fileprivate var pattern: String {
    var output = self
    for index in indices.dropLast()
    where self[index] == UInt8(ascii: "$") && self[index + 1] == UInt8(ascii: "(") {
      output[index] = UInt8(ascii: "?")
    }
    return String(decoding: output, as: UTF8.self)
  }
}
