internal import FoundationSubset
internal import Foundations
internal import UniversalLinks

/// A JSON Schema of association files (draft 7, which editors support), made from the members that
/// systems know.
///
/// It is stricter than systems, which ignore unknown members, so that an editor shows a misspelt
/// name.
package enum AssociationFileSchema {
  /// Any value in the schema.
  private struct Node: Encodable {
    let value: any Encodable

    init(_ value: any Encodable) { self.value = value }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  /// The schema as a file.
  package static func encoded() throws -> [UInt8] {
    var members = node(of: .file)
    members["$schema"] = Node("http://json-schema.org/draft-07/schema#")
    members["title"] = Node("apple-app-site-association")
    members["definitions"] = Node(
      Dictionary(
        uniqueKeysWithValues: FileLevel.allCases.filter { $0 != .file }.map {
          (name(of: $0), Node(node(of: $0)))
        }))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(members)) + [0x0A]
  }

  private static func name(of level: FileLevel) -> String { String(describing: level) }

  private static func node(of level: FileLevel) -> [String: Node] {
    [
      "type": Node("object"), "additionalProperties": Node(false),
      "properties": Node(
        Dictionary(
          uniqueKeysWithValues: level.members.map { member -> (String, Node) in
            var node = node(of: member.value)
            node["description"] = Node(member.about)
            return (member.name, Node(node))
          })),
      "patternProperties": Node([remarks: Node(true)]),
    ]
  }

  /// The names of remarks in any letter case, as a regular expression.
  private static var remarks: String {
    let names = FileLevel.remarks.map { name in
      name.map { character in
        character.isLetter
          ? "[\(character.uppercased())\(character.lowercased())]"
          : character == "$" ? "\\$" : "\(character)"
      }.joined()
    }
    return "^(\(names.joined(separator: "|")))$"
  }

  private static func node(of value: FileMember.Value) -> [String: Node] {
    switch value {
    case .boolean: ["type": Node("boolean")]
    case .integer: ["type": Node("integer")]
    case .string: ["type": Node("string")]
    case .array(let element): ["type": Node("array"), "items": Node(node(of: element))]
    // Beside a reference, editors pass over other members.
    case .object(let level):
      ["allOf": Node([Node(["$ref": Node("#/definitions/\(name(of: level))")])])]
    case .dictionary(let element):
      ["type": Node("object"), "additionalProperties": Node(node(of: element))]
    case .either(let values): ["anyOf": Node(values.map { Node(node(of: $0)) })]
    case .anything: [:]
    }
  }
}
