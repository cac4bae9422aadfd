internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A report for people, in 80 columns: what matters first.
struct TextReport {
  let audit: Audit
  let digest: TrafficDigest
  let unreadable: [InputProblem]

  /// The number of rows per table.
  let top: Int

  let style: Style

  func text() -> String {
    var lines: [String] = []
    for site in audit.sites {
      if !lines.isEmpty { lines += ["", String(repeating: "─", count: TextTable.width), ""] }
      let findings = TextFindings(
        findings: audit.findings.filter { $0.host == site.host }, top: top, style: style)
      lines += TextSiteReport(
        site: site, times: digest.times, findings: findings, top: top, style: style
      ).lines()
    }
    lines += input()
    return lines.joined(separator: "\n") + "\n"
  }

  private func input() -> [String] {
    let tally = digest.tally
    var lines = ["", style.bold("Input")]
    let findings = audit.findings.filter { $0.host == nil }
    if !findings.isEmpty {
      lines += TextFindings(findings: findings, top: top, style: style).rows()
    }
    var inputs = digest.inputs.count == 1 ? "1 input" : "\(digest.inputs.count.grouped) inputs"
    if !unreadable.isEmpty { inputs += ", \(unreadable.count) more could not be read" }
    lines.append(
      "  \(inputs): \(tally.lines.grouped) lines, \(tally.requests.grouped) requests, "
        + "\(tally.rejected.grouped) rejected")
    for reason in RejectionReason.allCases {
      guard let count = digest.rejections[reason] else { continue }
      var line = "    \(count.grouped) \(reason.sentence)"
      if let first = digest.rejectedLines.first(where: { $0.reason == reason }) {
        line += ", first at "
        let place = SafeText.escaped("\(first.path):\(first.line)")
        line += place.shortened(to: TextTable.width - line.count)
      }
      lines.append(line)
    }
    for input in digest.inputs {
      guard let damage = input.damage else { continue }
      lines += "\(SafeText.escaped(input.path)): \(damage)".wrapped(
        width: TextTable.width, indent: "  ! ")
    }
    for host in audit.otherHosts.prefix(3) {
      let name = host.host.isEmpty ? "no host named" : SafeText.escaped(host.host)
      lines.append(
        "  \(host.requests.grouped) requests for another host: \(name.shortened(to: 40))")
    }
    return lines
  }
}

extension RejectionReason {
  /// The reason in words, to stand behind a number of lines.
  fileprivate var sentence: String {
    switch self {
    case .emptyLine: "empty"
    case .lineTooLong: "too long"
    case .noRequest: "without a request in quotes"
    case .noTarget: "without a request target"
    case .noStatus: "without a status"
    }
  }
}
