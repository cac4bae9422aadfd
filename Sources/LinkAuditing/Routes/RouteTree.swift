/// A query item by the numbers of its texts; any value will do if it is `nil`.
struct QueryItemKey: Hashable, Sendable {
  var name: Int32
  var value: Int32?
}

/// The tree of a ``RouteMatcher`` while it grows.
struct RouteTree {
  struct Node {
    var literals: [(text: Int32, node: Int32)] = []
    var checks: [(matcher: Int32, node: Int32)] = []
    var skips: [Int32] = []
    var goals: [Int32] = []
    var conditionalGoals: [(item: Int32, goal: Int32)] = []
    var loop: Int32 = -1
  }

  private struct Edge: Hashable {
    var node: Int32
    var element: RouteElement
  }

  private(set) var texts = ByteIndex()
  private(set) var matchers: [RouteSegmentMatcher] = []
  private(set) var nodes = [Node()]
  private var numbers: [RouteSegmentMatcher: Int32] = [:]
  private var edges: [Edge: Int32] = [:]
  private(set) var items: [QueryItemKey: Int32] = [:]

  /// The number of a query item, which is added if it is new.
  mutating func number(of item: RoutePattern.Item) -> Int32 {
    let key = QueryItemKey(
      name: texts.insert(item.name), value: item.value.map { texts.insert($0) })
    if let number = items[key] { return number }
    let number = Int32(items.count)
    items[key] = number
    return number
  }

  /// Adds a path that leads to a goal; the first ones win.
  mutating func insert(_ elements: [RouteElement], goal: Int32, item: Int32?) {
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
