internal import UniversalLinks

/// The app could show what rules exclude.
enum ImplementedButExcluded: SiteFindingKind {
  static let code = Finding.Code.implementedButExcluded
  static let title = "Implemented, but excluded"
  static let condition =
    "a route has requests that a rule excludes, those of iOS 12 and earlier apart"
  static let meaning =
    "The app could open for these links, and the file tells the system not to: on purpose, or "
    + "because an exclusion is too wide."
  static let remedy =
    "Narrow the exclusion, or put a rule for the route in front of it. If it is meant, nothing "
    + "is to be done."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 500), of: "visits")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let rows = context.audit.coverage.implementedButExcluded
    guard let first = rows.first,
      let severity = context.severity(code, rows.total, of: context.audit.total)
    else { return [] }
    let rule = first.rule.map { ", excluded by \(context.name($0))" } ?? ""
    return [
      finding(
        severity, host: context.audit.host,
        "The app has \(rows.count.counted("route")) with \(rows.total.weightText) that rules exclude. Heaviest: \(first.path)\(rule).",
        rows.total, context.evidence(rows),
        share: context.share(rows.total, of: context.audit.total))
    ]
  }
}
