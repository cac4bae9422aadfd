internal import TrafficDigest

/// Apple's network came by, but seldom.
enum FileFetchesFarApart: SiteFindingKind {
  static let code = Finding.Code.fileFetchesFarApart
  static let title = "Apple gets the association file seldom"
  static let condition =
    "from one good fetch by Apple's network (`AASA-Bot`) to the next it took more than two days "
    + "of the logs"
  static let meaning =
    "Apple's network asks again within a day where devices have the app. Until then, devices go "
    + "on with the old file. Where few have the app, it may come less often, and nothing is wrong."
  static let remedy =
    "Look at the fetches in between, if there are any: their status says why they weren't good. "
    + "If there are none, check that all servers' logs are here, before you blame a firewall."
  static let severity = FindingSeverity.fixed(.note)

  static func findings(in context: SiteFindingContext) -> [Finding] {
    guard let network = DeliveryFacts(context).network, let gap = network.greatestGap, gap > 2
    else { return [] }
    return [
      finding(
        .note, host: context.audit.host,
        "Apple's network (AASA-Bot) got the association file on \(network.goodDays.counted("day")) of these logs, and once \(gap.counted("day")) of these logs after the time before."
      )
    ]
  }
}
