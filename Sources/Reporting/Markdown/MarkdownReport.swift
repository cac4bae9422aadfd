internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A report in Markdown, for the summary of a job or a comment: its start, and tables that open with a
/// click.
package struct MarkdownReport {
  private let report: Report

  /// Whether all tables are in it.
  private let isFull: Bool

  package init(report: Report, isFull: Bool) {
    (self.report, self.isFull) = (report, isFull)
  }

  private var audit: Audit { report.audit }

  package func text() -> String {
    var lines = heading()
    if audit.sites.count == 1, let site = audit.sites.first {
      lines += verdicts(site) + causes(site)
    } else {
      lines += sites()
    }
    lines += MarkdownText.findings(
      audit.findings, limit: isFull ? .max : report.textTop, namesHosts: audit.sites.count != 1
    ) { NextCommand(report: report, finding: $0).text }
    if isFull { lines += tables() }
    return lines.joined(separator: "\n") + "\n"
  }

  private func heading() -> [String] {
    let name = audit.sites.count == 1 ? MarkdownText.code(audit.name) : audit.name
    let period = audit.period.map { ", \($0)" } ?? ""
    var lines = [
      "## Universal links: \(name)\(period)", "",
      "\(audit.filter.words(for: audit.total)). " + MarkdownText.escaped(audit.sites.outcome()),
    ]
    let filter = audit.filter.lines.joined(separator: " ")
    if !filter.isEmpty { lines += ["", MarkdownText.escaped(filter)] }
    if let comparison = audit.comparison {
      lines += ["", MarkdownText.escaped(comparison).endedAsSentence]
    }
    return lines
  }

  private func verdicts(_ site: SiteAudit) -> [String] {
    MarkdownText.shares(
      "Verdict",
      site.verdicts.shown.map { ($0.verdict.title, $0.traffic) }, of: site.total)
  }

  private func causes(_ site: SiteAudit) -> [String] {
    guard !site.causes.isEmpty else { return [] }
    return MarkdownText.shares(
      Report.causes.title, site.causes.shown(report.textTop).map { ($0.cause.title, $0.traffic) },
      of: site.verdicts[.claimed] ?? Traffic())
  }

  private func sites() -> [String] {
    let counts = Dictionary(grouping: audit.findings) { $0.host ?? "" }.mapValues(\.count)
    let rows = audit.sitesByWeight
    let lines = MarkdownText.table(
      ["Site", "Visits", "Claimed", "Same host", "Findings"], numbers: [1, 2, 3, 4],
      rows.prefix(isFull ? .max : report.textTop).map { site, total in
        let claimed = site.verdicts[.claimed]?.visits ?? 0
        return [
          MarkdownText.code(site.host), total.visits.grouped,
          claimed.percent(of: total.visits),
          (site.referrals[.sameHost]?.visits ?? 0).percent(of: claimed),
          (counts[site.host] ?? 0).grouped,
        ]
      })
    let rest = rows.count - report.textTop
    return lines + (!isFull && rest > 0 ? ["", "… and \(rest.counted("more site"))"] : [])
  }

  /// The tables that have rows, each site's apart.
  private func tables() -> [String] {
    Report.tables.flatMap { table -> [String] in
      guard table.name != Report.findings.name else { return [] }
      guard table.isPerSite else { return lines(of: table, site: nil) }
      return audit.sites.flatMap { lines(of: table, site: $0) }
    }
  }

  private func lines(of table: Table<Report>, site: SiteAudit?) -> [String] {
    let limit = report.textTop
    let rows = table.rows(of: report, site: site)
    guard !rows.isEmpty else { return [] }
    let host =
      audit.sites.count > 1 ? site.map { " of " + MarkdownText.escaped($0.host) } ?? "" : ""
    let columns = table.shown.filter { column in
      !column.isNote || rows.prefix(limit).contains { !column.cell($0).isEmpty }
    }
    let lines = MarkdownText.table(
      columns.map { MarkdownText.escaped($0.heading) },
      numbers: Set(columns.indices.filter { columns[$0].kind == .number }),
      rows.prefix(limit).map { row in columns.map { $0.cell(row).markdown } })
    let rest = rows.count - limit
    return MarkdownText.details(
      MarkdownText.escaped(table.title) + host,
      lines + (rest > 0 ? ["", "… and \(rest.counted("more row"))"] : []))
  }
}

extension ShownCell {
  /// The cell in Markdown, its remark after it.
  fileprivate var markdown: String {
    switch self {
    case .number(let number): number.grouped
    case .text(let text): MarkdownText.escaped(text)
    case .link(let text, _): MarkdownText.escaped(text)
    case .path(let path, let remark): MarkdownText.path(path) + Self.remark(remark)
    case .code(let text, let remark): MarkdownText.code(text) + Self.remark(remark)
    case .rule(let rule): MarkdownText.code(ShownText(rule.version.mark + rule.pattern).text)
    case .marks(let marks): MarkdownText.escaped(marks.joined(separator: ", "))
    }
  }

  private static func remark(_ remark: String) -> String {
    remark.isEmpty ? "" : ", " + MarkdownText.escaped(ReadablePath.shown(remark))
  }
}
