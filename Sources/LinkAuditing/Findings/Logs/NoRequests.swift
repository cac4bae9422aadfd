internal import TrafficDigest

/// The logs hold nothing to judge.
enum NoRequests: InputFindingKind {
  static let code = Finding.Code.noRequests
  static let title = "Nothing to judge"
  static let condition = "the logs have lines, but none is a request"
  static let meaning = "Nothing was judged: the report says nothing about the rules."
  static let remedy =
    "See how the lines are read with 'linkaudit formats test LOG', and name the format with "
    + "'--log-format'."
  static let severity = FindingSeverity.fixed(
    .error, except: "`warning` if the logs are empty, or no request is in the time asked for")

  static func findings(in context: InputFindingContext) -> [Finding] {
    let tally = context.digest.tally
    guard tally.requests == 0 else { return [] }
    if tally.outside > 0 {
      return [
        finding(
          .warning, host: nil, "No request of the logs is in the time that was asked for.",
          remedy: "Compare '--since' and '--until' with the times in the logs.")
      ]
    }
    if tally.lines == 0 {
      return [
        finding(
          .warning, host: nil, "The logs are empty.",
          remedy: "Check that the server writes its access log here.")
      ]
    }
    return [
      finding(
        .error, host: nil,
        "The logs have \(tally.lines.counted("line")) and no request: is this the right log format?"
      )
    ]
  }
}
