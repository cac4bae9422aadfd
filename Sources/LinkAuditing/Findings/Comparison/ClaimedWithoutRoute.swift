internal import UniversalLinks

/// The new file claims what the app cannot show.
enum ClaimedWithoutRoute: ComparisonFindingKind {
  static let code = Finding.Code.claimedWithoutRoute
  static let title = "Newly claimed without a route"
  static let condition =
    "the new file claims visits that the old one does not, and the app has no route for them"
  static let meaning =
    "The app would open and have nothing to show for the link."
  static let remedy =
    "Narrow the rule that claims them, put an exclusion in front of it, or implement them first."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 10, error: 100), of: "visits")

  static func findings(in context: ComparisonFindingContext) -> [Finding] {
    let comparison = context.comparison
    guard let traffic = comparison.newlyClaimedWithoutRoute else { return [] }
    let rows = comparison.changes.filter {
      $0.transition.from != .claimed && $0.transition.to == .claimed && $0.isImplemented == false
    }
    guard let first = rows.first,
      let severity = context.severity(code, traffic, of: comparison.total)
    else { return [] }
    let rule = first.newRule.map { ", claimed by \(context.name($0))" } ?? ""
    return [
      finding(
        severity, host: comparison.host,
        "\(traffic.weightText.capitalizedFirst) would be newly claimed though the app has no route. Heaviest: \(first.path)\(rule).",
        traffic, context.evidence(rows),
        share: context.share(traffic, of: comparison.total))
    ]
  }
}
