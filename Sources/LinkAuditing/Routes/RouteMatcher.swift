internal import Foundations

/// An automaton that finds the route of a path.
///
/// It reads a path segment by segment and keeps the set of all nodes that the path can have
/// reached. So it never backtracks, whatever is optional or repeated. Nodes know the routes that
/// end there, and the first of these routes wins.
///
/// It is a class, because workers read it for each path and must not copy it.
final class RouteMatcher: Sendable {
  /// A state after some segments.
  private struct Node: Sendable {
    /// The first of its ways, or -1.
    var way: Int32 = -1

    /// The number of the matcher of segments that a path can have here, or -1.
    var loop: Int32 = -1

    /// The rank of the first route whose path ends here, whatever items it needs, or the maximum.
    var rank = Int32.max
  }

  /// A transition other than by a text: the number of its matcher, or -1 if it takes no segment, and
  /// the next way of the same node, or -1.
  private typealias Way = (matcher: Int32, node: Int32, next: Int32)

  /// The end of a path of a route: the place of the route in the order in which they win, and the
  /// numbers of the query items that it needs.
  private typealias Goal = (rank: Int32, items: [Int32])

  /// The transitions by texts, within the nodes that they leave, and where they lead.
  private let texts: ByteIndex
  private let targets: [Int32]
  private let nodes: [Node]
  private let ways: [Way]
  private let matchers: [RouteElement.Matcher]

  /// The goals of each node by the first query item that their routes need, or -1, each list in the
  /// order of ranks.
  private let goals: [[Int32: [Goal]]]
  private let order: [Int32]

  /// The items that routes need: names, and values in the scopes of their names.
  private let items: ByteIndex
  let groups: RouteGroups

  /// Creates the matcher of routes; of several matches, the first in `order` wins.
  init(_ routes: [RoutePattern], order: [Int]) {
    var (texts, targets, items) = (ByteIndex(), [Int32](), ByteIndex())
    var (nodes, ways) = ([Node()], [Way]())
    var matchers = Numbering<RouteElement.Matcher>()
    var children: [RouteElement: [Int32: Int32]] = [:]
    var goals: [Int32: [Int32: [Goal]]] = [:]

    func child(of node: Int32, _ element: RouteElement) -> Int32 {
      let (next, isOnce) = (Int32(nodes.count), !element.allowsNone && !element.allowsMany)
      if isOnce, case .literal(let text) = element.matcher {
        let number = texts.insert(text.span, scope: Int(node))
        if number < targets.count { return targets[number] }
        targets.append(next)
        nodes.append(Node())
        return next
      }
      if let known = children[element]?[node] { return known }
      children[element, default: [:]][node] = next
      nodes.append(Node())
      let matcher = Int32(matchers.number(of: element.matcher))
      func add(_ matcher: Int32) {
        ways.append((matcher, next, nodes[Int(node)].way))
        nodes[Int(node)].way = Int32(ways.count - 1)
      }
      if element.allowsNone { add(-1) }
      if element.allowsMany { nodes[Int(next)].loop = matcher }
      // If any number is allowed, the loop also takes the first segment.
      if !(element.allowsNone && element.allowsMany) { add(matcher) }
      return next
    }

    for (rank, position) in order.enumerated() {
      // An item with a value leaves fewer goals to try.
      let own = routes[position].items.sorted { $0.value != nil && $1.value == nil }
        .map { item in
          let name = items.insert(item.name.span)
          return Int32(item.value.map { items.insert($0.span, scope: name + 1) } ?? name)
        }
      for path in routes[position].paths {
        let node = path.reduce(0) { child(of: $0, $1) }
        nodes[Int(node)].rank = min(nodes[Int(node)].rank, Int32(rank))
        goals[node, default: [:]][own.first ?? -1, default: []].append((Int32(rank), own))
      }
    }
    (self.texts, self.targets, self.items) = (texts, targets, items)
    (self.nodes, self.ways, self.matchers) = (nodes, ways, matchers.values)
    self.goals = nodes.indices.map { goals[Int32($0)] ?? [:] }
    self.order = order.map(Int32.init)
    groups = RouteGroups(routes)
  }
}

/// The state of matching a path; used for path after path, it keeps its memory.
struct RouteSearch {
  /// The nodes that the path can have reached, and those after its next segment.
  fileprivate var nodes: [Int32] = []
  fileprivate var next: [Int32] = []

  /// The step at which each node was last added.
  private var steps: [UInt64] = []
  private var step: UInt64 = 0

  /// The numbers of the items of the query that any route needs, and -1.
  fileprivate var items: Set<Int32> = [-1]

  fileprivate mutating func begin(_ count: Int) {
    while steps.count < count { steps.append(0) }
    if items.count > 1 { items = [-1] }
    forget()
  }

  fileprivate mutating func forget() {
    step += 1
    next.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func insert(_ node: Int32) {
    guard steps[Int(node)] != step else { return }
    steps[Int(node)] = step
    next.append(node)
  }
}

// MARK: - Matching

extension RouteMatcher {
  /// The position of the route that a path and a query match, and that of their path.
  ///
  /// `route` is `nil` if there is none. `routeOfPath` is the same, or else the position of the first
  /// route that the path would match with another query.
  typealias Match = (route: Int?, routeOfPath: Int?)

  /// Finds the first route that a path and a query without its `?` match, both percent-encoded.
  func match(path: [UInt8], query: [UInt8], using search: inout RouteSearch) -> Match {
    let path = path.withRaisedEscapes
    search.begin(nodes.count)
    add(0, to: &search)
    swap(&search.nodes, &search.next)
    path.span.forEachSegment { range in
      advance(&search, path.span.extracting(range))
      return !search.nodes.isEmpty
    }
    guard !search.nodes.isEmpty else { return (nil, nil) }
    if items.count > 0, !query.isEmpty { addItems(of: query, to: &search) }
    var best = Int32.max
    for node in search.nodes where nodes[Int(node)].rank < .max {
      for item in search.items {
        for goal in goals[Int(node)][item] ?? [] {
          if goal.rank >= best { break }
          if goal.items.allSatisfy(search.items.contains) { best = goal.rank }
        }
      }
    }
    if best < .max {
      let route = Int(order[Int(best)])
      return (route, route)
    }
    for node in search.nodes { best = min(best, nodes[Int(node)].rank) }
    return (nil, best == .max ? nil : Int(order[Int(best)]))
  }

  /// Advances from all nodes that a path can have reached to those after a segment.
  private func advance(_ search: inout RouteSearch, _ segment: Span<UInt8>) {
    search.forget()
    for index in search.nodes.indices {
      let number = search.nodes[index]
      let node = nodes[Int(number)]
      if node.loop >= 0, matchers[Int(node.loop)].matches(segment) { add(number, to: &search) }
      if let text = texts.number(of: segment, scope: Int(number)) {
        add(targets[text], to: &search)
      }
      var way = node.way
      while way >= 0 {
        let (matcher, next) = (ways[Int(way)].matcher, ways[Int(way)].node)
        if matcher >= 0, matchers[Int(matcher)].matches(segment) { add(next, to: &search) }
        way = ways[Int(way)].next
      }
    }
    swap(&search.nodes, &search.next)
  }

  /// Adds a node and all that are reached from it without a segment.
  private func add(_ node: Int32, to search: inout RouteSearch) {
    var checked = search.next.count
    search.insert(node)
    while checked < search.next.count {
      var way = nodes[Int(search.next[checked])].way
      while way >= 0 {
        if ways[Int(way)].matcher < 0 { search.insert(ways[Int(way)].node) }
        way = ways[Int(way)].next
      }
      checked += 1
    }
  }

  private func addItems(of query: [UInt8], to search: inout RouteSearch) {
    let query = query.withRaisedEscapes
    query.span.forEachQueryItem { name, value in
      guard let name = items.number(of: name) else { return }
      search.items.insert(Int32(name))
      if let value = items.number(of: value, scope: name + 1) { search.items.insert(Int32(value)) }
    }
  }
}
