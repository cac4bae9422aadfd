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

    /// The numbers of the items that it needs.
    var items: [Int32]

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
  private let conditionalGoals: [(item: Int32, goal: Int32)]
  private let goals: [Goal]
  private let order: [Int32]

  /// The items that routes need, numbered.
  private let items: [QueryItemKey: Int32]

  /// Creates the matcher of routes, of which those win that precede others in `order`.
  init(_ routes: [RoutePattern], order: [Int]) {
    var tree = RouteTree()
    var goals: [Goal] = []
    for (rank, position) in order.enumerated() {
      let route = routes[position]
      // An item with a value tells more goals apart.
      let items = (route.items.filter { $0.value != nil } + route.items.filter { $0.value == nil })
        .map { tree.number(of: $0) }
      for path in route.paths {
        tree.insert(path.elements, goal: Int32(goals.count), item: items.first)
        goals.append(Goal(rank: Int32(rank), condition: path.condition, items: items))
      }
    }
    self.order = order.map(Int32.init)
    self.goals = goals
    texts = tree.texts
    matchers = tree.matchers
    items = tree.items

    var nodes: [Node] = []
    var literals: [(text: Int32, node: Int32)] = []
    var checks: [(matcher: Int32, node: Int32)] = []
    var skips: [Int32] = []
    var ends: [Int32] = []
    var conditional: [(item: Int32, goal: Int32)] = []
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
    if !items.isEmpty, !query.isEmpty { search.setItems(query, texts, items) }
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
      for item in search.items { lower(&best, node, item, path, search) }
    }
    return best == .max ? nil : best
  }

  /// Takes a lower rank from the goals of a node that need an item.
  private func lower(
    _ best: inout Int32, _ node: Node, _ item: Int32, _ path: [UInt8], _ search: RouteSearch
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
    return goal.items.allSatisfy { search.hasItem($0) }
  }
}
