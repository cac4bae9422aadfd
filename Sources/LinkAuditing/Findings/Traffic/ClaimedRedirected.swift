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
    let claimed = context.audit.verdicts[.claimed] ?? Traffic()
    let hasVisits = claimed.visits > 0 || context.input.hasAgents
    let rows = context.audit.coverage.claimedRedirected.filter { !hasVisits || $0.visits > 0 }
    let traffic = rows.reduce(Traffic()) {
      $0 + Traffic(requests: $1.requests, visits: $1.visits)
    }
    let part = hasVisits ? traffic.visits : traffic.requests
    let whole = hasVisits ? claimed.visits : claimed.requests
    guard let first = rows.first,
      let severity = context.thresholds.severity(code, part, of: whole)
    else { return [] }
    let destination = first.destination.map { destination in
      destination.path == first.path
        ? ", whose paths are served, too"
        : ", it seems to \(destination.path) (\(destination.verdict.rawValue))"
    }
    let rule = first.rule.map { ", claimed by \(context.name($0))" } ?? ""
    // Rules take a path with and without a slash at its end for the same.
    let isSlash = first.destination.map { isTwin($0.path, first.path) } ?? false
    return [
      finding(
        severity, host: context.audit.host,
        "The web redirects \(part.grouped) of \(whole.counted(hasVisits ? "claimed visit" : "claimed request")). Heaviest: \(first.path)\(rule)\(destination ?? "").",
        traffic, context.evidence(rows), share: Finding.share(part, of: whole),
        remedy: isSlash
          ? "Link to the URLs that the web answers; rules take both for the same, see that the app does."
          : nil)
    ]
  }

  private static func isTwin(_ one: String, _ other: String) -> Bool {
    one == other + "/" || other == one + "/"
  }
}
