internal import LinkAuditing

extension Report {
  /// What routes would add to the report and how to list them, or `nil` if a site has some.
  var noteOnRoutes: String? {
    guard !audit.sites.contains(where: \.hasRoutes),
      audit.sites.contains(where: { $0.total.requests > 0 })
    else { return nil }
    let tables = [
      Self.claimedNotImplemented, Self.implementedNotClaimed, Self.implementedButExcluded,
      Self.unvisitedRoutes,
    ]
    return "No routes were given: '--routes FILE' adds the tables "
      + tables.map { "'\($0.title)'" }.listed + ". Documentation/ROUTES.md says how to list routes."
  }
}

extension [String] {
  /// The texts with commas between them, and 'and' before the last one.
  fileprivate var listed: String {
    count > 1 ? dropLast().joined(separator: ", ") + " and " + self[count - 1] : joined()
  }
}
