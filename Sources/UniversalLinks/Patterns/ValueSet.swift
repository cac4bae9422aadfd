/// The values of a variable without wildcards, as a trie.
///
/// One walk along the text finds all values that occur at a place. It is a class, so that all
/// patterns with the variable share it.
final class ValueSet: Sendable {
  struct Node: Sendable {
    /// Whether a value ends here.
    var isEnd = false

    /// The edges to nodes further on, ascending by byte.
    var edges: Range<Int> = 0..<0
  }

  let nodes: [Node]
  let edgeBytes: [UInt8]
  let edgeTargets: [Int]

  /// Collects the values, or returns `nil` if one of them holds a wildcard.
  init?(_ values: [[PatternToken]]) {
    var texts: [[UInt8]] = []
    for value in values {
      switch (value.count, value.first) {
      case (0, _): texts.append([])
      case (1, .literal(let bytes)): texts.append(bytes)
      default: return nil
      }
    }
    texts.sort { $0.lexicographicallyPrecedes($1) }
    var nodes = [Node()]
    var (edgeBytes, edgeTargets): ([UInt8], [Int]) = ([], [])
    // The values that share their first bytes, by the node that these lead to. It is a work list
    // instead of recursion: a value can be as long as a file.
    var waiting: [(node: Int, values: ArraySlice<[UInt8]>, depth: Int)] = [(0, texts[...], 0)]
    while let (node, values, depth) = waiting.popLast() {
      var rest = values
      while let value = rest.first, value.count == depth {
        nodes[node].isEnd = true
        rest = rest.dropFirst()
      }
      let start = edgeBytes.count
      while let byte = rest.first?[depth] {
        let group = rest.prefix { $0[depth] == byte }
        edgeBytes.append(byte)
        edgeTargets.append(nodes.count)
        waiting.append((nodes.count, group, depth + 1))
        nodes.append(Node())
        rest = rest[group.endIndex...]
      }
      nodes[node].edges = start..<edgeBytes.count
    }
    (self.nodes, self.edgeBytes, self.edgeTargets) = (nodes, edgeBytes, edgeTargets)
  }

  /// Calls `body` with the end of each value that occurs at `start` of `text`, shortest first.
  func forEachEnd(of text: Span<UInt8>, from start: Int, _ body: (Int) -> Void) {
    var node = nodes[0]
    var position = start
    if node.isEnd { body(position) }
    while position < text.count, let next = target(of: node, byte: text[position]) {
      node = nodes[next]
      position += 1
      if node.isEnd { body(position) }
    }
  }

  private func target(of node: Node, byte: UInt8) -> Int? {
    var (low, high) = (node.edges.lowerBound, node.edges.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if edgeBytes[middle] < byte { low = middle + 1 } else { high = middle }
    }
    guard low < node.edges.upperBound, edgeBytes[low] == byte else { return nil }
    return edgeTargets[low]
  }
}
