internal import AccessLogs
internal import TrafficDigest

/// Without user agents, nobody can tell who visits.
enum NoUserAgents: InputFindingKind {
  static let code = Finding.Code.noUserAgents
  static let title = "Logs without user agents"
  static let condition =
    "a log is in a format that holds neither user agents nor referrers, such as `common`, or none "
    + "of 100 requests or more names its user agent"
  static let meaning =
    "Visits are told by the user agent: such lines count as requests only, and no link can be "
    + "seen to stand on the same host."
  static let remedy =
    "Have the server write the combined format, or another one that has the user agent and "
    + "the referrer."
  static let severity = FindingSeverity.fixed(.warning)

  static func findings(in context: InputFindingContext) -> [Finding] {
    let inputs = context.digest.inputs.filter { $0.tally.requests > 0 }
    let formats = inputs.compactMap(\.format)
    let without = inputs.filter { input in
      input.format?.fields.map { !$0.contains(.agent) } ?? false
    }
    guard !without.isEmpty else { return unnamed(context) }
    let which = without.count == formats.count ? "The logs have" : "Some of the logs have"
    let names = Set(without.compactMap { $0.format?.name }).sorted().map { "'\($0)'" }
      .joined(separator: ", ")
    var evidence = Finding.Evidence()
    evidence.logs = without.prefix(Finding.Evidence.limit).map(\.path)
    let requests = without.reduce(0) { $0 + $1.tally.requests }
    return [
      finding(
        .warning, host: nil,
        "\(which) neither user agents nor referrers (format \(names)), so there are no visits in them, only requests.",
        Traffic(requests: requests), evidence,
        share: Finding.share(requests, of: context.digest.tally.requests))
    ]
  }

  /// What is found where formats have a place for user agents, and no line fills it.
  private static func unnamed(_ context: InputFindingContext) -> [Finding] {
    guard context.digest.lacksAgents else { return [] }
    let requests = context.digest.tally.requests
    return [
      finding(
        .warning, host: nil,
        "None of \(requests.grouped) requests names its user agent, so there are no visits, only requests.",
        Traffic(requests: requests), share: Finding.share(requests, of: requests))
    ]
  }
}
