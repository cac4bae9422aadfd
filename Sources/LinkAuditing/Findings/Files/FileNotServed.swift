internal import TrafficDigest

/// Apple's fetchers did not get the association file.
enum FileNotServed: SiteFindingKind {
  static let code = Finding.Code.fileNotServed
  static let title = "Apple did not get the association file"
  static let condition =
    "a fetch of `/.well-known/apple-app-site-association` by Apple got another status than 200 "
    + "or 304"
  static let meaning =
    "Devices learn the rules from Apple's copy, which is made from these fetches. Redirects are "
    + "not followed."
  static let remedy =
    "Serve the file with status 200 at '/.well-known/apple-app-site-association', without a "
    + "redirect, a login or a block on Apple's fetchers."
  static let severity = FindingSeverity.fixed(
    .warning, except: "`error` if the last fetch got such a status")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let asked = context.audit.fetches.filter { $0.path == TrafficDigest.Fetch.wellKnownPath }
    guard let last = asked.max(by: isEarlier) else { return [] }
    // Apple's fetchers take no redirect (MATCHING.md, 6.3).
    let failed = asked.filter { !$0.isGood }
    let failures = failed.reduce(0) { $0 + $1.requests }
    guard failures > 0 else { return [] }
    let all = asked.reduce(0) { $0 + $1.requests }
    let statuses = Set(failed.map(\.status)).sorted().map(String.init).joined(separator: ", ")
    let end =
      last.isGood
      ? "; the last one was good."
      : ", the last one\(last.last.map { " (\($0))" } ?? "") among them."
    return [
      finding(
        last.isGood ? .warning : .error, host: context.audit.host,
        "\(failures.grouped) of \(all.grouped) fetches of the association file by Apple got status \(statuses), where only 200 and 304 count\(end)",
        Traffic(requests: failures), share: Finding.share(failures, of: all))
    ]
  }

  private static func isEarlier(
    _ first: TrafficDigest.Fetch, _ second: TrafficDigest.Fetch
  ) -> Bool {
    switch (first.last, second.last) {
    case (let one?, let other?) where one != other: one < other
    case (nil, .some): true
    case (.some, nil): false
    // At the same moment, a failure counts as the last.
    default: first.isGood && !second.isGood
    }
  }
}

extension TrafficDigest.Fetch {
  /// A Boolean value indicating whether the fetcher got the file, or was told
  /// that it has it.
  fileprivate var isGood: Bool { status == 200 || status == 304 }
}
