/// Path groups according to the design, with all templates available.
///
/// It folds the children of one parent at a time, from the root down.
enum PlainPathGroups {
  static func groups(_ templates: [String], fanOut: Int) -> [String] {
    let paths = templates.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
    var groups = Array(repeating: [String](), count: paths.count)
    fold(Array(paths.indices), paths.map { $0.map(String.init) }, depth: 0, fanOut, &groups)
    return groups.map { $0.joined(separator: "/").replacing(joint, with: "/") }
  }

  /// The replacement for a slash in a route's part of a path, which is one segment.
  static let joint = "\u{1}"

  private static func fold(
    _ members: [Int], _ paths: [[String]], depth: Int, _ fanOut: Int, _ groups: inout [[String]]
  ) {
    let longer = members.filter { paths[$0].count > depth }
    guard !longer.isEmpty else { return }
    func isLiteral(_ segment: String) -> Bool {
      !segment.isEmpty && !segment.hasPrefix("{") && !segment.hasPrefix(joint)
    }
    let literals = Set(longer.map { paths[$0][depth] }.filter(isLiteral))
    let bySegment = Dictionary(grouping: longer) { member in
      let segment = paths[member][depth]
      return isLiteral(segment) && literals.count > fanOut ? "{*}" : segment
    }
    for (segment, members) in bySegment {
      for member in members { groups[member].append(segment) }
      fold(members, paths, depth: depth + 1, fanOut, &groups)
    }
  }
}
