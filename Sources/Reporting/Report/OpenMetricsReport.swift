internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension Report {
  /// Writes the report as gauges for Prometheus.
  ///
  /// The number of series depends on sites, apps and rules, never on the content of a log. Paths,
  /// clients and foreign hosts are included only if a number of rows is requested.
  package func writeOpenMetrics(to sink: @escaping OutputSink) throws {
    var metrics = OpenMetricsWriter(to: sink)
    for table in Self.metrics + (top == nil ? [] : Self.metricsOfLogs) {
      metrics.gauges(table, of: self)
    }
    try metrics.finish()
  }

  private static let metrics: [Table<Report>] = [
    siteVerdicts, appVerdicts, platforms, referrals, causes, rules, fetches, fetchers,
    currentFiles, findingCounts, findingChanges, earlierReport, inputStatuses, inputLines,
    rejectedByReason, requestTimes,
  ]

  /// The metrics whose labels are texts of logs.
  private static let metricsOfLogs: [Table<Report>] = [
    coveragePaths, sameHostReferrals, clients, otherHosts,
  ]
}

// The tables that are only metrics: sums of rows of others, and the last rows of several.
extension Report {
  private static let siteVerdicts = Table<Report>(
    site: "site-verdicts", labels: ["verdict"],
    rows: { site in Verdict.allCases.map { ($0, site.verdicts[$0]) } },
    columns: [.label("verdict") { $0.0.rawValue }]
      + TableColumn.traffic { $0.1 }
      .gauges("", "by the verdict of the site: claimed if any app claims them"))

  private static let appVerdicts = Table<Report>(
    site: "app-verdicts", labels: ["app", "verdict"],
    rows: { site in
      site.apps.lazy.flatMap { app in
        Verdict.allCases.map { (app.app, $0, app.verdicts[$0]) }
      }
    },
    columns: [.label("app") { $0.0.text }, .label("verdict") { $0.1.rawValue }]
      + TableColumn.traffic { $0.2 }.gauges("app_", "by the verdict of one app"))

  private static let currentFiles = Table<Report>(
    site: "current-files", labels: ["source"],
    rows: { site in DeliverySource.allCases.compactMap { site.servedFiles.current(of: $0) } },
    columns: [
      .label("source") { $0.source.rawValue },
      .label("identity") { $0.content?.identity ?? "" },
      .metric(
        "served_file_last_check_timestamp_seconds",
        "Time of the last check of a server, since the Unix epoch."
      ) { $0.last.secondsSince1970 },
      .metric(
        "served_file_status", "The status of a server's last answer; 0 if there was none."
      ) { $0.status ?? 0 },
      .metric(
        "served_file_good",
        "1 if a server's last answer was a file that systems accept, else 0."
      ) { $0.content == nil ? 0 : 1 },
      .metric(
        "served_file_info", "1 for the last file of a server, by the identity of its bytes.",
        labels: ["identity"]
      ) { $0.content.map { _ in 1 } },
      .metric(
        "served_file_first_seen_timestamp_seconds",
        "Time of the first check with a server's last answer, since the Unix epoch."
      ) { $0.first.secondsSince1970 },
      .metric(
        "certificate_expiry_timestamp_seconds",
        "Time at which the certificate of a server expires, since the Unix epoch."
      ) { $0.certificateEnd?.secondsSince1970 },
    ])

  private static let findingCounts = Table<Report>(
    "finding-counts", labels: ["host", "code", "severity"], rows: { $0.findingCounts },
    columns: [
      .label("host") { $0.first.host ?? "" }, .label("code") { $0.first.code },
      .label("severity") { $0.first.severity.rawValue },
      .metric("findings", "Findings by code; those about the input have no host.") { $0.count },
    ]
      + TableColumn.traffic { $0.traffic }.gauges(
        "finding_", "that findings concern; those of several findings with one code can overlap")
      + [
        .metric(
          "finding_visits_to_win",
          "Visits that could open the app once findings are fixed; those of several findings can overlap."
        ) { $0.toWin }
      ])

  private var findingCounts: [(first: Finding, count: Int, traffic: Traffic, toWin: Int?)] {
    audit.findings.grouped { [$0.host ?? "", $0.code, $0.severity.rawValue] }.map { _, findings in
      let wins = findings.compactMap(\.visitsToWin)
      return (
        findings[0], findings.count, findings.sum(\.traffic),
        wins.isEmpty ? nil : wins.reduce(0, +)
      )
    }
  }

  /// The findings by their change since an earlier report.
  ///
  /// It is a metric of its own: with a label more, a finding would be another series every night.
  private static let findingChanges = Table<Report>(
    "finding-changes", labels: ["change"],
    rows: { report -> [(name: String, count: Int)] in
      guard let change = report.audit.change else { return [] }
      let kinds = Finding.Change.allCases.map { kind in
        (kind.rawValue, report.audit.findings.count { $0.change == kind })
      }
      return kinds + [("gone", change.gone.count)]
    },
    columns: [
      .label("change") { $0.name },
      .metric("finding_changes", "Findings by their change since an earlier report.") { $0.count },
    ])

  private static let earlierReport = Table<Report>(
    "earlier-report", rows: { $0.audit.change.map { [$0] } ?? [] },
    columns: [
      .metric(
        "earlier_report_timestamp_seconds", "Time of the earlier report, since the Unix epoch."
      ) { $0.at.secondsSince1970 }
    ])

  private static let inputStatuses = Table<Report>(
    "input-statuses", labels: ["status"],
    rows: { report in
      InputStatus.allCases.map { status in
        (status, report.digest.inputs.count { InputStatus($0.damage) == status })
      }
    },
    columns: [
      .label("status") { $0.0.rawValue },
      .metric("input_files", "Logs by read status.") { $0.1 },
    ])

  private static let inputLines = Table<Report>(
    "input-lines", rows: { [$0.digest] }, columns: TableColumn.tally(\.tally))

  private static let requestTimes = Table<Report>(
    "request-times", rows: { [$0.digest] }, columns: TableColumn.times { $0 })

  /// The rows of all tables of coverage, which share their metrics.
  private static let coveragePaths = Table<Report>(
    "coverage-paths", labels: ["host", "table", "path"], rows: \.coveragePaths,
    columns: [
      .label("host") { $0.row.host ?? "" }, .label("table") { $0.table.member },
      .label("path") { $0.table.value("path", of: $0.row)?.cell ?? "" },
    ]
      + TableColumn.traffic { path in
        Traffic(
          requests: path.table.number("requests", of: path.row) ?? 0,
          visits: path.table.number("visits", of: path.row) ?? 0)
      }.gauges("coverage_", "of the heaviest paths of each coverage table")
      + [
        .metric(
          "coverage_attempts", "Requests for pages from Apple devices, with any status."
        ) { $0.table.number("attempts", of: $0.row) }
      ])

  private var coveragePaths: [(table: Table<Report>, row: Table<Report>.Row)] {
    audit.sites.flatMap { site in
      Self.pathTables.flatMap { table in
        var rows: [(Table<Report>, Table<Report>.Row)] = []
        table.forEachRow(of: self, site: site) { rows.append((table, $0)) }
        return rows
      }
    }
  }
}

extension TableColumn {
  fileprivate static func label(_ name: String, _ value: @escaping Getter<String>) -> TableColumn {
    .text(name, "", value)
  }

  fileprivate static func metric(
    _ name: String, _ help: String, labels: [String] = [],
    _ value: @escaping Getter<Int?>
  ) -> TableColumn {
    .optionalCount(name, "", value).gauge(name, help, labels: labels)
  }
}

/// Gauges in a text that is valid both as OpenMetrics 1.0 and in the older exposition
/// format of Prometheus (0.0.4), which its textfile collector reads.
///
/// The two formats differ in counters, times of samples, and quotes and backslashes in help, which
/// are avoided here. The older format reads units and the end as comments.
struct OpenMetricsWriter {
  typealias Sample = (labels: [(name: String, value: String)], value: Int)

  private var output: OutputBuffer

  init(to sink: @escaping OutputSink) { output = OutputBuffer(sink) }

  /// Writes a metric for each column of a table that is one, with a sample for each row.
  mutating func gauges<Source>(_ table: Table<Source>, of source: Source) {
    for column in table.columns {
      guard let gauge = column.gauge else { continue }
      let labels = table.columns(table.labels + gauge.labels)
      var samples: [Sample] = []
      table.forEachRow(of: source) { row in
        guard let number = column.value(row)?.number else { return }
        let host = row.host.map { [(name: "host", value: $0)] } ?? []
        let own = labels.compactMap { label in label.value(row).map { (label.name, $0.cell) } }
        samples.append((host + own, number * gauge.scale))
      }
      add(gauge.name, help: gauge.help, samples)
    }
  }

  /// Writes a metric, if it has samples.
  ///
  /// Its name ends with the unit if there is one; the help has neither quotes, backslashes nor line
  /// feeds.
  mutating func add(_ name: String, help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    let unit = ["seconds", "bytes"].first { name.hasSuffix("_" + $0) }
    output.append("# TYPE \(name) gauge\n")
    if let unit { output.append("# UNIT \(name) \(unit)\n") }
    output.append("# HELP \(name) \(help)\n")
    // Two samples with the same labels make the whole file invalid. Values that were cut short can be
    // the same, so they get numbers.
    var known: Set<String> = []
    var numbers: [String: Int] = [:]
    for (labels, value) in samples {
      let plain = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      var text = plain
      while !known.insert(text).inserted {
        let number = numbers[plain, default: 1] + 1
        numbers[plain] = number
        text = plain + (plain.isEmpty ? "" : ",") + "duplicate=\"\(number)\""
      }
      output.append(name + (text.isEmpty ? "" : "{\(text)}") + " \(value)\n")
      output.passOn()
    }
  }

  mutating func finish() throws {
    output.append("# EOF\n")
    try output.finish()
  }

  /// The greatest length of a label's value, in Unicode scalars.
  private static let lengthLimit = 256

  /// A label's value: cut short, with escapes, and without anything that a terminal
  /// would obey.
  static func escaped(_ text: String) -> String {
    let isPlain =
      text.utf8.count <= lengthLimit
      && text.utf8.allSatisfy {
        (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
    if isPlain { return text }
    var output = ""
    var reader = SafeText.Reader()
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == lengthLimit { return output + "…" }
      let isUnsafe = reader.isUnsafe(scalar)
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case _ where isUnsafe:
        // A literal backslash is doubled.
        output += "\\" + SafeText.escape(scalar)
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
