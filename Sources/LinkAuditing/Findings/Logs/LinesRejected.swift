internal import AccessLogs
internal import TrafficDigest

/// Many lines are no requests.
enum LinesRejected: InputFindingKind {
  static let code = Finding.Code.linesRejected
  static let title = "Many lines are no requests"
  static let condition = "many lines are not requests; headings don't count"
  static let meaning =
    "Scanners alone make a few such lines. Many of them say that a format is misread, and the "
    + "figures miss real visits."
  static let remedy =
    "Look at them: '--rejects FILE' keeps them with their reasons. 'linkaudit formats test LOG' "
    + "shows how lines are read."
  static let severity = FindingSeverity.measured(SeverityLevels(warning: 500), of: "lines")

  static func findings(in context: InputFindingContext) -> [Finding] {
    let tally = context.digest.tally
    let rejected = tally.rejected - (context.digest.rejections[.heading] ?? 0)
    guard tally.requests > 0,
      let severity = context.thresholds.severity(code, rejected, of: tally.lines)
    else { return [] }
    var evidence = Finding.Evidence()
    evidence.logs = context.digest.rejectedLines.filter { $0.reason != .heading }
      .prefix(Finding.Evidence.limit).map { "\($0.path):\($0.line)" }
    return [
      finding(
        severity, host: nil,
        "\(rejected.grouped) of \(tally.lines.counted("line")) \(rejected == 1 ? "is no request" : "are not requests"): is this the right log format?",
        Traffic(), evidence, share: Finding.share(rejected, of: tally.lines))
    ]
  }
}
