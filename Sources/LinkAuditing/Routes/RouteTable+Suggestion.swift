extension RouteTable {
  /// The route that a target, percent-encoded, comes nearest to.
  func suggestion(forTarget target: String) -> RouteSuggestion? { nil }
}
