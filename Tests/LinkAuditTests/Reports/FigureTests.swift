import Foundation
import TestSupport
import Testing

@testable import LinkAuditCommand
@testable import Reporting

/// Every figure is the same in every format.
@Suite struct FigureTests {
  static let routes = "--routes SampleLogs/routes.txt"
  static let samples = "SampleLogs/logs --aasa SampleLogs/aasa.json --host www.example.com"
  static let several =
    "$FOLDER/random.log --log-format vcombined --site www.example.com=SampleLogs/aasa.json "
    + "--site m.example.com=SampleLogs/aasa-ios12.json"

  static let reports = [
    "\(samples) \(routes)", samples, "\(several) \(routes)", "SampleLogs/damaged \(several)",
    "\(several) \(routes) --platform ios,inApp,bot --include-bots --since 2026-06-02",
    "SampleLogs/logs --aasa $FOLDER/object.json --host www.example.com",
  ]

  static func text(_ options: String, _ folder: TemporaryFolder) throws -> String {
    let outcome = try Command.run(
      "linkaudit report \(options)", environment: ["FOLDER": folder.path])
    #expect(outcome.status == 0 || outcome.status == 2, "\(outcome.stderr)")
    return outcome.stdout
  }

  /// Compares the rows of a table by the fields that one of the formats has.
  static func compare(
    _ table: String, _ one: ReportForm, _ other: ReportForm, fields: Set<String>
  ) {
    func rows(_ form: ReportForm) -> [String] {
      (form.tables[table] ?? []).map { row in
        fields.sorted().map { "\($0)=\(row[$0] ?? "")" }.joined(separator: "|")
      }.sorted()
    }
    let (first, second) = (rows(one), rows(other))
    #expect(first.count == second.count, "\(table)")
    for (left, right) in zip(first, second) where left != right {
      Issue.record("\(table): \(left) is not \(right)")
      return
    }
  }

  @Test(arguments: reports)
  func formsAgree(options: String) throws {
    let folder = try SchemaTests.folder()
    let document = try Self.text("\(options) --format json", folder)
    let rows = try Self.text("\(options) --format ndjson", folder)
    var tables = ReportForm()
    _ = try Self.text("\(options) --format csv --output-directory $FOLDER/out", folder)
    for table in Report.tables {
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/out/\(table.name).csv"))
      try tables.add(csv: String(decoding: data, as: UTF8.self), table: table)
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

  /// The columns of a table in CSV.
  static func fields<Source>(of table: Table<Source>) -> Set<String> {
    let columns = table.columns.filter { !$0.kind.isOnlyInJSON }.map(\.name)
    return Set(table.isPerSite ? columns + ["host"] : columns)
  }

  /// Compares the tables of all formats.
  static func compareAll(_ json: ReportForm, _ lines: ReportForm, _ tables: ReportForm) throws {
    #expect(Set(json.tables.keys).subtracting(others) == Set(lines.tables.keys).subtracting(others))
    #expect(Set(tables.tables.keys) == Set(lines.tables.keys).subtracting(others))
    for table in Report.tables {
      let fields = fields(of: table)
      compare(table.member, tables, lines, fields: fields)
      // The document identifies the earlier rule of a pair only by its position.
      compare(
        table.member, json, lines,
        fields: fields.filter {
          table.name != "shadowed" || !$0.hasPrefix("by") || $0 == "byRule"
        })
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
    let first = try Self.text(options, TemporaryFolder()).prefix { $0 != "\n" }
    #expect(first.contains("\"grouping\":\"\(group)\"") == (group != "template"))
    #expect(first.contains("\"orderedBy\":\"requests\"") == (order == "requests"))
  }

  @Test func daysAddUp() throws {
    let lines = try ReportForm(
      ndjson: try Self.text("\(Self.samples) --format ndjson", TemporaryFolder()))
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
      let labels = sample.labels.filter { !$0.value.isEmpty }
      let key = ExpectedFigures.key(sample.name, labels)
      #expect(figures.values.removeValue(forKey: key) == sample.value, "\(key)")
    }
    #expect(figures.values == [:])
  }

  @Test func metricsAreDocumented() throws {
    let page = Command.packageFolder.appendingPathComponent("Documentation/Dashboards.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let metrics = try MetricSample.parse(
      try Self.text(
        "\(Self.samples) \(Self.routes) --format openmetrics --top 5", TemporaryFolder()))
    for name in Set(metrics.map(\.name)) { #expect(text.contains("`\(name)`"), "\(name)") }
  }
}

/// The expected metrics of rows.
struct ExpectedFigures {
  var values: [String: Int] = [:]

  static func key(_ name: String, _ labels: [String: String]) -> String {
    name + labels.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
  }

  private mutating func add(
    _ name: String, _ row: ReportForm.Row, _ labels: [String], _ value: String?
  ) {
    guard let value, let number = Int(value) else { return }
    let shown = row.filter { labels.contains($0.key) && !$0.value.isEmpty }
    values[Self.key("linkaudit_" + name, shown), default: 0] += number
  }

  private mutating func addTraffic(_ name: String, _ row: ReportForm.Row, _ labels: [String]) {
    add(name + "requests", row, labels, row["requests"])
    add(name + "visits", row, labels, row["visits"])
  }

  private static func seconds(_ text: String?) -> String? {
    text.flatMap { ISO8601DateFormatter().date(from: $0) }.map {
      String(Int($0.timeIntervalSince1970))
    }
  }

  init(_ form: ReportForm) {
    let rule = ["host", "app", "detail", "list", "rule", "pattern", "excludes"]
    let finding = ["host", "code", "severity"]
    let delivery = ["host", "path", "fetcher", "status"]
    for status in ["complete", "truncated", "corrupt", "unreadable"] {
      add("input_files", ["status": status], ["status"], "0")
    }
    for (table, rows) in form.tables {
      for row in rows {
        switch table {
        case "verdicts":
          let isSite = row["app"]?.isEmpty ?? true
          addTraffic(isSite ? "" : "app_", row, ["host", "app", "verdict"])
        case "platforms": addTraffic("platform_", row, ["host", "platform"])
        case "referrals": addTraffic("referral_", row, ["host", "referral"])
        case "causes": addTraffic("cause_", row, ["host", "cause", "certainty"])
        case "rules":
          addTraffic("rule_", row, rule)
          add("rule_shadowed_requests", row, rule, row["shadowed"])
        case "fetches":
          add("association_file_requests", row, delivery, row["requests"])
          add(
            "association_file_last_fetch_timestamp_seconds", row, delivery,
            Self.seconds(row["last"]))
          add("association_file_smallest_bytes", row, delivery, row["smallest"])
          add("association_file_largest_bytes", row, delivery, row["largest"])
        case "fetchers":
          let labels = ["host", "fetcher"]
          add("association_file_good_requests", row, labels, row["good"])
          add("association_file_good_dates", row, labels, row["goodDays"])
          add(
            "association_file_greatest_gap_seconds", row, labels,
            row["greatestGap"].flatMap { Int($0) }.map { String($0 * 86_400) })
          add(
            "association_file_last_good_fetch_timestamp_seconds", row, labels,
            Self.seconds(row["lastGood"]))
        case "findings":
          addTraffic("finding_", row, finding)
          add("findings", row, finding, "1")
          add("finding_visits_to_win", row, finding, row["visitsToWin"])
        case "files": add("input_files", row, ["status"], "1")
        case "report":
          add("input_lines", row, [], row["lines"])
          add("input_requests", row, [], row["requests"])
          add("input_outside_requests", row, [], row["outside"])
          add("first_request_timestamp_seconds", row, [], Self.seconds(row["from"]))
          add("last_request_timestamp_seconds", row, [], Self.seconds(row["to"]))
        case "rejectedByReason": add("input_rejected_lines", row, ["reason"], row["lines"])
        case "sameHostReferrals":
          add("same_host_referral_visits", row, ["host", "from", "to"], row["visits"])
        case "clients":
          add("client_requests", row, ["platform", "client", "version"], row["requests"])
        case "otherHosts": add("other_host_requests", row, ["host"], row["requests"])
        case _ where Report.coverageTables.contains { $0.member == table && $0.has("path") }:
          let (row, labels) = (row.merging(["table": table]) { $1 }, ["host", "table", "path"])
          addTraffic("coverage_", row, labels)
          add("coverage_attempts", row, labels, row["attempts"])
        default: break
        }
      }
    }
  }
}
