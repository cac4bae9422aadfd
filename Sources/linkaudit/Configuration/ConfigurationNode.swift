internal import AccessLogs
internal import Reporting
internal import SystemPackage

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

  /// Returns the keys and their values.
  ///
  /// A key without a value is as good as none.
  ///
  /// - Parameter keys: The keys that are known.
  /// - Returns: The members, in their order.
  /// - Throws: ``Complaint`` for any other key, and anything but a mapping.
  func members(of keys: [String]) throws -> [(key: String, value: ConfigurationNode)] {
    // An empty file or section is one without keys.
    if node.isEmpty { return [] }
    guard case .mapping(let members) = node.content else {
      throw complaint("\(name) must have keys, such as '\(keys.first ?? "")'")
    }
    return try members.compactMap { key, value in
      guard let text = key.text, keys.contains(text) else {
        let text = key.text ?? "?"
        let nearest = NearestName.find(text, among: keys)
        let remedy =
          nearest.map { "did you mean '\($0)'?" } ?? "keys are \(keys.joined(separator: ", "))"
        throw Self.complaint(
          "'\(text)' is not a key of \(name); \(remedy)", at: key.mark, in: path)
      }
      let place = place.isEmpty ? text : place + "." + text
      return value.isEmpty ? nil : (text, ConfigurationNode(path: path, node: value, place: place))
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

// MARK: - Values of a kind

extension ConfigurationNode {
  /// Hosts, which can be patterns.
  func hosts() throws -> [String] {
    try texts().map { host in
      do {
        return try HostArgument.validated(host, allowsWildcard: true)
      } catch {
        throw complaint("\(error)")
      }
    }
  }

  /// The path of a file, relative to the directory of the configuration.
  func file() throws -> String { resolved(try text()) }

  /// Returns a path, which is relative to the directory of the configuration.
  func resolved(_ other: String) -> String {
    let directory = FilePath(path).removingLastComponent()
    guard other != "-", !directory.isEmpty else { return other }
    return directory.pushing(FilePath(other)).string
  }

  /// Returns a path that may be a pattern; the configuration's own directory is never read as a
  /// pattern.
  func resolvedPattern(_ pattern: String) -> String {
    let path = resolved(pattern)
    guard pattern.contains(where: { "*?[".contains($0) }), path.hasSuffix(pattern) else {
      return path
    }
    let directory = path.dropLast(pattern.count).map { character in
      "*?[".contains(character) ? "[\(character)]" : String(character)
    }
    return directory.joined() + pattern
  }
}

extension YAMLNode {
  /// A Boolean value indicating whether the value is empty.
  fileprivate var isEmpty: Bool { plainText.map { ["", "~", "null"].contains($0) } ?? false }
}
