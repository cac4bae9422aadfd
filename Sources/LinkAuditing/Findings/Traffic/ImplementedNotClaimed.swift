internal import UniversalLinks

/// The app could show what no rule claims.
enum ImplementedNotClaimed: SiteFindingKind {
  static let code = Finding.Code.implementedNotClaimed
  static let title = "Implemented, but not claimed"
  static let condition =
    "a route has requests that no rule matches, those of iOS 12 and earlier apart"
  static let meaning = "The app could open for these links, and nobody told the system."
  static let remedy =
    "Add rules for these paths: 'linkaudit suggest' finds the fewest, and says what else each "
    + "would claim."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 500), of: "visits")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let rows = context.audit.coverage.implementedNotClaimed
    guard let first = rows.first,
      let severity = context.severity(code, rows.total, of: context.audit.total)
    else { return [] }
    return [
      finding(
        severity, host: context.audit.host,
        "The app has \(rows.count.counted("route")) with \(rows.total.weightText) that no rule claims. Heaviest: \(first.path).",
        rows.total, context.evidence(rows),
        share: context.share(rows.total, of: context.audit.total))
    ]
  }
}
