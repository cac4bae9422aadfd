internal import TrafficDigest

/// Most referrers name another host than the one that was given for lines without one.
enum HostDoubtful: InputFindingKind {
  static let code = Finding.Code.hostDoubtful
  static let title = "The host given is probably wrong"
  static let condition =
    "lines name no host, and most of their referrers name another host than the one that was given "
    + "with '--host' or '--host-from-path'"
  static let meaning =
    "A site's pages, images and scripts are mostly asked for by its own pages. With the wrong host, "
    + "links on the same host count as links from elsewhere."
  static let remedy = "Give the right host, or add '--host-confirmed' if this one is right."
  static let severity = FindingSeverity.fixed(
    .error, except: "a warning if some referrers name the host")

  static func findings(in context: InputFindingContext) -> [Finding] {
    context.digest.doubtfulHosts.map { doubt in
      finding(
        doubt.ownRequests == 0 ? .error : .warning, host: nil, about: doubt.host,
        "Lines without a host count for \(doubt.host), but \(doubt.likelyRequests.grouped) of "
          + "\(doubt.requests.counted("referrer")) name \(doubt.likelyHost)"
          + (doubt.ownRequests == 0
            ? ", and none \(doubt.host)." : ", and \(doubt.ownRequests.grouped) \(doubt.host)."),
        Traffic(requests: doubt.likelyRequests),
        share: Finding.share(doubt.likelyRequests, of: doubt.requests),
        remedy: "Are these logs of \(doubt.likelyHost)? Then give '--host \(doubt.likelyHost)'. If "
          + "\(doubt.host) is right, add '--host-confirmed'.")
    }
  }
}
