/// The rules of all lists by how the paths that they match begin and end: one walk
/// along a path finds all rules that may match it, however many others there are.
///
/// The rules whose patterns are compared with one form of paths make up two tries,
/// one of beginnings and one of ends. A node stands for a text that some rules have
/// in common. All nodes lie in one array, so that a walk counts no references; the
/// children of a node lie one after another, ascending by the first byte of what
/// they add.
final class RuleIndex: Sendable {
  /// A rule, and what of its path the walk to it hasn't proved.
  struct Entry: BitwiseCopyable, Sendable {
    /// The number of the rule, and the position of its list.
    var rule: Int32
    var list: Int32

    /// The text at the other end of every path that the rule matches.
    var otherStart: Int32 = 0
    var otherCount: Int32 = 0

    /// The least length of a path that the rule matches.
    var minimumLength: Int32

    /// Whether no path that is longer matches.
    var isExact: Bool

    /// Whether a path with these ends matches whatever lies between them.
    var isPathDecided: Bool

    /// Whether a URL with such a path matches whatever else it has.
    var isDecided: Bool

    /// Whether the rule can match a URL without a fragment, as all in logs are.
    var matchesWithoutFragment: Bool
  }

  struct Node: BitwiseCopyable, Sendable {
    /// The text that leads here from the parent, among the labels.
    var labelStart: Int32 = 0
    var labelEnd: Int32 = 0

    var firstChild: Int32 = 0
    var childEnd: Int32 = 0

    /// The rules for which the text that leads here from the root is all.
    var firstEntry: Int32 = 0
    var entryEnd: Int32 = 0
  }

  /// The roots of the tries for one form of paths, or -1 where there are no rules.
  private struct Roots: BitwiseCopyable, Sendable {
    var form: TextForm
    var beginnings: Int32
    var ends: Int32
  }

  private let roots: [Roots]
  private let nodes: [Node]

  /// The first byte that each node adds.
  private let firstBytes: [UInt8]

  private let labels: [UInt8]
  private let entries: [Entry]
  private let others: [UInt8]

  /// A rule to be indexed, with its number and the position of its list.
  struct Item {
    var rule: CompiledRule
    var number: Int
    var list: Int
  }

  /// Indexes rules.
  init(_ rules: [Item]) {
    typealias Items = (beginnings: [RuleIndexBuilder.Item], ends: [RuleIndexBuilder.Item])
    var items: [TextForm: Items] = [:]
    for element in rules {
      let rule = element.rule
      // A pattern that can't match needs no place.
      guard !rule.hasUnmatchablePath else { continue }
      let (prefix, suffix) = rule.path.ends
      let isDecided = rule.path.isDecidedByEnds
      let entry = Entry(
        rule: Int32(element.number), list: Int32(element.list),
        minimumLength: Int32(clamping: max(prefix.count, suffix.count)),
        isExact: rule.path.strategy == .literal, isPathDecided: isDecided,
        isDecided: isDecided && rule.constrainsPathOnly,
        matchesWithoutFragment: rule.matchesWithoutFragment)
      // The longer end is met by fewer paths.
      if suffix.count > prefix.count {
        items[rule.form, default: ([], [])].ends.append(
          RuleIndexBuilder.Item(key: suffix.reversed(), other: prefix, entry: entry))
      } else {
        items[rule.form, default: ([], [])].beginnings.append(
          RuleIndexBuilder.Item(key: prefix, other: suffix, entry: entry))
      }
    }
    var builder = RuleIndexBuilder()
    roots = items.sorted { $0.key.rawValue < $1.key.rawValue }.map { form, items in
      Roots(
        form: form, beginnings: items.beginnings.isEmpty ? -1 : builder.add(items.beginnings),
        ends: items.ends.isEmpty ? -1 : builder.add(items.ends))
    }
    (nodes, firstBytes, labels) = (builder.nodes, builder.firstBytes, builder.labels)
    (entries, others) = (builder.entries, builder.others)
  }

  /// Collects the rules that may match a URL, whose forms of the path it prepares.
  func collect(_ url: inout LinkURL, into found: inout [Entry]) {
    if !found.isEmpty { found.removeAll(keepingCapacity: true) }
    var index = 0
    while index < roots.count {
      let roots = roots[index]
      url.path.prepare(roots.form)
      url.path.withBytes(roots.form) { path in
        if roots.beginnings >= 0 {
          collect(path, from: Int(roots.beginnings), isBackward: false, into: &found)
        }
        if roots.ends >= 0 {
          collect(path, from: Int(roots.ends), isBackward: true, into: &found)
        }
      }
      index += 1
    }
  }

  /// Appends the entries of all rules of a trie whose ends a path has.
  @inline(__always)
  private func collect(
    _ path: Span<UInt8>, from root: Int, isBackward: Bool, into found: inout [Entry]
  ) {
    var (node, depth) = (root, 0)
    while true {
      let current = nodes[node]
      var index = Int(current.firstEntry)
      while index < Int(current.entryEnd) {
        if passes(index, path, isBackward: isBackward) { found.append(entries[index]) }
        index += 1
      }
      guard depth < path.count, current.firstChild < current.childEnd,
        let next = child(of: current, byte: path[isBackward ? path.count - 1 - depth : depth])
      else { return }
      let (start, end) = (Int(nodes[next].labelStart), Int(nodes[next].labelEnd))
      guard depth + end - start <= path.count,
        holds(path, at: depth, label: start..<end, isBackward: isBackward)
      else { return }
      depth += end - start
      node = next
    }
  }

  @inline(__always)
  private func child(of node: Node, byte: UInt8) -> Int? {
    var (low, high) = (Int(node.firstChild), Int(node.childEnd))
    while low < high {
      let middle = (low + high) / 2
      if firstBytes[middle] < byte { low = middle + 1 } else { high = middle }
    }
    return low < Int(node.childEnd) && firstBytes[low] == byte ? low : nil
  }

  @inline(__always)
  private func holds(
    _ path: Span<UInt8>, at depth: Int, label: Range<Int>, isBackward: Bool
  ) -> Bool {
    // The first byte has led here.
    var index = 1
    while index < label.count {
      let place = depth + index
      let byte = path[isBackward ? path.count - 1 - place : place]
      if byte != labels[label.lowerBound + index] { return false }
      index += 1
    }
    return true
  }

  /// Returns a Boolean value indicating whether a path has a length that fits and
  /// the other end, too.
  @inline(__always)
  private func passes(_ index: Int, _ path: Span<UInt8>, isBackward: Bool) -> Bool {
    let entry = entries[index]
    let minimum = Int(entry.minimumLength)
    guard path.count >= minimum, !entry.isExact || path.count == minimum else { return false }
    let (start, count) = (Int(entry.otherStart), Int(entry.otherCount))
    let place = isBackward ? 0 : path.count - count
    var index = count - 1
    while index >= 0 {
      if path[place + index] != others[start + index] { return false }
      index -= 1
    }
    return true
  }
}
