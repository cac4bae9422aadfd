internal import UniversalLinks

/// An app loses what another one keeps.
enum AppClaimsLost: ComparisonFindingKind {
  static let code = Finding.Code.appClaimsLost
  static let title = "Visits that would no longer open one of the apps"
  static let condition =
    "the new file no longer claims visits for an app, though another app still claims them"
  static let meaning =
    "Where only that app is installed, links that open it today stay on the web."
  static let remedy =
    "If it isn't meant, give the app the rules that it had: each app is judged by one entry alone."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 100, error: 1_000), of: "visits")

  static func findings(in context: ComparisonFindingContext) -> [Finding] {
    let comparison = context.comparison
    return comparison.apps.compactMap { app in
      // What the whole site loses is another finding.
      guard app.kind == .kept, app.lost.requests > comparison.noLongerClaimed.requests,
        let severity = context.severity(code, app.lost, of: comparison.total)
      else { return nil }
      return finding(
        severity, host: comparison.host, about: app.app.text,
        "\(app.lost.weightText.capitalizedFirst) would no longer open \(app.app.text).", app.lost,
        share: context.share(app.lost, of: comparison.total))
    }
  }

  /// The findings without traffic, where every loss is worth a warning.
  static func findings(in comparison: PatternComparison, old: Site, new: Site) -> [Finding] {
    let kept = Set(old.file.entries.distinctApps).intersection(new.file.entries.distinctApps)
    let lost = [comparison.current, comparison.legacy].flatMap(\.separateAppChanges).filter {
      kept.contains($0.app) && $0.change.old.verdict == .claimed
        && $0.change.new.verdict != .claimed
    }
    return Dictionary(grouping: lost, by: \.app).sorted { $0.key.text < $1.key.text }.map {
      app, changes in
      finding(
        .warning, host: comparison.host, about: app.text,
        "\(changes.count.counted("kind")) of URLs would no longer open \(app.text), such as \(changes.first?.change.url ?? "")."
      )
    }
  }
}
