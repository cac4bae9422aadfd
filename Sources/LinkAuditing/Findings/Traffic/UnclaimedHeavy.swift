internal import UniversalLinks

/// Single families that nobody claims carry a good part of the traffic.
enum UnclaimedHeavy: SiteFindingKind {
  static let code = Finding.Code.unclaimedHeavy
  static let title = "Heavy pages that nobody claims"
  static let condition = "no rule matches a single family that is a good part of the visits"
  static let meaning =
    "These are the pages that people come for, and the app is never asked about them."
  static let remedy =
    "If the app can show them, claim them; if it should not, an 'exclude' rule with a comment "
    + "says so to whoever reads the file next."
  static let severity = FindingSeverity.measured(SeverityLevels(note: 1_000), of: "visits")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let total = context.audit.total
    // Requests alone don't tell pages from what pages are made of.
    guard total.visits > 0 else { return [] }
    let rows = context.audit.coverage.unclaimedHeavy.filter {
      context.severity(code, $0.traffic, of: total) != nil
    }
    guard let first = rows.first,
      let severity = rows.compactMap({ context.severity(code, $0.traffic, of: total) }).max()
    else { return [] }
    let families = rows.count == 1 ? "1 family" : "\(rows.count) families"
    return [
      finding(
        severity, host: context.audit.host,
        "No rule matches \(families) of paths with a good part of the traffic\(rows.count == 1 ? "" : " each") (\(rows.total.weightText)). Heaviest: \(first.path).",
        rows.total, context.evidence(rows),
        share: context.share(rows.total, of: context.audit.total))
    ]
  }
}
