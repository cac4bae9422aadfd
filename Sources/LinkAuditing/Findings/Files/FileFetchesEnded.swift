internal import TrafficDigest

/// Apple's network came by, but not any more.
enum FileFetchesEnded: SiteFindingKind {
  static let code = Finding.Code.fileFetchesEnded
  static let title = "Apple has stopped asking for the association file"
  static let condition =
    "the last good fetch by Apple's network (`AASA-Bot`) is more than two days older than the "
    + "logs, and none behind it failed"
  static let meaning =
    "Apple's network asks again within a day where devices have the app. If it has stopped, its "
    + "requests may not come through any more. Where few have the app, it may only be late."
  static let remedy =
    "Find out what changed since that time: a firewall, a protection against bots, a name "
    + "server, a certificate, or which servers' logs are here."
  static let severity = FindingSeverity.fixed(.warning)

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let facts = DeliveryFacts(context)
    guard let network = facts.network, let lastGood = network.lastGood,
      // What failed since is told by others.
      network.last == lastGood, let silence = facts.silence(since: lastGood)
    else { return [] }
    return [
      finding(
        .warning, host: context.audit.host,
        "The last good fetch of the association file by Apple's network (AASA-Bot) is of \(lastGood); these logs go on until \(silence.end)."
      )
    ]
  }
}
