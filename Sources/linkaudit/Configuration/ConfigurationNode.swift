internal import AccessLogs
internal import Reporting

/// A value in a configuration, with the keys that lead to it.
struct ConfigurationNode {
  let path: String
  let node: YAMLNode

  /// The keys that lead here, such as `sites[0].hosts`.
  let place: String

  /// A complaint that names the file, the line, and the column.
  func complaint(_ message: String) -> Complaint {
    Self.complaint(message, at: node.mark, in: path)
  }

  static func complaint(_ message: String, at mark: YAMLNode.Mark, in path: String) -> Complaint {
    Complaint("'\(path)', line \(mark.line), column \(mark.column): \(message)")
  }

  private var name: String { place.isEmpty ? "the configuration" : "'\(place)'" }

  /// Calls `read` with each key and its value.
  ///
  /// - Parameters:
  ///   - keys: The keys that are known.
  ///   - read: A function that converts a value.
  /// - Throws: ``Complaint`` for any other key, and anything but a mapping.
  func forEachKey(of keys: [String], _ read: (String, ConfigurationNode) throws -> Void) throws {
    // An empty file or section is one without keys.
    if node.isEmpty { return }
    guard case .mapping(let members) = node.content else {
      throw complaint("\(name) must have keys, such as '\(keys.first ?? "")'")
    }
    for (key, value) in members {
      guard let text = key.text, keys.contains(text) else {
        let text = key.text ?? "?"
        let nearest = NearestName.find(text, among: keys)
        let remedy =
          nearest.map { "did you mean '\($0)'?" } ?? "keys are \(keys.joined(separator: ", "))"
        throw Self.complaint(
          "'\(text)' is not a key of \(name); \(remedy)", at: key.mark, in: path)
      }
      let place = place.isEmpty ? text : place + "." + text
      // A key without a value is as good as none.
      let child = ConfigurationNode(path: path, node: value, place: place)
      if !value.isEmpty { try read(text, child) }
    }
  }

  /// The elements of a list.
  func elements() throws -> [ConfigurationNode] {
    guard case .sequence(let elements) = node.content else {
      throw complaint("\(name) must be a list")
    }
    return elements.enumerated().map { index, node in
      ConfigurationNode(path: path, node: node, place: "\(place)[\(index)]")
    }
  }

  /// A text.
  func text() throws -> String {
    guard let text = node.text else { throw complaint("\(name) must be text") }
    return text
  }

  /// A text, or a list of them.
  func texts() throws -> [String] {
    if case .sequence = node.content { return try elements().map { try $0.text() } }
    return [try text()]
  }

  /// A whole number.
  func number() throws -> Int {
    guard let number = node.plainText.flatMap({ Int($0) }) else {
      throw complaint("\(name) must be a whole number")
    }
    return number
  }

  /// Yes or no, as `true` or `false`.
  func flag() throws -> Bool {
    switch node.plainText?.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: throw complaint("\(name) must be true or false")
    }
  }

  /// A number.
  func decimalNumber() throws -> Double {
    guard let number = node.plainText.flatMap({ Double($0) }), number.isFinite else {
      throw complaint("\(name) must be a number")
    }
    return number
  }
}

extension YAMLNode {
  /// A Boolean value indicating whether the value is empty.
  fileprivate var isEmpty: Bool { plainText.map { ["", "~", "null"].contains($0) } ?? false }
}
