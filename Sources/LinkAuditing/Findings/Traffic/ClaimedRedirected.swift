internal import UniversalLinks

/// The web has moved what rules claim.
enum ClaimedRedirected: SiteFindingKind {
  static let code = Finding.Code.claimedRedirected
  static let title = "Claimed, but moved on the web"
  static let condition = "the web redirects claimed visits (301, 302, 303, 307, 308)"
  static let meaning =
    "The app gets the URL as it was before the redirect. Where the app doesn't know the old "
    + "one, it shows nothing; and a browser that follows the redirect is on the same host, where "
    + "links don't open the app."
  static let remedy =
    "Link to the new URLs, and make sure that rules and app know both."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 1_000), of: "claimed visits")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let rows = context.audit.coverage.claimedRedirected.filter { $0.visits > 0 }
    let visits = rows.reduce(0) { $0 + $1.visits }
    let claimed = context.audit.verdicts[.claimed]?.visits ?? 0
    guard let first = rows.first,
      let severity = context.thresholds.severity(code, visits, of: claimed)
    else { return [] }
    let destination = first.destination.map { destination in
      destination.path == first.path
        ? ", whose paths are served, too"
        : ", it seems to \(destination.path) (\(destination.verdict.rawValue))"
    }
    return [
      finding(
        severity, host: context.audit.host,
        "The web redirects \(visits.grouped) of \(claimed.counted("claimed visit")). Heaviest: \(first.path)\(destination ?? "").",
        Traffic(requests: rows.reduce(0) { $0 + $1.requests }, visits: visits),
        context.evidence(rows))
    ]
  }
}
