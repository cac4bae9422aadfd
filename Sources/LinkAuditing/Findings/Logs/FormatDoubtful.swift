internal import TrafficDigest

/// Lines fit a format whose fields probably have other meanings in these logs.
enum FormatDoubtful: InputFindingKind {
  static let code = Finding.Code.formatDoubtful
  static let title = "The log format is probably wrong"
  static let condition =
    "more than an eighth of a log's requests hold a browser's name (`Mozilla/`) outside the field "
    + "that was read as the user agent; or, of at least \(LineTally.timedRequests) requests, fewer "
    + "than an eighth have a time that is understood, although the format has one"
  static let meaning =
    "A line can fit a format that has other fields in the same places. Platforms, visits and links "
    + "on the same host are wrong then."
  static let remedy =
    "'linkaudit formats test LOG' shows how lines are read. Give the format as the server's "
    + "configuration has it, with '--log-format'."
  static let severity = FindingSeverity.fixed(.error)

  static func findings(in context: InputFindingContext) -> [Finding] {
    let inputs = context.digest.inputs.filter { $0.format != nil && $0.tally.isMisread }
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
    let times = inputs.reduce(0) { $0 + $1.tally.unreadTimes }
    let isOfAgents = inputs.contains(where: \.tally.hasMisplacedAgents)
    // Times are also read of requests outside the span that was asked for.
    let requests = inputs.reduce(0) { sum, input in
      sum + input.tally.requests + (isOfAgents ? 0 : input.tally.outside)
    }
    let doubted = isOfAgents ? agents : times
    let what =
      isOfAgents
      ? "\(doubted == 1 ? "holds" : "hold") a browser's name outside the field that was read as the "
        + "user agent"
      : "\(doubted == 1 ? "has" : "have") no time that is understood"
    var evidence = Finding.Evidence()
    evidence.logs = inputs.prefix(Finding.Evidence.limit).map(\.path)
    return finding(
      .error, host: nil, about: name,
      "\(doubted.grouped) of \(requests.counted("request")) \(what) in '\(first.path)'"
        + (inputs.count > 1 ? " and \((inputs.count - 1).counted("other log"))" : "")
        + ", read as \(name)." + (first.doubtfulLine.map(reading) ?? ""),
      Traffic(requests: requests), evidence, share: Finding.share(doubted, of: requests))
  }

  /// The fields of a line as they were read.
  private static func reading(_ line: TrafficDigest.DoubtfulLine) -> String {
    " The first such line was read as: "
      + line.fields.map { field in
        field.name + " " + (field.value.map { "'\($0)'" } ?? "absent")
      }.joined(separator: ", ") + "."
  }
}
