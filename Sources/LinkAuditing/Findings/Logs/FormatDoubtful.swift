internal import TrafficDigest

/// Lines fit a format whose fields probably have other meanings in these logs.
enum FormatDoubtful: InputFindingKind {
  static let code = Finding.Code.formatDoubtful
  static let title = "The log format is probably wrong"
  static let condition =
    "more than an eighth of a log's requests hold a browser's name (`Mozilla/`) outside the field "
    + "that was read as the user agent"
  static let meaning =
    "A line can fit a format that has other fields in the same places. Platforms, visits and links "
    + "on the same host are wrong then."
  static let remedy =
    "'linkaudit formats test LOG' shows how lines are read. Give the format as the server's "
    + "configuration has it, with '--log-format'."
  static let severity = FindingSeverity.fixed(.error)

  static func findings(in context: InputFindingContext) -> [Finding] {
    let inputs = context.digest.inputs.filter { $0.format != nil && $0.tally.hasMisplacedAgents }
    let formats = Dictionary(grouping: inputs) { $0.format?.name ?? "" }
    return formats.sorted { $0.key < $1.key }.flatMap { name, inputs in
      inputs.first.map { [finding(name, inputs, first: $0)] } ?? []
    }
  }

  /// The finding of some logs that were read as one format.
  private static func finding(
    _ name: String, _ inputs: [TrafficDigest.Input], first: TrafficDigest.Input
  ) -> Finding {
    let agents = inputs.reduce(0) { $0 + $1.tally.misplacedAgents }
    let requests = inputs.reduce(0) { $0 + $1.tally.requests }
    let fields = (first.format?.fields ?? []).map { "\($0)" }.joined(separator: ", ")
    var evidence = Finding.Evidence()
    evidence.logs = inputs.prefix(Finding.Evidence.limit).map(\.path)
    return finding(
      .error, host: nil, about: name,
      "\(agents.grouped) of \(requests.counted("request")) \(agents == 1 ? "holds" : "hold") a "
        + "browser's name outside the field that was read as the user agent in '\(first.path)'"
        + (inputs.count > 1 ? " and \((inputs.count - 1).counted("other log"))" : "")
        + ", read as \(name)" + (fields.isEmpty ? "." : ": \(fields)."),
      Traffic(requests: requests), evidence, share: Finding.share(agents, of: requests))
  }
}
