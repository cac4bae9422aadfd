internal import LinkAuditing

extension Report {
  /// The use of routes and how to list them in a sentence or two, or `nil` if a site has some.
  var noteOnRoutes: String? {
    guard !audit.sites.contains(where: \.hasRoutes),
      audit.sites.contains(where: { $0.total.requests > 0 })
    else { return nil }
    return "To compare the rules with the routes of the app, pass '--routes FILE' "
      + "(Documentation/Routes.md)."
  }
}
