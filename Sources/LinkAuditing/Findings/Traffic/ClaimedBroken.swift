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
    // What only scanners and crawlers ask for is nobody's broken link; without user
    // agents, nobody knows who asked.
    let hasVisits = context.audit.total.visits > 0 || context.input.hasAgents
    let rows = context.audit.coverage.claimedBroken.filter { !hasVisits || $0.attempts > 0 }
    let requests = rows.reduce(0) { $0 + $1.requests }
    let part = hasVisits ? rows.reduce(0) { $0 + $1.attempts } : requests
    let claimed = context.audit.verdicts[.claimed] ?? Traffic()
    let whole = hasVisits ? claimed.visits + part : claimed.requests
    guard let first = rows.first,
      let severity = context.thresholds.severity(code, part, of: whole)
    else { return [] }
    let statuses = Set(rows.flatMap { $0.statuses.map(\.status) }).sorted().map(String.init)
      .joined(separator: ", ")
    let what =
      hasVisits
      ? "\(part.counted("attempt")) by people on Apple devices to open claimed pages"
      : "\(part.counted("request")) for claimed paths"
    let rule = first.rule.map { ", claimed by \(context.name($0))" } ?? ""
    return [
      finding(
        severity, host: context.audit.host,
        "The web answered \(what) with an error (status \(statuses)). Heaviest: \(first.path)\(rule).",
        Traffic(requests: requests), context.evidence(rows),
        share: Finding.share(part, of: whole))
    ]
  }
}
