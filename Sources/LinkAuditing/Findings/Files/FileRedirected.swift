internal import TrafficDigest

/// Apple's fetchers were sent elsewhere for the association file.
enum FileRedirected: SiteFindingKind {
  static let code = Finding.Code.fileRedirected
  static let title = "Apple is redirected for the association file"
  static let condition =
    "a fetch of `/.well-known/apple-app-site-association` by Apple got a redirect"
  static let meaning =
    "Apple's fetchers follow no redirects: such a fetch is as good as none. Often a rule that "
    + "sends all requests to another host, a language or a slash at the end catches the file, too."
  static let remedy =
    "Except '/.well-known/apple-app-site-association' from redirects, and serve the file with "
    + "status 200 on this very host."
  static let severity = FindingSeverity.fixed(
    .warning, except: "`error` if the last fetch was redirected")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let facts = DeliveryFacts(context)
    let redirected = facts.wellKnown.filter(\.isRedirected)
    guard let last = facts.last, !redirected.isEmpty else { return [] }
    let (count, all) = (redirected.requestSum, facts.wellKnown.requestSum)
    let end =
      last.isGood
      ? "the last one was good."
      : "\(last.isRedirected ? "the last one is among them; " : "")\(facts.lastGoodTextThere)."
    return [
      finding(
        last.isRedirected ? .error : .warning, host: context.audit.host,
        "\(count.grouped) of \(all.grouped) fetches of '\(TrafficDigest.Fetch.wellKnownPath)' by Apple got a redirect, status \(redirected.statusText), which Apple doesn't follow; \(end)",
        Traffic(requests: count), share: Finding.share(count, of: all))
    ]
  }
}
