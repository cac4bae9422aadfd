internal import AccessLogs
internal import TrafficDigest

/// The path groups of a site's paths.
///
/// A path group is a template. If a parent has more literal segments than the fan-out, they are
/// folded to `{*}`. Folding merges their children, which can then be too many themselves.
///
/// Segments fold as soon as there are too many. So the size of the tree depends on the number of
/// path groups, not on the number of paths. The outcome depends only on the set of templates, not
/// on their order: a parent with too many segments never has fewer later, and merging only adds
/// segments.
///
/// If a path has a route, the route's group is one segment of its template (``RouteGroups``) and
/// never folds.
struct PathGroupTree: Sendable {
  /// A place in the tree.
  ///
  /// Numbers of nodes stay valid: after a merge, the number of a merged node refers to the other
  /// one.
  private struct Node: Sendable {
    var parent: Int
    var segment: Int
    var children: [Int] = []

    /// The node that this one was joined with, or -1.
    var successor = -1
    var literals = 0

    /// Whether the literal segments of children have been folded.
    var isFolded = false
  }

  private let fanOut: Int
  private var nodes: [Node]

  /// The segments that lead to nodes, by the number of the parent, and the nodes by segment.
  ///
  /// Entries of nodes that have moved to another parent stay, but are never looked up.
  private var segments = ByteIndex()
  private var nodesBySegment: [Int] = []
  private static let anything = Array(PathTemplate.anything.utf8)

  /// Creates a tree in which one parent may have up to `fanOut` different literal segments.
  init(fanOut: Int) {
    self.fanOut = fanOut
    nodes = [Node(parent: -1, segment: -1)]
  }

  /// Adds a template, and returns the number of its path group; see ``resolve(_:)``.
  mutating func insert(_ template: Span<UInt8>) -> Int {
    var (node, start) = (0, 0)
    while true {
      var end = start
      while end < template.count, template[end] != UInt8(ascii: "/") { end += 1 }
      node = child(of: node, template.extracting(start..<end))
      guard end < template.count else { return node }
      start = end + 1
    }
  }

  /// Returns the number of the path group that a number now refers to.
  func resolve(_ group: Int) -> Int {
    var node = group
    while nodes[node].successor >= 0 { node = nodes[node].successor }
    return node
  }

  func text(_ group: Int) -> String {
    var texts: [ArraySlice<UInt8>] = []
    var node = resolve(group)
    while node != 0 {
      texts.append(segments.text(nodes[node].segment))
      node = nodes[node].parent
    }
    return texts.reversed().joined(separator: "/".utf8)
      .map { $0 == RouteGroups.joint ? UInt8(ascii: "/") : $0 }[...].text
  }

  /// Returns the text of a path group, which is made once and then known.
  func text(_ group: Int, known texts: inout [Int: String]) -> String {
    let text = texts[group] ?? text(group)
    texts[group] = text
    return text
  }

  /// Adds all templates of another tree with the same fan-out, and returns the numbers here of the path
  /// groups there.
  mutating func merge(_ other: PathGroupTree) -> [Int] {
    var numbers = Array(repeating: 0, count: other.nodes.count)
    var waiting = [0]
    while let node = waiting.popLast() {
      let own = resolve(numbers[node])
      if other.nodes[node].isFolded { fold(own) }
      for child in other.nodes[node].children {
        let segment = other.segments.text(other.nodes[child].segment)
        numbers[child] = self.child(of: resolve(own), segment.span)
        waiting.append(child)
      }
    }
    return other.nodes.indices.map { resolve(numbers[other.resolve($0)]) }
  }
}

// MARK: - Growing

extension PathGroupTree {
  /// The child of a node for a segment, which may be one for many segments.
  ///
  /// If there is none yet, it is a new node, or `moved`, which has no parent.
  private mutating func child(
    of parent: Int, _ segment: Span<UInt8>, moving moved: Int? = nil
  ) -> Int {
    let isLiteral = Self.isLiteral(segment)
    if isLiteral, nodes[parent].isFolded { return child(of: parent, Self.anything.span) }
    let number = segments.insert(segment, scope: parent)
    if number < nodesBySegment.count { return nodesBySegment[number] }
    let added = moved ?? nodes.count
    if moved == nil { nodes.append(Node(parent: parent, segment: number)) }
    (nodes[added].parent, nodes[added].segment) = (parent, number)
    nodes[parent].children.append(added)
    nodesBySegment.append(added)
    if isLiteral {
      nodes[parent].literals += 1
      if nodes[parent].literals > fanOut { fold(parent) }
    }
    return resolve(added)
  }

  /// Whether a segment counts as one of many.
  private static func isLiteral(_ segment: Span<UInt8>) -> Bool {
    // The end of a path with a slash is not a segment of its own; braces occur only in
    // placeholders.
    segment.count > 0 && segment[0] != UInt8(ascii: "{") && segment[0] != RouteGroups.joint
  }

  /// Joins all children of a node that have literal segments.
  private mutating func fold(_ node: Int) {
    guard !nodes[node].isFolded else { return }
    nodes[node].isFolded = true
    let joined = child(of: node, Self.anything.span)
    let children = Dictionary(grouping: nodes[node].children) {
      Self.isLiteral(segments.text(nodes[$0].segment).span)
    }
    nodes[node].children = children[false] ?? []
    for literal in children[true] ?? [] { join(literal, with: joined) }
  }

  /// Merges a node without a parent into another.
  private mutating func join(_ node: Int, with other: Int) {
    nodes[node].successor = other
    if nodes[node].isFolded { fold(other) }
    let children = nodes[node].children
    nodes[node].children = []
    for own in children {
      let segment = Array(segments.text(nodes[own].segment))
      let found = child(of: other, segment.span, moving: own)
      // It has a successor if it was one child too many: folding has joined it.
      if found != own, nodes[own].successor < 0 { join(own, with: found) }
    }
  }
}

/// The grouping of paths in reports.
public enum PathGrouping: Hashable, Sendable {
  /// By path groups: numbers and the like fold, and so do more different names under one
  /// parent than the fan-out.
  case template

  /// Not at all: each path is its own group.
  case exact

  /// By path groups whose segments after the given number of them fold to `{*}`.
  case depth(Int)

  /// Folds the segments of a template that are too deep.
  func fold(_ template: inout [UInt8]) {
    guard case .depth(var depth) = self else { return }
    let last = template.firstIndex { byte in
      if byte == UInt8(ascii: "/") { depth -= 1 }
      return depth < 0
    }
    // Nothing follows a slash at the end that could fold.
    guard let last, last + 1 < template.count else { return }
    template.replaceSubrange((last + 1)..., with: PathTemplate.anything.utf8)
  }
}
