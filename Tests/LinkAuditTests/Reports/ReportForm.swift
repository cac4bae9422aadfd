import Foundation
import Testing

@testable import Reporting

/// A report's rows in one of its formats: by table, each with a few fields.
///
/// Nested values are flattened to their fields in CSV.
struct ReportForm {
  typealias Row = [String: String]

  var tables: [String: [Row]] = [:]

  mutating func add(_ row: Row, to table: String) { tables[table, default: []].append(row) }
}

enum JSONTree: Decodable, Equatable {
  case null
  case truth(Bool)
  case number(Int)
  case text(String)
  case array([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func tree<Value: Decodable>(_ make: (Value) -> JSONTree) -> JSONTree? {
      (try? container.decode(Value.self)).map(make)
    }
    let single = container.decodeNil() ? .null : tree(JSONTree.truth) ?? tree(JSONTree.number)
    self =
      try single ?? tree(JSONTree.text) ?? tree(JSONTree.array)
      ?? .object(container.decode([String: JSONTree].self))
  }

  init(_ text: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }

  static func lines(_ text: String) throws -> [JSONTree] {
    try text.split(separator: "\n").map { try JSONTree(String($0)) }
  }

  subscript(name: String) -> JSONTree { members[name] ?? .null }

  var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }

  var members: [String: JSONTree] { if case .object(let members) = self { members } else { [:] } }

  var number: Int? { if case .number(let value) = self { value } else { nil } }

  /// A value, or `nil` for anything but a single value.
  ///
  /// Control bytes for a terminal are written as in other formats.
  var cell: String? {
    switch self {
    case .null: ""
    case .truth(let value): String(value)
    case .number(let value): String(value)
    case .text(let value): SafeText.escaped(value)
    case .array, .object: nil
    }
  }

  /// An object as a row of a table, with the CSV fields of nested values.
  func row<Source>(of table: Table<Source>) -> ReportForm.Row {
    var row: ReportForm.Row = [:]
    for column in table.columns {
      let value = column.member.map { self[$0.parent][$0.name] } ?? self[column.name]
      switch value {
      case .array(let elements):
        row[column.name] = elements.compactMap(\.cell).joined(separator: " ")
      case .object(let members):
        row[column.name] = members.sorted { $0.key < $1.key }
          .map { "\($0.key)=\($0.value.cell ?? "")" }.joined(separator: " ")
      default: row[column.name] = value.cell
      }
    }
    if table.isPerSite { row["host"] = self["host"].cell }
    guard table.name == "findings" else { return row }
    let evidence = self["evidence"]
    row["line"] = evidence["rules"].elements.first?["line"].cell ?? ""
    row["column"] = evidence["rules"].elements.first?["column"].cell ?? ""
    row["samples"] = evidence["paths"].elements.flatMap(\.["samples"].elements)
      .compactMap(\.cell).joined(separator: " ")
    row["evidence"] = nil
    return row
  }

  var row: ReportForm.Row { members.compactMapValues(\.cell) }
}

extension ReportForm {
  /// Reads a document of `linkaudit.report/2`.
  init(json text: String) throws {
    let document = try JSONTree(text)
    #expect(document["schema"].cell == "linkaudit.report/2")
    let input = document["input"]
    add(input.row, to: "report")
    for (reason, lines) in input["rejectedByReason"].members {
      add(["reason": reason, "lines": lines.cell ?? ""], to: "rejectedByReason")
    }
    if case .object = document["unlistedHosts"] {
      add(document["unlistedHosts"].row, to: "unlistedHosts")
    }
    add(document["comparison"]["gone"], "gone-findings")
    for table in Report.tables where !table.isPerSite {
      add(input[table.member], table.name)
      if table.name != "sites" { add(document[table.member], table.name) }
    }
    for site in document["sites"].elements { add(site: site) }
  }

  private mutating func add(_ rows: JSONTree, _ name: String, host: String? = nil) {
    guard let table = Report.table(name) else { return }
    for element in rows.elements {
      add(element.row(of: table).merging(host.map { ["host": $0] } ?? [:]) { $1 }, to: table.member)
    }
  }

  private mutating func add(site: JSONTree) {
    let host = site["host"].cell ?? ""
    func row(_ tree: JSONTree, _ more: Row) -> Row {
      tree.row.merging(["host": host]) { $1 }.merging(more) { $1 }
    }
    func addTraffic(_ named: JSONTree, by column: String, to table: String, _ more: Row = [:]) {
      for (name, traffic) in named.members {
        add(row(traffic, more.merging([column: name]) { $1 }), to: table)
      }
    }
    func total(_ figure: String) -> String {
      String(site["verdicts"].members.values.reduce(0) { $0 + ($1[figure].number ?? 0) })
    }
    add(
      [
        "host": host, "file": site["file"].cell ?? "", "requests": total("requests"),
        "visits": total("visits"),
      ], to: "sites")
    for app in [site] + site["apps"].elements {
      addTraffic(app["verdicts"], by: "verdict", to: "verdicts", ["app": app["app"].cell ?? ""])
    }
    addTraffic(site["platforms"], by: "platform", to: "platforms")
    addTraffic(site["referrals"], by: "referral", to: "referrals")
    for day in site["days"].elements {
      let date = ["day": day["day"].cell ?? ""]
      var fields = row(day, date)
      for (name, traffic) in day["verdicts"].members.merging(
        ["sameHost": day["sameHost"]], uniquingKeysWith: { $1 })
      {
        fields[name + "Requests"] = traffic["requests"].cell
        fields[name + "Visits"] = traffic["visits"].cell
      }
      add(fields, to: "days")
      addTraffic(day["platforms"], by: "platform", to: "dayPlatforms", date)
      addTraffic(day["referrals"], by: "referral", to: "dayReferrals", date)
      addTraffic(day["causes"], by: "cause", to: "dayCauses", date)
    }
    for rule in site["rules"].elements {
      for shadow in rule["shadowedBy"].elements {
        var figures = ["byRule": shadow["rule"].cell ?? ""]
        for figure in ["requests", "visits"] { figures[figure] = shadow[figure].cell ?? "" }
        add(row(rule, figures), to: "shadowed")
      }
    }
    for route in site["coverage"]["unvisitedRoutes"].elements {
      add(["host": host, "route": route.cell ?? ""], to: "unvisitedRoutes")
    }
    let nested = ["verdicts", "platforms", "referrals", "days", "unvisited-routes"]
    for table in Report.tables where table.isPerSite && !nested.contains(table.name) {
      for place in [site, site["coverage"], site["delivery"]] {
        add(place[table.member], table.name, host: host)
      }
    }
  }

  init(diff text: String) throws {
    let document = try JSONTree(text)
    let host = ["host": document["host"].cell ?? ""]
    for table in DiffReport.tables {
      let rows =
        switch table.name {
        case "patterns": document["patterns"]["changes"]
        case "findings": document["findings"]
        default: document["traffic"][table.member]
        }
      for element in rows.elements {
        add(element.row(of: table).merging(table.isPerSite ? host : [:]) { $1 }, to: table.member)
      }
    }
  }

  init(ndjson text: String) throws {
    for tree in try JSONTree.lines(text) {
      let type = tree["type"].cell ?? ""
      add(Report.tables.first { $0.member == type }.map { tree.row(of: $0) } ?? tree.row, to: type)
    }
  }

  mutating func add<Source>(csv text: String, table: Table<Source>) throws {
    var records = Self.records(text)
    let header = records.removeFirst()
    let all = table.csvHeader(of: table.columns.filter { !$0.kind.isOnlyInJSON })
    let rare = table.columns.filter { $0.presence == .rarely }.map(\.name)
    #expect(header == all.filter { header.contains($0) || !rare.contains($0) })
    for record in records {
      #expect(record.count == header.count)
      // An apostrophe prevents spreadsheets from running the text after it.
      let cells = record.map { $0.contains(/^'[=+@-]/) ? String($0.dropFirst()) : $0 }
      add(Dictionary(uniqueKeysWithValues: zip(header, cells)), to: table.member)
    }
  }

  /// The records of a text according to RFC 4180.
  static func records(_ text: String) -> [[String]] {
    let cell = #/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/#.matchingSemantics(.unicodeScalar)
    let quotes = #/""/#.matchingSemantics(.unicodeScalar)
    var records: [[String]] = [[]]
    var rest = text[...]
    while let match = rest.prefixMatch(of: cell)?.output {
      let value = match.1?.replacing(quotes, with: "\"") ?? match.2 ?? ""
      records[records.count - 1].append(String(value))
      if match.3 != "," { records.append([]) }
      rest = rest[match.0.endIndex...]
    }
    #expect(rest.isEmpty)
    return records.dropLast()
  }
}
