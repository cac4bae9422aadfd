internal import TrafficDigest
internal import UniversalLinks

/// Links on the site's own pages lead to claimed pages.
enum SameHostLinks: SiteFindingKind {
  static let code = Finding.Code.sameHostLinks
  static let title = "Links on the same host"
  static let condition = "claimed visits came from a page of the same host"
  static let meaning =
    "A link to the host that the page itself is on never opens the app, whatever is installed: "
    + "the system takes it that the person wants to stay."
  static let remedy =
    "On the pages named, let the link go to another host that has the same rules, such as a "
    + "subdomain, or offer the app with a smart app banner."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 1_000), of: "claimed visits")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let audit = context.audit
    let sameHost = audit.referrals[.sameHost] ?? Traffic()
    let claimed = audit.verdicts[.claimed] ?? Traffic()
    guard sameHost.visits > 0, let severity = context.severity(code, sameHost, of: claimed) else {
      return []
    }
    let heaviest = audit.sameHostReferrals.first.map { " Heaviest: \($0.from) to \($0.to)." } ?? ""
    var evidence = Finding.Evidence()
    evidence.pairs = Array(audit.sameHostReferrals.prefix(Finding.Evidence.limit))
    return [
      finding(
        severity, host: audit.host,
        "\(sameHost.visits.grouped) of \(claimed.visits.counted("claimed visit")) came from pages of the same host, where links never open the app.\(heaviest)",
        sameHost, evidence, share: context.share(sameHost, of: claimed))
    ]
  }
}
