internal import TrafficDigest

/// Apple's fetchers did not come by.
enum FileNotFetched: SiteFindingKind {
  static let code = Finding.Code.fileNotFetched
  static let title = "Apple has not asked for the association file"
  static let condition =
    "there is no fetch of `/.well-known/apple-app-site-association` by Apple in the logs"
  static let meaning =
    "Where devices have the app, Apple asks for the file about once a day. Logs of a part of "
    + "the servers, or of a few hours, can miss it."
  static let remedy =
    "Ask for the file from outside, without a redirect, and check that a firewall lets Apple's "
    + "fetchers pass and that their requests are in these logs."
  static let severity = FindingSeverity.fixed(.note)

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let isAsked = context.audit.fetches.contains {
      $0.path == TrafficDigest.Fetch.wellKnownPath
    }
    guard !isAsked, context.audit.total.requests > 0 else { return [] }
    return [
      finding(
        .note, host: context.audit.host,
        "Apple has not fetched the association file from this host in the time of these logs.")
    ]
  }
}
