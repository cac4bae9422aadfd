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
    var metrics = OpenMetricsReport(report: self, output: OpenMetricsWriter(to: sink))
    metrics.writeTraffic()
    metrics.writeRules()
    metrics.writeDelivery()
    metrics.writeFetchers()
    metrics.writeServedFiles()
    metrics.writeFindings()
    metrics.writeChange()
    metrics.writeInput()
    if let top { metrics.writeRows(top) }
    try metrics.output.finish()
  }
}

/// The metrics of a report, in the order in which they are written.
private struct OpenMetricsReport {
  typealias Labels = OpenMetricsWriter.Labels

  let report: Report
  var output: OpenMetricsWriter

  private var audit: Audit { report.audit }
  private var digest: TrafficDigest { report.digest }

  // MARK: - Metrics of rows

  /// Returns the rows of all sites, each with the labels of its sample, of which the host is first.
  private func each<Rows: Sequence>(
    _ rows: @escaping (SiteAudit) -> Rows, _ labels: @escaping (Rows.Element) -> Labels
  ) -> some Sequence<(Labels, Rows.Element)> {
    audit.sites.lazy.flatMap { site in
      rows(site).lazy.map { ([("host", site.host)] + labels($0), $0) }
    }
  }

  /// Writes a metric with a sample for each row that has a value.
  private mutating func gauge<Row>(
    _ name: String, _ help: String, _ rows: some Sequence<(Labels, Row)>,
    _ value: @escaping (Row) -> Int?
  ) {
    output.gauge(
      "linkaudit_" + name, help: help,
      rows.lazy.compactMap { labels, row in value(row).map { (labels, $0) } })
  }

  /// Writes the requests and the visits of rows as two metrics.
  private mutating func traffic<Row>(
    _ name: String, _ what: String, _ rows: some Sequence<(Labels, Row)>,
    _ value: @escaping (Row) -> Traffic
  ) {
    gauge(name + "requests", "Requests \(what).", rows) { value($0).requests }
    gauge(name + "visits", "Visits \(what).", rows) { value($0).visits }
  }

  /// Writes the traffic of each case of a kind.
  private mutating func traffic<Key: CaseIterable & Hashable>(
    _ name: String, _ what: String, by label: String,
    _ parts: @escaping (SiteAudit) -> [Key: Traffic], _ text: @escaping (Key) -> String
  ) {
    let rows = each { site in
      Key.allCases.lazy.map { (key: $0, traffic: parts(site)[$0] ?? Traffic()) }
    } _: {
      [(label, text($0.key))]
    }
    traffic(name, what, rows) { $0.traffic }
  }

  // MARK: - Sites

  mutating func writeTraffic() {
    traffic(
      "", "by the verdict of the site: claimed if any app claims them", by: "verdict", \.verdicts
    ) { $0.rawValue }
    let apps = each { site in
      site.apps.lazy.flatMap { app in
        Verdict.allCases.lazy.map {
          (app: app.app, verdict: $0, traffic: app.verdicts[$0] ?? Traffic())
        }
      }
    } _: {
      [("app", $0.app.text), ("verdict", $0.verdict.rawValue)]
    }
    traffic("app_", "by the verdict of one app", apps) { $0.traffic }
    traffic("platform_", "by kind of client", by: "platform", \.platforms) { $0.name }
    traffic(
      "referral_", "that rules claim, by the place of the link", by: "referral", \.referrals
    ) { $0.name }
    let causes = each(\.causes) {
      [("cause", $0.cause.name), ("certainty", $0.cause.certainty.rawValue)]
    }
    traffic("cause_", "that rules claim, by the cause for which they stayed on the web", causes) {
      $0.traffic
    }
  }

  mutating func writeRules() {
    let rules = each(\.rules) { row in
      let rule = row.rule
      return [
        ("app", rule.app.text), ("detail", rule.id.entry.text), ("list", rule.id.list.rawValue),
        ("rule", rule.id.position.map { String($0) } ?? ""), ("pattern", rule.pattern),
        ("excludes", String(rule.excludes)),
      ] + (rule.version.map { [("version", String($0.number))] } ?? [])
    }
    traffic("rule_", "that a rule decided for an app", rules) { $0.traffic.traffic }
    gauge(
      "rule_shadowed_requests", "Requests that a rule matches but an earlier rule decided.", rules
    ) { $0.traffic.shadowed }
  }

  mutating func writeDelivery() {
    let fetches = each(\.fetches) {
      [("path", $0.path), ("fetcher", $0.fetcher.rawValue), ("status", String($0.status))]
    }
    gauge(
      "association_file_requests",
      "Requests for the association file, by Apple's fetchers and by others.", fetches
    ) { $0.requests }
    gauge(
      "association_file_last_fetch_timestamp_seconds",
      "Time of the last request for the association file, since the Unix epoch.", fetches
    ) { $0.last?.secondsSince1970 }
    for (name, end) in [("smallest", \ClosedRange<Int>.lowerBound), ("largest", \.upperBound)] {
      gauge(
        "association_file_\(name)_bytes",
        "The \(name) response to a request for the association file, as logged.", fetches
      ) { $0.sizes?[keyPath: end] }
    }
  }

  mutating func writeFetchers() {
    let fetchers = each(\.fetchers) { [("fetcher", $0.fetcher.rawValue)] }
    gauge(
      "association_file_good_requests",
      "Requests for the association file with status 200 or 304.", fetchers
    ) { $0.good }
    gauge(
      "association_file_last_good_fetch_timestamp_seconds",
      "Time of the last successful request for the association file, since the Unix epoch.",
      fetchers
    ) { $0.lastGood?.secondsSince1970 }
    gauge(
      "association_file_good_dates",
      "Days with a successful request for the association file.", fetchers
    ) { $0.goodDays }
    gauge(
      "association_file_greatest_gap_seconds",
      "The longest time from a day with a successful request to the next, in days of the logs, as seconds.",
      fetchers
    ) { $0.greatestGap.map { $0 * 86_400 } }
  }

  /// Writes the last answer of each server.
  mutating func writeServedFiles() {
    func current(_ site: SiteAudit) -> [ServedFile] {
      DeliverySource.allCases.compactMap { site.servedFiles.current(of: $0) }
    }
    let files = each(current) { [("source", $0.source.rawValue)] }
    let identities = each(current) {
      [("source", $0.source.rawValue), ("identity", $0.content?.identity ?? "")]
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

  // MARK: - Findings

  mutating func writeFindings() {
    var kinds: [FindingKey] = []
    var sums: [FindingKey: (count: Int, traffic: Traffic, toWin: Int?)] = [:]
    for finding in audit.findings {
      let key = FindingKey(finding)
      if sums[key] == nil { kinds.append(key) }
      var sum = sums[key] ?? (0, Traffic(), nil)
      sum.count += 1
      sum.traffic += finding.traffic
      if let visits = finding.visitsToWin { sum.toWin = (sum.toWin ?? 0) + visits }
      sums[key] = sum
    }
    let rows = kinds.compactMap { key in sums[key].map { (key.labels, $0) } }
    gauge("findings", "Findings by code; those about the input have no host.", rows) { $0.count }
    traffic(
      "finding_", "that findings concern; those of several findings with one code can overlap", rows
    ) { $0.traffic }
    gauge(
      "finding_visits_to_win",
      "Visits that could open the app once findings are fixed; those of several findings can overlap.",
      rows
    ) { $0.toWin }
  }

  private struct FindingKey: Hashable {
    var host: String
    var code: String
    var severity: String

    init(_ finding: Finding) {
      host = finding.host ?? ""
      code = finding.code
      severity = finding.severity.rawValue
    }

    var labels: Labels { [("host", host), ("code", code), ("severity", severity)] }
  }

  /// Writes the changes since an earlier report.
  mutating func writeChange() {
    guard let change = audit.change else { return }
    // A metric of its own: with a label more, a finding would be another series every night.
    let kinds = Finding.Change.allCases.map { kind in
      (kind.rawValue, audit.findings.count { $0.change == kind })
    }
    output.gauge(
      "linkaudit_finding_changes", help: "Findings by their change since an earlier report.",
      (kinds + [("gone", change.gone.count)]).map { ([("change", $0)], $1) })
    output.gauge(
      "linkaudit_earlier_report_timestamp_seconds",
      help: "Time of the earlier report, since the Unix epoch.",
      [([], change.at.secondsSince1970)])
  }

  // MARK: - Input

  mutating func writeInput() {
    var files: [InputStatus: Int] = [:]
    for input in digest.inputs { files[InputStatus(input.damage), default: 0] += 1 }
    output.gauge(
      "linkaudit_input_files", help: "Logs by read status.",
      InputStatus.allCases.lazy.map { ([("status", $0.rawValue)], files[$0] ?? 0) })
    let tally = digest.tally
    for (name, value, help) in [
      ("lines", tally.lines, "Lines of all logs."),
      ("requests", tally.requests, "Lines that are requests in the selected time."),
      ("outside_requests", tally.outside, "Requests outside the selected time."),
    ] {
      output.gauge("linkaudit_input_\(name)", help: help, [([], value)])
    }
    let rejections = digest.rejections
    output.gauge(
      "linkaudit_input_rejected_lines", help: "Lines that are not requests, by reason.",
      RejectionReason.allCases.lazy.map { ([("reason", $0.rawValue)], rejections[$0] ?? 0) })
    for (name, time) in [
      ("first", digest.times?.lowerBound), ("last", digest.times?.upperBound),
    ] {
      output.gauge(
        "linkaudit_\(name)_request_timestamp_seconds",
        help: "The time of the \(name) request, since the Unix epoch.",
        time.map { [([], $0.secondsSince1970)] } ?? [])
    }
  }

  // MARK: - Rows that are asked for

  mutating func writeRows(_ top: Int) {
    var rows: [(Labels, (traffic: Traffic, attempts: Int?))] = []
    for site in audit.sites {
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
    gauge(
      "same_host_referral_visits",
      "Claimed visits between the heaviest pairs of pages of the same host.",
      each {
        $0.sameHostReferrals.prefix(top)
      } _: {
        [("from", $0.from), ("to", $0.to)]
      }
    ) { $0.visits }
    output.gauge(
      "linkaudit_client_requests", help: "Requests to all hosts by the heaviest clients.",
      digest.clients.prefix(top).lazy.map { count in
        (
          [
            ("platform", count.platform.name), ("client", count.client.name),
            ("version", count.systemVersion.map { String($0) } ?? ""),
          ], count.requests
        )
      })
    output.gauge(
      "linkaudit_other_host_requests", help: "Requests to the heaviest hosts without a site.",
      audit.otherHosts.prefix(top).lazy.map { ([("host", $0.host)], $0.requests) })
  }
}
