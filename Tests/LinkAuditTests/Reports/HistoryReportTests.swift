import AccessLogs
import Foundation
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import Foundations
@testable import Reporting

/// Reports about several versions of a file, and compared with an earlier report.
@Suite struct HistoryReportTests {
  /// The report on SampleLogs after rule changes on the second and third day.
  static func audited(hasHistory: Bool = true) throws -> (audit: Audit, digest: TrafficDigest) {
    let (inputs, _) = LogInput.discover([Command.packageFolder.path + "/SampleLogs/logs"])
    let digest = try TrafficDigest.reduce(
      inputs, options: ReductionOptions(defaultHost: "www.example.com", format: nil, jobs: 2))
    func site(_ name: String) throws -> Site {
      var site = Site(
        host: "www.example.com", file: try AssociationFile(packageText("SampleLogs/\(name)")),
        routes: RouteTable(parsing: "/buy/:id\n/help/:id\n/nobody"))
      site.filePath = "SampleLogs/\(name)\u{1B}[31m"
      return site
    }
    let history =
      hasHistory
      ? try SiteHistory([
        .init(try site("aasa.json"), from: nil),
        .init(try site("aasa-candidate.json"), from: Day("2026-06-02")),
        .init(try site("aasa.json"), from: Day("2026-06-03")),
      ]) : SiteHistory(try site("aasa.json"))
    var audit = try Auditor(histories: [history]).audit(digest)
    guard hasHistory else { return (audit, digest) }
    var records = audit.findings.map { FindingRecord($0) }
    records[0].share = (records[0].share ?? 0) / 2
    records[1].severity = "error"
    records.remove(at: 2)
    records += [
      FindingRecord(
        code: "excluded-heavy", severity: "warning", host: "gone.example.com", subject: "",
        message: "=Rules exclude 5 of 6 visits\u{1B}[31m.", requests: 7, visits: 5, share: 833_333),
      FindingRecord(
        code: "of-a-later-version", severity: "fatal", host: "www.example.com", subject: "x",
        message: "Something <b>else</b>.", requests: 0, visits: 0, share: nil),
      FindingRecord(
        code: "lines-rejected", severity: "warning", host: nil, subject: "", message: "Lines.",
        requests: 0, visits: 0, share: 70_000),
    ]
    let time = LogTime(secondsSince1970: 1_780_000_000, offsetInMinutes: 120)
    audit.compare(
      with: AuditChange(at: time, from: nil, to: digest.times?.upperBound), findings: records)
    return (audit, digest)
  }

  private static func report(hasHistory: Bool = true, top: Int? = nil) throws -> Report {
    let (audit, digest) = try audited(hasHistory: hasHistory)
    return Report(audit: audit, digest: digest, top: top)
  }

  @Test(Checkers.needsPython)
  func schemasFit() throws {
    let report = try Self.report()
    let folder = try TemporaryFolder([
      "json": collected(report.writeJSON), "ndjson": collected(report.writeNDJSON),
    ])
    let (json, lines) = (folder.path + "/json", folder.path + "/ndjson")
    #expect(try Checkers.complaints(about: json, schema: "report-2") == "")
    #expect(try Checkers.complaints(about: lines, schema: "rows-2", byLine: true) == "")
  }

  @Test func formsAgree() throws {
    let report = try Self.report()
    let json = try ReportForm(json: collected(report.writeJSON))
    let lines = try ReportForm(ndjson: collected(report.writeNDJSON))
    var tables = ReportForm()
    for table in Report.tables {
      try tables.add(csv: collected { try table.writeCSV(of: report, to: $0) }, table: table)
    }
    #expect(tables.tables["goneFindings"]?.count == 3)
    try FigureTests.compareAll(json, lines, tables)
    #expect(lines.tables["versions"]?.map { $0["version"] } == ["0", "1", "2"])
    #expect(Set(lines.tables["rules"]?.map { $0["version"] ?? "" } ?? []) == ["0", "1", "2"])
    let days = lines.tables["days"]?.count ?? 0
    #expect((lines.tables["dayPlatforms"]?.count ?? 0) > days)
  }

  @Test func withoutHistoryNothingIsSaidOfIt() throws {
    let report = try Self.report(hasHistory: false)
    let json = try collected(report.writeJSON)
    let lines = try collected(report.writeNDJSON)
    for word in ["\"versions\"", "\"change\"", "\"comparison\"", "goneFindings"] {
      #expect(!json.contains(word) && !lines.contains(word))
    }
    for table in Report.tables {
      let names = table.csvColumns(of: report).map(\.name)
      #expect(
        !names.contains("version")
          || table.columns.contains { $0.presence == .always && $0.name == "version" })
      #expect(!names.contains("change"))
    }
    let text = try Self.report(hasHistory: false, top: 10).document
      .text(isFull: true, top: 10, style: Style(isTerminal: false))
    #expect(!text.contains("since the report") && !text.contains("Version 1"))
  }

  @Test func textShowsChanges() throws {
    let text = try Self.report(top: 10).document.text(top: 10, style: Style(isTerminal: false))
    #expect(text.contains("Since the report of 2026-05-28: 1 new, 1 worse, 1 better, 3 gone.\n"))
    #expect(text.contains("  gone note of-a-later-version\n    Something <b>else</b>.\n"))
    #expect(text.contains("  gone warning excluded-heavy\n"))
    for mark in [" (new)\n", " (worse)\n", " (better)\n"] { #expect(text.contains(mark)) }
    #expect(text.contains("2026-06-02 *") && text.contains("2026-06-03 *"))
    #expect(text.contains("* The rules changed: version 1, 2026-06-02:"))
    #expect(text.contains("  Version 0, until 2026-06-01: SampleLogs/aasa.json"))
    #expect(text.contains("v0 /"))
    #expect(!text.unicodeScalars.contains("\u{1B}"))
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }

    let page = try Self.report().document.html(top: nil)
    #expect(page.contains("<h3>Gone since the report of 2026-05-28</h3>"))
    #expect(page.contains("Something &lt;b&gt;else&lt;/b&gt;."))
    #expect(page.contains("<span class=\"mark\">worse</span>"))
    #expect(page.components(separatedBy: "stroke-dasharray").count - 1 == 4)
    #expect(page.contains("Dotted lines: the rules changed; version 1, 2026-06-02"))
    #expect(!page.unicodeScalars.contains("\u{1B}"))
  }

  @Test func metricsTellVersionsAndChanges() throws {
    let metrics = try collected(Self.report().writeOpenMetrics)
    #expect(metrics.contains("linkaudit_finding_changes{change=\"gone\"} 3\n"))
    #expect(metrics.contains("linkaudit_earlier_report_timestamp_seconds 1780000000\n"))
    #expect(metrics.contains("version=\"2\""))
    #expect(!metrics.contains("duplicate="))
  }
}
