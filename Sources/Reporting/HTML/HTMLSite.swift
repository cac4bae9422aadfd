internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The part of a page that is about one site.
struct HTMLSite {
  let report: Report
  let site: SiteAudit
  let findings: [Finding]

  /// The findings of an earlier report about it that are gone.
  let gone: [FindingRecord]

  /// The element that holds it; the beginning of the names of all others.
  let id: String

  /// The level of the headings of sections.
  let level: Int

  /// The end of captions, which differs from those of other sites.
  let name: String

  /// The number of rows per table.
  let limit: Int

  /// The comparison with an earlier report, or `nil` if there is none.
  private var change: AuditChange? { report.audit.change }

  func writeSummary(to page: inout HTMLWriter) {
    HTMLOutcome(sites: [site], filter: report.audit.filter, name: name).write(to: &page)
  }

  // MARK: - Sections

  var sections: [HTMLSection] {
    var sections: [HTMLSection] = []
    func add(
      _ id: String, _ title: String, _ key: String,
      _ content: @escaping (inout HTMLWriter) -> Void
    ) {
      sections.append(
        HTMLSection(id: "\(self.id)-\(id)", title: title, key: key, content: content))
    }
    add("findings", "Findings", findings.counts) {
      HTMLFindings(findings: findings, change: change, gone: gone, level: level + 1)
        .write(to: &$0)
    }
    if !site.causes.isEmpty {
      add("origins", Report.causes.title, site.causes.count.counted("cause")) { origins(&$0) }
    }
    if site.apps.count > 1 {
      add("apps", "Apps", site.apps.count.counted("app")) { apps(&$0) }
    }
    if !site.days.isEmpty {
      add("days", "Visits by day", site.days.period ?? "") {
        HTMLDays(report: report, site: site, name: name, limit: limit).write(to: &$0)
      }
    }
    if !site.sameHostReferrals.isEmpty {
      add(
        "pairs", Report.sameHostReferrals.title,
        site.sameHostReferrals.count.counted("pair") + " of pages"
      ) { pairs(&$0) }
    }
    if !site.ruleLists.isEmpty {
      let rules = site.ruleLists.reduce(0) { $0 + $1.rules.count }
      add("rules", "Rules", rules.counted("rule")) { writeRules(to: &$0) }
    }
    let coverage = Report.coverageTables.map { ($0, $0.rows(of: report, site: site)) }
      .filter { !$0.1.isEmpty }
    if let (table, rows) = coverage.first {
      add("coverage", "Coverage", "\(table.title): \(rows.count.grouped)") { page in
        write(coverage, to: &page)
      }
    }
    add("platforms", "Platforms", "") { platforms(&$0) }
    add(
      "delivery", "Delivery of the file",
      site.fetchers.first { $0.fetcher.isApple }?.sentence ?? "no request by Apple"
    ) { delivery(&$0) }
    return sections
  }

  private func apps(_ page: inout HTMLWriter) {
    HTMLTable(
      "Visits by app and verdict" + name,
      [.code("App") { $0.app.text }]
        + [Verdict.claimed, .excluded, .unclaimed].map { verdict in
          .number(verdict.title) { $0.verdicts[verdict]?.visits ?? 0 }
        }, site.apps, limit: limit
    ).write(to: &page)
  }

  private func origins(_ page: inout HTMLWriter) {
    write(Report.causes, to: &page)
    HTMLShares(whole: site.verdicts[.claimed] ?? Traffic()).table(
      "Where claimed visits came from" + name, .referrals { site.referrals[$0] }, to: &page)
  }

  private func platforms(_ page: inout HTMLWriter) {
    HTMLShares(whole: site.total).table(
      "Platforms" + name,
      Platform.allCases.compactMap { platform in
        guard let traffic = site.platforms[platform], traffic.requests > 0 else { return nil }
        return .init(name: platform.title, traffic: traffic)
      }, to: &page)
  }

  private func pairs(_ page: inout HTMLWriter) {
    page.paragraph(
      "Claimed visits from pages of the same host. Such a link never opens the app, even if it is installed: link to another host with the same rules, or offer the app on the page. {n} stands for digits, {hex} and {uuid} for such identifiers, {*} for many names.",
      class: "hint")
    HTMLFlow(pairs: site.sameHostReferrals).write(to: &page)
    write(Report.sameHostReferrals, to: &page)
    guard let first = site.sameHostFixes.first else { return }
    page.heading(level + 1, Report.sameHostFixes.title)
    fixes(first, &page)
  }

  /// The two ways to let links on the same host open the app, with text to paste.
  private func fixes(_ first: SameHostFix, _ page: inout HTMLWriter) {
    page.paragraph(
      "1. Link to a second host, with the same association file and this entry in the app's associated domains:"
    )
    page.line { $0.element("pre", ["class": "paste"], first.entitlement) }
    page.paragraph(
      "2. Or offer the app with a smart app banner. Safari shows it only on pages that the app claims."
    )
    let banners = site.sameHostFixes.prefix(3).filter(\.showsBanner)
    for fix in banners {
      guard let banner = fix.banner else { continue }
      page.paragraph("On pages like \(fix.page), \(fix.visits.counted("visit")):")
      page.line { $0.element("pre", ["class": "paste"], banner) }
    }
    write(Report.sameHostFixes, to: &page)
  }

  private func delivery(_ page: inout HTMLWriter) {
    if !site.servedFiles.isEmpty {
      page.heading(level + 1, Report.servedFiles.title)
      write(Report.servedFiles, to: &page)
    }
    guard !site.fetches.isEmpty else {
      page.paragraph(
        "These logs have no request for the association file. Devices get it from Apple's CDN, which may have requested it earlier.",
        class: "hint")
      return
    }
    page.paragraph(
      "AASA-Bot fetches the file for Apple's CDN, from which devices get it; swcd is a device that requests it itself; others are browsers, validators and other programs. Statuses other than 200 and 304 mean that the client got no file. Apple's clients don't follow redirects.",
      class: "hint")
    for table in [Report.fetchers, Report.fetches] { write(table, to: &page) }
  }

  private func write(_ table: Table<Report>, to page: inout HTMLWriter) {
    HTMLTable(table, of: report, site: site, name: name, limit: limit).write(to: &page)
  }

  // MARK: - Coverage

  /// Writes the comparison of a site's claims with its app's routes and with people's visits.
  private func write(
    _ coverage: [(table: Table<Report>, rows: [Table<Report>.Row])], to page: inout HTMLWriter
  ) {
    if let noteOnRoutes { page.paragraph(noteOnRoutes, class: "hint") }
    for (table, rows) in coverage {
      page.heading(level + 1) { page in
        page.text(table.title + " ")
        page.element("small", rows.count.grouped)
      }
      page.paragraph(table.about, class: "hint")
      HTMLTable(table, rows, name: name, limit: limit).write(to: &page)
    }
  }

  /// The note on the use of routes; if no site has routes, the first one shows it for all.
  private var noteOnRoutes: String? {
    guard report.audit.sites.contains(where: \.hasRoutes) else {
      return site.host == report.audit.sites.first?.host ? report.noteOnRoutes : nil
    }
    return site.hasRoutes
      ? nil
      : "Without a list of routes of this site, linkaudit can't know which URLs the app implements: pass '--routes FILE'."
  }

  // MARK: - Rules

  /// The greatest number of apps of a list that are named.
  private static let appLimit = 20

  /// Writes the rules with their decisions, by the apps that share them.
  private func writeRules(to page: inout HTMLWriter) {
    page.line { page in
      page.element("p", ["class": "hint"]) { page in
        page.text("The first rule that matches decides. Rules count from 0, as in the file. ")
        if site.versions.isEmpty, let file = site.filePath {
          page.text("Line numbers refer to ")
          page.element("code", ShownText(file).text)
          page.text(". ")
        }
        if site.ruleLists.contains(where: { $0.rules.contains(where: \.rule.dependsOnFragment) }) {
          page.text(
            "Fragments never reach a server, so rules with a fragment are judged without it.")
        }
      }
    }
    for (index, list) in site.ruleLists.enumerated() {
      page.heading(level + 1, ["class": "apps"]) { page in
        for (position, app) in list.apps.prefix(Self.appLimit).enumerated() {
          if position > 0 { page.text(" ") }
          page.element("code", ShownText(app.text).text)
        }
        if list.apps.count > Self.appLimit {
          page.text(" and \((list.apps.count - Self.appLimit).counted("more app"))")
        }
        if let version = list.version {
          page.text(" ")
          page.element("small", ShownText(version.title).text)
        }
      }
      let number = site.ruleLists.count > 1 ? " of list \(index + 1)" : ""
      HTMLTable("Rules\(number)\(name)", Self.ruleColumns, list.rules, limit: limit)
        .write(to: &page)
    }
  }

  private static let ruleColumns: [ShownColumn<RuleTraffic>] =
    [
      ShownColumn("Pattern", .code) { .code($0.rule.pattern, remark: $0.remark) },
      ShownColumn("Marks", .marks) { .marks($0.marks) },
    ] + ShownColumn.traffic(\.traffic) + [
      .number("Shadowed", help: "matching requests that an earlier rule decided") {
        $0.shadowed
      },
      .text("By") { rule in
        rule.shadowedBy.map { "rule \($0.rule.position ?? 0) (\($0.traffic.requests.grouped))" }
          .joined(separator: ", ")
      },
      .number("Line") { $0.rule.position?.line },
    ]
}

extension RuleTraffic {
  fileprivate var marks: [String] {
    var marks: [String] = []
    if rule.excludes { marks.append("excludes") }
    if traffic.requests == 0 { marks.append(shadowed > 0 ? "never reached" : "unused") }
    if rule.dependsOnFragment { marks.append("needs fragment") }
    return marks
  }

  fileprivate var remark: String {
    rule.id.remark + (rule.id.position != nil && rule.id.list == .paths ? ", in paths" : "")
  }
}

extension Verdict {
  var title: String { rawValue.capitalizedFirst }

  var meaning: String {
    switch self {
    case .claimed: "a rule opens it in the app"
    case .excluded: "a rule keeps it on the web"
    case .unclaimed: "no rule matches"
    case .ineligible: "no app could open it"
    }
  }
}

extension [HTMLShares.Row] {
  /// The rows of claimed traffic by where the links were.
  static func referrals(_ traffic: (Referral) -> Traffic?) -> Self {
    Referral.allCases.map { referral in
      HTMLShares.Row(
        name: referral.title, remark: referral.meaning, traffic: traffic(referral) ?? Traffic())
    }
  }
}

extension Referral {
  fileprivate var title: String {
    switch self {
    case .sameHost: "The same host"
    case .otherHost: "Another host"
    case .none: "Unknown"
    }
  }

  fileprivate var meaning: String {
    switch self {
    case .sameHost: "links here never open the app"
    case .otherHost: "links here can open the app"
    case .none: "typed, a bookmark, mail, an app"
    }
  }
}

extension Platform {
  var title: String {
    switch self {
    case .ios: "Safari on iOS"
    case .ios12: "iOS 12 and earlier"
    case .iosBrowser: "Other browsers on iOS"
    case .inApp: "Inside apps on iOS"
    case .macos: "Safari on a Mac"
    case .android: "Android"
    case .bot: "Bots"
    case .fetcher: "Apple’s fetchers"
    case .other: "Others"
    }
  }
}
