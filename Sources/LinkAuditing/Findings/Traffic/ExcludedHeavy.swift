internal import UniversalLinks

/// Rules exclude a good part of the traffic.
enum ExcludedHeavy: SiteFindingKind {
  static let code = Finding.Code.excludedHeavy
  static let title = "Much is excluded"
  static let condition = "rules exclude a good part of the visits"
  static let meaning = "It is worth asking whether that is meant."
  static let remedy =
    "Look at the heaviest families, and narrow the rule that excludes them if the app can show "
    + "them."
  static let severity = FindingSeverity.measured(
    SeverityLevels(note: 1_000, warning: 5_000), of: "visits")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let excluded = context.audit.verdicts[.excluded] ?? Traffic()
    let total = context.audit.total
    guard let first = context.audit.coverage.excludedHeavy.first,
      let severity = context.severity(code, excluded, of: total)
    else { return [] }
    let whole =
      total.visits > 0
      ? "\(excluded.visits.grouped) of \(total.visits.counted("visit"))"
      : "\(excluded.requests.grouped) of \(total.requests.counted("request"))"
    let rule = first.rule.map { ", excluded by \(context.name($0))" } ?? ""
    return [
      finding(
        severity, host: context.audit.host,
        "Rules exclude \(whole). Heaviest: \(first.path)\(rule).", excluded,
        context.evidence(context.audit.coverage.excludedHeavy),
        share: context.share(excluded, of: total))
    ]
  }
}
