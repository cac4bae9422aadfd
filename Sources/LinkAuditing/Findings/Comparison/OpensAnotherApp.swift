internal import UniversalLinks

/// Both files claim a URL, for different apps.
enum OpensAnotherApp: ComparisonFindingKind {
  static let code = Finding.Code.opensAnotherApp
  static let title = "Another app would open"
  static let condition = "both files claim visits, but another app is the first to"
  static let meaning = "Where both apps are installed, links open the other one."
  static let remedy =
    "The order of entries in 'details' decides which app is asked first; change it if that "
    + "isn't meant."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 100), of: "visits")

  static func findings(in context: ComparisonFindingContext) -> [Finding] {
    let comparison = context.comparison
    let rows = comparison.changes.filter { $0.transition.from == $0.transition.to }
    guard let first = rows.first,
      let severity = context.severity(code, comparison.opensAnotherApp, of: comparison.total)
    else { return [] }
    let apps = [first.oldRule, first.newRule].compactMap { $0?.app.text }
      .joined(separator: " before, and now ")
    return [
      finding(
        severity, host: comparison.host,
        "\(comparison.opensAnotherApp.weightText.capitalizedFirst) would open another app. Heaviest: \(first.path), \(apps).",
        comparison.opensAnotherApp, context.evidence(rows))
    ]
  }
}
