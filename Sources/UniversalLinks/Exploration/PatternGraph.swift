internal import Foundations

/// Patterns as graphs of nodes that read a text from left to right.
///
/// Many patterns can thus be followed along the same text at once.
///
/// A graph gives the same answer as ``Pattern/matches(_:scratch:)``, but doesn't count levels
/// (Matching.md, 3c.6). ``Pattern/hasUndecidedLevels`` identifies the patterns for which the level
/// limit could change the answer.
struct PatternGraph {
  enum Kind: UInt8 {
    /// Reads one byte of a literal.
    case byte

    /// Reads any one scalar.
    case any

    /// A star that isn't last: reads any scalar and stays. The rest begins only
    /// where input is left.
    case run

    /// A last star: whatever follows, the text matches.
    case lastRun

    /// A node of a trie of values: reads a byte along one of its edges.
    case values

    /// Leads to other nodes without reading.
    case fork

    /// The text matches if it ends here.
    case end
  }

  struct Node {
    var kind: Kind
    var byte: UInt8 = 0

    /// The number of stars of the pattern, not of a value, before or at the node.
    ///
    /// Once a star has been reached, nothing before it matters, because the star matches any text
    /// that would have been read there.
    var order: Int32

    /// The next node, or -1 if there is none; for a last star, the node that requires a scalar
    /// before it.
    var next: Int32

    /// Whose pattern it is.
    var owner: Int32

    /// The edges of a node of a trie, or the targets of a fork.
    var firstEdge: Int32 = 0
    var edgeEnd: Int32 = 0
  }

  private(set) var nodes: [Node] = []
  private(set) var edgeBytes: [UInt8] = []
  private(set) var edgeTargets: [Int32] = []

  /// Whether patterns were left out because they need too many nodes.
  ///
  /// Each reference of a variable has its own nodes for all values.
  private(set) var isCut = false

  /// The greatest number of nodes, except those of the pattern that exceeds it.
  private static let nodeLimit = 8_000_000

  /// The order of a last star, which makes all other positions redundant.
  private static let highestOrder = Int32.max

  /// Adds a pattern.
  ///
  /// - Returns: The node where it begins.
  mutating func add(_ tokens: [PatternToken], owner: Int32) -> Int32 {
    guard !isCut, nodes.count <= Self.nodeLimit else {
      isCut = true
      return add(Node(kind: .end, order: 0, next: -1, owner: owner))
    }
    let runs = tokens.count { if case .anyRun = $0 { true } else { false } }
    let end = add(Node(kind: .end, order: Int32(runs), next: -1, owner: owner))
    return add(tokens, before: end, owner: owner, order: nil)
  }

  /// Adds tokens before a node, from the last to the first.
  ///
  /// - Parameters:
  ///   - tokens: The tokens.
  ///   - end: The node that follows.
  ///   - owner: The owner of the pattern.
  ///   - fixed: The order of all nodes, or `nil` to count the stars of a pattern's tokens.
  /// - Returns: The node where the tokens begin.
  private mutating func add(
    _ tokens: [PatternToken], before end: Int32, owner: Int32, order fixed: Int32?
  ) -> Int32 {
    var next = end
    var order = fixed ?? nodes[Int(end)].order
    for (index, token) in tokens.enumerated().reversed() {
      switch token {
      case .literal(let bytes):
        for byte in bytes.reversed() {
          next = add(Node(kind: .byte, byte: byte, order: order, next: next, owner: owner))
        }
      case .anyScalar:
        next = add(Node(kind: .any, order: order, next: next, owner: owner))
      case .anyRun:
        let isLast = index == tokens.count - 1 && nodes[Int(end)].kind == .end
        next =
          isLast
          ? addLastRun(owner, demanding: fixed ?? order - 1) : addRun(order, next, owner)
        if fixed == nil { order -= 1 }
      case .variable(let values):
        if let trie = values.trie {
          next = add(trie, before: next, owner, order)
          continue
        }
        let targets = values.values.map { add($0, before: next, owner: owner, order: order) }
        let first = Int32(edgeTargets.count)
        edgeTargets += targets
        edgeBytes += targets.map { _ in 0 }
        next = add(
          Node(
            kind: .fork, order: order, next: -1, owner: owner, firstEdge: first,
            edgeEnd: Int32(edgeTargets.count)))
      }
    }
    return next
  }

  private mutating func add(_ node: Node) -> Int32 {
    nodes.append(node)
    return Int32(nodes.count - 1)
  }

  private mutating func addRun(_ order: Int32, _ next: Int32, _ owner: Int32) -> Int32 {
    add(Node(kind: .run, order: order, next: next, owner: owner))
  }

  private mutating func addLastRun(_ owner: Int32, demanding order: Int32) -> Int32 {
    let run = Int32(nodes.count + 1)
    let demanding = add(Node(kind: .any, order: order, next: run, owner: owner))
    return add(Node(kind: .lastRun, order: Self.highestOrder, next: demanding, owner: owner))
  }

  private mutating func add(
    _ trie: ValueTrie, before next: Int32, _ owner: Int32, _ order: Int32
  ) -> Int32 {
    let (firstNode, firstEdge) = (Int32(nodes.count), Int32(edgeTargets.count))
    edgeBytes += trie.edgeBytes
    edgeTargets += trie.edgeTargets.map { firstNode + Int32($0) }
    for node in trie.nodes {
      nodes.append(
        Node(
          kind: .values, order: order, next: node.isEnd ? next : -1, owner: owner,
          firstEdge: firstEdge + Int32(node.edges.lowerBound),
          edgeEnd: firstEdge + Int32(node.edges.upperBound)))
    }
    return firstNode
  }

  /// The node that reading a byte of a literal or a value leads to, if any.
  func target(of node: Int32, reading byte: UInt8) -> Int32? {
    let current = nodes[Int(node)]
    switch current.kind {
    case .byte: return current.byte == byte ? current.next : nil
    case .values:
      // Ascending by byte.
      let edges = Int(current.firstEdge)..<Int(current.edgeEnd)
      let edge = edges.partitioningIndex { edgeBytes[$0] >= byte }
      return edge < edges.upperBound && edgeBytes[edge] == byte ? edgeTargets[edge] : nil
    case .any, .run, .lastRun, .fork, .end: return nil
    }
  }

  /// Calls `body` with each byte that leads from a node, and its target.
  func forEachByte(of node: Int32, _ body: (UInt8, Int32) -> Void) {
    let current = nodes[Int(node)]
    switch current.kind {
    case .byte: body(current.byte, current.next)
    case .values:
      for edge in Int(current.firstEdge)..<Int(current.edgeEnd) {
        body(edgeBytes[edge], edgeTargets[edge])
      }
    case .any, .run, .lastRun, .fork, .end: break
    }
  }
}
