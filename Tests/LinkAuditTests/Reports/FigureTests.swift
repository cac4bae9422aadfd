import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite struct FigureTests {
  static let samples = "SampleLogs/logs \(site)"
  static let several = "$FOLDER/random.log --log-format vcombined \(CommandTests.sites)"

  static let reports = [
    "\(samples) \(routes)", samples, "\(several) \(routes)", "SampleLogs/damaged \(several)",
    "\(several) \(routes) --platform ios,inApp,bot --include-bots --since 2026-06-02",
    "SampleLogs/logs --aasa $FOLDER/object.json --host www.example.com",
  ]

  static func text(_ options: String, _ folder: TemporaryFolder? = nil) throws -> String {
    let outcome = try Command.run(
      "linkaudit report \(options)", environment: ["FOLDER": folder?.path ?? ""])
    #expect(outcome.status == 0 || outcome.status == 2, "\(outcome.stderr)")
    return outcome.stdout
  }

  static func compare(
    _ table: String, _ one: ReportForm, _ other: ReportForm, fields: Set<String>
  ) {
    func rows(_ form: ReportForm) -> [String] {
      (form.tables[table] ?? []).map { row in
        fields.sorted().map { "\($0)=\(row[$0] ?? "")" }.joined(separator: "|")
      }.sorted()
    }
    #expect(rows(one) == rows(other), "\(table)")
  }

  @Test(arguments: reports)
  func formsAgree(options: String) throws {
    let folder = try SchemaTests.folder()
    let document = try Self.text("\(options) --format json", folder)
    let rows = try Self.text("\(options) --format ndjson", folder)
    var tables = ReportForm()
    _ = try Self.text("\(options) --format csv --output-directory $FOLDER/out", folder)
    for table in Report.tables {
      try tables.add(csv: folder.text(of: "out/\(table.name).csv"), table: table)
    }
    try Self.compareAll(ReportForm(json: document), ReportForm(ndjson: rows), tables)
    // Fields that no table of CSV has, and the order of the tables.
    let trees = try JSONTree.lines(rows)
    #expect(
      try JSONTree(document)["findings"].elements.map(\.["evidence"])
        == trees.filter { $0["type"] == .text("findings") }.map(\.["evidence"]))
    let order = Report.tables.map(\.member)
    let places = trees.compactMap { order.firstIndex(of: $0["type"].cell ?? "") }
    #expect(places == places.sorted())
  }

  /// The lines of NDJSON that are no row of a table.
  static let others: Set = ["report", "comparison"]

  static func fields<Source>(of table: Table<Source>) -> Set<String> {
    let columns = table.columns.filter { !$0.kind.isOnlyInJSON }.map(\.name)
    return Set(table.isPerSite ? columns + ["host"] : columns)
  }

  static func compareAll(_ json: ReportForm, _ lines: ReportForm, _ tables: ReportForm) throws {
    #expect(Set(json.tables.keys).subtracting(others) == Set(lines.tables.keys).subtracting(others))
    #expect(Set(tables.tables.keys) == Set(lines.tables.keys).subtracting(others))
    for table in Report.tables {
      let fields = fields(of: table)
      compare(table.member, tables, lines, fields: fields)
      // The document identifies the earlier rule of a pair only by its position.
      compare(
        table.member, json, lines,
        fields: fields.filter { table.name != "shadowed" || !$0.hasPrefix("by") || $0 == "byRule" })
    }
  }

  @Test(arguments: [
    "SampleLogs/aasa-candidate.json SampleLogs/logs \(routes)",
    "SampleLogs/aasa-ios12.json SampleLogs/logs", "SampleLogs/aasa-candidate.json",
  ])
  func formsOfComparisonsAgree(options: String) throws {
    let diff = "linkaudit diff SampleLogs/aasa.json \(options) --host www.example.com --format"
    let json = try ReportForm(diff: try Command.run("\(diff) json").stdout)
    for table in DiffReport.tables
    where options.contains("logs") || ["patterns", "findings"].contains(table.name) {
      var csv = ReportForm()
      try csv.add(csv: try Command.run("\(diff) csv --table \(table.name)").stdout, table: table)
      #expect(csv.tables[table.member] != nil, "\(table.name)")
      Self.compare(table.member, csv, json, fields: Self.fields(of: table))
    }
  }

  /// Groups and orders are named where they are not the usual ones.
  @Test(arguments: ["template", "exact", "depth:1"], ["visits", "requests"])
  func groupsAndOrdersAreNamed(group: String, order: String) throws {
    let options = "\(Self.samples) --group \(group) --sort \(order) --format ndjson"
    let first = try Self.text(options).prefix { $0 != "\n" }
    #expect(first.contains("\"grouping\":\"\(group)\"") == (group != "template"))
    #expect(first.contains("\"orderedBy\":\"requests\"") == (order == "requests"))
  }

  @Test func daysAddUp() throws {
    let lines = try ReportForm(ndjson: Self.text("\(Self.samples) --format ndjson"))
    for (whole, days, key) in [
      ("platforms", "dayPlatforms", "platform"), ("referrals", "dayReferrals", "referral"),
      ("causes", "dayCauses", "cause"),
    ] {
      for figure in ["requests", "visits"] {
        func sums(_ table: String) -> [String: Int] {
          (lines.tables[table] ?? []).reduce(into: [:]) { sums, row in
            sums[row[key] ?? "", default: 0] += Int(row[figure] ?? "") ?? 0
          }.filter { $0.value > 0 }
        }
        #expect(!sums(whole).isEmpty && sums(whole) == sums(days), "\(whole), \(figure)")
      }
    }
  }

  @Test(arguments: reports)
  func metricsAgree(options: String) throws {
    let folder = try SchemaTests.folder()
    let lines = try ReportForm(ndjson: try Self.text("\(options) --format ndjson", folder))
    let samples = try MetricSample.parse(
      try Self.text("\(options) --format openmetrics --top 1000000", folder))
    var figures = ExpectedFigures(lines)
    for sample in samples {
      let key = ExpectedFigures.key(sample.name, sample.labels.filter { !$0.value.isEmpty })
      #expect(figures.values.removeValue(forKey: key) == sample.value, "\(key)")
    }
    #expect(figures.values == [:])
  }

  @Test func metricsAreDocumented() throws {
    let text = try packageText("Documentation/Dashboards.md")
    let metrics = try MetricSample.parse(
      Self.text("\(Self.samples) \(routes) --format openmetrics --top 5"))
    for name in Set(metrics.map(\.name)) { #expect(text.contains("`\(name)`"), "\(name)") }
  }
}

struct ExpectedFigures {
  var values: [String: Int] = [:]

  static func key(_ name: String, _ labels: [String: String]) -> String {
    name + labels.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
  }

  /// The tables, the metrics of their rows, the labels, and the columns of the values.
  ///
  /// The column `traffic` stands for requests and visits, and an empty one for the number of rows.
  private static let metrics: [(table: String, name: String, labels: String, column: String)] = {
    let rule = "host app detail list rule pattern excludes"
    let finding = "host code severity"
    let (delivery, fetcher) = ("host path fetcher status", "host fetcher")
    return [
      ("platforms", "platform_", "host platform", "traffic"),
      ("referrals", "referral_", "host referral", "traffic"),
      ("causes", "cause_", "host cause certainty", "traffic"),
      ("rules", "rule_", rule, "traffic"), ("rules", "rule_shadowed_requests", rule, "shadowed"),
      ("fetches", "association_file_requests", delivery, "requests"),
      ("fetches", "association_file_last_fetch_timestamp_seconds", delivery, "last"),
      ("fetches", "association_file_smallest_bytes", delivery, "smallest"),
      ("fetches", "association_file_largest_bytes", delivery, "largest"),
      ("fetchers", "association_file_good_requests", fetcher, "good"),
      ("fetchers", "association_file_good_dates", fetcher, "goodDays"),
      ("fetchers", "association_file_greatest_gap_seconds", fetcher, "greatestGap"),
      ("fetchers", "association_file_last_good_fetch_timestamp_seconds", fetcher, "lastGood"),
      ("findings", "finding_", finding, "traffic"), ("findings", "findings", finding, ""),
      ("findings", "finding_visits_to_win", finding, "visitsToWin"),
      ("files", "input_files", "status", ""), ("report", "input_lines", "", "lines"),
      ("report", "input_requests", "", "requests"),
      ("report", "input_outside_requests", "", "outside"),
      ("report", "first_request_timestamp_seconds", "", "from"),
      ("report", "last_request_timestamp_seconds", "", "to"),
      ("rejectedByReason", "input_rejected_lines", "reason", "lines"),
      ("sameHostReferrals", "same_host_referral_visits", "host from to", "visits"),
      ("clients", "client_requests", "platform client version", "requests"),
      ("otherHosts", "other_host_requests", "host", "requests"),
    ]
  }()

  private mutating func add(
    _ name: String, _ row: ReportForm.Row, _ labels: String, _ column: String
  ) {
    if column == "traffic" {
      for column in ["requests", "visits"] { add(name + column, row, labels, column) }
      return
    }
    guard let value = column.isEmpty ? "1" : row[column], !value.isEmpty else { return }
    let time = Int(value) == nil ? ISO8601DateFormatter().date(from: value) : nil
    guard let number = Int(value) ?? time.map({ Int($0.timeIntervalSince1970) }) else { return }
    let names = labels.split(separator: " ").map(String.init)
    let shown = row.filter { names.contains($0.key) && !$0.value.isEmpty }
    values[Self.key("linkaudit_" + name, shown), default: 0] +=
      column == "greatestGap" ? number * 86_400 : number
  }

  init(_ form: ReportForm) {
    for status in ["complete", "truncated", "corrupt", "unreadable"] {
      values[Self.key("linkaudit_input_files", ["status": status])] = 0
    }
    for (table, rows) in form.tables {
      let hasCoverage = Report.pathTables.contains { $0.member == table }
      for row in rows {
        for metric in Self.metrics where metric.table == table {
          add(metric.name, row, metric.labels, metric.column)
        }
        if table == "verdicts" {
          add((row["app"] ?? "").isEmpty ? "" : "app_", row, "host app verdict", "traffic")
        }
        guard hasCoverage else { continue }
        let row = row.merging(["table": table]) { $1 }
        add("coverage_", row, "host table path", "traffic")
        add("coverage_attempts", row, "host table path", "attempts")
      }
    }
  }
}
