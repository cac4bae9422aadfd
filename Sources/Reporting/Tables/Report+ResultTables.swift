internal import LinkAuditing
internal import UniversalLinks

extension Report {
  /// The tables about other hosts and findings.
  static let resultTables: [Table<Report>] = [
    otherHosts, unlistedHosts, findings, goneFindings,
  ]

  static let otherHosts = Table<Report>(
    "other-hosts", "Other hosts", "Requests to hosts without a site: the 10,000 heaviest hosts.",
    isLimited: true, labels: ["host"], rows: { $0.audit.otherHosts.rows },
    columns: [
      .text("host", "The host; empty if neither the log nor an option names it") { $0.name },
      .count("requests", "Requests") { $0.requests }.gauge(
        "other_host_requests", "Requests to the heaviest hosts without a site."),
    ],
    shown: [
      ShownColumn("Host", .code) {
        $0.host.isEmpty
          ? .text("not recorded, but required for several sites") : .code($0.name)
      },
      .number("Requests") { $0.requests },
    ])

  static let unlistedHosts = Table<Report>(
    "unlisted-hosts", "Further hosts",
    "The number of hosts beyond the 10,000 heaviest, if there are more.",
    rows: { $0.audit.otherHosts.otherCount > 0 ? [$0.audit.otherHosts] : [] },
    columns: TableColumn.remainder)

  static let findings = Table<Report>.findings(
    "findings", "Findings",
    "Findings: first those that make figures doubtful, then those with the most visits to win."
  ) {
    $0.audit.findings
  }

  static let goneFindings = Table<Report>(
    "gone-findings", "Findings that are gone",
    "Findings of the earlier report that this one does not have.",
    rows: { $0.audit.change?.gone ?? [] },
    columns: [
      .text("code", "The code") { $0.code },
      .severity("The severity") { $0.knownSeverity },
      .optional("host", "The site; none if it concerns the input") { $0.host },
      .text("subject", "The app, or the app and the rule; empty if there is none") { $0.subject },
      .text("message", "The finding in a sentence or two") { $0.message },
      .count("requests", "Requests concerned") { $0.requests },
      .count("visits", "Visits concerned") { $0.visits },
      TableColumn(
        "share", .nullable(.integer(from: 0, to: 1_000_000)),
        "The share that determines its severity, in millionths"
      ) { .number($0.share) },
    ])
}

extension Table where Source: TableSource {
  /// Declares a table of findings.
  static func findings(
    _ name: String, _ title: String, _ about: String,
    rows: @escaping @Sendable (Source) -> [Finding]
  ) -> Table {
    Table(
      name, title, about, rows: rows,
      columns: [
        .text("code", "The code, which `linkaudit explain` explains") { $0.code },
        .severity("The severity") { $0.severity },
        TableColumn(
          "change", .choice(Finding.Change.allCases.map(\.rawValue)),
          "The change since an earlier report, if there is one", presence: .rarely
        ) { $0.change.map { .text($0.rawValue) } },
        TableColumn(
          "known", .truth, "Whether the baseline has it, if there is one", presence: .rarely
        ) { $0.isKnown.map { .truth($0) } },
        .optional("host", "The site; none if it concerns the input") { $0.host },
        .text("message", "The finding in a sentence or two") { $0.message },
        .text("remedy", "The fix") { $0.remedy },
        .count("requests", "Requests concerned") { $0.traffic.requests },
        .count("visits", "Visits concerned") { $0.traffic.visits },
        TableColumn(
          "visitsToWin", .nullable(.count),
          "Visits that could open the app once it is fixed; none if the fix wins none directly"
        ) { .number($0.visitsToWin) },
        TableColumn(
          "earlierVisits", .nullable(.count), "Visits concerned in the earlier report",
          presence: .rarely
        ) { $0.earlier.map { .number($0.visits) } },
        TableColumn(
          "line", .nullable(.count), "The line of the first rule concerned", formats: .csvOnly
        ) { .number($0.evidence.rules.first?.position?.line) },
        TableColumn(
          "column", .nullable(.count), "The column in that line", formats: .csvOnly
        ) { .number($0.evidence.rules.first?.position?.column) },
        TableColumn("samples", .texts(atMost: 15), "Targets concerned", formats: .csvOnly) {
          .texts($0.evidence.paths.flatMap(\.samples))
        },
        .part(
          "evidence", named: "evidence", "The evidence: rules, paths, pairs, logs",
          TableColumn<Finding.Evidence>.evidence
        ) { $0.evidence },
      ])
  }
}

extension TableColumn where Row == HeaviestHosts {
  /// The columns of hosts that aren't listed.
  static let remainder: [TableColumn] = [
    .count("hosts", "Hosts") { $0.otherCount },
    .count("requests", "Requests") { $0.others.requests },
  ]
}

extension TableColumn where Row == Finding.Evidence {
  /// The members of a finding's evidence.
  static let evidence: [TableColumn] = [
    .objects("rules", named: "ruleName", "Rules", TableColumn<ReportedRule>.naming { $0 }) {
      $0.rules
    },
    .objects(
      "paths", named: "evidencePath", "Path groups or routes",
      TableColumn<PathGroupTraffic>.pathGroup()
    ) { $0.paths },
    .objects("pairs", named: "pair", "Pairs of pages", TableColumn<PagePair>.pair) { $0.pairs },
    .texts("logs", "Logs") { $0.logs },
  ]
}
