internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension Report {
  static let jsonSchema = "linkaudit.report/2"

  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document(Self.jsonSchema, of: self, TableColumn.members, to: sink)
  }

  static let rowsSchema = "linkaudit.rows/2"

  /// Writes all tables as newline-delimited JSON: an object a line, whose `type` is the table.
  ///
  /// Numbers of lines of one type add up, so that a database can sum them.
  package func writeNDJSON(to sink: @escaping OutputSink) throws {
    var json = JSONWriter(.compact, to: sink)
    json.object { json in
      json.member("type", "report")
      json.members(of: self, TableColumn.firstLine)
    }
    for table in Self.tables { json.lines(table, of: self) }
    if let change = audit.change {
      json.object { json in
        json.member("type", "comparison")
        json.members(of: change, TableColumn.earlier)
      }
    }
    try json.finish()
  }
}

extension TableColumn where Row == Report {
  static let members: [TableColumn] =
    judging { $0.audit.options } + [
      ignored, .part("input", "The logs", input) { $0 }, .table(Report.clients) { ($0, nil) },
      .objects("sites", named: "site", "The sites, by host", Report.documentOfSite) { report in
        report.audit.sites.map { (report, $0) }
      },
      .table(Report.otherHosts) { ($0, nil) },
      .part(
        "unlistedHosts", named: "unlistedHosts", Report.unlistedHosts.about, presence: .sometimes,
        TableColumn<HeaviestHosts>.remainder
      ) { $0.audit.otherHosts.otherCount > 0 ? $0.audit.otherHosts : nil },
      .table(Report.findings) { ($0, nil) },
      .part(
        "comparison", "The comparison with an earlier report, if there is one",
        presence: .sometimes, comparison
      ) { $0.audit.change == nil ? nil : $0 },
    ]

  static let firstLine: [TableColumn] =
    [
      TableColumn("schema", .choice([Report.rowsSchema]), "The schema") { _ in
        .text(Report.rowsSchema)
      }
    ]
    + judging { $0.audit.options } + [ignored]
    + lines { $0.digest }

  private static let ignored = traffic(
    object: "ignored", "The traffic of ignored paths, if paths are ignored", presence: .sometimes
  ) { $0.audit.ignored }

  private static let input: [TableColumn] =
    [.table(Report.files) { ($0, nil) }] + tally { $0.digest.tally } + [
      TableColumn(
        "rejectedByReason",
        .byName(RejectionReason.allCases.map(\.rawValue), .count, hasAll: true),
        Report.rejectedByReason.about
      ) { report in
        .counts(RejectionReason.allCases.map { ($0.rawValue, report.digest.rejections[$0] ?? 0) })
      },
      .table(Report.rejectedLines) { ($0, nil) },
    ] + times { $0.digest }

  private static let comparison: [TableColumn] =
    [
      .part("earlier", "The earlier report", TableColumn<AuditChange>.earlier) { $0.audit.change }
    ]
    + Finding.Change.allCases.map { kind in
      .count(kind.rawValue, "Findings with this change") { report in
        report.audit.findings.count { $0.change == kind }
      }
    } + [.table(Report.goneFindings, named: "gone") { ($0, nil) }]
}

extension Report {
  typealias OneSite = (report: Report, site: SiteAudit)

  static let documentOfSite: [TableColumn<OneSite>] =
    [
      .text("host", "The host") { $0.site.host },
      .optional("file", "The association file, in its newest version") { $0.site.filePath },
      .table(versions, presence: .sometimes) { $0.site.versions.isEmpty ? nil : $0 },
      .traffic(object: "verdicts", "Traffic by verdict of the site", by: \.rawValue) {
        $0.site.verdicts
      },
      .objects("apps", named: "apps", "Traffic by verdict of each app.", appColumns) {
        $0.site.apps
      },
      .traffic(object: "platforms", platforms.about, by: \.name) { $0.site.platforms },
      .traffic(object: "referrals", referrals.about, by: \.name) { $0.site.referrals },
      TableColumn(
        "subresources", .count, "Requests that are no visits because their headers say so",
        presence: .sometimes
      ) { $0.site.subresources > 0 ? .number($0.site.subresources) : nil },
      .objects(
        "days", days.about,
        [
          .day { $0.day },
          .traffic(object: "verdicts", "Traffic by verdict of the site", by: \.rawValue) {
            $0.verdicts
          },
          .traffic(object: "sameHost", "Claimed traffic from pages of the same host") {
            $0.sameHost
          },
          .traffic(object: "platforms", platforms.about, onlyOccurring: true, by: \.name) {
            $0.platforms
          },
          .traffic(object: "referrals", referrals.about, onlyOccurring: true, by: \.name) {
            $0.referrals
          },
          .traffic(
            object: "causes", "Claimed traffic by cause", onlyOccurring: true, by: \.entry.name
          ) {
            $0.causes
          },
        ]
      ) { $0.site.days },
    ] + rows(of: siteMembers) + [
      .part(
        "coverage", "The rules compared with routes and traffic",
        rows(of: pathTables) + [
          .texts(unvisitedRoutes.member, unvisitedRoutes.about) {
            Array($0.site.coverage.unvisitedRoutes.prefix($0.report.top ?? .max))
          }
        ]
      ) { $0 },
      .part(
        "delivery", "The delivery of the association file",
        rows(of: [fetches, fetchers]) + [
          .table(servedFiles, presence: .sometimes) { $0.site.servedFiles.isEmpty ? nil : $0 }
        ]
      ) { $0 },
    ]

  private static func rows(of tables: [Table<Report>]) -> [TableColumn<OneSite>] {
    tables.map { table in .table(table) { $0 } }
  }
}

extension TableColumn where Row == AuditChange {
  static let earlier: [TableColumn] = [
    TableColumn("at", .time, "The time of the earlier report") { .text($0.at.description) },
    .time("from", "The time of its first request") { $0.from },
    .time("to", "The time of its last request") { $0.to },
  ]
}

// MARK: - Members of several documents

extension TableColumn where Row == TrafficDigest {
  static let document: [TableColumn] =
    [
      .objects("files", named: "file", "The logs", TableColumn<TrafficDigest.Input>.input) {
        $0.inputs
      }
    ]
    + lines { $0 }
}

extension TableColumn {
  fileprivate static func lines(_ digest: @escaping Getter<TrafficDigest>) -> [TableColumn] {
    tally { digest($0).tally } + times(digest)
  }

  static func times(_ digest: @escaping Getter<TrafficDigest>) -> [TableColumn] {
    [
      .time("from", "The time of the first request") { digest($0).times?.lowerBound }.gauge(
        "first_request_timestamp_seconds", "The time of the first request, since the Unix epoch."),
      .time("to", "The time of the last request") { digest($0).times?.upperBound }.gauge(
        "last_request_timestamp_seconds", "The time of the last request, since the Unix epoch."),
    ]
  }

  /// How requests were chosen, grouped and ordered, where that differs from the defaults.
  static func judging(_ options: @escaping Getter<AuditOptions?>) -> [TableColumn] {
    [
      TableColumn(
        "grouping", .pattern("^(exact|depth:[0-9]+)$"),
        "The grouping of paths, if it isn't the usual one", presence: .sometimes
      ) { row in options(row).flatMap { $0.grouping.name.map { .text($0) } } },
      TableColumn(
        "orderedBy", .choice([Traffic.Weight.requests.rawValue]),
        "The order, if it isn't by visits",
        presence: .sometimes
      ) { row in
        options(row).flatMap { $0.weight == .visits ? nil : .text($0.weight.rawValue) }
      },
      .part(
        "filters", "The filter, if not all requests count", presence: .sometimes,
        TableColumn<TrafficFilter>.members
      ) { row in options(row).flatMap { $0.filter.isActive ? $0.filter : nil } },
    ]
  }
}

extension TableColumn where Row == TrafficFilter {
  fileprivate static let members: [TableColumn] = [
    TableColumn(
      "platforms", .list(.definition("platform")), "The platforms that count; absent for all",
      presence: .sometimes
    ) { $0.platformNames.map { .texts($0) } },
    TableColumn(
      "statuses", .list(.pattern("^[0-9]{3,5}(-[0-9]{3,5})?$")),
      "The statuses that count; absent for all", presence: .sometimes
    ) { $0.statusNames.map { .texts($0) } },
    .truth("includeBots", "Whether pages that bots open count as visits") { $0.includesBots },
  ]
}

extension PathGrouping {
  fileprivate var name: String? {
    switch self {
    case .template: nil
    case .exact: "exact"
    case .depth(let depth): "depth:\(depth)"
    }
  }
}
