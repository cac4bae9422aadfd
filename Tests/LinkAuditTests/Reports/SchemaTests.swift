import AccessLogs
import FileDelivery
import Foundation
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditCommand
@testable import Reporting

/// Output conforms to the schemas in Documentation/Schemas.
@Suite(.enabled(if: Checkers.python != nil, Comment(rawValue: Checkers.noPython)))
struct SchemaTests {
  static let site = "--aasa SampleLogs/aasa.json --host www.example.com"
  static let routes = "--routes SampleLogs/routes.txt"
  private static let expectations = "--expect SampleLogs/expectations.txt"

  static let reports = [
    "SampleLogs/logs \(site) \(routes)",
    "SampleLogs/logs \(site) \(routes) --top 2",
    "SampleLogs/logs \(site) --fan-out 2 --app A1B2C3D4E5.com.example.tea",
    "SampleLogs/logs \(site) \(routes) --group depth:1 --sort requests",
    "SampleLogs/logs \(site) \(routes) --group exact",
    "SampleLogs/logs \(site) --since 2026-06-02 --until 2026-06-02",
    "SampleLogs/logs \(site) \(routes) --platform ios,bot --status 2xx,304 --include-bots --ignore '/api/*'",
    "SampleLogs/logs --site www.example.com=SampleLogs/aasa.json "
      + "--site m.example.com=SampleLogs/aasa-ios12.json --site '*.example.com=SampleLogs/aasa.json'",
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
    let folder = try TemporaryFolder()
    for (name, details) in [
      ("none", "{}"),
      (
        "object",
        #"{"applinks": {"details": {"A1B2C3D4E5.com.example.tea\u001b[31m": {"paths": ["NOT /buy/1", "/buy/*"]}}}}"#
      ),
      ("whole", #"{"applinks": {"details": [{"appID": "A1B2C3D4E5.com.example.tea"}]}}"#),
      (
        "apps",
        #"{"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.a", "A1B2C3D4E5.a"], "components": [{"/": "/\"\n*"}]}]}}"#
      ),
    ] { _ = try folder.write(details.utf8, to: name + ".json") }
    _ = try folder.write(randomLog, to: "random.log")
    return folder
  }

  private static let randomLog: [UInt8] = {
    var log = RandomLog(seed: 11)
    return (0..<1_000).flatMap { _ in Array((log.line(host: true) + "\n").utf8) }
  }()

  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the definitions of rows.
  @Test(arguments: SchemaDocument.all.map(\.name))
  func definitionsOfRowsAreCurrent(name: String) throws {
    let document = try #require(SchemaDocument.all.first { $0.name == name })
    try expectDocument(document.expected(), at: document.path)
  }

  /// Commands with options, and the schemas of their output.
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
  ]

  @Test(
    arguments: outputs.flatMap { output in
      output.options.map { (command: "\(output.command) \($0)", schema: output.schema) }
    })
  func outputFits(command: String, schema: String) throws {
    let folder = try Self.folder()
    let outcome = try Command.run(
      "linkaudit \(command) >$FOLDER/output", environment: ["FOLDER": folder.path])
    let isOdd = outcome.status == 2 && !["suggest-1", "match-1"].contains(schema)
    #expect(outcome.status == 0 || isOdd || command.contains("--exp"), "\(outcome.stderr)")
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
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, to: "x.json")
    #expect(try Checkers.complaints(about: path, schema: schema) != "")
  }
}

/// A schema in Documentation/Schemas, generated from the declarations of columns.
///
/// The file keeps its title and its description.
struct SchemaDocument {
  typealias Object = [String: Any]

  let name: String

  /// The generated members of the schema.
  private let generated: Object

  /// The path of the file in the documentation.
  var path: String { "Schemas/\(name).schema.json" }

  /// The content of the file with the generated members.
  func expected() throws -> String {
    let text = try ReadmeTests.text(of: "Documentation/\(path)")
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object ?? [:]
    let data = try JSONSerialization.data(
      withJSONObject: document.merging(generated) { $1 },
      options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// The schema of a document with some members.
  private init(_ name: String, _ schema: String, _ members: [any ColumnDeclaration]) {
    var definitions = Definitions()
    var generated = definitions.object(members, first: [("schema", ["const": schema])])
    generated["$defs"] = definitions.all
    (self.name, self.generated) = (name, generated)
  }

  /// The schema of lines, of which a member names the kind.
  private init(
    _ name: String, by member: String,
    lines: [(name: String, first: [(String, Any)], columns: [any ColumnDeclaration])],
    isOneOf: Bool
  ) {
    var definitions = Definitions()
    for line in lines {
      definitions.all[line.name] = definitions.object(
        line.columns, first: [(member, ["const": line.name])] + line.first)
    }
    generated =
      isOneOf
      ? ["$defs": definitions.all, "oneOf": lines.map { Definitions.reference($0.name) }]
      : ["$defs": definitions.all]
    self.name = name
  }

  static var all: [SchemaDocument] {
    [
      SchemaDocument("report-2", Report.jsonSchema, TableColumn<Report>.members),
      SchemaDocument("diff-1", DiffReport.jsonSchema, TableColumn<DiffReport>.members),
      SchemaDocument("lint-1", [LintedFile].jsonSchema, TableColumn<[LintedFile]>.members),
      SchemaDocument("fetch-1", [HostDelivery].jsonSchema, TableColumn<[HostDelivery]>.members),
      SchemaDocument(
        "suggest-1", SuggestionReport.jsonSchema, TableColumn<SuggestionReport>.members),
      SchemaDocument(
        "rows-2", by: "type",
        lines: [
          ("report", [], TableColumn<Report>.firstLine),
          ("comparison", [], TableColumn<AuditChange>.earlier),
        ]
          + Report.tables.map { table in
            (table.member, table.isPerSite ? [("host", ["type": "string"])] : [], table.columns)
          }, isOneOf: true),
      SchemaDocument(
        "digest-rows-1", by: "row",
        lines: [
          line(NDJSONDigest.digestRows), line(NDJSONDigest.inputs),
          line(NDJSONDigest.rejections), line(NDJSONDigest.clients),
          line(NDJSONDigest.fetches), line(NDJSONDigest.requests),
          line(NDJSONDigest.pageVisits),
        ], isOneOf: false),
    ]
  }

  /// The schema of a row of a digest.
  private static func line<Row>(_ kind: DigestRowKind<Row>) -> (
    String, [(String, Any)], [any ColumnDeclaration]
  ) {
    (kind.name, [], kind.columns)
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

  /// The schema of an object with some columns as members.
  mutating func object(_ columns: [any ColumnDeclaration], first: [(String, Any)] = []) -> Object {
    var members = first
    var needed = first.map(\.0)
    var groups: [String: [any ColumnDeclaration]] = [:]
    for column in columns where !column.isOnlyInCSV {
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

  /// The schema of the object that several columns are in.
  private mutating func group(_ columns: [any ColumnDeclaration]) -> Object {
    let ruleName = TableColumn<ReportedRule>.naming { $0 }
    guard columns.map({ $0.member?.name }) != ruleName.map(\.name) else {
      return schema(of: .object(ruleName, named: "ruleName"))
    }
    var members: [(String, Any)] = []
    for column in columns { members.append((column.member?.name ?? "", described(column))) }
    return Self.object(members, members.map(\.0))
  }

  private static func object(_ members: [(String, Any)], _ required: [String]) -> Object {
    [
      "type": "object", "properties": Dictionary(uniqueKeysWithValues: members),
      "required": required, "additionalProperties": false,
    ]
  }

  /// The schema of a column's values with its description.
  private mutating func described(_ column: any ColumnDeclaration) -> Object {
    schema(of: column.kind).merging(["description": column.about]) { $1 }
  }

  private mutating func schema(of kind: TableValueKind) -> Object {
    switch kind {
    case .count: return ["type": "integer", "minimum": 0]
    case .integer(let from, let to):
      return ["type": "integer", "minimum": from]
        .merging(to == .max ? [:] : ["maximum": to]) { $1 }
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
      let value = schema(of: kind)
      return Self.object(names.map { ($0, value) }, hasAll ? names : [])
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
