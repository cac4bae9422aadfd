internal import Foundations
internal import Reporting
internal import SystemPackage

extension Configuration {
  /// The name of the configuration in the working directory.
  static let usualPath = "linkaudit.yml"

  /// Reads the named configuration, or the one in the working directory.
  ///
  /// - Parameter path: The path, or `nil` if none was named.
  /// - Returns: The configuration, which is empty if there is no file.
  /// - Throws: ``Complaint`` if it can't be read or understood.
  static func load(_ path: String?) throws -> Configuration {
    if let path { return try read(path) }
    let isThere = InputFile.type(at: usualPath) != nil
    return isThere ? try read(usualPath) : Configuration(path: usualPath)
  }

  /// The greatest number of bytes of a configuration, and of aliases in it.
  private static let sizeLimit = 4 << 20
  private static let aliasLimit = 20

  private static func read(_ path: String) throws -> Configuration {
    let bytes = try InputFile.read(path, what: "the configuration", limit: sizeLimit)
    return try reading(bytes, from: path)
  }

  /// Reads the bytes of a configuration.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - path: Their source, for messages and relative paths.
  /// - Returns: The configuration.
  /// - Throws: ``Complaint`` if it can't be understood.
  static func reading(_ bytes: [UInt8], from path: String) throws -> Configuration {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Complaint("'\(path)' is not UTF-8 text")
    }
    var configuration = Configuration(path: path)
    do {
      guard let node = try YAMLNode.parse(bytes, aliasLimit: aliasLimit) else {
        return configuration
      }
      try configuration.read(ConfigurationNode(path: path, node: node, place: ""))
    } catch YAMLError.syntax(let mistake, let mark) {
      throw Complaint(
        "'\(path)' is not YAML: "
          + (mark.map { "line \($0.line), column \($0.column): " } ?? "") + mistake)
    } catch YAMLError.tooManyAliases {
      throw Complaint(
        "'\(path)' has more than \(aliasLimit) aliases, such as '*name'; write their values instead"
      )
    }
    return configuration
  }

  private mutating func read(_ node: ConfigurationNode) throws {
    var names = ["sites"]
    for name in Self.settings.map({ $0.section ?? $0.name }) where !names.contains(name) {
      names.append(name)
    }
    for (name, value) in try node.members(of: names) {
      let section = Self.settings.filter { $0.section == name }.map(\.name)
      if name == "sites" {
        sites = try value.elements().map(Site.init)
      } else {
        for setting in section.isEmpty ? [value] : try value.members(of: section).map(\.value) {
          keys.insert(setting.place)
          try Self.settings.first { $0.key == setting.place }?.read(&self, setting)
        }
      }
    }
  }
}

extension Configuration.Site {
  fileprivate init(_ node: ConfigurationNode) throws {
    for (key, value) in try node.members(of: ["hosts", "aasa", "routes", "route-syntax", "apps"]) {
      switch key {
      case "hosts": hosts = try value.hosts()
      case "aasa": associationFile = try value.file()
      case "routes": routes = try value.texts().map(value.resolved)
      case "route-syntax": routeSyntax = try value.text()
      default: apps = try value.texts()
      }
    }
    if hosts.isEmpty { throw node.complaint("'\(node.place)' needs 'hosts'") }
    if associationFile.isEmpty {
      throw node.complaint("'\(node.place)' needs 'aasa', the path of its association file")
    }
  }
}
