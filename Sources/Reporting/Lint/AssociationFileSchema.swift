internal import FoundationSubset
internal import Foundations
internal import UniversalLinks

/// A JSON Schema of association files (draft 7, which editors support), made from the members that
/// systems know.
///
/// It is stricter than systems, which ignore unknown members, so that an editor shows a misspelt
/// name.
package enum AssociationFileSchema {
  private indirect enum Node: Encodable {
    case text(String)
    case truth(Bool)
    case list([Node])
    case object([String: Node])

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .truth(let truth): try container.encode(truth)
      case .list(let nodes): try container.encode(nodes)
      case .object(let members): try container.encode(members)
      }
    }
  }

  /// The schema as a file.
  package static func encoded() throws -> [UInt8] {
    var members = node(of: .file)
    members["$schema"] = .text("http://json-schema.org/draft-07/schema#")
    members["title"] = .text("apple-app-site-association")
    members["definitions"] = .object(
      Dictionary(
        uniqueKeysWithValues: FileLevel.allCases.filter { $0 != .file }.map {
          (name(of: $0), .object(node(of: $0)))
        }))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(Node.object(members))) + [0x0A]
  }

  private static func name(of level: FileLevel) -> String { String(describing: level) }

  private static func node(of level: FileLevel) -> [String: Node] {
    [
      "type": .text("object"), "additionalProperties": .truth(false),
      "properties": .object(
        Dictionary(
          uniqueKeysWithValues: level.members.map { member in
            var node = node(of: member.value)
            node["description"] = .text(member.about)
            return (member.name, .object(node))
          })),
      "patternProperties": .object([remarks: .truth(true)]),
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
    case .boolean: ["type": .text("boolean")]
    case .integer: ["type": .text("integer")]
    case .string: ["type": .text("string")]
    case .array(let element):
      ["type": .text("array"), "items": .object(node(of: element))]
    // Beside a reference, editors pass over other members.
    case .object(let level):
      ["allOf": .list([.object(["$ref": .text("#/definitions/\(name(of: level))")])])]
    case .dictionary(let element):
      ["type": .text("object"), "additionalProperties": .object(node(of: element))]
    case .either(let values): ["anyOf": .list(values.map { .object(node(of: $0)) })]
    case .anything: [:]
    }
  }
}
