import FileDelivery
import Foundation
import LinkAuditing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditCommand
@testable import Reporting

/// A schema in Documentation/Schemas, whose row definitions are generated from the declarations of
/// tables.
struct SchemaDocument {
  typealias Object = [String: Any]

  let name: String

  /// The generated definitions.
  let definitions: Object

  /// The path of the file in the documentation.
  var path: String { "Schemas/\(name).schema.json" }

  /// The content of the file with the generated definitions.
  func expected() throws -> String {
    let text = try ReadmeTests.text(of: "Documentation/\(path)")
    var document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object ?? [:]
    if name == "rows-2" {
      document["oneOf"] =
        ["report", "comparison"].map(Self.reference)
        + Report.tables.map { Self.reference($0.member) }
    }
    var present = document["$defs"] as? Object ?? [:]
    if name == "report-2", var site = present["site"] as? Object {
      Self.add(Report.siteMembers, to: &site)
      if var members = site["properties"] as? Object, var coverage = members["coverage"] as? Object
      {
        Self.add(Report.coverageTables.filter { !Self.byHand.contains($0.name) }, to: &coverage)
        members["coverage"] = coverage
        site["properties"] = members
      }
      present["site"] = site
    }
    document["$defs"] = present.merging(definitions) { $1 }
    let data = try JSONSerialization.data(
      withJSONObject: document, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Adds the rows of tables as members of an object.
  private static func add(_ tables: [Table<Report>], to object: inout Object) {
    var members = object["properties"] as? Object ?? [:]
    var required = object["required"] as? [String] ?? []
    for table in tables {
      members[table.member] = ["type": "array", "items": reference(table.member)]
      if !required.contains(table.member) { required.append(table.member) }
    }
    (object["properties"], object["required"]) = (members, required)
  }

  static var all: [SchemaDocument] {
    [
      SchemaDocument(
        name: "report-2",
        definitions: shared.merging(
          Report.tables.filter { !byHand.contains($0.name) }.map {
            ($0.member, row($0.columns))
          }
        ) { $1 }),
      SchemaDocument(
        name: "rows-2",
        definitions: shared.merging(
          Report.tables.map { table in
            var first: [(String, Any)] = [("type", ["const": table.member])]
            if table.isPerSite { first.append(("host", ["type": "string"])) }
            return (table.member, row(table.columns, first: first))
          }
        ) { $1 }),
      SchemaDocument(
        name: "diff-1",
        definitions: shared.merging(
          DiffReport.tables.map { ($0.member, row($0.columns)) }
            + [("file", row(TableColumn<TrafficDigest.Input>.input))]
        ) { $1 }),
      SchemaDocument(
        name: "lint-1",
        definitions: [
          "detail": shared["detail"] ?? [], "severity": shared["severity"] ?? [],
          "file": row(TableColumn<LintedFile>.members),
          "diagnostic": row(TableColumn<LintRow>.members),
          "related": row(TableColumn<LintDiagnostic.Related>.members),
          "fix": row(TableColumn<LintFix>.members),
          "edit": row(TableColumn<LintFix.Edit>.members),
          "rule": row(TableColumn<RuleReachability.Rule>.members),
        ]),
      SchemaDocument(
        name: "fetch-1",
        definitions: [
          "severity": shared["severity"] ?? [],
          "host": row(TableColumn<HostDelivery>.members),
          "copy": row(TableColumn<CopyJudgment>.members),
          "failure": row(TableColumn<CDNFailure>.members),
          "difference": row(TableColumn<CopyDifference>.members),
          "change": row(TableColumn<DiffReport.PatternChange>.verdicts),
          "finding": row(TableColumn<DeliveryProblem>.members),
        ]),
      SchemaDocument(
        name: "suggest-1",
        definitions: [
          "detail": shared["detail"] ?? [], "ruleName": shared["ruleName"] ?? [],
          "file": row(TableColumn<TrafficDigest.Input>.input),
          "rule": row(TableColumn<SuggestedRule>.members),
          "servedRoute": row(TableColumn<PathGroupTraffic>.servedRoute),
          "path": row(TableColumn<PathGroupTraffic>.pathGroup()),
          "placement": row(TableColumn<Suggestion.Placement>.members),
          "remaining": row(TableColumn<RemainingRoute>.members),
          "claimingApp": row(TableColumn<Suggestion.ClaimingApp>.members),
        ]),
      SchemaDocument(
        name: "digest-rows-1",
        definitions: Dictionary(
          uniqueKeysWithValues: [
            line(NDJSONDigest.digestRows), line(NDJSONDigest.inputs),
            line(NDJSONDigest.rejections), line(NDJSONDigest.clients),
            line(NDJSONDigest.fetches), line(NDJSONDigest.requests),
            line(NDJSONDigest.pageVisits),
          ])),
    ]
  }

  /// The definition of a row of a digest.
  private static func line<Row>(_ kind: DigestRowKind<Row>) -> (String, Any) {
    (kind.name, row(kind.columns, first: [("row", ["const": kind.name])]))
  }

  /// Tables whose rows have another structure in the document.
  private static let byHand: Set = [
    "sites", "verdicts", "platforms", "referrals", "days", "day-causes", "day-platforms",
    "day-referrals",
    "rejected-by-reason", "shadowed", "unvisited-routes",
  ]

  private static var shared: Object {
    [
      "severity": ["enum": ["error", "warning", "note"]],
      "detail": [
        "description":
          "The position in details, from 0; the key in its object form; null outside details.",
        "type": ["integer", "string", "null"],
      ],
      "shadowingRule": row(TableColumn<ShadowingRule>.members),
      "header": row(TableColumn<ServedFile.Field>.members),
      "ruleName": row(TableColumn<ReportedRule>.naming { $0 }),
      "pair": row(TableColumn<PagePair>.pair),
      "evidencePath": row(
        TableColumn<PathGroupTraffic>.pathGroup(), required: 4),
      "evidence": row(TableColumn<Finding.Evidence>.evidence),
    ]
  }

  private static func reference(_ name: String) -> Object { ["$ref": "#/$defs/\(name)"] }

  private static func object(_ members: [(String, Any)], required: Int? = nil) -> Object {
    [
      "type": "object", "properties": Dictionary(uniqueKeysWithValues: members),
      "required": members.prefix(required ?? members.count).map(\.0),
      "additionalProperties": false,
    ]
  }

  /// The definition of a row.
  private static func row<Row>(
    _ columns: [TableColumn<Row>], first: [(String, Any)] = [], required: Int? = nil
  ) -> Object {
    var members = first
    var needed = first.map(\.0)
    var groups: [String: [(String, Any)]] = [:]
    for column in columns where column.formats != .csvOnly {
      var schema = column.kind.schema
      schema["description"] = column.about
      if let member = column.member {
        if groups[member.parent] == nil {
          needed.append(member.parent)
          members.append((member.parent, Object()))
        }
        groups[member.parent, default: []].append((member.name, schema))
      } else {
        members.append((column.name, schema))
        if column.presence == .always { needed.append(column.name) }
      }
    }
    for (index, member) in members.enumerated() {
      guard let group = groups[member.0] else { continue }
      let ruleName = TableColumn<ReportedRule>.naming { $0 }
      if group.map(\.0) == ruleName.map(\.name) {
        members[index].1 = ["anyOf": [["type": "null"], reference("ruleName")]]
        continue
      }
      var whole = object(group)
      // The version of a rule exists only if there are several.
      whole["required"] = group.map(\.0).filter { $0 != "version" }
      members[index].1 = ["anyOf": [["type": "null"], whole]]
    }
    var schema = object(members)
    schema["required"] = required.map { Array(needed.prefix($0)) } ?? needed
    return schema
  }
}

extension TableValueKind {
  /// The kind in JSON Schema.
  var schema: [String: Any] {
    switch self {
    case .count: ["type": "integer", "minimum": 0]
    case .integer(let from, let to):
      ["type": "integer", "minimum": from].merging(to == .max ? [:] : ["maximum": to]) { $1 }
    case .text: ["type": "string"]
    case .pattern(let pattern): ["type": "string", "pattern": pattern]
    case .truth: ["type": "boolean"]
    case .choice(let values): ["enum": values]
    case .texts(let most):
      ["type": "array", "items": ["type": "string"]].merging(
        most == .max ? [:] : ["maxItems": most]
      ) { $1 }
    case .numbers: ["type": "array", "items": ["type": "integer", "minimum": 0]]
    case .list(let name): ["type": "array", "items": ["$ref": "#/$defs/\(name)"]]
    case .counts(let names):
      [
        "type": "object", "propertyNames": ["pattern": names],
        "additionalProperties": ["type": "integer", "minimum": 0],
      ]
    case .detail: ["$ref": "#/$defs/detail"]
    case .definition(let name): ["$ref": "#/$defs/\(name)"]
    case .nullable(let kind): ["anyOf": [["type": "null"], kind.schema]]
    }
  }
}
