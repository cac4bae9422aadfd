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
        throw Self.complaint("'\(text)' is not a key of \(name); \(remedy)", at: key.mark, in: path)
      }
      let place = place.isEmpty ? text : place + "." + text
      return value.isEmpty ? nil : (text, ConfigurationNode(path: path, node: value, place: place))
    }
  }

  func elements() throws -> [ConfigurationNode] {
    guard case .sequence(let elements) = node.content else {
      throw complaint("\(name) must be a list")
    }
    return elements.enumerated().map { index, node in
      ConfigurationNode(path: path, node: node, place: "\(place)[\(index)]")
    }
  }

  func text() throws -> String {
    guard let text = node.text else { throw complaint("\(name) must be text") }
    return text
  }

  /// The values as an option takes them.
  func values(_ kind: Setting.Kind) throws -> [String] {
    switch kind {
    case .text: [try text()]
    case .file: [resolved(try text())]
    case .number: [try plain("a whole number") { Int($0) != nil }]
    case .decimalNumber: [try plain("a number") { Double($0)?.isFinite ?? false }]
    case .flag:
      ["true", "yes", "on"].contains(
        try plain("true or false") {
          ["true", "yes", "on", "false", "no", "off"].contains($0.lowercased())
        }.lowercased()) ? [""] : []
    case .texts: try texts()
    case .list: [try texts().joined(separator: ",")]
    case .files: try texts().map(resolved)
    case .patterns: try texts().map(resolvedPattern)
    case .hosts:
      try texts().map { host in
        do {
          return try HostArgument.validated(host, allowsWildcard: true)
        } catch {
          throw complaint("\(error)")
        }
      }
    case .fields:
      [
        try members(of: FormatOptions.fieldNames).map { "\($0)=\(try $1.text())" }
          .joined(separator: ",")
      ].filter { !$0.isEmpty }
    }
  }

  /// A text without quotes that a condition holds for.
  private func plain(_ what: String, where isValid: (String) -> Bool) throws -> String {
    guard let text = node.plainText, isValid(text) else {
      throw complaint("\(name) must be \(what)")
    }
    return text
  }

  /// A text, or a list of them.
  private func texts() throws -> [String] {
    if case .sequence = node.content { return try elements().map { try $0.text() } }
    return [try text()]
  }

  /// Returns a path, which is relative to the directory of the configuration.
  private func resolved(_ other: String) -> String {
    let directory = FilePath(path).removingLastComponent()
    guard other != "-", !directory.isEmpty else { return other }
    return directory.pushing(FilePath(other)).string
  }

  /// Returns a path that may be a pattern; the configuration's own directory is never read as a
  /// pattern.
  private func resolvedPattern(_ pattern: String) -> String {
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
