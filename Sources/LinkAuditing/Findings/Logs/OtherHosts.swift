internal import TrafficDigest

/// There are requests that no site's rules are for.
enum OtherHosts: InputFindingKind {
  static let code = Finding.Code.otherHosts
  static let title = "Requests for other hosts"
  static let condition = "there are requests for hosts that are no site"
  static let meaning = "They are not judged: each host has an association file of its own."
  static let remedy =
    "Name each host that should open the app with '--site HOST=FILE'; leave the others as they "
    + "are."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 0, warning: 10_000), of: "requests")

  static func findings(in context: InputFindingContext) -> [Finding] {
    let others =
      context.otherHosts.reduce(0) { $0 + $1.requests } + context.unlistedHosts.requests
    let all = context.digest.tally.requests
    guard let severity = context.thresholds.severity(code, others, of: all) else { return [] }
    let names = context.sites.map(\.host).joined(separator: ", ")
    let nameless = context.otherHosts.first { $0.host.isEmpty }?.requests ?? 0
    let heaviest = context.otherHosts.first.map { host in
      switch host.host {
      case "": ""
      case HostName.anyAddress: " Heaviest: IP addresses."
      default: " Heaviest: \(host.host)."
      }
    }
    return [
      finding(
        severity, host: nil,
        nameless == others
          ? "\(others.grouped) of \(all.counted("request")) \(others == 1 ? "names" : "name") no host."
          : "\(others.grouped) of \(all.counted("request")) \(others == 1 ? "is" : "are") for hosts other than \(names).\(heaviest ?? "")",
        Traffic(requests: others), share: Finding.share(others, of: all),
        remedy: remedy(context, isAll: others == all))
    ]
  }

  /// What to do: where no request is for a site, the host was probably misspelt.
  private static func remedy(_ context: InputFindingContext, isAll: Bool) -> String {
    guard let heaviest = context.otherHosts.first?.host else { return remedy }
    guard !heaviest.isEmpty else {
      return "Say whose lines those are that name no host, with '--host HOST' or "
        + "'--host-from-path PATTERN'; for those in a digest, say so when it is made."
    }
    guard isAll else { return remedy }
    guard heaviest != HostName.anyAddress else {
      return "Do lines begin with addresses of proxies or clients? Then they name no host: say "
        + "'--log-format combined', and '--host HOST'."
    }
    return "Is '\(heaviest)' meant? Then name it with '--host'."
  }
}
