internal import AccessLogs
package import LinkAuditing
package import TrafficDigest
internal import UniversalLinks

/// An audit and the traffic it is about: the source of all formats of a report.
package struct Report: TableSource {
  let audit: Audit
  let digest: TrafficDigest

  /// The number of rows in tables that are ordered by weight, or `nil` for all.
  package let top: Int?

  /// The command line, or `nil` if it isn't known.
  let words: ReportWords?

  /// Creates a report of an audit, with at most `top` rows in tables that are ordered by weight.
  package init(audit: Audit, digest: TrafficDigest, top: Int?, words: ReportWords? = nil) {
    (self.audit, self.digest, self.top, self.words) = (audit, digest, top, words)
  }

  /// All tables, in the order in which documents list them.
  package static let tables: [Table<Report>] =
    [files, rejectedByReason, rejectedLines, clients] + siteTables + coverageTables
    + [otherHosts, unlistedHosts, findings, goneFindings]
}

extension Report {
  static let files = Table<Report>(
    "files", "Logs", "The logs, also those that were skipped.",
    rows: { $0.digest.inputs }, columns: TableColumn.input)

  static let rejectedByReason = Table<Report>(
    "rejected-by-reason", "Rejected lines", "Lines that are not requests, by reason.",
    labels: ["reason"], rows: { $0.rejections }, columns: rejectionColumns)

  /// The number of lines that are rejected for a reason, and the first of them.
  typealias Rejections = (reason: RejectionReason, lines: Int, first: RejectedLine?)

  static let rejectionColumns: [TableColumn<Rejections>] = [
    .choice("reason", "The reason") { $0.reason }
      .headed("Lines that are") { .text($0.reason.sentence) },
    .count("lines", "Lines") { $0.lines }.headed("Count").gauge(
      "input_rejected_lines", "Lines that are not requests, by reason."),
    .shown("First", .code) { row in row.first.map { .code("\($0.path):\($0.line)") } },
  ]

  var rejections: [Rejections] {
    RejectionReason.allCases.map { reason in
      let first = digest.rejectedLines.first { $0.reason == reason }
      return (reason, digest.rejections[reason] ?? 0, first)
    }
  }

  static let rejectedLines = Table<Report>(
    "rejected-lines", "Examples of rejected lines", "The first rejected lines of each reason.",
    rows: { $0.digest.rejectedLines },
    columns: [
      .choice("reason", "The reason") { $0.reason },
      .text("path", "The log") { $0.path },
      .ordinal("line", "The line number, from 1") { $0.line },
      .count("offset", "The number of decompressed bytes before the line") { $0.offset },
    ])

  static let clients = Table<Report>(
    "clients", "Clients", "Requests by client, to all hosts.", isLimited: true,
    labels: ["platform", "client", "version"],
    rows: { $0.digest.clients }, columns: TableColumn.client)
}

extension TableColumn {
  static func tally(_ tally: @escaping Getter<LineTally>) -> [TableColumn] {
    [
      .count("lines", "Lines") { tally($0).lines }.headed("Lines")
        .gauge("input_lines", "Lines of all logs."),
      .count("requests", "Lines that are requests") { tally($0).requests }.headed("Requests")
        .gauge("input_requests", "Lines that are requests in the selected time."),
      .count("rejected", "Lines that are not requests") { tally($0).rejected }.headed("Rejected"),
      .count("outside", "Requests outside the selected time") { tally($0).outside }
        .gauge("input_outside_requests", "Requests outside the selected time."),
    ]
  }

  static func platform(_ platform: @escaping Getter<Platform>) -> TableColumn {
    TableColumn("platform", .definition("platform"), "The kind of client") {
      .text(platform($0).name)
    }
  }
}

extension TableColumn where Row == TrafficDigest.Input {
  static let input: [TableColumn] =
    [
      .text("path", "The path as given") { $0.path }.headed(code: "Log"),
      TableColumn(
        "digest", .text, "The digest that contains the log, if any", presence: .rarely
      ) { $0.digest.map { .text($0) } },
      .choice("status", "The extent to which it was read") { InputStatus($0.damage) }
        .headed("State", isWide: true),
      .optionalCount("offset", "The byte offset of the damage in the file") { $0.damage?.offset },
      TableColumn("damage", .text, "A description of the damage, if any", presence: .rarely) {
        $0.damage.map { .text($0.description) }
      }.headed("Damage", isNote: true),
      .optional("format", "The format of its lines") { $0.format?.name }.headed("Format"),
    ] + tally(\.tally)
}

extension TableColumn where Row == TrafficDigest.ClientCount {
  static let client: [TableColumn] = [
    .platform { $0.platform }.headed("Platform") { .text($0.platform.title) },
    .text("client", "The browser, app, or bot") { $0.client.name }
      .headed("Client", before: 1),
    .optionalCount("version", "The major version of iOS") { $0.systemVersion }
      .headed("iOS", help: "its major version"),
    .count("requests", "Requests") { $0.requests }.headed("Requests", before: 1).gauge(
      "client_requests", "Requests to all hosts by the heaviest clients."),
  ]
}

extension Report {
  static let otherHosts = Table<Report>(
    "other-hosts", "Other hosts", "Requests to hosts without a site: the 10,000 heaviest hosts.",
    isLimited: true, labels: ["host"], rows: { $0.audit.otherHosts.rows },
    columns: [
      .text("host", "The host; empty if neither the log nor an option names it") { $0.name }
        .headed("Host", .code) {
          $0.host.isEmpty ? .text("not recorded, but required for several sites") : .code($0.name)
        },
      .count("requests", "Requests") { $0.requests }.headed("Requests").gauge(
        "other_host_requests", "Requests to the heaviest hosts without a site."),
    ])

  static let unlistedHosts = Table<Report>(
    "unlisted-hosts", "Further hosts",
    "The number of hosts beyond the 10,000 heaviest, if there are more.",
    rows: { $0.audit.otherHosts.otherCount > 0 ? [$0.audit.otherHosts] : [] },
    columns: TableColumn.remainder)

  static let findings = Table<Report>.findings { $0.audit.findings }

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

extension Table {
  static func findings(rows: @escaping @Sendable (Source) -> [Finding]) -> Table {
    Table(
      "findings", "Findings",
      "Findings: first those that make figures doubtful, then those with the most visits to win.",
      rows: rows,
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
        .optionalCount(
          "visitsToWin",
          "Visits that could open the app once it is fixed; none if the fix wins none directly"
        ) { $0.visitsToWin },
        TableColumn(
          "earlierVisits", .nullable(.count), "Visits concerned in the earlier report",
          presence: .rarely
        ) { $0.earlier.map { .number($0.visits) } },
        TableColumn(
          "line", .nullable(.count), "The line of the first rule concerned", presence: .onlyInCSV
        ) { .number($0.evidence.rules.first?.position?.line) },
        TableColumn(
          "column", .nullable(.count), "The column in that line", presence: .onlyInCSV
        ) { .number($0.evidence.rules.first?.position?.column) },
        TableColumn("samples", .texts(atMost: 15), "Targets concerned", presence: .onlyInCSV) {
          .texts($0.evidence.paths.flatMap(\.samples))
        },
        .part(
          "evidence", named: "evidence", "The evidence: rules, paths, pairs, logs",
          [
            .objects("rules", named: "ruleName", "Rules", TableColumn.ruleName) { $0.rules },
            .objects(
              "paths", named: "evidencePath", "Path groups or routes", TableColumn.pathGroup()
            ) { $0.paths },
            .objects("pairs", named: "pair", "Pairs of pages", TableColumn.pair) { $0.pairs },
            .texts("logs", "Logs") { $0.logs },
          ]
        ) { $0.evidence },
      ])
  }
}

extension TableColumn where Row == HeaviestHosts {
  static let remainder: [TableColumn] = [
    .count("hosts", "Hosts") { $0.otherCount },
    .count("requests", "Requests") { $0.others.requests },
  ]
}
