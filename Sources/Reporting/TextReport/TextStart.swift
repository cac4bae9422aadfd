internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The start of a text report: the outcome, charts of verdicts and causes, and the most important
/// findings.
///
/// By default, a text report has only this part. It has at most ``lineLimit`` lines, whatever the
/// logs hold.
struct TextStart {
  let report: Report
  let style: Style

  /// The most lines, which fit a large terminal.
  static let lineLimit = 60

  /// The sites that are shown of several.
  private static let siteLimit = 10

  private var audit: Audit { report.audit }

  func lines() -> [String] {
    heading() + pictures() + findings() + [""]
      + wrapped(
        "For all tables, use '--full' or '-o report.html'. To explain a finding, use "
          + "'linkaudit explain CODE'.", limit: 2
      ).map(style.dim)
  }

  // MARK: - The outcome

  private func heading() -> [String] {
    let period = audit.period.map { ", " + $0 } ?? ""
    let name = SafeText.escaped(audit.name).shortened(to: max(8, style.width - period.count))
    var lines = [style.bold(name) + period]
    lines += wrapped(audit.filter.words(for: audit.total), limit: 2)
    lines += clipped(audit.filter.lines, to: 2)
    lines += wrapped(audit.sites.outcome(), limit: 3)
    let hostless = audit.otherHosts.hostless
    if audit.sites.count > 1, hostless > 0 {
      lines += wrapped(
        "\(hostless.counted("request")) \(hostless == 1 ? "names" : "name") no host, and "
          + "\(hostless == 1 ? "counts" : "count") for no site: see 'linkaudit explain other-hosts'.",
        limit: 2)
    }
    if let comparison = audit.comparison {
      lines += wrapped(comparison, limit: audit.change == nil ? 2 : 1)
    }
    return lines
  }

  // MARK: - Pictures

  private func pictures() -> [String] {
    audit.sites.count == 1
      ? audit.sites.flatMap { verdicts($0) + TextCauses(site: $0, style: style).lines(limit: 6) }
      : sites()
  }

  private func verdicts(_ site: SiteAudit) -> [String] {
    var table = TextShares("verdict", of: site.total, style: style)
    for (verdict, traffic) in site.verdicts.shown { table.add(verdict.rawValue, traffic) }
    return [""] + table.lines()
  }

  private func sites() -> [String] {
    let sites = audit.sitesByWeight
    let counts = Dictionary(grouping: audit.findings) { $0.host ?? "" }.mapValues(\.count)
    var table = TextTable([.left, .right, .right, .right, .right])
    table.add(["site", "visits", "claimed", "same host", "findings"])
    for (site, total) in sites.prefix(Self.siteLimit) {
      let claimed = site.verdicts[.claimed]?.visits ?? 0
      table.add([
        SafeText.escaped(site.host), total.visits.grouped, claimed.percent(of: total.visits),
        (site.referrals[.sameHost]?.visits ?? 0).percent(of: claimed),
        (counts[site.host] ?? 0).grouped,
      ])
    }
    let rest = sites.count - Self.siteLimit
    return [""] + table.lines(flexible: 0, width: style.width)
      + (rest > 0 ? ["  \(style.ellipsis) and \(rest.counted("more site")) (--full)"] : [])
  }

  // MARK: - Findings

  private func findings() -> [String] {
    let shown = audit.findings.start
    guard !shown.isEmpty else { return ["", audit.findings.noneSentence] }
    return [
      "", "\(style.bold("Start here")) (\(shown.count) of \(audit.findings.counts))",
    ] + shown.flatMap(lines)
  }

  private func lines(_ finding: Finding) -> [String] {
    let isNew = finding.change == .new
    let marks = [
      audit.sites.count > 1 ? finding.host.map(SafeText.escaped) : nil, finding.gain,
      isNew ? Finding.Change.new.rawValue : nil,
    ].compactMap(\.self).joined(separator: ", ")
    let name = style.colored(finding.severity.rawValue, finding.severity)
    let room = style.width - finding.severity.rawValue.count - finding.code.count - 5
    var lines = [
      "  \(name) \(style.bold(finding.code))"
        + (marks.isEmpty ? "" : ": " + marks.shortened(to: max(8, room)))
    ]
    lines += text(finding.message, limit: 3)
    if let development = finding.development {
      let change = finding.change.map { $0 == .same ? "" : ": \($0.rawValue)" } ?? ""
      lines += text(development + change, limit: 1)
    }
    lines += text("To do: " + finding.remedy, limit: 2).map(style.dim)
    return lines
      + NextCommand(report: report, finding: finding).lines(width: style.width - 10, limit: 3)
      .enumerated().map { ($0.offset == 0 ? "    Next: " : "          ") + $0.element }
  }

  private func text(_ message: String, limit: Int) -> [String] {
    clipped(
      SafeText.escaped(ReadablePath.text(message)).wrapped(width: style.width, indent: "    "),
      to: limit)
  }

  private func wrapped(_ text: String, limit: Int) -> [String] {
    clipped(text.wrapped(width: style.width, indent: ""), to: limit)
  }

  /// The first lines, with an ellipsis where others follow.
  private func clipped(_ lines: [String], to limit: Int) -> [String] {
    guard lines.count > limit, let last = lines.prefix(limit).last else { return lines }
    var end = last
    while end.displayWidth + 4 > style.width, let space = end.lastIndex(of: " ") {
      end = String(end[..<space])
    }
    return lines.prefix(limit - 1) + [end.trimmingEnd() + " " + style.ellipsis]
  }
}

/// The causes for which claimed visits stayed on the web, and the places of their links.
struct TextCauses {
  let site: SiteAudit
  let style: Style

  private var claimed: Traffic { site.verdicts[.claimed] ?? Traffic() }

  /// A picture of the first `limit` causes, or of the places of links where causes aren't known.
  func lines(limit: Int) -> [String] {
    guard !site.causes.isEmpty else { return referrals() }
    let rest = site.causes.count - limit
    return shares(
      Report.causes.title, "cause", site.causes.shown(limit).map { ($0.cause.title, $0.traffic) })
      + (rest > 0 ? ["  \(style.ellipsis) and \(rest.counted("more cause")) (--full)"] : [])
  }

  /// A picture of the places of links.
  func referrals() -> [String] {
    shares(
      "Where claimed visits came from", "link",
      Referral.allCases.map { ($0.label, site.referrals[$0] ?? Traffic()) })
  }

  private func shares(
    _ title: String, _ name: String, _ rows: [(name: String, traffic: Traffic)]
  ) -> [String] {
    guard claimed.requests > 0 else { return [] }
    var table = TextShares(name, of: claimed, style: style)
    for row in rows { table.add(row.name, row.traffic) }
    return ["", style.bold(title)] + table.lines()
  }
}

extension [CauseTraffic] {
  /// Returns the first causes, always including visits without a cause.
  func shown(_ limit: Int) -> [CauseTraffic] {
    guard count > limit, let unknown = dropFirst(limit).first(where: { $0.cause == .unknown })
    else { return Array(prefix(limit)) }
    return prefix(limit - 1) + [unknown]
  }
}
