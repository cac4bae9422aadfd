internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A report for people: its start, or all of it.
package struct TextReport {
  let report: Report

  /// Whether all tables are shown.
  let isFull: Bool
  let style: Style

  package init(report: Report, isFull: Bool, style: Style) {
    self.report = report
    self.isFull = isFull
    self.style = style
  }

  private var audit: Audit { report.audit }
  private var digest: TrafficDigest { report.digest }
  private var top: Int { report.textTop }

  package func text() -> String {
    let lines = isFull ? full() : TextStart(report: report, style: style).lines()
    return lines.joined(separator: "\n") + "\n"
  }

  /// All that the report has to say.
  private func full() -> [String] {
    var lines = urgent()
    for site in audit.sites {
      if !lines.isEmpty { lines += ["", style.rule, ""] }
      let findings = TextFindings(
        findings: audit.findings.filter { $0.host == site.host },
        gone: audit.change?.gone(host: site.host) ?? [], top: top, style: style)
      lines += TextSiteReport(
        report: report, site: site, findings: findings, style: style
      ).lines()
    }
    if let note = report.noteOnRoutes {
      lines += [""] + style.note(note, indent: "")
    }
    lines += TextClients(digest: digest, top: top, style: style).lines()
    lines += input()
    return lines
  }

  /// Returns the problems of the logs, which make the rest of the report doubtful.
  private func urgent() -> [String] {
    let findings = audit.findings.filter { $0.host == nil && $0.severity > .note }
    guard !findings.isEmpty else { return [] }
    return [style.bold("About the logs")]
      + TextFindings(findings: findings, top: top, style: style).rows()
  }

  private func input() -> [String] {
    let tally = digest.tally
    var lines = ["", style.bold("Input")]
    let findings = audit.findings.filter { $0.host == nil && $0.severity == .note }
    let gone = audit.change?.gone(besides: audit.sites) ?? []
    if !findings.isEmpty || !gone.isEmpty {
      let rows = TextFindings(findings: findings, gone: gone, top: top, style: style)
      lines += findings.isEmpty ? rows.goneRows() : rows.rows()
    }
    let summary =
      "\(digest.inputs.count.counted("input"))\(formats): \(tally.words)"
      + (tally.outside > 0
        ? "; \(tally.outside.counted("request")) outside the selected time" : "")
    lines += summary.wrapped(width: style.width, indent: "  ")
    if let ignored = report.noteOnIgnoredPaths { lines.append("  " + ignored) }
    if let subresources = report.noteOnSubresources { lines.append("  " + subresources) }
    for reason in RejectionReason.allCases {
      guard let count = digest.rejections[reason] else { continue }
      var line = "    \(count.grouped) \(reason.sentence)"
      if let first = digest.rejectedLines.first(where: { $0.reason == reason }) {
        line += ", first at "
        let place = SafeText.escaped("\(first.path):\(first.line)")
        line += place.shortened(to: style.width - line.count)
      }
      lines.append(line)
    }
    lines += digest.damage(style)
    for host in audit.otherHosts.prefix(top) {
      let whose =
        switch host.host {
        case "": " that name no host"
        case HostName.anyAddress: " for hosts that are IP addresses"
        default: " for another host, '\(SafeText.escaped(host.host).shortened(to: 40))'"
        }
      lines.append("  \(host.requests.counted("request"))" + whose)
    }
    let rest = audit.otherHosts.count + audit.unlistedHosts.hosts - top
    return rest > 0
      ? lines + ["  \(style.ellipsis) and \(rest.counted("more host")) (--top)"] : lines
  }

  /// The formats of the inputs, in brackets.
  private var formats: String {
    let names = digest.inputs.compactMap(\.format?.name)
    let counts = Dictionary(grouping: names) { $0 }.mapValues(\.count)
    if counts.isEmpty { return "" }
    let parts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = parts.map { "\($0.value.grouped) \(SafeText.escaped($0.key))" }
    return " (" + shown.joined(separator: ", ") + ")"
  }
}

extension RejectionReason {
  /// The reason in words, to follow a number of lines.
  package var sentence: String {
    switch self {
    case .emptyLine: "empty"
    case .lineTooLong: "too long"
    case .heading: "directives or headings"
    case .noFields: "without the fields of the format"
    case .noRequest: "without a request"
    case .noTarget: "without a request target"
    case .noStatus: "without a status"
    case .partialLine: "truncated by a collector"
    case .severalRequests: "with several requests"
    case .noCount: "without a count"
    }
  }
}
