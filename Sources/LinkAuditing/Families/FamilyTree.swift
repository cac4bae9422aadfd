internal import TrafficDigest

/// The families of a site's paths.
///
/// A family is a template in which, under one parent, more different literal
/// segments than the fan-out have been folded to `{*}`. The outcome depends on
/// the set of templates only, not on their order.
struct FamilyTree {
  private final class Node {
    var children: [String: Node] = [:]

    /// Whether the literal children have been folded.
    var isFolded = false
  }

  private let root = Node()

  /// Finds the families of some templates, where one parent may have up to
  /// `fanOut` different literal segments.
  init(templates: some Sequence<String>, fanOut: Int) {
    for template in templates {
      var node = root
      for segment in Self.segments(of: template) {
        let child = node.children[segment] ?? Node()
        node.children[segment] = child
        node = child
      }
    }
    // From the root down: folding joins what lies below, which can then have too
    // many segments itself. Depth is bounded by that of templates.
    var waiting = [root]
    while let node = waiting.popLast() {
      let literals = node.children.keys.filter(Self.canFold)
      if literals.count > fanOut {
        let joined = Node()
        for literal in literals {
          if let child = node.children.removeValue(forKey: literal) {
            Self.join(child, into: joined)
          }
        }
        if let other = node.children[PathTemplate.anything] { Self.join(other, into: joined) }
        node.children[PathTemplate.anything] = joined
        node.isFolded = true
      }
      waiting += node.children.values
    }
  }

  private static func join(_ node: Node, into target: Node) {
    for (segment, child) in node.children {
      if let known = target.children[segment] {
        join(child, into: known)
      } else {
        target.children[segment] = child
      }
    }
  }

  /// The end of a path with a slash is not a segment of its own.
  private static func canFold(_ segment: String) -> Bool {
    !segment.isEmpty && !PathTemplate.isPlaceholder(segment.utf8)
  }

  private static func segments(of template: String) -> [String] {
    template.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  /// The family of a template, which must be one of those that the tree was made
  /// from.
  func family(of template: String) -> String {
    var node: Node? = root
    return Self.segments(of: template).map { segment in
      let isFolded = node?.isFolded == true && Self.canFold(segment)
      let shown = isFolded ? PathTemplate.anything : segment
      node = node?.children[shown]
      return shown
    }.joined(separator: "/")
  }
}
