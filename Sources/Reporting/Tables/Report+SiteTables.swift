internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension Report {
  static let siteTables: [Table<Report>] =
    [
      sites, versions, verdicts, platforms, referrals, days, dayPlatforms, dayReferrals, dayCauses,
      shadowed,
    ] + siteMembers + [fetches, fetchers, servedFiles]

  /// The tables whose rows are a member of their site in JSON.
  static let siteMembers: [Table<Report>] = [
    causes, causePaths, rules, sameHostReferrals, sameHostFixes,
  ]

  static let sites = Table<Report>(
    "sites", "Sites", "The sites, and all requests to each.", rows: { $0.siteDocuments },
    columns: siteColumns)

  static let siteColumns: [TableColumn<SiteDocument>] =
    [
      .text("host", "The host") { $0.site.host }.headed("Site", .link) {
        $0.isShown ? .link($0.site.host, to: $0.id) : .text($0.site.host)
      },
      .optional("file", "The association file, in its newest version") { $0.site.filePath },
    ] + TableColumn.traffic(requestsAreWide: true) { $0.site.total }
    + [Verdict.claimed, .excluded, .unclaimed].map { verdict in
      TableColumn.shown(verdict.title, .share, help: "of visits", isWide: verdict != .claimed) {
        row in
        let visits = row.site.verdicts[verdict].visits
        return .text(visits.percent(of: row.site.total.visits))
      }
    } + [
      .shown("Same host", .share, help: "of claimed visits") { row in
        let claimed = row.site.verdicts[.claimed].visits
        return .text(row.site.referrals[.sameHost].visits.percent(of: claimed))
      },
      .shown("Findings", .number) { .number($0.findings.count) },
      .shown("Errors", .number, isWide: true) { row in
        .number(row.findings.count { $0.severity == .error })
      },
    ]

  static let versions = Table<Report>(
    site: "versions", "Versions of the file",
    "The versions of the association file of a site, if there are several.",
    rows: { $0.versions },
    columns: [
      .count("version", "The position in this list, from 0") { $0.number },
      .day("from", "The first day in force") { $0.first },
      .day("to", "The last day in force; none for the newest version") { $0.last },
      .optional("file", "The path that it was read from") { $0.filePath },
    ])

  static let verdicts = Table<Report>(
    site: "verdicts", "Verdicts",
    "Traffic by verdict of the site (rows without an app) and by verdict of each app.",
    rows: { site in
      ([(nil, site.verdicts)] + site.apps.map { ($0.app, $0.verdicts) }).flatMap {
        app, verdicts in
        Verdict.allCases.map { (app: app, verdict: $0, traffic: verdicts[$0]) }
      }
    },
    columns: [
      .optional("app", "The app; none for the site as a whole") { $0.app?.text },
      .verdict("verdict", "The verdict") { $0.verdict },
    ] + TableColumn.traffic { $0.traffic })

  /// The columns of apps; their rows in CSV and NDJSON are those of ``verdicts``.
  static let appColumns: [TableColumn<AppTraffic>] =
    [
      .text("app", "The app") { $0.app.text }.headed(code: "App"),
      .traffic(object: "verdicts", "Traffic by verdict of the app", by: \.rawValue) { $0.verdicts },
    ]
    + [Verdict.claimed, .excluded, .unclaimed].map { verdict in
      TableColumn.shown(verdict.title, .number) { .number($0.verdicts[verdict].visits) }
    }

  static let platforms = Table<Report>(
    site: "platforms", "Platforms", "Traffic by kind of client.", labels: ["platform"],
    rows: { site in Platform.allCases.map { ($0, site.platforms[$0]) } },
    columns: [.platform { $0.0 }]
      + TableColumn.traffic { $0.1 }.gauges("platform_", "by kind of client"))

  static let referrals = Table<Report>(
    site: "referrals", "Origins", "Claimed traffic by the place of the link.",
    labels: ["referral"],
    rows: { site in Referral.allCases.map { ($0, site.referrals[$0]) } },
    columns: [.referral { $0.0 }]
      + TableColumn.traffic { $0.1 }
      .gauges("referral_", "that rules claim, by the place of the link"))

  package static let causes = Table<Report>(
    site: "causes", "Why claimed visits stayed on the web",
    "Claimed traffic by the cause for which it stayed on the web. Each request has exactly one.",
    labels: ["cause", "certainty"], rows: { $0.causes },
    columns: [
      .cause { $0.cause }.headed("Cause") { .text($0.cause.entry.title) },
      .choice("certainty", "The certainty that this is why the app did not open") {
        $0.cause.entry.certainty
      }.headed("Certainty"),
    ]
      + TableColumn.traffic { $0.traffic }
      .gauges("cause_", "that rules claim, by the cause for which they stayed on the web") + [
        .optional("path", "The heaviest path group") { $0.paths.first?.path }
          .headed(path: "Heaviest path group"),
        .text("remedy", "The fix that lets the app open") { $0.cause.entry.remedy },
      ])

  static let causePaths = Table<Report>(
    site: "cause-paths", "Causes by path group", "Claimed traffic by cause and path group.",
    isLimited: true,
    rows: { $0.causePaths },
    columns: [.cause { $0.cause }, .text("path", "The path group") { $0.share.path }]
      + TableColumn.traffic { $0.share.traffic })

  static let days = Table<Report>(
    site: "days", "Days", "Traffic by day.", rows: { $0.days },
    columns: [.day { $0.day }.headed("Day") { .text($0.day?.description ?? "unknown") }]
      + Verdict.allCases.flatMap { verdict in
        dayTraffic(verdict.rawValue, verdict.title) { $0.verdicts[verdict] }
      } + [
        .shown("All", .number) { .number($0.total.visits) },
        .shown("Requests", .number) { .number($0.total.requests) },
      ]
      + dayTraffic(
        "sameHost", "Same host", help: "claimed visits that came from the same host", \.sameHost))

  /// Columns of requests and visits, of which people see the visits.
  private static func dayTraffic(
    _ name: String, _ title: String, help: String? = nil,
    _ traffic: @escaping @Sendable (DayTraffic) -> Traffic
  ) -> [TableColumn<DayTraffic>] {
    [
      .count(name + "Requests", "Requests") { traffic($0).requests },
      .count(name + "Visits", "Requests that are visits") { traffic($0).visits }
        .headed(title, help: help),
    ]
  }

  static let dayPlatforms = Table<Report>(
    site: "day-platforms", "Days and platforms", "Traffic by day and kind of client.",
    rows: { $0.parts(ofDays: \.platforms) },
    columns: [.day { $0.day }, .platform { $0.key }] + TableColumn.traffic { $0.traffic })

  static let dayReferrals = Table<Report>(
    site: "day-referrals", "Days and origins", "Claimed traffic by day and place of the link.",
    rows: { $0.parts(ofDays: \.referrals) },
    columns: [.day { $0.day }, .referral { $0.key }] + TableColumn.traffic { $0.traffic })

  static let dayCauses = Table<Report>(
    site: "day-causes", "Days and causes", "Claimed traffic by day and cause.",
    rows: { $0.parts(ofDays: \.causes) },
    columns: [.day { $0.day }, .cause { $0.key }] + TableColumn.traffic { $0.traffic })

  package static let rules = Table<Report>(
    site: "rules", "Rules",
    "The rules in file order, app by app, with the traffic that each decided.",
    labels: ["app", "detail", "list", "rule", "pattern", "excludes", "version"],
    rows: { $0.rules },
    columns: TableColumn.naming { $0.rule } + ruleColumns.map { $0.of(\.traffic) })

  /// The columns of a rule, whatever its app is.
  static let ruleColumns: [TableColumn<RuleTraffic>] =
    [
      .shown("Rule") { .text($0.rule.id.text) }, .rule("Pattern") { $0.rule },
      .shown("Marks", .marks) { .texts($0.marks) },
    ] + TableColumn.traffic { $0.traffic }.gauges("rule_", "that a rule decided for an app")
    + [
      .count("shadowed", "Matching requests that an earlier rule decided") { $0.shadowed }
        .headed("Shadowed", help: "matching requests that an earlier rule decided", isWide: true)
        .gauge(
          "rule_shadowed_requests", "Requests that a rule matches but an earlier rule decided."),
      .truth(
        "fragmentDependent",
        "Whether its decision depends on the fragment, which logs don't record"
      ) { $0.rule.dependsOnFragment },
      .objects(
        "shadowedBy", named: "shadowingRule", "The earlier rules that decided them",
        [
          .optionalCount("rule", "The position of the rule in its list, from 0") {
            $0.rule.position
          }
        ] + TableColumn.traffic { $0.traffic }
      ) { $0.shadowedBy },
    ]

  static let shadowed = Table<Report>(
    site: "shadowed", "Shadowed rules",
    "Pairs of a rule and an earlier rule that decided instead, with the traffic that both match.",
    rows: { $0.shadows }, columns: shadowColumns)

  static let shadowColumns: [TableColumn<AppShadow>] =
    TableColumn.naming { $0.rule } + deciderColumns.map { $0.of(\.decider).within("by") }
    + [.rule("That match") { $0.rule }] + TableColumn.traffic { $0.traffic }
    + [.rule("But were decided by") { $0.decider }]

  private static let deciderColumns: [TableColumn<ReportedRule>] = [
    .optionalCount("rule", "The position of the earlier rule") { $0.id.position },
    .text("pattern", "The earlier rule in short") { $0.pattern },
    .truth("excludes", "Whether the earlier rule excludes") { $0.excludes },
    .optionalOrdinal("line", "The line of the earlier rule") { $0.position?.line },
    .optionalOrdinal("column", "The column of the earlier rule") { $0.position?.column },
  ]

  static let sameHostReferrals = Table<Report>(
    site: "same-host-referrals", "Links on the same host",
    "Claimed visits that came from a page of the same host, where a link never opens the app.",
    isLimited: true, labels: ["from", "to"], rows: { $0.sameHostReferrals },
    columns: TableColumn.pair)

  static let sameHostFixes = Table<Report>(
    site: "same-host-fixes", "Fixes for links on the same host",
    """
    Pages with links to claimed pages of the same host, and the two ways to let them open the app: \
    a smart app banner on the page, or links to a second host.
    """,
    isLimited: true, rows: { $0.sameHostFixes },
    columns: [
      .text("page", "The page with the links, as a path group") { $0.page }
        .headed(path: "On a page like"),
      .optionalVerdict(
        "pageVerdict",
        "The verdict of most requests for the page; none if there are none. Safari shows the banner only on claimed pages"
      ) { $0.pageVerdict }.headed("Page is") { .text($0.pageVerdict?.rawValue ?? "unknown") },
      .text("to", "The page with the most visits from it, as a path group") { $0.destination },
      .count("visits", "Visits that links to a second host can win") { $0.visits }
        .headed("Visits", before: 1),
      .count("bannerVisits", "Visits that a smart app banner on the page can win") {
        $0.bannerVisits
      },
      .optional("banner", "The smart app banner's tag, for the page") { $0.banner },
      .text("secondHost", "A second host, which needs the same association file") { $0.secondHost },
      .text("entitlement", "The entry of the app's associated domains for the second host") {
        $0.entitlement
      },
      .optional("link", "A link to the second host, to use instead of one to this host") {
        $0.secondHostExample
      }.headed(path: "Link to"),
    ])

  static let fetches = Table<Report>(
    site: "fetches", "Requests for the association file",
    "Requests for the association file by client, path and status.",
    labels: ["path", "fetcher", "status"], rows: { $0.fetches }, columns: TableColumn.fetch)

  static let fetchers = Table<Report>(
    site: "fetchers", "Delivery of the association file",
    "Delivery of the association file to each kind of client.", labels: ["fetcher"],
    rows: { $0.fetchers },
    columns: [
      .fetcher { $0.fetcher }, .count("requests", "Requests") { $0.requests }.headed("Requests"),
      .count("good", "Requests with status 200 or 304") { $0.good }.headed("Good").gauge(
        "association_file_good_requests",
        "Requests for the association file with status 200 or 304."),
      .time("first", "The time of the first request") { $0.first },
      .time("last", "The time of the last request") { $0.last },
      .time("lastGood", "The time of the last good request") { $0.lastGood }
        .headed("Last good") {
          .text($0.lastGood?.description ?? ($0.good > 0 ? "unknown" : "never"))
        }
        .gauge(
          "association_file_last_good_fetch_timestamp_seconds",
          "Time of the last successful request for the association file, since the Unix epoch."),
      .count("goodDays", "Days with a good request") { $0.goodDays }
        .headed("Good days", before: 1)
        .gauge(
          "association_file_good_dates",
          "Days with a successful request for the association file."),
      TableColumn(
        "greatestGap", .nullable(.integer(from: 1)),
        "The longest gap between days with a good request, in days of the logs; 1 if every day has one"
      ) { .number($0.greatestGap) }
      .headed("Greatest gap, days", .text, isWide: true, before: 1)
      .gauge(
        "association_file_greatest_gap_seconds",
        "The longest time from a day with a successful request to the next, in days of the logs, as seconds.",
        scale: 86_400),
    ])

  static let servedFiles = Table<Report>(
    site: "served-files", "Answers of servers",
    """
    The answers of the site and of Apple's CDN to `linkaudit fetch --store`. Equal answers in \
    sequence are one row. Only stores have this table.
    """,
    rows: { $0.servedFiles },
    columns: [
      .choice("from", "The server") { $0.source }.headed("From") { .text($0.source.name) },
      .time("first", "The time of the first check with this answer") { $0.first }.headed("First"),
      .time("last", "The time of the last check with this answer") { $0.last }.headed("Last"),
      .count("checks", "Checks with this answer") { $0.checks }.headed("Checks"),
      .shown("Answer") { .text($0.answer) },
      .optionalCount("status", "The status; none if there was no answer") { $0.status },
      .optional("problem", "The code of the most severe problem of the answer") { $0.problem },
      .optionalCount("bytes", "The decompressed size of the content, in bytes") { $0.size },
      .optional("identity", "The identity of the content; none if systems can't read it") {
        $0.content?.identity
      }.headed("File") { .text($0.content.map { String($0.identity.prefix(8)) }) },
      .day(
        "inForceSince",
        "The first day on which the store has this content in force; the first content judges earlier days, too. None if it never was in force"
      ) { $0.content?.inForceSince },
      .time("certificateEnd", "The end of the validity of the server's certificate") {
        $0.certificateEnd
      }.headed("Certificate until") { .text($0.certificateEnd?.day.description) },
      .objects(
        "headers", named: "header",
        "Header fields of the last answer about the content and its caching",
        [
          .text("name", "The name in lower case") { $0.key },
          .text("value", "The value") { $0.value },
        ]
      ) { $0.fields },
    ])
}

extension SiteAudit {
  /// The traffic of each day by the cases of a kind that occur.
  fileprivate func parts<Key>(
    ofDays counts: @escaping (DayTraffic) -> CaseCounts<Key>
  ) -> some Sequence<(day: Day?, key: Key, traffic: Traffic)> & SendableMetatype {
    days.lazy.flatMap { day in counts(day).occurring.map { (day.day, $0.key, $0.traffic) } }
  }
}

extension RuleTraffic {
  fileprivate var marks: [String] {
    let use = traffic.requests > 0 ? nil : shadowed > 0 ? "never reached" : "unused"
    return [use, rule.dependsOnFragment ? "needs fragment" : nil].compactMap(\.self)
  }
}

extension TableColumn {
  static func day(
    _ name: String = "day", _ about: String = "The day, in the time zone of the log",
    _ day: @escaping Getter<Day?>
  ) -> TableColumn {
    TableColumn(name, .nullable(.day), about) { .text(day($0)?.description) }
  }

  static func referral(_ referral: @escaping Getter<Referral>) -> TableColumn {
    TableColumn("referral", .choice(Referral.allCases.map(\.name)), "The place of the link") {
      .text(referral($0).name)
    }
  }

  static func cause(_ cause: @escaping Getter<Cause>) -> TableColumn {
    TableColumn(
      "cause", .choice(Cause.allCases.map(\.entry.name)), "The cause for which it stayed on the web"
    ) { .text(cause($0).entry.name) }
  }

  fileprivate static func fetcher(_ fetcher: @escaping Getter<Fetcher>) -> TableColumn {
    .choice(
      "fetcher", "Apple's CDN (`AASA-Bot`), a device (`swcd`), Google, or another client", fetcher
    ).headed("Client")
  }

  static func time(
    _ name: String, _ about: String, _ time: @escaping Getter<LogTime?>
  ) -> TableColumn {
    TableColumn(name, .nullable(.time), about) { row in
      time(row).map { TableValue.time($0) } ?? TableValue.none
    }
  }
}

extension TableColumn where Row == PagePair {
  static let pair: [TableColumn] = [
    .text("from", "The page with the link, as a path group") { $0.from }
      .headed(path: "From a page like"),
    .text("to", "The visited page, as a path group") { $0.to }.headed(path: "To a page like"),
    .count("visits", "Visits") { $0.visits }.headed("Visits").gauge(
      "same_host_referral_visits",
      "Claimed visits between the heaviest pairs of pages of the same host."),
  ]
}

extension TableColumn where Row == TrafficDigest.Fetch {
  static let fetch: [TableColumn] = [
    .fetcher { $0.fetcher },
    .text("path", "The requested path") { $0.path }.headed(path: "File", before: 1),
    TableColumn("status", .integer(from: 0, to: 65_535), "The status of the response") {
      .number(Int($0.status))
    }.headed("Status"),
    .count("requests", "Requests") { $0.requests }.headed("Requests").gauge(
      "association_file_requests",
      "Requests for the association file, by Apple's fetchers and by others."),
    .time("first", "The time of the first request") { $0.first }
      .headed("First", isWide: true) { .text($0.first?.description ?? "unknown") },
    .time("last", "The time of the last request") { $0.last }
      .headed("Last") { .text($0.last?.description ?? "unknown") }
      .gauge(
        "association_file_last_fetch_timestamp_seconds",
        "Time of the last request for the association file, since the Unix epoch."),
    .optionalCount("smallest", "The size of the smallest response, in bytes") {
      $0.sizes?.lowerBound
    }
    .headed("Bytes", .text, isWide: true, before: 2) { .text($0.sizes?.groupedText ?? "unknown") }
    .gauge(
      "association_file_smallest_bytes",
      "The smallest response to a request for the association file, as logged."),
    .optionalCount("largest", "The size of the largest response, in bytes") {
      $0.sizes?.upperBound
    }.gauge(
      "association_file_largest_bytes",
      "The largest response to a request for the association file, as logged."),
  ]
}
