internal import UniversalLinks

/// Rules claim what the app cannot show.
enum ClaimedNotImplemented: SiteFindingKind {
  static let code = Finding.Code.claimedNotImplemented
  static let title = "Claimed, but not implemented"
  static let condition = "rules claim paths that no route of `--routes` has"
  static let meaning =
    "The app opens and has nothing to show for the link; the page would have been there on the "
    + "web."
  static let remedy =
    "Add an 'exclude' rule for these paths in front of the rule that claims them, narrow that "
    + "rule, or implement them."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 100, error: 1_000), of: "visits")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    // What nobody opened as a page counts only where there are no visits at all.
    let hasVisits = context.audit.total.visits > 0
    let rows = context.audit.coverage.claimedNotImplemented.filter {
      !hasVisits || $0.traffic.visits > 0
    }
    guard let first = rows.first,
      let severity = context.severity(code, rows.total, of: context.audit.total)
    else { return [] }
    let families = rows.count == 1 ? "1 family" : "\(rows.count) families"
    let rule = first.rule.map { ", claimed by \(context.name($0))" } ?? ""
    return [
      finding(
        severity, host: context.audit.host,
        "Rules claim \(families) of paths for which the app has no route (\(rows.total.weightText)). Heaviest: \(first.path)\(rule).",
        rows.total, context.evidence(rows),
        share: context.share(rows.total, of: context.audit.total),
        remedy: hasNoRouteInUse(context) ? remedyOfUnread : nil)
    ]
  }

  /// Whether no request at all has a route, as where the routes are written in a way that was not
  /// understood.
  private static func hasNoRouteInUse(_ context: SiteFindingContext) -> Bool {
    guard let routes = context.site.routes?.routes, !routes.isEmpty else { return false }
    return Set(context.audit.coverage.unvisitedRoutes).count == Set(routes.map(\.source)).count
  }

  private static let remedyOfUnread =
    "No request has any of the routes: see whether they are written as one of the ways that are "
    + "understood (Documentation/ROUTES.md), which '--route-syntax' names, and whether they belong "
    + "to this host."
}
