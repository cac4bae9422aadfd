internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The part of a page that is about one site.
struct HTMLSite {
  let report: Report
  let site: SiteAudit
  let findings: [Finding]

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

  // MARK: - Summary

  func writeSummary(to page: inout HTMLWriter) {
    page.paragraph(sentence, class: "lead")
    let total = site.total
    let sameHost = site.referrals[.sameHost]?.visits ?? 0
    if total.requests > 0 { HTMLShares(whole: total).stack(site.verdicts, to: &page) }
    page.line {
      $0.element("dl", ["class": "figures"]) { page in
        figure(
          &page, "Visits", total.visits.grouped,
          "pages opened on Apple devices" + (report.audit.filter.includesBots ? " or by bots" : ""))
        for verdict in [Verdict.claimed, .excluded, .unclaimed] {
          let visits = site.verdicts[verdict]?.visits ?? 0
          figure(
            &page, verdict.title, visits.percent(of: total.visits),
            visits.counted("visit"), verdict: verdict)
        }
        figure(
          &page, "From the same host", sameHost.percent(of: claimed.visits),
          "\(sameHost.grouped) of \(claimed.visits.counted("claimed visit"))")
        figure(&page, "Requests", total.requests.grouped, "to this host")
        page.element("div", ["class": "counts"]) { page in
          page.element("dt", "Findings")
          for severity in Severity.allCases.reversed() {
            let count = findings.count { $0.severity == severity }
            page.element("dd", ["class": count == 0 ? "none" : severity.rawValue]) { page in
              page.icon(severity.rawValue)
              page.text(count.counted(severity.rawValue))
            }
          }
          if let change {
            page.element(
              "dd", ["class": "remark"],
              change.summary(of: findings, gone: gone.count).capitalizedFirst)
          }
        }
      }
    }
  }

  private func figure(
    _ page: inout HTMLWriter, _ name: String, _ value: String, _ remark: String,
    verdict: Verdict? = nil
  ) {
    page.element("div") { page in
      page.element("dt") { page in
        if let verdict { page.swatch(verdict) }
        page.text(name)
      }
      page.element("dd", ["class": "value"], value)
      page.element("dd", ["class": "remark"], remark)
    }
  }

  private var gone: [FindingRecord] { change?.gone(host: site.host) ?? [] }

  private var claimed: Traffic { site.verdicts[.claimed] ?? Traffic() }

  /// The summary, for readers who read nothing else.
  private var sentence: String {
    let total = site.total
    guard total.requests > 0 else { return "The logs hold no request to \(site.host)." }
    guard total.visits > 0 else {
      return
        "None of the \(total.requests.counted("request")) to \(site.host) is a visit: a page that somebody opened on an Apple device."
    }
    func part(_ verdict: Verdict) -> String {
      let visits = site.verdicts[verdict]?.visits ?? 0
      return "\(visits.grouped) (\(visits.percent(of: total.visits)))"
    }
    var sentence =
      "Of \(total.visits.counted("visit")) to \(site.host), the rules claim \(part(.claimed)) for the app, "
      + "exclude \(part(.excluded)), and say nothing of \(part(.unclaimed))."
    if (site.verdicts[.claimed]?.visits ?? 0) > 0 {
      sentence += " None of the claimed ones opened it: when the app opens, no log knows."
    }
    let sameHost = site.referrals[.sameHost]?.visits ?? 0
    if sameHost > 0 {
      sentence +=
        " \(sameHost.grouped) of the claimed ones came from the same host, where a link never opens the app."
    } else if site.lacksReferrers {
      sentence += " " + SiteAudit.withoutReferrers
    }
    return sentence
  }

  // MARK: - Sections

  var sections: [HTMLSection] {
    var sections: [HTMLSection] = []
    func add(_ id: String, _ title: String, _ content: @escaping (inout HTMLWriter) -> Void) {
      sections.append(HTMLSection(id: "\(self.id)-\(id)", title: title, content: content))
    }
    add("findings", "Findings") {
      HTMLFindings(findings: findings, change: change, gone: gone, level: level + 1)
        .write(to: &$0)
    }
    add("verdicts", "Verdicts") { verdicts(&$0) }
    if !site.days.isEmpty {
      add("days", "Visits by day") {
        HTMLDays(report: report, site: site, name: name, limit: limit).write(to: &$0)
      }
    }
    add("origins", "Where visits came from") { origins(&$0) }
    if !site.sameHostReferrals.isEmpty {
      add("pairs", Report.sameHostReferrals.title) { pairs(&$0) }
    }
    if !site.ruleLists.isEmpty {
      add("rules", "Rules") {
        HTMLRules(site: site, name: name, level: level + 1, limit: limit).write(to: &$0)
      }
    }
    let coverage = HTMLCoverage(
      of: site, in: report, name: name, level: level + 1, limit: limit)
    if !coverage.isEmpty { add("coverage", "Coverage") { coverage.write(to: &$0) } }
    add("delivery", "Delivery of the file") { delivery(&$0) }
    return sections
  }

  private func verdicts(_ page: inout HTMLWriter) {
    HTMLShares(whole: site.total).table(
      "Verdicts" + name,
      Verdict.allCases.map { verdict in
        .init(
          name: verdict.title, remark: verdict.meaning,
          traffic: site.verdicts[verdict] ?? Traffic(), verdict: verdict)
      }, to: &page)
    page.paragraph(
      "A claimed visit in a log is a visit that did not open the app: when the app opens, the server is not asked.",
      class: "hint")
    guard site.apps.count > 1 else { return }
    page.heading(level + 1, "App by app")
    HTMLTable(
      "Visits by app and verdict" + name,
      [.code("App") { $0.app.text }]
        + [Verdict.claimed, .excluded, .unclaimed].map { verdict in
          .number(verdict.title) { $0.verdicts[verdict]?.visits ?? 0 }
        }, site.apps, limit: limit
    ).write(to: &page)
  }

  private func origins(_ page: inout HTMLWriter) {
    page.element("div", ["class": "pair"]) { page in
      if claimed.requests > 0 {
        page.element("div") { page in
          page.heading(level + 1, "Claimed visits, by where the link stood")
          HTMLShares(whole: claimed).table(
            "Where claimed visits came from" + name,
            Referral.allCases.map { referral in
              .init(
                name: referral.title, remark: referral.meaning,
                traffic: site.referrals[referral] ?? Traffic())
            }, to: &page)
        }
      }
      page.element("div") { page in
        page.heading(level + 1, "All visits, by platform")
        HTMLShares(whole: site.total).table(
          "Platforms" + name,
          Platform.allCases.compactMap { platform in
            guard let traffic = site.platforms[platform], traffic.requests > 0 else { return nil }
            return .init(name: platform.title, traffic: traffic)
          }, to: &page)
      }
    }
  }

  private func pairs(_ page: inout HTMLWriter) {
    page.paragraph(
      "Claimed visits that began on a page of the same host. Such a link never opens the app, whatever is installed: let it lead to another host with the same rules, or offer the app on the page. {n} stands for digits, {hex} and {uuid} for what they say, {*} for many names.",
      class: "hint")
    HTMLTable(Report.sameHostReferrals, of: report, site: site, name: name, limit: limit)
      .write(to: &page)
  }

  private func delivery(_ page: inout HTMLWriter) {
    guard !site.fetches.isEmpty else {
      page.paragraph(
        "No request for the association file is in these logs. Devices get it from Apple's network, which may have asked before.",
        class: "hint")
      return
    }
    page.paragraph(
      "AASA-Bot is Apple's network, from which devices get the file; swcd is a device that asked itself; others are browsers, validators and whoever else asks. Anything but status 200 or 304 means that they got none, and no redirect is followed.",
      class: "hint")
    for table in [Report.fetchers, Report.fetches] {
      HTMLTable(table, of: report, site: site, name: name, limit: limit).write(to: &page)
    }
  }
}

extension Verdict {
  var title: String {
    switch self {
    case .claimed: "Claimed"
    case .excluded: "Excluded"
    case .unclaimed: "Unclaimed"
    case .ineligible: "Ineligible"
    }
  }

  fileprivate var meaning: String {
    switch self {
    case .claimed: "a rule opens it in the app"
    case .excluded: "a rule keeps it on the web"
    case .unclaimed: "no rule matches"
    case .ineligible: "no app could open it"
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
