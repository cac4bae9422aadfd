/// Routes made ready for asking which of them a path has.
///
/// They stand in a tree by what their segments expect. A path is led through it segment by
/// segment with all nodes where it could be, so that it never goes back, whatever is
/// optional or of any length. Nodes hold what ends there; the one that precedes all others
/// wins.
///
/// A class, because workers look into it for each path and must not copy it.
final class RouteMatcher: Sendable {
  /// A place in the tree.
  ///
  /// Its ranges are of the arrays below.
  private struct Node: Sendable {
    /// The texts that lead on, by their numbers in ascending order.
    var literals: Range<Int32>

    /// What else leads on.
    var checks: Range<Int32>

    /// The nodes that are reached without a segment.
    var skips: Range<Int32>

    /// The goals that need no query item, and those by an item that they need.
    var goals: Range<Int32>
    var conditionalGoals: Range<Int32>

    /// What keeps a path here, or -1.
    var loop: Int32
  }

  /// The end of a path of a route.
  private struct Goal: Sendable {
    /// The place of its route in the order in which they win.
    var rank: Int32
    var condition: PathCondition?

    /// The items that it needs, as numbers of texts; any value will do if it is -1.
    var items: [(name: Int32, value: Int32)]

    /// Whether nothing but the segments counts.
    var isPlain: Bool { condition == nil && items.isEmpty }
  }

  private let texts: ByteIndex
  private let matchers: [RouteSegmentMatcher]
  private let nodes: [Node]
  private let literals: [(text: Int32, node: Int32)]
  private let checks: [(matcher: Int32, node: Int32)]
  private let skips: [Int32]

  /// The goals that need no item, node by node, as numbers of ``goals``.
  private let ends: [Int32]
  private let conditionalGoals: [(item: UInt64, goal: Int32)]
  private let goals: [Goal]
  private let order: [Int32]
  private let hasItems: Bool

  /// Creates the matcher of routes, of which those win that precede others in `order`.
  init(_ routes: [RoutePattern], order: [Int]) {
    var tree = RouteTree()
    var goals: [Goal] = []
    for (rank, position) in order.enumerated() {
      let route = routes[position]
      let items = route.items.map { item in
        (
          name: tree.texts.insert(item.name), value: item.value.map { tree.texts.insert($0) } ?? -1
        )
      }
      for path in route.paths {
        // The item with a value tells more goals apart.
        let first = items.first { $0.value >= 0 } ?? items.first
        tree.insert(
          path.elements, goal: Int32(goals.count),
          item: first.map { Self.key(name: $0.name, value: $0.value) })
        goals.append(Goal(rank: Int32(rank), condition: path.condition, items: items))
      }
    }
    self.order = order.map(Int32.init)
    self.goals = goals
    texts = tree.texts
    matchers = tree.matchers
    hasItems = goals.contains { !$0.items.isEmpty }

    var nodes: [Node] = []
    var literals: [(text: Int32, node: Int32)] = []
    var checks: [(matcher: Int32, node: Int32)] = []
    var skips: [Int32] = []
    var ends: [Int32] = []
    var conditional: [(item: UInt64, goal: Int32)] = []
    for node in tree.nodes {
      let starts = (literals.count, checks.count, skips.count, ends.count, conditional.count)
      literals += node.literals.sorted { $0.text < $1.text }
      checks += node.checks
      skips += node.skips
      ends += node.goals
      // Goals of the same item stay in their order.
      conditional += node.conditionalGoals.sorted { ($0.item, $0.goal) < ($1.item, $1.goal) }
      nodes.append(
        Node(
          literals: Int32(starts.0)..<Int32(literals.count),
          checks: Int32(starts.1)..<Int32(checks.count),
          skips: Int32(starts.2)..<Int32(skips.count),
          goals: Int32(starts.3)..<Int32(ends.count),
          conditionalGoals: Int32(starts.4)..<Int32(conditional.count),
          loop: node.loop))
    }
    self.nodes = nodes
    self.literals = literals
    self.checks = checks
    self.skips = skips
    self.ends = ends
    conditionalGoals = conditional
  }

  private static func key(name: Int32, value: Int32) -> UInt64 {
    UInt64(name) << 32 | UInt64(value + 1)
  }
}

// MARK: - Asking

extension RouteMatcher {
  /// Returns the position of the route that a path and a query without its `?`, both
  /// percent-encoded, match, or `nil` if none does.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - query: The query.
  ///   - search: Space that is used again from call to call.
  /// - Returns: The position among the routes.
  func firstMatch(path: [UInt8], query: [UInt8], using search: inout RouteSearch) -> Int? {
    let path = search.raised(path)
    search.begin(nodes.count)
    add(0, to: &search)
    search.swap()
    RouteText.forEachSegment(of: path.span) { range in
      advance(&search, path.span.extracting(range))
      return !search.nodes.isEmpty
    }
    guard !search.nodes.isEmpty else { return nil }
    return best(of: &search, path, query).map { Int(order[Int($0)]) }
  }

  /// Goes from all nodes where a path could be to those behind a segment.
  private func advance(_ search: inout RouteSearch, _ segment: Span<UInt8>) {
    search.forget()
    let text = texts.number(of: segment)
    for index in 0..<search.nodes.count {
      let number = search.nodes[index]
      let node = nodes[Int(number)]
      if node.loop >= 0, matchers[Int(node.loop)].matches(segment) { add(number, to: &search) }
      if let text {
        // A text can lead on twice, to where it may be missing and to where it may not.
        var place = firstLiteral(of: node, text)
        while place < Int(node.literals.upperBound), literals[place].text == text {
          add(literals[place].node, to: &search)
          place += 1
        }
      }
      for check in node.checks {
        let (matcher, next) = checks[Int(check)]
        if matchers[Int(matcher)].matches(segment) { add(next, to: &search) }
      }
    }
    search.swap()
  }

  /// The first place of a text or of a greater one, looked for by halves.
  private func firstLiteral(of node: Node, _ text: Int32) -> Int {
    var (low, high) = (Int(node.literals.lowerBound), Int(node.literals.upperBound))
    while low < high {
      let middle = (low + high) / 2
      if literals[middle].text < text { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds a node and all that are reached from it without a segment.
  private func add(_ node: Int32, to search: inout RouteSearch) {
    var checked = search.next.count
    search.insert(node)
    while checked < search.next.count {
      for skip in nodes[Int(search.next[checked])].skips { search.insert(skips[Int(skip)]) }
      checked += 1
    }
  }

  /// The least rank of the goals where a path has arrived.
  private func best(of search: inout RouteSearch, _ path: [UInt8], _ query: [UInt8]) -> Int32? {
    var best = Int32.max
    if hasItems, !query.isEmpty { search.setItems(query, texts) }
    for index in search.nodes {
      let node = nodes[Int(index)]
      for end in node.goals {
        let goal = ends[Int(end)]
        if goals[Int(goal)].rank >= best { break }
        if goals[Int(goal)].isPlain || holds(goal, path, search) {
          best = goals[Int(goal)].rank
          break
        }
      }
      guard !node.conditionalGoals.isEmpty else { continue }
      for item in search.items {
        lower(&best, node, Self.key(name: item.name, value: -1), path, search)
        if item.value >= 0 {
          lower(&best, node, Self.key(name: item.name, value: item.value), path, search)
        }
      }
    }
    return best == .max ? nil : best
  }

  /// Takes a lower rank from the goals of a node that need an item.
  private func lower(
    _ best: inout Int32, _ node: Node, _ item: UInt64, _ path: [UInt8], _ search: RouteSearch
  ) {
    var (low, high) = (
      Int(node.conditionalGoals.lowerBound), Int(node.conditionalGoals.upperBound)
    )
    while low < high {
      let middle = (low + high) / 2
      if conditionalGoals[middle].item < item { low = middle + 1 } else { high = middle }
    }
    while low < Int(node.conditionalGoals.upperBound), conditionalGoals[low].item == item {
      let goal = conditionalGoals[low].goal
      if goals[Int(goal)].rank >= best { return }
      if holds(goal, path, search) {
        best = goals[Int(goal)].rank
        return
      }
      low += 1
    }
  }

  /// Whether a path that has arrived at a goal fulfils what else the goal asks for.
  private func holds(_ number: Int32, _ path: [UInt8], _ search: RouteSearch) -> Bool {
    let goal = goals[Int(number)]
    if let condition = goal.condition, !condition.holds(for: path.span) { return false }
    return goal.items.allSatisfy { needed in
      search.items.contains { item in
        item.name == needed.name && (needed.value < 0 || item.value == needed.value)
      }
    }
  }
}

/// Where a path could be while it is matched.
///
/// A value is used for path after path; it then keeps its space.
struct RouteSearch {
  /// The nodes in which the path could be, and those behind its next segment.
  private(set) var nodes: [Int32] = []
  private(set) var next: [Int32] = []

  /// The items of the query that any route asks for, as numbers of texts; -1 for a value
  /// that none does.
  private(set) var items: [(name: Int32, value: Int32)] = []

  /// The step at which each node was last added.
  private var steps: [UInt64] = []
  private var step: UInt64 = 0
  private var text: [UInt8] = []

  /// A path with its escapes in upper case.
  fileprivate mutating func raised(_ path: [UInt8]) -> [UInt8] {
    guard path.contains(UInt8(ascii: "%")) else { return path }
    text.removeAll(keepingCapacity: true)
    text += path
    RouteText.raiseEscapes(in: &text)
    return text
  }

  /// Begins at no node.
  fileprivate mutating func begin(_ count: Int) {
    if steps.count < count {
      steps.append(contentsOf: repeatElement(0, count: count - steps.count))
    }
    items.removeAll(keepingCapacity: true)
    forget()
  }

  /// Begins a new step.
  fileprivate mutating func forget() {
    step += 1
    next.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func insert(_ node: Int32) {
    guard steps[Int(node)] != step else { return }
    steps[Int(node)] = step
    next.append(node)
  }

  /// Makes the nodes behind a segment those in which the path could be.
  fileprivate mutating func swap() { Swift.swap(&nodes, &next) }

  fileprivate mutating func setItems(_ query: [UInt8], _ texts: ByteIndex) {
    let query = raised(query)
    let bytes = query.span
    var start = 0
    while start < bytes.count {
      var (end, equals) = (start, -1)
      while end < bytes.count, bytes[end] != UInt8(ascii: "&") {
        if bytes[end] == UInt8(ascii: "="), equals < 0 { equals = end }
        end += 1
      }
      let nameEnd = equals < 0 ? end : equals
      if let name = texts.number(of: bytes.extracting(start..<nameEnd)) {
        let value = texts.number(of: bytes.extracting(min(nameEnd + 1, end)..<end))
        items.append((name, value ?? -1))
      }
      start = end + 1
    }
  }
}

/// The tree of a ``RouteMatcher`` while it grows.
private struct RouteTree {
  struct Node {
    var literals: [(text: Int32, node: Int32)] = []
    var checks: [(matcher: Int32, node: Int32)] = []
    var skips: [Int32] = []
    var goals: [Int32] = []
    var conditionalGoals: [(item: UInt64, goal: Int32)] = []
    var loop: Int32 = -1
  }

  private struct Edge: Hashable {
    var node: Int32
    var element: RouteElement
  }

  var texts = ByteIndex()
  private(set) var matchers: [RouteSegmentMatcher] = []
  private(set) var nodes = [Node()]
  private var numbers: [RouteSegmentMatcher: Int32] = [:]
  private var edges: [Edge: Int32] = [:]

  /// Adds a path that leads to a goal; the first ones win.
  mutating func insert(_ elements: [RouteElement], goal: Int32, item: UInt64?) {
    var node: Int32 = 0
    for element in elements { node = child(of: node, element) }
    if let item {
      nodes[Int(node)].conditionalGoals.append((item, goal))
    } else {
      nodes[Int(node)].goals.append(goal)
    }
  }

  private mutating func child(of node: Int32, _ element: RouteElement) -> Int32 {
    let edge = Edge(node: node, element: element)
    if let child = edges[edge] { return child }
    let child = Int32(nodes.count)
    edges[edge] = child
    nodes.append(Node())
    if element.repetition.allowsNone { nodes[Int(node)].skips.append(child) }
    if element.repetition.allowsMany { nodes[Int(child)].loop = number(of: element.matcher) }
    // Any number of segments: the loop takes the first of them, too.
    if element.repetition == .anyNumber { return child }
    if case .literal(let text) = element.matcher {
      nodes[Int(node)].literals.append((texts.insert(text), child))
    } else {
      nodes[Int(node)].checks.append((number(of: element.matcher), child))
    }
    return child
  }

  private mutating func number(of matcher: RouteSegmentMatcher) -> Int32 {
    if let number = numbers[matcher] { return number }
    let number = Int32(matchers.count)
    numbers[matcher] = number
    matchers.append(matcher)
    return number
  }
}
