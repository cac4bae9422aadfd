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
        comparison.opensAnotherApp, context.evidence(rows),
        share: context.share(comparison.opensAnotherApp, of: comparison.total))
    ]
  }

  static func findings(in comparison: PatternComparison) -> [Finding] {
    let changes = [comparison.current, comparison.legacy].flatMap(\.changes)
      .filter { $0.old.verdict == $0.new.verdict }
    guard let first = changes.first else { return [] }
    let apps = [first.old, first.new].compactMap { $0.decision?.app.text }
      .joined(separator: " before, and now ")
    return [
      finding(
        .warning, host: comparison.host,
        "\(changes.count.counted("kind")) of URLs would open another app, such as \(first.url): \(apps)."
      )
    ]
  }
}
