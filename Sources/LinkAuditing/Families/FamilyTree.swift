internal import TrafficDigest

/// The families of a site's paths.
///
/// A family is a template in which, under one parent, more different literal
/// segments than the fan-out have been folded to `{*}`. What lies below folded
/// segments is joined, and can then have too many segments itself. The outcome
/// depends on the set of templates only, not on their order.
struct FamilyTree {
  /// The family of each template, in the order of the templates.
  let families: [String]

  /// A place in the tree of all templates.
  private struct Node {
    /// The number of the segment that leads here.
    var segment: Int

    var children: [Int] = []
  }

  /// Nodes whose families are the same, and the text of that family.
  private struct Group {
    var nodes: [Int]
    var text: String
  }

  /// Finds the families of some templates, where one parent may have up to
  /// `fanOut` different literal segments.
  init(templates: [[UInt8]], fanOut: Int) {
    // The key of a node is its segment, within the scope of its parent.
    var places = ByteTable(capacity: templates.count * 2)
    var segments = Segments()
    var nodes = [Node(segment: segments.number([]))]
    let ends = templates.map { template in
      var node = 0
      for segment in template.split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      {
        let bytes = Array(segment)
        let (place, isNew) = places.insert(bytes, scope: UInt32(node))
        if isNew {
          nodes.append(Node(segment: segments.number(bytes)))
          nodes[node].children.append(place + 1)
        }
        node = place + 1
      }
      return node
    }

    var texts = Array(repeating: "", count: nodes.count)
    var waiting = [Group(nodes: [0], text: "")]
    while let group = waiting.popLast() {
      for node in group.nodes { texts[node] = group.text }
      // The root is no segment, so what follows it has no slash in front.
      let start = group.nodes == [0] ? "" : group.text + "/"
      for (segment, children) in Self.groups(of: group.nodes, nodes, segments, fanOut: fanOut) {
        waiting.append(Group(nodes: children, text: start + segments.text(segment)))
      }
    }
    families = ends.map { texts[$0] }
  }

  /// The children of some nodes of one family, by the segment that shows them.
  private static func groups(
    of parents: [Int], _ nodes: [Node], _ segments: borrowing Segments, fanOut: Int
  ) -> [Int: [Int]] {
    var groups: [Int: [Int]] = [:]
    for parent in parents {
      for child in nodes[parent].children {
        groups[nodes[child].segment, default: []].append(child)
      }
    }
    let literals = groups.keys.filter { segments.canFold($0) }
    guard literals.count > fanOut else { return groups }
    for literal in literals {
      groups[segments.anything, default: []] += groups.removeValue(forKey: literal) ?? []
    }
    return groups
  }

  /// The different segments of all templates, numbered.
  private struct Segments: ~Copyable {
    private var table = ByteTable()
    private var foldable: [Bool] = []

    /// The number of the segment that stands for any number of others.
    private(set) var anything = 0

    init() { anything = number(Array(PathTemplate.anything.utf8)) }

    mutating func number(_ segment: [UInt8]) -> Int {
      let (number, isNew) = table.insert(segment)
      if isNew {
        // The end of a path with a slash is not a segment of its own.
        foldable.append(!segment.isEmpty && !PathTemplate.isPlaceholder(segment))
      }
      return number
    }

    /// Whether a segment counts as one of many literal ones.
    func canFold(_ number: Int) -> Bool { foldable[number] }

    func text(_ number: Int) -> String { String(decoding: table.array(number), as: UTF8.self) }
  }
}
