internal import UniversalLinks

/// The new file claims more than the old one.
enum ClaimsGained: ComparisonFindingKind {
  static let code = Finding.Code.claimsGained
  static let title = "Visits that would be newly claimed"
  static let condition = "the new file claims visits that the old one does not claim"
  static let meaning = "Links that stay on the web today open the app."
  static let remedy = "See that the app can show these pages."
  static let severity = FindingSeverity.measured(SeverityLevels(note: 0), of: "visits")

  static func findings(in context: ComparisonFindingContext) -> [Finding] {
    let comparison = context.comparison
    let gained = comparison.newlyClaimed
    let rows = comparison.changes.filter {
      $0.transition.from != .claimed && $0.transition.to == .claimed
    }
    guard let first = rows.first,
      let severity = context.severity(code, gained, of: comparison.total)
    else { return [] }
    let sameHost = comparison.newlyClaimedFromSameHost
    let caveat =
      sameHost.visits > 0
      ? " Of these, \(sameHost.weightText) came from pages of the same host, where links never open the app."
      : ""
    return [
      finding(
        severity, host: comparison.host,
        "\(gained.weightText.capitalizedFirst) would be newly claimed. Heaviest: \(first.path).\(caveat)",
        gained, context.evidence(rows), share: context.share(gained, of: comparison.total))
    ]
  }

  static func findings(in comparison: PatternComparison) -> [Finding] {
    let gained = [comparison.current, comparison.legacy].flatMap(\.changes)
      .filter { $0.new.verdict == .claimed && $0.old.verdict != .claimed }
    guard let first = gained.first else { return [] }
    return [
      finding(
        .note, host: comparison.host,
        "\(gained.count.counted("kind")) of URLs would be newly claimed, such as \(first.url).")
    ]
  }
}
