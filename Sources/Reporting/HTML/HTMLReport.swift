internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A report as one page.
package struct HTMLReport {
  private let report: Report

  /// The hosts of the sites that are shown in full, or `nil` for all.
  private let shownHosts: Set<String>?

  private var audit: Audit { report.audit }
  private var digest: TrafficDigest { report.digest }

  /// The number of rows per table: as many as a page can hold, by default.
  private var limit: Int { report.top ?? Self.rowLimit }

  package init(_ report: Report) {
    self.report = report
    let audit = report.audit
    guard audit.sites.count > Self.siteLimit else {
      shownHosts = nil
      return
    }
    let totals = audit.sites.map { (host: $0.host, total: $0.total) }
    shownHosts = Set(
      totals.sorted {
        ($1.total.visits, $1.total.requests, $0.host) < (
          $0.total.visits, $0.total.requests, $1.host
        )
      }.prefix(Self.siteLimit).map(\.host))
  }

  /// A page of more rows would be too large to be sent.
  private static let rowLimit = 20_000

  /// The greatest number of sites that are shown in full, those with the most visits.
  ///
  /// A host pattern can represent thousands of sites.
  private static let siteLimit = 100

  package func text() -> String {
    let findings = Dictionary(grouping: audit.findings, by: \.host)
    let gone = Dictionary(grouping: audit.change?.gone ?? [], by: \.host)
    let sites = audit.sites.enumerated().map { index, site in
      HTMLSite(
        report: report, site: site, findings: findings[site.host] ?? [],
        gone: gone[site.host] ?? [],
        id: "site-\(index + 1)", level: isOneSite ? 2 : siteLevel + 1,
        name: isOneSite ? "" : ", " + site.host, limit: limit)
    }
    let input = HTMLInput(report: report, limit: limit)
    let tally = digest.tally
    let logs = "\(digest.inputs.count.counted("log")), \(tally.lines.counted("line"))"
    let page = HTMLPage(
      title: "Link audit: \(audit.name)\(audit.period.map { ", " + $0 } ?? "")",
      kicker: "Link audit",
      name: audit.name, period: [audit.period, logs].compactMap(\.self).joined(separator: " · "),
      filter: audit.filter.lines.joined(separator: " "))
    return page.text { page in
      contents(&page, sites, input)
    } main: { page in
      input.writeDamage(to: &page)
      HTMLOutcome(sites: audit.sites, filter: audit.filter, name: "").write(to: &page)
      if !isOneSite {
        page.element("div", ["id": "sites"]) { overview(sites).write(to: &$0) }
      }
      HTMLStart(report: report).write(to: &page)
      for section in isOneSite ? sites.flatMap(\.sections) : parts(of: sites) {
        section.write(to: &page, level: 2)
      }
      for section in input.sections { section.write(to: &page, level: 2) }
    }
  }

  /// The level of the headings of sites.
  private var siteLevel: Int { audit.sites.count > Self.openSiteLimit ? 3 : 2 }

  /// More sites than this are folded into one section.
  private static let openSiteLimit = 3

  /// The rows of the table of sites that is not folded.
  private static let overviewLimit = 8

  /// The sections of several sites: those of each, and the table of all if only some are shown
  /// above.
  private func parts(of sites: [HTMLSite]) -> [HTMLSection] {
    let own = sites.filter(isShown).map { site in
      HTMLSection(
        id: site.id, title: site.site.host, key: site.site.total.visits.counted("visit")
      ) { page in
        site.writeSummary(to: &page)
        for section in site.sections { section.write(to: &page, level: siteLevel + 1) }
      }
    }
    guard own.count > Self.openSiteLimit else { return own }
    let hint =
      shownHosts == nil ? nil : "These are the \(Self.siteLimit) sites with the most visits."
    let all = HTMLSection(
      id: "all-sites", title: "All sites", key: audit.sites.count.counted("site")
    ) { [self] in table(of: sites).write(to: &$0) }
    let each = HTMLSection(id: "each-site", title: "Site by site", key: own.count.counted("site")) {
      page in
      if let hint { page.paragraph(hint, class: "hint") }
      for section in own { section.write(to: &page, level: siteLevel) }
    }
    return (sites.count > Self.overviewLimit ? [all] : []) + [each]
  }

  /// Whether a site has a part of its own.
  private func isShown(_ site: HTMLSite) -> Bool { shownHosts?.contains(site.site.host) ?? true }

  private var isOneSite: Bool { audit.sites.count == 1 }

  private func contents(
    _ page: inout HTMLWriter, _ sites: [HTMLSite], _ input: HTMLInput
  ) {
    HTMLPage.entry(&page, "Start here", "start")
    if isOneSite {
      for section in sites.flatMap(\.sections) { HTMLPage.entry(&page, section.title, section.id) }
    } else {
      HTMLPage.entry(&page, "Sites", "sites")
      for site in sites where isShown(site) {
        page.line {
          $0.element("li") { page in
            page.element("a", ["href": "#\(site.id)"], site.site.host)
            page.element("ul") { page in
              for section in site.sections { HTMLPage.entry(&page, section.title, section.id) }
            }
          }
        }
      }
    }
    for section in input.sections { HTMLPage.entry(&page, section.title, section.id) }
  }

  /// The heaviest sites, which are not folded.
  private func overview(_ sites: [HTMLSite]) -> HTMLTable {
    let heaviest = audit.sitesByWeight.prefix(Self.overviewLimit).compactMap { site, _ in
      sites.first { $0.site.host == site.host }
    }
    return table(of: heaviest, named: "Sites")
  }

  private func table(of sites: [HTMLSite], named name: String = "All sites") -> HTMLTable {
    HTMLTable(
      name,
      [
        ShownColumn("Site", .link) { [self] site in
          isShown(site) ? .link(site.site.host, to: site.id) : .text(site.site.host)
        }
      ] + ShownColumn.traffic(\.site.total)
        + [Verdict.claimed, .excluded, .unclaimed].map { verdict in
          ShownColumn(verdict.title, .share, help: "of visits") { site in
            let visits = site.site.verdicts[verdict]?.visits ?? 0
            return .text(visits.percent(of: site.site.total.visits))
          }
        }
        + [Severity.error, .warning, .note].map { severity in
          .number(severity.rawValue.capitalizedFirst + "s") { site in
            site.findings.count { $0.severity == severity }
          }
        }, sites, limit: sites.count)
  }
}

/// A part of a page that is folded until somebody opens it, to which the contents lead.
struct HTMLSection {
  let id: String
  let title: String

  /// The main figure, shown before the section is opened; empty if there is none.
  var key = ""
  let content: (inout HTMLWriter) -> Void

  func write(to page: inout HTMLWriter, level: Int) {
    page.line {
      // Inside a site's part, whose name would have to be in theirs, parts are no landmarks.
      let name = level > 2 ? nil : "\(id)-title"
      $0.element("section", ["id": id, "class": "fold", "aria-labelledby": name]) { page in
        page.element("details") { page in
          page.element("summary") { page in
            page.heading(level, ["id": "\(id)-title"], title)
            if !key.isEmpty { page.element("span", ["class": "key"], key) }
          }
          content(&page)
        }
      }
    }
  }
}
