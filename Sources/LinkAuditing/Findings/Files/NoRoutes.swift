/// A list of routes was given, and names none of this site.
enum NoRoutes: SiteFindingKind {
  static let code = Finding.Code.noRoutes
  static let title = "No route could be read"
  static let condition = "`--routes` was given, and no line of it names a route of the site"
  static let meaning =
    "What the app implements isn't known, so the report can't say what it claims without need."
  static let remedy =
    "See on standard error which lines were passed over, and name how they are written with "
    + "'--route-syntax'; Documentation/ROUTES.md lists what is read."
  static let severity = FindingSeverity.fixed(.warning)

  static func findings(in context: SiteFindingContext) -> [Finding] {
    guard let routes = context.site.routes, routes.routes.isEmpty else { return [] }
    return [
      finding(
        .warning, host: context.audit.host,
        "No route of this site could be read, so nothing is said about what the app implements.")
    ]
  }
}
