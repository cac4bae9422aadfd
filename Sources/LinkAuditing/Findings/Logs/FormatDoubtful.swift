internal import AccessLogs
internal import TrafficDigest

/// Lines fit a format whose fields probably have other meanings in these logs.
enum FormatDoubtful: InputFindingKind {
  static let code = Finding.Code.formatDoubtful
  static let title = "The format is probably another one"
  static let condition =
    "more than an eighth of a log's requests hold a browser's name (`Mozilla/`) outside the field "
    + "that was read as the user agent, or none of their times is understood"
  static let meaning =
    "A line can fit a format that has other fields in the same places. Platforms, visits, links on "
    + "the same host, or days are wrong then."
  static let remedy =
    "'linkaudit formats test LOG' shows how lines are read. Give the format as the server's "
    + "configuration has it, with '--log-format'."
  static let severity = FindingSeverity.fixed(.error)

  static func findings(in context: InputFindingContext) -> [Finding] {
    let inputs = context.digest.inputs.filter { $0.tally.requests > 0 && $0.format != nil }
    let formats = Dictionary(grouping: inputs) { $0.format?.name ?? "" }
    return formats.sorted { $0.key < $1.key }.flatMap { name, inputs in
      let misread = inputs.filter(\.tally.hasMisplacedAgents)
      let undated = inputs.filter { $0.times == nil && ($0.format?.names(.time) ?? false) }
      return [
        finding(name, misread) { requests in
          let agents = misread.reduce(0) { $0 + $1.tally.misplacedAgents }
          return
            "\(agents.grouped) of \(requests.counted("request")) \(agents == 1 ? "holds" : "hold") a browser's name "
            + "outside the field that was read as the user agent"
        },
        finding(name, undated) { requests in
          "None of \(requests.counted("request")) has a time that is understood"
        },
      ].compactMap(\.self)
    }
  }

  /// What is found in logs of a format, if there are any.
  private static func finding(
    _ name: String, _ inputs: [TrafficDigest.Input], _ fact: (_ requests: Int) -> String
  ) -> Finding? {
    guard let first = inputs.first else { return nil }
    let requests = inputs.reduce(0) { $0 + $1.tally.requests }
    let fields = (first.format?.fields ?? []).map { "\($0)" }.joined(separator: ", ")
    var evidence = Finding.Evidence()
    evidence.logs = inputs.prefix(Finding.Evidence.limit).map(\.path)
    return finding(
      .error, host: nil, about: name,
      fact(requests) + " in '\(first.path)'"
        + (inputs.count > 1 ? " and \((inputs.count - 1).counted("other log"))" : "")
        + ", read as \(name)" + (fields.isEmpty ? "." : ": \(fields)."),
      Traffic(requests: requests), evidence)
  }
}

extension TrafficDigest.InputFormat {
  fileprivate func names(_ field: LogField) -> Bool { fields?.contains(field) ?? false }
}
