import Foundation
import Testing

@testable import linkaudit

/// A report's rows as one of its forms tells them: by table, each a few fields.
///
/// Tables have the names of `type` in NDJSON; those of coverage have their own. Nested
/// values are flattened to the fields that CSV has for them.
struct ReportForm {
  typealias Row = [String: String]

  var tables: [String: [Row]] = [:]

  mutating func add(_ row: Row, to table: String) { tables[table, default: []].append(row) }
}

/// JSON of any kind.
enum JSONTree: Decodable {
  case null
  case truth(Bool)
  case number(Int)
  case text(String)
  case array([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .truth(value)
    } else if let value = try? container.decode(Int.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONTree].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }

  subscript(name: String) -> JSONTree {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }

  var members: [String: JSONTree] {
    if case .object(let members) = self { members } else { [:] }
  }

  /// A cell, or `nil` for what is no single value.
  ///
  /// What a terminal would obey is written as other forms write it.
  var cell: String? {
    switch self {
    case .null: ""
    case .truth(let value): String(value)
    case .number(let value): String(value)
    case .text(let value): SafeText.escaped(value)
    case .array, .object: nil
    }
  }

  /// An object as a row.
  var row: ReportForm.Row {
    var row: ReportForm.Row = [:]
    for (name, value) in members {
      switch name {
      case "samples": row[name] = value.elements.compactMap(\.cell).joined(separator: " ")
      case "statuses":
        row[name] = value.members.sorted { $0.key < $1.key }
          .map { "\($0.key)=\($0.value.cell ?? "")" }.joined(separator: " ")
      case "nearestRoute":
        row["nearestRoute"] = value["route"].cell
        row["nearestRouteDifference"] = value["difference"].cell
      case "destination":
        row["destination"] = value["path"].cell
        row["destinationVerdict"] = value["verdict"].cell
        row["destinationVisits"] = value["visits"].cell
      case "by":
        for (name, value) in value.members { row["by" + name.capitalized] = value.cell }
      case "evidence":
        row["line"] = value["rules"].elements.first?["line"].cell ?? ""
        row["column"] = value["rules"].elements.first?["column"].cell ?? ""
        row["samples"] = value["paths"].elements.flatMap(\.["samples"].elements)
          .compactMap(\.cell).joined(separator: " ")
      default: row[name] = value.cell
      }
    }
    return row
  }
}

// MARK: - JSON

extension ReportForm {
  /// The tables of coverage.
  static let coverage = FamilyTable.allCases.map(\.rawValue) + AnswerTable.allCases.map(\.rawValue)

  /// Reads a document of `linkaudit.report/1`.
  init(json text: String) throws {
    let document = try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
    let input = document["input"]
    add(input.row, to: "report")
    for file in input["files"].elements { add(file.row, to: "input") }
    for (reason, lines) in input["rejectedByReason"].members {
      add(["reason": reason, "lines": lines.cell ?? ""], to: "rejection")
    }
    for line in input["rejectedLines"].elements { add(line.row, to: "rejectedLine") }
    for client in document["clients"].elements { add(client.row, to: "client") }
    for host in document["otherHosts"].elements { add(host.row, to: "otherHost") }
    for finding in document["findings"].elements { add(finding.row, to: "finding") }
    for finding in document["comparison"]["gone"].elements {
      add(finding.row, to: "goneFinding")
    }
    for site in document["sites"].elements { add(site: site) }
  }

  private mutating func add(site: JSONTree) {
    let host = site["host"].cell ?? ""
    func row(_ tree: JSONTree, _ more: Row = [:]) -> Row {
      tree.row.merging(["host": host]) { $1 }.merging(more) { $1 }
    }
    add(["host": host, "file": site["file"].cell ?? ""], to: "site")
    for (number, version) in site["versions"].elements.enumerated() {
      add(row(version, ["version": String(number)]), to: "version")
    }
    for (app, verdicts) in [("", site["verdicts"])]
      + site["apps"].elements.map({ ($0["app"].cell ?? "", $0["verdicts"]) })
    {
      for (verdict, traffic) in verdicts.members {
        add(row(traffic, ["app": app, "verdict": verdict]), to: "verdict")
      }
    }
    for (name, traffic) in site["platforms"].members {
      add(row(traffic, ["platform": name]), to: "platform")
    }
    for (name, traffic) in site["referrals"].members {
      add(row(traffic, ["referral": name]), to: "referral")
    }
    for day in site["days"].elements {
      var fields = row(day)
      for (name, traffic) in day["verdicts"].members.merging(
        ["sameHost": day["sameHost"]], uniquingKeysWith: { $1 })
      {
        fields[name + "Requests"] = traffic["requests"].cell
        fields[name + "Visits"] = traffic["visits"].cell
      }
      add(fields, to: "day")
      for (name, traffic) in day["platforms"].members {
        add(row(traffic, ["day": day["day"].cell ?? "", "platform": name]), to: "dayPlatform")
      }
      for (name, traffic) in day["referrals"].members {
        add(row(traffic, ["day": day["day"].cell ?? "", "referral": name]), to: "dayReferral")
      }
    }
    for rule in site["rules"].elements {
      add(row(rule), to: "rule")
      for shadow in rule["shadowedBy"].elements {
        add(
          row(
            rule,
            [
              "byRule": shadow["rule"].cell ?? "", "requests": shadow["requests"].cell ?? "",
              "visits": shadow["visits"].cell ?? "",
            ]), to: "shadow")
      }
    }
    for pair in site["sameHostReferrals"].elements { add(row(pair), to: "pair") }
    for table in Self.coverage {
      for family in site["coverage"][table].elements { add(row(family), to: table) }
    }
    for route in site["coverage"]["unvisitedRoutes"].elements {
      add(["host": host, "route": route.cell ?? ""], to: "unvisitedRoute")
    }
    for fetch in site["delivery"]["fetches"].elements { add(row(fetch), to: "delivery") }
    for fetcher in site["delivery"]["fetchers"].elements { add(row(fetcher), to: "fetcher") }
  }

  /// Reads lines of `linkaudit.rows/1`.
  init(ndjson text: String) throws {
    for line in text.split(separator: "\n") {
      let row = try JSONDecoder().decode(JSONTree.self, from: Data(line.utf8)).row
      switch row["type"] {
      case "coverage": add(row, to: row["table"] ?? "")
      case "app": add(row, to: "verdict")
      case "verdict": add(row.merging(["app": ""]) { $1 }, to: "verdict")
      case let type: add(row, to: type ?? "")
      }
    }
  }
}

// MARK: - CSV

extension ReportForm {
  /// Adds a table of CSV.
  mutating func add(csv text: String, table: ReportTable, more: [String] = []) throws {
    var records = Self.records(text)
    let header = records.removeFirst()
    #expect(header == table.columns + more)
    for record in records {
      #expect(record.count == header.count)
      add(Dictionary(uniqueKeysWithValues: zip(header, record)), to: Self.name(of: table))
    }
  }

  /// The table's name among the rows.
  static func name(of table: ReportTable) -> String {
    switch table {
    case .rules: "rule"
    case .referrals: "pair"
    case .claimedNotImplemented: "claimedNotImplemented"
    case .implementedNotClaimed: "implementedNotClaimed"
    case .implementedButExcluded: "implementedButExcluded"
    case .excluded: "excludedHeavy"
    case .unclaimed: "unclaimedHeavy"
    case .claimedBroken: "claimedBroken"
    case .claimedRedirected: "claimedRedirected"
    case .unvisitedRoutes: "unvisitedRoute"
    case .findings: "finding"
    case .days: "day"
    case .clients: "client"
    case .verdicts: "verdict"
    case .platforms: "platform"
    case .referralKinds: "referral"
    case .shadowed: "shadow"
    case .delivery: "delivery"
    case .fetchers: "fetcher"
    case .inputs: "input"
    case .rejected: "rejection"
    case .rejectedLines: "rejectedLine"
    case .otherHosts: "otherHost"
    case .dayPlatforms: "dayPlatform"
    case .dayReferralKinds: "dayReferral"
    case .versions: "version"
    }
  }

  /// The records of a text as RFC 4180 has it.
  static func records(_ text: String) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var cell = String.UnicodeScalarView()
    var isQuoted = false
    var wasQuote = false
    for scalar in text.unicodeScalars {
      if isQuoted {
        if scalar == "\"" { (isQuoted, wasQuote) = (false, true) } else { cell.append(scalar) }
        continue
      }
      switch scalar {
      case "\"":
        if wasQuote { cell.append(scalar) }
        isQuoted = true
      case ",":
        record.append(String(cell))
        cell = String.UnicodeScalarView()
      case "\r": break
      case "\n":
        records.append(record + [String(cell)])
        (record, cell) = ([], String.UnicodeScalarView())
      default: cell.append(scalar)
      }
      wasQuote = false
    }
    return records
  }
}
