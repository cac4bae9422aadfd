internal import AccessLogs
internal import TrafficDigest

/// Findings about the logs.
struct InputFindings {
  let digest: TrafficDigest
  let sites: [Site]
  let otherHosts: [HostRequests]

  func findings() -> [Finding] {
    incomplete() + requests() + agents() + rejected() + hosts()
  }

  private func finding(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: String,
    _ traffic: Traffic = Traffic()
  ) -> Finding {
    Finding(code: code, severity: severity, host: nil, message: message, traffic: traffic)
  }

  private func incomplete() -> [Finding] {
    let damaged = digest.inputs.count { $0.damage != nil }
    guard damaged > 0 else { return [] }
    return [
      finding(
        .inputIncomplete, .error,
        "\(damaged.counted("input")) could not be read to the end; the figures miss what could not."
      )
    ]
  }

  private func requests() -> [Finding] {
    guard digest.tally.requests == 0 else { return [] }
    if digest.tally.outside > 0 {
      return [
        finding(.noRequests, .warning, "No request of the logs is in the time that was asked for.")
      ]
    }
    let lines = digest.tally.lines
    return [
      lines == 0
        ? finding(.noRequests, .warning, "The logs are empty.")
        : finding(
          .noRequests, .error,
          "The logs have \(lines.counted("line")) and no request: is this the "
            + "right log format?")
    ]
  }

  /// Without user agents, nobody can tell who visits.
  private func agents() -> [Finding] {
    let formats = digest.inputs.filter { $0.tally.requests > 0 }.compactMap(\.format)
    let without = formats.filter { $0.fields.map { !$0.contains(.agent) } ?? false }
    guard !without.isEmpty else { return [] }
    let which = without.count == formats.count ? "The logs have" : "Some of the logs have"
    let names = Set(without.map(\.name)).sorted().map { "'\($0)'" }.joined(separator: ", ")
    return [
      finding(
        .noUserAgents, .warning,
        "\(which) neither user agents nor referrers (format \(names)), so there are no visits in "
          + "them, only requests.")
    ]
  }

  private func rejected() -> [Finding] {
    let tally = digest.tally
    let rejected = tally.rejected - (digest.rejections[.heading] ?? 0)
    // One line in twenty: scanners alone make fewer.
    guard tally.requests > 0, rejected * 20 > tally.lines else { return [] }
    return [
      finding(
        .linesRejected, .warning,
        "\(rejected) of \(tally.lines.counted("line")) "
          + "\(rejected == 1 ? "is no request" : "are not requests"): "
          + "is this the right log format?")
    ]
  }

  private func hosts() -> [Finding] {
    let others = otherHosts.reduce(0) { $0 + $1.requests }
    guard others > 0 else { return [] }
    let all = digest.tally.requests
    let names = sites.map(\.host).joined(separator: ", ")
    return [
      finding(
        .otherHosts, others == all ? .warning : .note,
        "\(others) of \(all.counted("request")) \(others == 1 ? "is" : "are") for hosts other than "
          + "\(names).",
        Traffic(requests: others))
    ]
  }
}
