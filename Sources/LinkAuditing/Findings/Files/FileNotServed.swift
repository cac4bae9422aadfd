internal import TrafficDigest

/// Apple's fetchers got an error instead of the association file.
enum FileNotServed: SiteFindingKind {
  static let code = Finding.Code.fileNotServed
  static let title = "Apple did not get the association file"
  static let condition =
    "a fetch of `/.well-known/apple-app-site-association` by Apple failed: it got neither status "
    + "200 or 304 nor a redirect"
  static let meaning =
    "Devices learn the rules from Apple's copy, which is made from these fetches. While they "
    + "fail, a changed file doesn't reach the devices that ask for the copy."
  static let remedy =
    "Serve the file with status 200 at '/.well-known/apple-app-site-association', without a "
    + "redirect, a login or a block on Apple's fetchers."
  static let severity = FindingSeverity.fixed(
    .warning, except: "`error` if the last fetch failed")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let facts = DeliveryFacts(context)
    let failed = facts.wellKnown.filter { !$0.isGood && !$0.isRedirected }
    guard let last = facts.last, !failed.isEmpty else { return [] }
    let (failures, all) = (failed.requestSum, facts.wellKnown.requestSum)
    let isOver = last.isGood || last.isRedirected
    let end =
      last.isGood
      ? "the last one was good."
      : "\(isOver ? "" : "the last one is among them; ")\(facts.lastGoodTextThere)."
    return [
      finding(
        isOver ? .warning : .error, host: context.audit.host,
        "\(failures.grouped) of \(all.grouped) fetches of '\(TrafficDigest.Fetch.wellKnownPath)' by Apple failed, with status \(failed.statusText); \(end)",
        Traffic(requests: failures), share: Finding.share(failures, of: all),
        remedy: remedy(failed))
    ]
  }

  /// What to do, if all failures are of one kind.
  private static func remedy(_ failed: [TrafficDigest.Fetch]) -> String {
    let path = TrafficDigest.Fetch.wellKnownPath
    if failed.allSatisfy({ [401, 403, 407, 429].contains($0.status) }) {
      return
        "Let AASA-Bot and swcd pass whatever refuses them: a login, a firewall, a limit on requests, a rule against bots. The file must be open to all."
    }
    if failed.allSatisfy({ [404, 410].contains($0.status) }) {
      return "Put the file where it is asked for, '\(path)', on this very host."
    }
    if failed.allSatisfy({ $0.status >= 500 }) {
      return
        "Look at the server's own log of errors at these times, and serve '\(path)' as a plain file that needs no application."
    }
    return remedy
  }
}
