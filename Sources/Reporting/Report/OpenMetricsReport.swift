internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A report as gauges for Prometheus.
///
/// The number of series depends on sites, apps and rules, never on the content of a log. Paths,
/// clients and foreign hosts are included only if a number of rows is requested.
package struct OpenMetricsReport {
  private typealias Labels = OpenMetricsWriter.Labels

  /// The report; without a number of rows, tables of paths, clients and hosts are left out.
  let report: Report

  package init(report: Report) {
    self.report = report
  }

  private var audit: Audit { report.audit }
  private var digest: TrafficDigest { report.digest }

  package func write(to sink: @escaping OutputSink) throws {
    var metrics = OpenMetricsWriter(to: sink)
    writeTraffic(to: &metrics)
    writeRules(to: &metrics)
    writeDelivery(to: &metrics)
    writeFindings(to: &metrics)
    writeInput(to: &metrics)
    if let top = report.top { writeRows(top, to: &metrics) }
    try metrics.finish()
  }

  /// Writes the requests and the visits of rows as two metrics.
  private func write(
    _ name: String, _ what: String, _ rows: some Sequence<(Labels, Traffic)>,
    to metrics: inout OpenMetricsWriter
  ) {
    metrics.gauge(
      "linkaudit_\(name)requests", help: "Requests \(what).",
      rows.lazy.map { ($0.0, $0.1.requests) })
    metrics.gauge(
      "linkaudit_\(name)visits", help: "Visits \(what).", rows.lazy.map { ($0.0, $0.1.visits) })
  }

  /// Rows for each case of a kind, site by site.
  private func rows<Key: CaseIterable & Hashable>(
    _ label: String, _ traffic: (SiteAudit) -> [Key: Traffic], _ text: (Key) -> String
  ) -> [(Labels, Traffic)] {
    audit.sites.flatMap { site in
      Key.allCases.map { key in
        ([("host", site.host), (label, text(key))], traffic(site)[key] ?? Traffic())
      }
    }
  }

  private func writeTraffic(to metrics: inout OpenMetricsWriter) {
    write(
      "", "by the verdict of the site: claimed if any app claims them",
      rows("verdict", \.verdicts) { $0.rawValue }, to: &metrics)
    write(
      "app_", "by the verdict of one app",
      audit.sites.lazy.flatMap { site in
        site.apps.lazy.flatMap { app in
          Verdict.allCases.lazy.map { verdict in
            (
              [("host", site.host), ("app", app.app.text), ("verdict", verdict.rawValue)],
              app.verdicts[verdict] ?? Traffic()
            )
          }
        }
      }, to: &metrics)
    write(
      "platform_", "by kind of client", rows("platform", \.platforms) { $0.name }, to: &metrics)
    write(
      "referral_", "that rules claim, by the place of the link",
      rows("referral", \.referrals) { $0.name }, to: &metrics)
    write(
      "cause_", "that rules claim, by the cause for which they stayed on the web",
      audit.sites.lazy.flatMap { site in
        site.causes.lazy.map { row in
          (
            [
              ("host", site.host), ("cause", row.cause.rawValue),
              ("certainty", row.cause.certainty.rawValue),
            ], row.traffic
          )
        }
      }, to: &metrics)
  }

  private func writeRules(to metrics: inout OpenMetricsWriter) {
    let rules = audit.sites.lazy.flatMap { site in
      site.rules.lazy.map { rule in
        (
          [
            ("host", site.host), ("app", rule.rule.app.text), ("detail", rule.rule.id.entry.text),
            ("list", rule.rule.id.list.rawValue),
            ("rule", rule.rule.id.position.map { String($0) } ?? ""),
            ("pattern", rule.rule.pattern), ("excludes", String(rule.rule.excludes)),
          ] + (rule.rule.version.map { [("version", String($0.number))] } ?? []) as Labels,
          rule.traffic
        )
      }
    }
    write(
      "rule_", "that a rule decided for an app", rules.map { ($0.0, $0.1.traffic) }, to: &metrics)
    metrics.gauge(
      "linkaudit_rule_shadowed_requests",
      help: "Requests that a rule matches but an earlier rule decided.",
      rules.map { ($0.0, $0.1.shadowed) })
  }

  private func writeDelivery(to metrics: inout OpenMetricsWriter) {
    func labels(_ site: SiteAudit, _ fetch: TrafficDigest.Fetch) -> Labels {
      [
        ("host", site.host), ("path", fetch.path), ("fetcher", fetch.fetcher.rawValue),
        ("status", String(fetch.status)),
      ]
    }
    metrics.gauge(
      "linkaudit_association_file_requests",
      help: "Requests for the association file, by Apple's fetchers and by others.",
      audit.sites.lazy.flatMap { site in
        site.fetches.lazy.map { (labels(site, $0), $0.requests) }
      })
    metrics.gauge(
      "linkaudit_association_file_last_fetch_timestamp_seconds", unit: "seconds",
      help: "Time of the last request for the association file, since the Unix epoch.",
      audit.sites.lazy.flatMap { site in
        site.fetches.lazy.compactMap { fetch in
          fetch.last.map { (labels(site, fetch), $0.secondsSince1970) }
        }
      })
    for (name, end) in [("smallest", \ClosedRange<Int>.lowerBound), ("largest", \.upperBound)] {
      metrics.gauge(
        "linkaudit_association_file_\(name)_bytes", unit: "bytes",
        help: "The \(name) response to a request for the association file, as logged.",
        audit.sites.lazy.flatMap { site in
          site.fetches.lazy.compactMap { fetch in
            fetch.sizes.map { (labels(site, fetch), $0[keyPath: end]) }
          }
        })
    }
    writeFetchers(to: &metrics)
    writeServedFiles(to: &metrics)
  }

  private func writeFetchers(to metrics: inout OpenMetricsWriter) {
    let fetchers = audit.sites.lazy.flatMap { site in
      site.fetchers.lazy.map { fetcher in
        ([("host", site.host), ("fetcher", fetcher.fetcher.rawValue)] as Labels, fetcher)
      }
    }
    metrics.gauge(
      "linkaudit_association_file_good_requests",
      help: "Requests for the association file with status 200 or 304.",
      fetchers.map { ($0.0, $0.1.good) })
    metrics.gauge(
      "linkaudit_association_file_last_good_fetch_timestamp_seconds", unit: "seconds",
      help: "Time of the last successful request for the association file, since the Unix epoch.",
      fetchers.compactMap { labels, fetcher in
        fetcher.lastGood.map { (labels, $0.secondsSince1970) }
      })
    metrics.gauge(
      "linkaudit_association_file_good_dates",
      help: "Days with a successful request for the association file.",
      fetchers.map { ($0.0, $0.1.goodDays) })
    metrics.gauge(
      "linkaudit_association_file_greatest_gap_seconds", unit: "seconds",
      help:
        "The longest time from a day with a successful request to the next, in days of the logs, as seconds.",
      fetchers.compactMap { labels, fetcher in
        fetcher.greatestGap.map { (labels, $0 * 86_400) }
      })
  }

  /// Writes the last answer of each server.
  private func writeServedFiles(to metrics: inout OpenMetricsWriter) {
    let files = audit.sites.flatMap { site in
      DeliverySource.allCases.compactMap { site.servedFiles.current(of: $0) }.map { file in
        (labels: [("host", site.host), ("source", file.source.rawValue)] as Labels, file: file)
      }
    }
    metrics.gauge(
      "linkaudit_served_file_last_check_timestamp_seconds", unit: "seconds",
      help: "Time of the last check of a server, since the Unix epoch.",
      files.map { ($0.labels, $0.file.last.secondsSince1970) })
    metrics.gauge(
      "linkaudit_served_file_status",
      help: "The status of a server's last answer; 0 if there was none.",
      files.map { ($0.labels, $0.file.status ?? 0) })
    metrics.gauge(
      "linkaudit_served_file_good",
      help: "1 if a server's last answer was a file that systems accept, else 0.",
      files.map { ($0.labels, $0.file.content == nil ? 0 : 1) })
    metrics.gauge(
      "linkaudit_served_file_info",
      help: "1 for the last file of a server, by the identity of its bytes.",
      files.compactMap { labels, file in
        file.content.map { (labels + [("identity", $0.identity)], 1) }
      })
    metrics.gauge(
      "linkaudit_served_file_first_seen_timestamp_seconds", unit: "seconds",
      help: "Time of the first check with a server's last answer, since the Unix epoch.",
      files.map { ($0.labels, $0.file.first.secondsSince1970) })
    metrics.gauge(
      "linkaudit_certificate_expiry_timestamp_seconds", unit: "seconds",
      help: "Time at which the certificate of a server expires, since the Unix epoch.",
      files.compactMap { labels, file in
        file.certificateEnd.map { (labels, $0.secondsSince1970) }
      })
  }

  private func writeFindings(to metrics: inout OpenMetricsWriter) {
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
    metrics.gauge(
      "linkaudit_findings", help: "Findings by code; those about the input have no host.",
      rows.lazy.map { ($0.0, $0.1.count) })
    write(
      "finding_", "that findings concern; those of several findings with one code can overlap",
      rows.lazy.map { ($0.0, $0.1.traffic) }, to: &metrics)
    metrics.gauge(
      "linkaudit_finding_visits_to_win",
      help:
        "Visits that could open the app once findings are fixed; those of several findings can overlap.",
      rows.lazy.compactMap { row in row.1.toWin.map { (row.0, $0) } })
    if let change = audit.change { write(change, to: &metrics) }
  }

  /// Writes the changes since an earlier report.
  private func write(_ change: AuditChange, to metrics: inout OpenMetricsWriter) {
    // A metric of its own: with a label more, a finding would be another series every night.
    let kinds = Finding.Change.allCases.map { kind in
      ([("change", kind.rawValue)] as Labels, audit.findings.count { $0.change == kind })
    }
    metrics.gauge(
      "linkaudit_finding_changes", help: "Findings by their change since an earlier report.",
      kinds + [([("change", "gone")], change.gone.count)])
    metrics.gauge(
      "linkaudit_earlier_report_timestamp_seconds", unit: "seconds",
      help: "Time of the earlier report, since the Unix epoch.",
      [([], change.at.secondsSince1970)])
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

  private func writeInput(to metrics: inout OpenMetricsWriter) {
    var files: [InputStatus: Int] = [:]
    for input in digest.inputs { files[InputStatus(input.damage), default: 0] += 1 }
    metrics.gauge(
      "linkaudit_input_files", help: "Logs by read status.",
      InputStatus.allCases.lazy.map { ([("status", $0.rawValue)], files[$0] ?? 0) })
    let tally = digest.tally
    for (name, value, help) in [
      ("lines", tally.lines, "Lines of all logs."),
      ("requests", tally.requests, "Lines that are requests in the selected time."),
      ("outside_requests", tally.outside, "Requests outside the selected time."),
    ] {
      metrics.gauge("linkaudit_input_\(name)", help: help, [([], value)])
    }
    metrics.gauge(
      "linkaudit_input_rejected_lines", help: "Lines that are not requests, by reason.",
      RejectionReason.allCases.lazy.map {
        ([("reason", $0.rawValue)], digest.rejections[$0] ?? 0)
      })
    for (name, time) in [
      ("first", digest.times?.lowerBound), ("last", digest.times?.upperBound),
    ] {
      metrics.gauge(
        "linkaudit_\(name)_request_timestamp_seconds", unit: "seconds",
        help: "The time of the \(name) request, since the Unix epoch.",
        time.map { [([], $0.secondsSince1970)] } ?? [])
    }
  }
}

// MARK: - Rows that are asked for

extension OpenMetricsReport {
  private func writeRows(_ top: Int, to metrics: inout OpenMetricsWriter) {
    var rows: [(labels: Labels, traffic: Traffic, attempts: Int?)] = []
    for site in audit.sites {
      for table in Report.coverageTables where table.has("requests") {
        table.forEachRow(of: report, site: site) { row in
          guard let path = table.value("path", of: row)?.cell else { return }
          rows.append(
            (
              [("host", site.host), ("table", table.member), ("path", path)],
              Traffic(
                requests: table.number("requests", of: row) ?? 0,
                visits: table.number("visits", of: row) ?? 0),
              table.number("attempts", of: row)
            ))
        }
      }
    }
    write(
      "coverage_", "of the heaviest paths of each coverage table",
      rows.lazy.map { ($0.labels, $0.traffic) }, to: &metrics)
    metrics.gauge(
      "linkaudit_coverage_attempts",
      help: "Requests for pages from Apple devices, with any status.",
      rows.lazy.compactMap { row in row.attempts.map { (row.labels, $0) } })
    metrics.gauge(
      "linkaudit_same_host_referral_visits",
      help: "Claimed visits between the heaviest pairs of pages of the same host.",
      audit.sites.lazy.flatMap { site in
        site.sameHostReferrals.prefix(top).lazy.map {
          ([("host", site.host), ("from", $0.from), ("to", $0.to)], $0.visits)
        }
      })
    metrics.gauge(
      "linkaudit_client_requests", help: "Requests to all hosts by the heaviest clients.",
      digest.clients.prefix(top).lazy.map { count in
        (
          [
            ("platform", count.platform.name), ("client", count.client.name),
            ("version", count.systemVersion.map { String($0) } ?? ""),
          ], count.requests
        )
      })
    metrics.gauge(
      "linkaudit_other_host_requests", help: "Requests to the heaviest hosts without a site.",
      audit.otherHosts.prefix(top).lazy.map { ([("host", $0.host)], $0.requests) })
  }
}
