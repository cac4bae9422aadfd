extension RouteTable {
  /// The route that a target, percent-encoded, comes nearest to, or `nil` if none is
  /// like it.
  func suggestion(forTarget target: String) -> RouteSuggestion? {
    let parts = target.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first else { return nil }
    let nearest = nearest(
      path: Array(path), query: parts.count > 1 ? Array(parts[1]) : [])
    return nearest.map {
      RouteSuggestion(route: routes[$0.route].source, difference: "the path " + $0.reason)
    }
  }
}
