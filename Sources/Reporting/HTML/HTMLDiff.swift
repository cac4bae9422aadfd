internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension DiffReport {
  /// A page of more rows would be too large to be sent.
  private static let rowLimit = 20_000

  private var limit: Int { top ?? Self.rowLimit }

  /// The comparison of two association files as a page.
  package func html() -> String {
    let filter = traffic?.comparison.filter.lines ?? []
    let page = HTMLPage(
      title: "Link audit: changes for \(host)", kicker: "Link audit: changes",
      name: host, period: files, filter: filter.joined(separator: " "))
    return page.text { page in
      HTMLPage.entry(&page, "Start here", "start")
      for section in sections { HTMLPage.entry(&page, section.title, section.id) }
    } main: { page in
      page.paragraph(summary, class: "lead")
      if let traffic { pictures(traffic.comparison, to: &page) }
      HTMLStart(findings: findings) { "linkaudit explain \($0.code)" }.write(to: &page)
      for section in sections { section.write(to: &page, level: 2) }
    }
  }

  /// The files, with the logs if there are any.
  private var files: String {
    let names = [("now", old), ("candidate", new)].map { name, site in
      "\(name): \(site.filePath ?? "standard input")"
    }
    let logs = traffic.map {
      "\($0.digest.inputs.count.counted("log")), \($0.digest.tally.lines.counted("line"))"
    }
    return (names + [logs].compactMap(\.self)).joined(separator: " · ")
  }

  /// Writes charts of the changes, and of the causes of newly claimed visits.
  private func pictures(_ comparison: Comparison, to page: inout HTMLWriter) {
    page.element("div", ["class": "pair"]) { page in
      page.element("div") { page in
        HTMLShares(whole: comparison.total).table(
          "Changes of verdicts",
          changedParts.filter { $0.verdict != nil }.map {
            .init(name: $0.name.capitalizedFirst, traffic: $0.traffic, verdict: $0.verdict)
          }, to: &page)
      }
      let causes = comparison.newlyClaimedCauses.occurring
      guard !causes.isEmpty else { return }
      page.element("div") { page in
        HTMLShares(whole: comparison.newlyClaimed).table(
          "Newly claimed visits by cause",
          causes.map { .init(name: $0.key.title, traffic: $0.traffic) }, to: &page)
      }
    }
  }

  private var sections: [HTMLSection] {
    let first = HTMLSection(id: "findings", title: "Findings", key: findings.counts) {
      HTMLFindings(findings: findings, level: 3).write(to: &$0)
    }
    let tables =
      traffic == nil
      ? [Self.patternChanges]
      : [
        Self.pathGroupChanges, Self.transitions, Self.ruleChanges,
        Self.patternChanges,
      ]
    return [first]
      + tables.compactMap { table in
        let rows = table.rows(of: self)
        guard !rows.isEmpty else { return nil }
        return HTMLSection(id: table.name, title: table.title, key: rows.count.counted("row")) {
          page in
          page.paragraph(table.about, class: "hint")
          HTMLTable(table, rows, name: "", limit: limit).write(to: &page)
        }
      }
  }
}
