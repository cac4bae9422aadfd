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
    metrics.writeVerdicts(of: audit)
    let tables = [
      Self.platforms, Self.referrals, Self.causes, Self.rules, Self.fetches, Self.fetchers,
    ]
    for table in tables { metrics.gauges(table, of: self) }
    metrics.writeServedFiles(of: audit)
    metrics.writeFindings(of: audit)
    metrics.writeInput(of: self)
    if top != nil {
      metrics.writeCoverage(of: self)
      for table in [Self.sameHostReferrals, Self.clients, Self.otherHosts] {
        metrics.gauges(table, of: self)
      }
    }
    try metrics.finish()
  }
}

/// The metrics that are no columns: sums of rows, and the last rows of several.
extension OpenMetricsWriter {
  private typealias Sample<Row> = (labels: Labels, row: Row)

  /// Writes a metric with a sample for each row that has a value.
  private mutating func gauge<Row>(
    _ name: String, _ help: String, _ samples: some Sequence<Sample<Row>>,
    _ value: @escaping (Row) -> Int?
  ) {
    gauge(
      "linkaudit_" + name, help: help,
      samples.lazy.compactMap { labels, row in value(row).map { (labels, $0) } })
  }

  /// Writes the requests and the visits of rows as two metrics.
  private mutating func traffic<Row>(
    _ name: String, _ what: String, _ samples: some Sequence<Sample<Row>>,
    _ value: @escaping (Row) -> Traffic
  ) {
    gauge(name + "requests", "Requests \(what).", samples) { value($0).requests }
    gauge(name + "visits", "Visits \(what).", samples) { value($0).visits }
  }

  fileprivate mutating func writeVerdicts(of audit: Audit) {
    func samples(
      _ labels: Labels, _ verdicts: [Verdict: Traffic]
    ) -> some Sequence<Sample<Traffic>> {
      Verdict.allCases.lazy.map { verdict in
        (labels + [("verdict", verdict.rawValue)], verdicts[verdict] ?? Traffic())
      }
    }
    traffic(
      "", "by the verdict of the site: claimed if any app claims them",
      audit.sites.lazy.flatMap { samples([("host", $0.host)], $0.verdicts) }
    ) { $0 }
    traffic(
      "app_", "by the verdict of one app",
      audit.sites.lazy.flatMap { site in
        site.apps.lazy.flatMap { app in
          samples([("host", site.host), ("app", app.app.text)], app.verdicts)
        }
      }
    ) { $0 }
  }

  /// Writes the last answer of each server.
  fileprivate mutating func writeServedFiles(of audit: Audit) {
    let files = audit.sites.lazy.flatMap { site in
      DeliverySource.allCases.lazy.compactMap { source -> Sample<ServedFile>? in
        site.servedFiles.current(of: source).map {
          ([("host", site.host), ("source", source.rawValue)], $0)
        }
      }
    }
    let identities = files.map { labels, file in
      (labels: labels + [("identity", file.content?.identity ?? "")], row: file)
    }
    gauge(
      "served_file_last_check_timestamp_seconds",
      "Time of the last check of a server, since the Unix epoch.", files
    ) { $0.last.secondsSince1970 }
    gauge(
      "served_file_status", "The status of a server's last answer; 0 if there was none.", files
    ) { $0.status ?? 0 }
    gauge(
      "served_file_good",
      "1 if a server's last answer was a file that systems accept, else 0.", files
    ) { $0.content == nil ? 0 : 1 }
    gauge(
      "served_file_info", "1 for the last file of a server, by the identity of its bytes.",
      identities
    ) { $0.content == nil ? nil : 1 }
    gauge(
      "served_file_first_seen_timestamp_seconds",
      "Time of the first check with a server's last answer, since the Unix epoch.", files
    ) { $0.first.secondsSince1970 }
    gauge(
      "certificate_expiry_timestamp_seconds",
      "Time at which the certificate of a server expires, since the Unix epoch.", files
    ) { $0.certificateEnd?.secondsSince1970 }
  }

  /// Writes the findings by code, and their changes since an earlier report.
  fileprivate mutating func writeFindings(of audit: Audit) {
    var places: [[String]: Int] = [:]
    var sums: [Sample<(count: Int, traffic: Traffic, toWin: Int?)>] = []
    for finding in audit.findings {
      let key = [finding.host ?? "", finding.code, finding.severity.rawValue]
      let place = places[key] ?? sums.count
      if place == sums.count {
        places[key] = place
        sums.append((Array(zip(["host", "code", "severity"], key)), (0, Traffic(), nil)))
      }
      sums[place].row.count += 1
      sums[place].row.traffic += finding.traffic
      if let visits = finding.visitsToWin {
        sums[place].row.toWin = (sums[place].row.toWin ?? 0) + visits
      }
    }
    gauge("findings", "Findings by code; those about the input have no host.", sums) { $0.count }
    traffic(
      "finding_", "that findings concern; those of several findings with one code can overlap", sums
    ) { $0.traffic }
    gauge(
      "finding_visits_to_win",
      "Visits that could open the app once findings are fixed; those of several findings can overlap.",
      sums
    ) { $0.toWin }
    guard let change = audit.change else { return }
    // A metric of its own: with a label more, a finding would be another series every night.
    let kinds = Finding.Change.allCases.map { kind in
      (kind.rawValue, audit.findings.count { $0.change == kind })
    }
    gauge(
      "linkaudit_finding_changes", help: "Findings by their change since an earlier report.",
      (kinds + [("gone", change.gone.count)]).map { ([("change", $0)], $1) })
    gauge(
      "linkaudit_earlier_report_timestamp_seconds",
      help: "Time of the earlier report, since the Unix epoch.",
      [([], change.at.secondsSince1970)])
  }

  fileprivate mutating func writeInput(of report: Report) {
    let digest = report.digest
    gauge(
      "linkaudit_input_files", help: "Logs by read status.",
      InputStatus.allCases.map { status in
        (
          [("status", status.rawValue)],
          digest.inputs.count { InputStatus($0.damage) == status }
        )
      })
    let tally = digest.tally
    for (name, value, help) in [
      ("lines", tally.lines, "Lines of all logs."),
      ("requests", tally.requests, "Lines that are requests in the selected time."),
      ("outside_requests", tally.outside, "Requests outside the selected time."),
    ] {
      gauge("linkaudit_input_\(name)", help: help, [([], value)])
    }
    gauges(Report.rejectedByReason, of: report)
    for (name, time) in [
      ("first", digest.times?.lowerBound), ("last", digest.times?.upperBound),
    ] {
      gauge(
        "linkaudit_\(name)_request_timestamp_seconds",
        help: "The time of the \(name) request, since the Unix epoch.",
        time.map { [([], $0.secondsSince1970)] } ?? [])
    }
  }

  /// Writes the rows of all tables of coverage, which share their metrics.
  fileprivate mutating func writeCoverage(of report: Report) {
    var rows: [Sample<(traffic: Traffic, attempts: Int?)>] = []
    for site in report.audit.sites {
      for table in Report.coverageTables where table.has("requests") {
        table.forEachRow(of: report, site: site) { row in
          guard let path = table.value("path", of: row)?.cell else { return }
          let traffic = Traffic(
            requests: table.number("requests", of: row) ?? 0,
            visits: table.number("visits", of: row) ?? 0)
          rows.append(
            (
              [("host", site.host), ("table", table.member), ("path", path)],
              (traffic, table.number("attempts", of: row))
            ))
        }
      }
    }
    traffic("coverage_", "of the heaviest paths of each coverage table", rows) { $0.traffic }
    gauge(
      "coverage_attempts", "Requests for pages from Apple devices, with any status.", rows
    ) { $0.attempts }
  }
}
