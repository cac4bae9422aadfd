internal import UniversalLinks

/// The web has no page, or no working one, for what rules claim.
enum ClaimedBroken: SiteFindingKind {
  static let code = Finding.Code.claimedBroken
  static let title = "Claimed, but broken on the web"
  static let condition =
    "the web answers claimed pages with 404, 410, or 5xx; measured by the requests for pages "
    + "from Apple devices"
  static let meaning =
    "People follow links that lead nowhere on the web, and to who knows what in the app."
  static let remedy =
    "Mend or redirect the pages. If they are gone for good, exclude them, so that the app does "
    + "not open for them either."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 100, error: 1_000), of: "claimed visits and attempts")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    // What only scanners and crawlers ask for is nobody's broken link.
    let rows = context.audit.coverage.claimedBroken.filter { $0.attempts > 0 }
    let attempts = rows.reduce(0) { $0 + $1.attempts }
    let claimed = context.audit.verdicts[.claimed]?.visits ?? 0
    guard let first = rows.first,
      let severity = context.thresholds.severity(code, attempts, of: claimed + attempts)
    else { return [] }
    let statuses = Set(rows.flatMap { $0.statuses.map(\.status) }).sorted().map(String.init)
      .joined(separator: ", ")
    return [
      finding(
        severity, host: context.audit.host,
        "The web answered \(attempts.counted("attempt")) by people on Apple devices to open claimed pages with an error (status \(statuses)). Heaviest: \(first.path).",
        Traffic(requests: rows.reduce(0) { $0 + $1.requests }), context.evidence(rows))
    ]
  }
}
