import FileDelivery
import Foundation
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import Reporting

/// Output conforms to the schemas in Documentation/Schemas.
@Suite(Checkers.needsPython) struct SchemaTests {
  private static let expectations = "--expect SampleLogs/expectations.txt"

  static let reports = [
    "SampleLogs/logs \(site) \(routes)",
    "SampleLogs/logs \(site) \(routes) --top 2",
    "SampleLogs/logs \(site) --fan-out 2 --app A1B2C3D4E5.com.example.tea",
    "SampleLogs/logs \(site) \(routes) --group depth:1 --sort requests",
    "SampleLogs/logs \(site) \(routes) --group exact",
    "SampleLogs/logs \(site) --since 2026-06-02 --until 2026-06-02",
    "SampleLogs/logs \(site) \(routes) --platform ios,bot --status 2xx,304 --include-bots --ignore '/api/*'",
    "SampleLogs/logs \(CommandTests.sites) --site '*.example.com=SampleLogs/aasa.json'",
    "SampleLogs/damaged \(site)",
    "/nonexistent.log SampleLogs/logs/scanners.access.log.gz \(site)",
    "/dev/null \(site) \(routes)",
    "SampleLogs/logs/scanners.access.log.gz --host www.example.com --aasa $FOLDER/none.json",
    "SampleLogs/logs \(routes) --host www.example.com --aasa $FOLDER/object.json",
    "SampleLogs/logs --host www.example.com --aasa $FOLDER/whole.json",
    "SampleLogs/logs --host www.example.com --aasa $FOLDER/apps.json",
    "$FOLDER/random.log --log-format vcombined --site www.example.com=SampleLogs/aasa.json "
      + "--site m.example.com=SampleLogs/aasa.json \(routes)",
  ]

  /// A folder with all kinds of association files, and a log of several sites.
  static func folder() throws -> TemporaryFolder {
    var log = RandomLog(seed: 11)
    return try TemporaryFolder([
      "none.json": "{}",
      "object.json":
        #"{"applinks": {"details": {"A1B2C3D4E5.com.example.tea\u001b[31m": {"paths": ["NOT /buy/1", "/buy/*"]}}}}"#,
      "whole.json": #"{"applinks": {"details": [{"appID": "A1B2C3D4E5.com.example.tea"}]}}"#,
      "apps.json":
        #"{"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.a", "A1B2C3D4E5.a"], "components": [{"/": "/\"\n*"}]}]}}"#,
      "random.log": log.text(1_000, host: true),
    ])
  }

  /// `RECORD_DOCUMENTATION=1 swift test` rewrites all of a file but its title and its description.
  @Test(arguments: SchemaDocument.generated.keys.sorted())
  func definitionsOfRowsAreCurrent(name: String) throws {
    let path = "Schemas/\(name).schema.json"
    let text = try packageText("Documentation/\(path)")
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    let generated = try #require(SchemaDocument.generated[name])
    let data = try JSONSerialization.data(
      withJSONObject: document.merging(generated) { $1 },
      options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    try expectDocument(String(decoding: data, as: UTF8.self) + "\n", at: path)
  }

  static let outputs: [(command: String, options: [String], schema: String)] = [
    ("report --format json", reports, "report-2"), ("report --format ndjson", reports, "rows-2"),
    (
      "diff --format json",
      [
        "SampleLogs/aasa.json $FOLDER/object.json SampleLogs/logs --host www.example.com",
        "SampleLogs/aasa.json SampleLogs/aasa-ios12.json SampleLogs/logs --host www.example.com \(routes)",
        "SampleLogs/aasa.json $FOLDER/whole.json SampleLogs/damaged --host www.example.com --top 2",
        "SampleLogs/aasa.json $FOLDER/none.json --host www.example.com",
        "$FOLDER/object.json $FOLDER/apps.json --host www.example.com",
        "SampleLogs/aasa.json SampleLogs/aasa.json --host '*.example.com'",
      ], "diff-1"
    ),
    (
      "suggest --format json SampleLogs/logs --host www.example.com \(routes)",
      [
        "--aasa SampleLogs/aasa.json",
        "--aasa SampleLogs/aasa.json --including-excluded --tolerance 90% --sort requests",
        "--aasa SampleLogs/aasa-ios12.json --max-rules 1 --group depth:1 --platform ios,ios12",
        "--aasa $FOLDER/object.json", "--aasa $FOLDER/whole.json", "--aasa $FOLDER/apps.json",
      ], "suggest-1"
    ),
    (
      "match --format ndjson --host www.example.com https://www.example.com/buy/42 /x '' "
        + "https://www.example.com/account/1 https://www.example.com:8080/ https://other.example/ "
        + "$(printf '\\033[31m')",
      ["SampleLogs/aasa.json", "SampleLogs/aasa-ios12.json", "$FOLDER/object.json"].flatMap {
        file in
        ["", "--explain", expectations, "--explain \(expectations)"].map { "--aasa \(file) \($0)" }
      }, "match-1"
    ),
    (
      "digest --no-config --format ndjson",
      [
        "SampleLogs/logs --host www.example.com", "SampleLogs/damaged",
        "$FOLDER/random.log --log-format vcombined",
        "/dev/null /nonexistent.log $FOLDER/random.log",
      ], "digest-rows-1"
    ),
    (
      "lint --format json",
      [
        "SampleLogs/aasa-mistakes.json SampleLogs/aasa.json", "SampleLogs/routes.txt",
        "Tests/LinkAuditTests/Inputs/signed.p7",
        "--site example.com=SampleLogs/aasa.json --entitlements Tests/LinkAuditTests/Inputs/Tea.entitlements",
      ], "lint-1"
    ), ("explain --format json", ["", "--kind delivery", "too-large same-host-links"], "codes-1"),
  ]

  @Test(
    arguments: outputs.flatMap { output in
      output.options.map { (command: "\(output.command) \($0)", schema: output.schema) }
    })
  func outputFits(command: String, schema: String) throws {
    let folder = try Self.folder()
    let outcome = try Command.run(
      "linkaudit \(command) >$FOLDER/output", environment: ["FOLDER": folder.path])
    let isOdd =
      switch schema {
      case "lint-1": outcome.status == 1
      case "match-1": command.contains("--exp")
      case "suggest-1", "codes-1": false
      default: outcome.status == 2
      }
    #expect(outcome.status == 0 || isOdd, "\(outcome.stderr)")
    let complaints = try Checkers.complaints(
      about: folder.path + "/output", schema: schema, byLine: command.contains("ndjson"))
    #expect(complaints == "")
  }

  /// A schema that accepts everything would also pass all tests.
  @Test(arguments: [
    (#"{"schema": "linkaudit.report/2"}"#, "report-2"), (#"{"type": "other"}"#, "rows-2"),
    (
      #"{"type":"clients","platform":"ios","client":"Safari","version":18,"requests":-1}"#, "rows-2"
    ),
    (#"{"type":"rejectedByReason","reason":"noStatus","lines":1,"more":1}"#, "rows-2"),
    (#"{"row":"clients","day":null,"platform":"ios","client":"x","requests":1}"#, "digest-rows-1"),
    (#"{"row":"other"}"#, "digest-rows-1"),
    (#"{"url": "x", "verdict": "maybe", "apps": []}"#, "match-1"),
    (#"{"url": "x", "verdict": "claimed", "apps": [], "differs": true}"#, "match-1"),
    (#"{"schema": "linkaudit.diff/1", "traffic": null, "patterns": null}"#, "diff-1"),
    (#"{"schema": "linkaudit.suggest/1", "components": []}"#, "suggest-1"),
  ])
  func mismatchesAreReported(text: String, schema: String) throws {
    let folder = try TemporaryFolder(["x.json": text])
    #expect(try Checkers.complaints(about: folder.path + "/x.json", schema: schema) != "")
  }
}

/// The schemas in Documentation/Schemas, generated from the declarations of columns.
enum SchemaDocument {
  typealias Object = [String: Any]
  typealias DigestRow = (name: String, about: String, columns: [any ColumnDeclaration])
  private typealias Line = (name: String, first: [(String, Any)], columns: [any ColumnDeclaration])

  static var generated: [String: Object] {
    let rows: [Line] =
      [
        ("report", [], TableColumn<Report>.firstLine),
        ("comparison", [], TableColumn<AuditChange>.earlier),
      ]
      + Report.tables.map { table in
        (table.member, table.isPerSite ? [("host", ["type": "string"])] : [], table.columns)
      }
    return [
      "report-2": document(Report.jsonSchema, TableColumn<Report>.members),
      "diff-1": document(DiffReport.jsonSchema, TableColumn<DiffReport>.members),
      "lint-1": document([LintedFile].jsonSchema, TableColumn<[LintedFile]>.members),
      "fetch-1": document([HostDelivery].jsonSchema, TableColumn<[HostDelivery]>.members),
      "suggest-1": document(SuggestionReport.jsonSchema, TableColumn<SuggestionReport>.members),
      "rows-2": lines(rows, by: "type")
        .merging(["oneOf": rows.map { Definitions.reference($0.name) }]) { $1 },
      "digest-rows-1": lines(digestRows.map { ($0.name, [], $0.columns) }, by: "row"),
    ]
  }

  private static func document(_ schema: String, _ members: [any ColumnDeclaration]) -> Object {
    var definitions = Definitions()
    let object = definitions.object(members, first: [("schema", ["const": schema])])
    return object.merging(["$defs": definitions.all]) { $1 }
  }

  private static func lines(_ lines: [Line], by member: String) -> Object {
    var definitions = Definitions()
    for line in lines {
      definitions.all[line.name] = definitions.object(
        line.columns, first: [(member, ["const": line.name])] + line.first)
    }
    return ["$defs": definitions.all]
  }

  static var digestRows: [DigestRow] {
    func row<Row>(_ kind: DigestRowKind<Row>) -> DigestRow { (kind.name, kind.about, kind.columns) }
    return [
      row(TrafficDigest.digestRows), row(TrafficDigest.inputRows), row(TrafficDigest.rejectionRows),
      row(TrafficDigest.clientRows), row(TrafficDigest.fetchRows), row(TrafficDigest.requestRows),
      row(TrafficDigest.pageVisitRows),
    ]
  }
}

/// The definitions of a schema, made while others refer to them.
private struct Definitions {
  typealias Object = SchemaDocument.Object

  var all: Object = [:]

  private static var shared: Object {
    [
      "severity": ["enum": Severity.allCases.reversed().map(\.rawValue)],
      "verdict": ["enum": Verdict.allCases.map(\.rawValue)],
      "platform": ["enum": Platform.allCases.map(\.name)],
      "detail": [
        "description":
          "The position in details, from 0; the key in its object form; null outside details.",
        "type": ["integer", "string", "null"],
      ],
      "component": ["anyOf": [["type": "object", "required": ["/"]], ["type": "string"]]],
    ]
  }

  static func reference(_ name: String) -> Object { ["$ref": "#/$defs/\(name)"] }

  mutating func object(_ columns: [any ColumnDeclaration], first: [(String, Any)] = []) -> Object {
    var members = first
    var needed = first.map(\.0)
    var groups: [String: [any ColumnDeclaration]] = [:]
    for column in columns where column.presence != .onlyInCSV {
      if let parent = column.member?.parent {
        if groups[parent] == nil {
          needed.append(parent)
          members.append((parent, Object()))
        }
        groups[parent, default: []].append(column)
      } else {
        members.append((column.name, described(column)))
        if column.presence == .always { needed.append(column.name) }
      }
    }
    for (index, member) in members.enumerated() {
      guard let group = groups[member.0] else { continue }
      members[index].1 = ["anyOf": [["type": "null"], self.group(group)]]
    }
    return Self.object(members, needed)
  }

  private mutating func group(_ columns: [any ColumnDeclaration]) -> Object {
    let ruleName = TableColumn<ReportedRule>.naming { $0 }
    guard columns.map({ $0.member?.name }) != ruleName.map(\.name) else {
      return schema(of: .object(ruleName, named: "ruleName"))
    }
    let members: [(String, Any)] = columns.map { ($0.member?.name ?? "", described($0)) }
    return Self.object(members, members.map(\.0))
  }

  private static func object(_ members: [(String, Any)], _ required: [String]) -> Object {
    [
      "type": "object", "properties": Dictionary(uniqueKeysWithValues: members),
      "required": required, "additionalProperties": false,
    ]
  }

  private mutating func described(_ column: any ColumnDeclaration) -> Object {
    schema(of: column.kind).merging(["description": column.about]) { $1 }
  }

  private mutating func schema(of kind: TableValueKind) -> Object {
    switch kind {
    case .count: return ["type": "integer", "minimum": 0]
    case .integer(let from, let to):
      return ["type": "integer", "minimum": from].merging(to == .max ? [:] : ["maximum": to]) { $1 }
    case .text: return ["type": "string"]
    case .pattern(let pattern): return ["type": "string", "pattern": pattern]
    case .truth: return ["type": "boolean"]
    case .choice(let values): return ["enum": values]
    case .texts(let most):
      return ["type": "array", "items": ["type": "string"]]
        .merging(most == .max ? [:] : ["maxItems": most]) { $1 }
    case .list(let kind): return ["type": "array", "items": schema(of: kind)]
    case .counts(let names):
      return [
        "type": "object", "propertyNames": ["pattern": names],
        "additionalProperties": ["type": "integer", "minimum": 0],
      ]
    case .byName(let names, let kind, let hasAll):
      return Self.object(names.map { ($0, schema(of: kind)) }, hasAll ? names : [])
    case .detail: return schema(of: .definition("detail"))
    case .definition(let name):
      all[name] = Self.shared[name]
      return Self.reference(name)
    case .object(let columns, nil): return object(columns)
    case .object(let columns, let name?):
      if all[name] == nil { all[name] = object(columns) }
      return Self.reference(name)
    case .nullable(let kind): return ["anyOf": [["type": "null"], schema(of: kind)]]
    }
  }
}
