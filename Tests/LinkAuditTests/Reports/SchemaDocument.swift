import FileDelivery
import Foundation
import LinkAuditing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditCommand
@testable import Reporting

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
    var generated = definitions.object(
      members, first: [("schema", ["const": schema])])
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
            (
              table.member, table.isPerSite ? [("host", ["type": "string"])] : [], table.columns
            )
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
  mutating func object(
    _ columns: [any ColumnDeclaration], first: [(String, Any)] = []
  ) -> Object {
    var members = first
    var needed = first.map(\.0)
    var groups: [String: [any ColumnDeclaration]] = [:]
    for column in columns where column.formats != .csvOnly {
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
