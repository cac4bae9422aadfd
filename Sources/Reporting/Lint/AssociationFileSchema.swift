internal import FoundationSubset
package import UniversalLinks

/// Any value in the schema.
private struct Node: Encodable {
  let value: any Encodable

  init(_ value: any Encodable) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension FileLevel {
  /// Returns a JSON Schema of association files as a file (draft 7, which editors support), made from
  /// the members that systems know.
  ///
  /// It is stricter than systems, which ignore unknown members, so that an editor shows a misspelt
  /// name.
  package static func schema() throws -> [UInt8] {
    let definitions = allCases.filter { $0 != .file }.map { ($0.definition, Node($0.node)) }
    var members = file.node
    members["$schema"] = Node("http://json-schema.org/draft-07/schema#")
    members["title"] = Node("apple-app-site-association")
    members["definitions"] = Node(Dictionary(uniqueKeysWithValues: definitions))
    let encoder = JSONEncoder.sorted
    encoder.outputFormatting.insert(.prettyPrinted)
    return Array(try encoder.encode(members)) + [0x0A]
  }

  fileprivate var definition: String { String(describing: self) }

  private var node: [String: Node] {
    let properties = members.map { member -> (String, Node) in
      var node = member.value.node
      node["description"] = Node(member.about)
      return (member.name, Node(node))
    }
    return [
      "type": Node("object"), "additionalProperties": Node(false),
      "properties": Node(Dictionary(uniqueKeysWithValues: properties)),
      "patternProperties": Node([Self.remarkPattern: Node(true)]),
    ]
  }

  /// The names of remarks in any letter case, as a regular expression.
  private static var remarkPattern: String {
    let names = remarks.map { name in
      name.map { character in
        character.isLetter
          ? "[\(character.uppercased())\(character.lowercased())]"
          : character == "$" ? "\\$" : "\(character)"
      }.joined()
    }
    return "^(\(names.joined(separator: "|")))$"
  }
}

extension FileLevel.Value {
  fileprivate var node: [String: Node] {
    switch self {
    case .boolean: ["type": Node("boolean")]
    case .integer: ["type": Node("integer")]
    case .string: ["type": Node("string")]
    case .array(let element): ["type": Node("array"), "items": Node(element.node)]
    // Beside a reference, editors pass over other members.
    case .object(let level):
      ["allOf": Node([Node(["$ref": Node("#/definitions/\(level.definition)")])])]
    case .dictionary(let element):
      ["type": Node("object"), "additionalProperties": Node(element.node)]
    case .either(let values): ["anyOf": Node(values.map { Node($0.node) })]
    case .anything: [:]
    }
  }
}
