internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The parts of a report about one site.
struct SiteDocument {
  let report: Report
  let site: SiteAudit

  /// The name of its part, with which the names of its sections begin.
  let id: String
  let findings: [Finding]

  /// The findings of an earlier report about it that are gone.
  let gone: [FindingRecord]

  /// Whether the report shows it in full.
  let isShown: Bool

  var part: Document.Section {
    Document.Section(
      id: id, title: Prose(site.host), key: site.total.visits.counted("visit"), form: .part
    ) {
      let comparison = report.audit.comparison(of: findings, gone: gone.count)
      return Self.outcome(of: [site], report.audit.options.filter)
        + (comparison.map { [.paragraph(Prose($0.endedAsSentence), .hint)] } ?? [])
        + sections.map { .section($0) }
    }
  }

  // MARK: - The outcome

  /// The outcome for some sites: a sentence, the verdicts, and the causes for which claimed visits
  /// stayed on the web.
  static func outcome(of sites: [SiteAudit], _ filter: TrafficFilter) -> [Document.Block] {
    let total = sites.sum(\.total)
    let verdicts = sites.reduce(into: CaseCounts<Verdict>()) { $0 += $1.verdicts }
    let rows = verdicts.shown.flatMap { verdict, traffic in
      [
        Document.Shares.Row(verdict.title, traffic, verdict, meaning: verdict.meaning)
      ] + parts(of: verdict, sites)
    }
    return [.paragraph("\(filter.words(for: total)). \(sites.outcome)", .lead)]
      + [.shares(Document.Shares(title: "Verdicts", whole: total, rows: rows))] + causes(of: sites)
  }

  /// The parts of a verdict that deserve attention.
  private static func parts(of verdict: Verdict, _ sites: [SiteAudit]) -> [Document.Shares.Row] {
    func sum(_ rows: (Coverage) -> [PathGroupTraffic]) -> Traffic {
      sites.sum { rows($0.coverage).sum(\.traffic) }
    }
    let parts: [(String, Traffic)] =
      switch verdict {
      case .claimed:
        [
          ("from the same host", sites.sum { $0.referrals[.sameHost] }),
          ("without a route", sum(\.claimedNotImplemented)),
          ("redirected", sum(\.claimedRedirected)),
          ("answered by an error", sum(\.claimedBroken)),
        ]
      case .excluded: [("with a route", sum(\.implementedButExcluded))]
      case .unclaimed: [("with a route", sum(\.implementedNotClaimed))]
      case .ineligible: []
      }
    return parts.filter { $0.1.requests > 0 }.map {
      Document.Shares.Row($0.0, $0.1, isNested: true, isDetail: true)
    }
  }

  /// The number of causes in the outcome; a table has all of them.
  private static let causeLimit = 6

  /// The causes, or the places of links where causes aren't known.
  private static func causes(of sites: [SiteAudit]) -> [Document.Block] {
    guard sites.count == 1, let site = sites.first, site.verdicts[.claimed].requests > 0
    else { return [] }
    let causes = site.causes
    guard !causes.isEmpty else { return origins(of: site) }
    let rest = causes.count - causeLimit
    return [
      .shares(
        Document.Shares(
          title: Report.causes.title, whole: site.verdicts[.claimed],
          rows: causes.shown(causeLimit).map {
            Document.Shares.Row($0.cause.entry.title, $0.traffic)
          }, rest: rest > 0 ? rest.counted("more cause") : nil))
    ]
  }

  private static func origins(of site: SiteAudit) -> [Document.Block] {
    let claimed = site.verdicts[.claimed]
    let rows = Referral.allCases.map { referral in
      Document.Shares.Row(
        referral.title, site.referrals[referral], meaning: referral.meaning)
    }
    let shares = Document.Shares(
      title: "Where claimed visits came from", whole: claimed, rows: rows)
    guard claimed.visits > 0, site.referrals[Referral.none].visits == claimed.visits else {
      return [.shares(shares)]
    }
    let hint: Prose = "None of them has a referrer, so links on the same host can't be recognized."
    return [.shares(shares), .paragraph(hint, .hint)]
  }

  // MARK: - Sections

  var sections: [Document.Section] {
    var sections: [Document.Section] = []
    func add(
      _ id: String, _ title: String, _ key: String, if isKnown: Bool = true,
      _ blocks: @escaping () -> [Document.Block]
    ) {
      guard isKnown else { return }
      sections.append(
        Document.Section(id: "\(self.id)-\(id)", title: Prose(title), key: key, blocks: blocks))
    }
    add("findings", "Findings", findings.counts) {
      let change = report.audit.change
      return [.findings(Document.FindingList(findings: findings, change: change, gone: gone))]
    }
    add(
      "origins", Report.causes.title, site.causes.count.counted("cause"), if: !site.causes.isEmpty
    ) { [table(Report.causes)] + Self.origins(of: site) }
    add("apps", "Apps", site.apps.count.counted("app"), if: site.apps.count > 1) {
      [.table(DocumentTable("Visits by app and verdict", Report.appColumns, site.apps))]
    }
    add("days", "Visits by day", site.days.period ?? "", if: !site.days.isEmpty) {
      [.days(site, Report.days.document(of: report, site: site))]
    }
    add(
      "pairs", Report.sameHostReferrals.title,
      site.sameHostReferrals.count.counted("pair") + " of pages",
      if: !site.sameHostReferrals.isEmpty
    ) { pairs }
    let rules = site.ruleLists.reduce(0) { $0 + $1.rules.count }
    add("rules", "Rules", rules.counted("rule"), if: !site.ruleLists.isEmpty) { self.rules }
    let coverage = Report.coverageTables.map {
      $0.document(of: report, site: site, isExplained: true)
    }.filter { $0.count > 0 }
    add(
      "coverage", "Coverage",
      coverage.first.map { "\($0.title): \($0.count.grouped)" } ?? "",
      if: !coverage.isEmpty || noteOnRoutes != nil
    ) {
      (noteOnRoutes.map { [.paragraph(Prose($0), .hint)] } ?? [])
        + coverage.flatMap { table -> [Document.Block] in
          [.heading("\(table.title)", key: table.count.grouped), .table(table)]
        }
    }
    add("platforms", "Platforms", "") {
      let rows = site.platforms.occurring.map { Document.Shares.Row($0.key.title, $0.traffic) }
      return [.shares(Document.Shares(title: "Platforms", whole: site.total, rows: rows))]
    }
    add(
      "delivery", "Delivery of the file",
      site.fetchers.first { $0.fetcher.isApple }?.sentence ?? "no request by Apple"
    ) { delivery }
    return sections
  }

  private func table(_ table: Table<Report>) -> Document.Block {
    .table(table.document(of: report, site: site))
  }

  /// The note on the use of routes; if no site has routes, the first one shows it for all.
  private var noteOnRoutes: String? {
    let sites = report.audit.sites
    guard sites.contains(where: \.hasRoutes) else {
      return site.host == sites.first?.host && sites.contains { $0.total.requests > 0 }
        ? "To compare the rules with the routes of the app, pass '--routes FILE' (Documentation/Routes.md)."
        : nil
    }
    return site.hasRoutes
      ? nil
      : "Without a list of routes of this site, linkaudit can't know which URLs the app implements: pass '--routes FILE'."
  }

  // MARK: - Links on the same host

  private var pairs: [Document.Block] {
    [
      .paragraph(
        "Claimed visits from pages of the same host. Such a link never opens the app, even if it is installed: link to another host with the same rules, or offer the app on the page. {n} stands for digits, {hex} and {uuid} for such identifiers, {*} for many names.",
        .hint), .flow(site.sameHostReferrals), table(Report.sameHostReferrals),
    ] + fixes
  }

  private static let bannerLimit = 3

  /// The two ways to let links on the same host open the app, with text to paste.
  private var fixes: [Document.Block] {
    guard let first = site.sameHostFixes.first else { return [] }
    let all = site.sameHostFixes.reduce(0) { $0 + $1.visits }
    var blocks: [Document.Block] = [
      .heading("\(Report.sameHostFixes.title)"),
      .paragraph(
        "1. Link to a second host (\(all.counted("visit"))). Serve the same association file at"),
      .code(["https://\(first.secondHost)/.well-known/apple-app-site-association"]),
      .paragraph("and add this entry to the app's associated domains:"),
      .code([first.entitlement]),
    ]
    if let link = first.secondHostExample {
      blocks += [.paragraph("Then link to it on pages like \(path: first.page):"), .code([link])]
    }
    blocks.append(
      .paragraph(
        "2. Or offer the app with a smart app banner. Safari shows it only on pages that the app claims."
      ))
    for fix in site.sameHostFixes.prefix(Self.bannerLimit) {
      guard let banner = fix.banner else { continue }
      let page: Prose = "On pages like \(path: fix.page) (\(fix.visits.counted("visit")))"
      if fix.showsBanner {
        // A tag may end its lines between attributes.
        let lines = banner.replacing(" content=", with: "\ncontent=").split(separator: "\n")
        blocks += [.paragraph(page + ":"), .code(lines.map(String.init))]
      } else {
        blocks.append(
          .paragraph(page + ", no rule claims the page, so Safari shows no banner."))
      }
    }
    return blocks + [table(Report.sameHostFixes)]
  }

  // MARK: - Rules

  private var rules: [Document.Block] {
    var hint: Prose =
      "The first rule that matches decides. Rules are named by entry and position, both counted from 0, as in the file."
    if site.versions.isEmpty, let file = site.filePath {
      hint = hint + " Line numbers refer to \(code: file)."
    }
    if site.ruleLists.contains(where: { $0.rules.contains(where: \.rule.dependsOnFragment) }) {
      hint =
        hint + " Fragments never reach a server, so rules with a fragment are judged without it."
    }
    let lists = site.ruleLists.enumerated().flatMap { index, list -> [Document.Block] in
      let number = site.ruleLists.count > 1 ? " of list \(index + 1)" : ""
      let table = DocumentTable("Rules\(number)", Report.ruleColumns, list.rules)
      let version = list.version.map { Prose($0.title.capitalizedFirst) }
      return [.heading(Document.names(of: list.apps))]
        + (version.map { [.paragraph($0, .hint)] } ?? []) + [.table(table)]
    }
    // The apps of a list share its rules.
    let shadows = site.ruleLists.flatMap { $0.apps.prefix(1).flatMap($0.shadows) }.sorted {
      $0.traffic.isHeavier(than: $1.traffic, by: report.audit.options.weight)
    }
    let table = DocumentTable(Report.shadowed.title, Report.shadowColumns, shadows)
    return [.paragraph(hint, .hint)] + lists
      + (shadows.isEmpty
        ? [] : [.heading("\(table.title)", key: shadows.count.grouped), .table(table)])
  }

  // MARK: - Delivery

  private var delivery: [Document.Block] {
    let sentences =
      site.fetchers.filter(\.fetcher.isApple).map(\.sentence)
      + DeliverySource.allCases.compactMap { site.servedFiles.current(of: $0)?.sentence }
    let blocks =
      sentences.map { .paragraph(Prose($0)) }
      + (site.servedFiles.isEmpty ? [] : [table(Report.servedFiles)])
    guard !site.fetches.isEmpty else {
      return blocks + [
        .paragraph(
          "These logs have no request for the association file. Devices get it from Apple's CDN, which may have requested it earlier.",
          .hint)
      ]
    }
    return blocks + [
      .paragraph(
        "AASA-Bot fetches the file for Apple's CDN, from which devices get it; swcd is a device that requests it itself; others are browsers, validators and other programs. Statuses other than 200 and 304 mean that the client got no file. Apple's clients don't follow redirects.",
        .hint), table(Report.fetchers), table(Report.fetches),
    ]
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

extension ServedFile {
  fileprivate var sentence: String {
    let span = checks == 1 ? "" : ", as in all \(checks.grouped) checks since \(first)"
    let end = certificateEnd.map { " Its certificate is valid until \($0.day)." } ?? ""
    return
      "\(source.name.capitalizedFirst) answered the check of \(last) with \(answer)\(span).\(end)"
  }
}

extension FetcherDelivery {
  fileprivate var sentence: String {
    guard good > 0 else { return "\(fetcher.rawValue) did not get the file." }
    let days = goodDays > 0 ? " on \(goodDays.counted("day"))" : ""
    let gap =
      greatestGap.map { $0 > 1 ? ", at most \($0.counted("day")) of these logs apart" : "" } ?? ""
    let last = lastGood.map { ", last \($0)" } ?? ""
    return "\(fetcher.rawValue) got the file\(days)\(gap)\(last)."
  }
}

extension ClosedRange<Int> {
  /// The numbers in words: one, or the least and the greatest.
  var groupedText: String {
    lowerBound == upperBound ? lowerBound.grouped : "\(lowerBound.grouped)-\(upperBound.grouped)"
  }
}

extension Verdict {
  var title: String { rawValue.capitalizedFirst }

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
    case .none: "No referrer"
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
