internal import TrafficDigest

/// Apple's fetchers asked for the association file only where old systems do.
enum FileAskedAtRootOnly: SiteFindingKind {
  static let code = Finding.Code.fileAskedAtRootOnly
  static let title = "Apple asked for the file at the root only"
  static let condition =
    "Apple fetched `/apple-app-site-association`, and never "
    + "`/.well-known/apple-app-site-association`"
  static let meaning =
    "Apple's network and iOS 14 and later ask in '/.well-known' only; the path at the root is "
    + "what older devices try besides. So either old devices alone have the app here, or requests "
    + "for '/.well-known' are answered elsewhere and are missing in these logs."
  static let remedy =
    "Ask for 'https://HOST/.well-known/apple-app-site-association' from outside, and see whether "
    + "the request comes to these logs."
  static let severity = FindingSeverity.fixed(.note)

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let facts = DeliveryFacts(context)
    guard !facts.apple.isEmpty, facts.wellKnown.isEmpty else { return [] }
    let count = facts.apple.requestSum
    return [
      finding(
        .note, host: context.audit.host,
        "Apple asked for the association file at '\(TrafficDigest.Fetch.rootPath)' only, \(count == 1 ? "once" : "\(count.grouped) times"); \(facts.lastGoodText).",
        Traffic(requests: count))
    ]
  }
}
