internal import UniversalLinks

/// The new file claims less than the old one.
enum ClaimsLost: ComparisonFindingKind {
  static let code = Finding.Code.claimsLost
  static let title = "Visits that would no longer open the app"
  static let condition = "the new file no longer claims visits that the old one claims"
  static let meaning = "Links that open the app today stay on the web."
  static let remedy =
    "If it isn't meant, look at the rules that decide now: an exclusion in front is too wide, or "
    + "a rule was lost."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 100, error: 1_000), of: "visits")

  static func findings(in context: ComparisonFindingContext) -> [Finding] {
    let comparison = context.comparison
    let lost = comparison.noLongerClaimed
    let rows = comparison.changes.filter {
      $0.transition.from == .claimed && $0.transition.to != .claimed
    }
    guard let first = rows.first,
      let severity = context.severity(code, lost, of: comparison.total)
    else { return [] }
    let rule =
      first.newRule.map { ", which \(context.name($0)) excludes" } ?? ", which no rule matches"
    return [
      finding(
        severity, host: comparison.host,
        "\(lost.weightText.capitalizedFirst) would no longer open the app. Heaviest: \(first.path)\(rule).",
        lost, context.evidence(rows), share: context.share(lost, of: comparison.total))
    ]
  }

  /// Without traffic, every loss is worth a warning: nobody knows how much it weighs.
  static func findings(in comparison: PatternComparison) -> [Finding] {
    let lost = [comparison.current, comparison.legacy].flatMap(\.changes)
      .filter { $0.old.verdict == .claimed && $0.new.verdict != .claimed }
    guard let first = lost.first else { return [] }
    return [
      finding(
        .warning, host: comparison.host,
        "\(lost.count.counted("kind")) of URLs would no longer open the app, such as \(first.url).")
    ]
  }
}
