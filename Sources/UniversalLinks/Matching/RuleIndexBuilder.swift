/// Builds the tries of a ``RuleIndex``.
struct RuleIndexBuilder {
  /// A rule: its key in the direction of the walk, and the text at the other end
  /// in that of the path.
  struct Item {
    var key: [UInt8]
    var other: [UInt8]
    var entry: RuleIndex.Entry
  }

  private(set) var nodes: [RuleIndex.Node] = []
  private(set) var firstBytes: [UInt8] = []
  private(set) var labels: [UInt8] = []
  private(set) var entries: [RuleIndex.Entry] = []
  private(set) var others: [UInt8] = []

  /// Adds a trie.
  ///
  /// - Returns: The position of its root.
  mutating func add(_ items: [Item]) -> Int32 {
    let root = addNode(label: [])
    let sorted = items.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    // A list of work rather than recursion: a path can be as long as a file.
    var waiting: [(node: Int, items: ArraySlice<Item>, depth: Int)] = [(root, sorted[...], 0)]
    while let (node, items, depth) = waiting.popLast() {
      var rest = items
      nodes[node].firstEntry = Int32(entries.count)
      while let item = rest.first, item.key.count == depth {
        addEntry(item)
        rest = rest.dropFirst()
      }
      nodes[node].entryEnd = Int32(entries.count)
      nodes[node].firstChild = Int32(nodes.count)
      while let first = rest.first {
        let group = rest.prefix { $0.key[depth] == first.key[depth] }
        rest = rest[group.endIndex...]
        // They are sorted, so a prefix of the first and the last is one of all.
        let last = group[group.endIndex - 1].key
        var end = depth + 1
        while end < first.key.count, end < last.count, first.key[end] == last[end] { end += 1 }
        waiting.append((addNode(label: first.key[depth..<end]), group, end))
      }
      nodes[node].childEnd = Int32(nodes.count)
    }
    return Int32(root)
  }

  private mutating func addNode(label: ArraySlice<UInt8>) -> Int {
    let start = Int32(labels.count)
    labels += label
    firstBytes.append(label.first ?? 0)
    nodes.append(RuleIndex.Node(labelStart: start, labelEnd: Int32(labels.count)))
    return nodes.count - 1
  }

  private mutating func addEntry(_ item: Item) {
    var entry = item.entry
    entry.otherCount = Int32(item.other.count)
    // Rules with the same key often have the same text at the other end, from defaults.
    if let last = entries.last, Int(last.otherCount) == item.other.count,
      others[Int(last.otherStart)...].starts(with: item.other)
    {
      entry.otherStart = last.otherStart
    } else {
      entry.otherStart = Int32(others.count)
      others += item.other
    }
    entries.append(entry)
  }
}
