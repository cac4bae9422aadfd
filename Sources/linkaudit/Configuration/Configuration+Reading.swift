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
    try node.forEachKey(of: [
      "sites", "own-hosts", "trackers", "callbacks", "logs", "ignore", "asset-extensions", "report",
      "store", "run", "baseline",
    ]) {
      key, value in
      keys.insert(key)
      switch key {
      case "sites": sites = try value.elements().map(site)
      case "logs": try readLogs(value)
      case "own-hosts": ownHosts = try hosts(value)
      case "trackers": trackers = try hosts(value)
      case "callbacks": callbackPaths = try value.texts()
      case "ignore": ignoredPaths = try value.texts()
      case "asset-extensions": assetExtensions = try value.texts()
      case "report": try readReport(value)
      case "baseline": baseline = resolved(try value.text())
      case "store": store = resolved(try value.text())
      default: try readRun(value)
      }
    }
  }

  private func hosts(_ node: ConfigurationNode) throws -> [String] {
    try node.texts().map { host in
      do {
        return try HostArgument.validated(host, allowsWildcard: true)
      } catch {
        throw node.complaint("\(error)")
      }
    }
  }

  private func site(_ node: ConfigurationNode) throws -> Site {
    var site = Site()
    try node.forEachKey(of: ["hosts", "aasa", "routes", "route-syntax", "apps"]) { key, value in
      switch key {
      case "hosts":
        site.hosts = try hosts(value)
      case "aasa": site.associationFile = resolved(try value.text())
      case "routes": site.routes = try value.texts().map(resolved)
      case "route-syntax": site.routeSyntax = try value.text()
      default: site.apps = try value.texts()
      }
    }
    if site.hosts.isEmpty { throw node.complaint("'\(node.place)' needs 'hosts'") }
    if site.associationFile.isEmpty {
      throw node.complaint("'\(node.place)' needs 'aasa', the path of its association file")
    }
    return site
  }

  private mutating func readLogs(_ node: ConfigurationNode) throws {
    let keys = [
      "inputs", "format", "json-keys", "host-from-path", "host-confirmed", "since", "until",
      "max-expansion", "max-rejects", "max-window",
    ]
    try node.forEachKey(of: keys) { key, value in
      self.keys.insert(value.place)
      switch key {
      case "inputs": logs = try value.texts().map(resolvedPattern)
      case "format": logFormat = try value.text()
      case "json-keys":
        jsonKeys = []
        try value.forEachKey(of: Self.jsonFields) { field, key in
          jsonKeys.append((field, try key.text()))
        }
      case "host-from-path": hostFromPath = try value.text()
      case "host-confirmed": isHostConfirmed = try value.flag()
      case "since": since = try value.text()
      case "until": until = try value.text()
      case "max-expansion": maxExpansion = try value.number()
      case "max-window": maxWindow = try value.text()
      default: maxRejects = try value.decimalNumber()
      }
    }
  }

  private mutating func readReport(_ node: ConfigurationNode) throws {
    let keys = [
      "format", "output", "output-directory", "table", "top", "full", "sort", "group",
      "fan-out", "fail-on", "thresholds", "rejects",
    ]
    try node.forEachKey(of: keys) { key, value in
      self.keys.insert(value.place)
      switch key {
      case "format": format = try value.text()
      case "output": output = resolved(try value.text())
      case "output-directory": outputDirectory = resolved(try value.text())
      case "table": table = try value.text()
      case "top": top = try value.number()
      case "full": isFull = try value.flag()
      case "sort": weight = try value.text()
      case "group": group = try value.text()
      case "thresholds": thresholds = try value.texts()
      case "fan-out": fanOut = try value.number()
      case "fail-on": failOn = try value.text()
      default: rejects = resolved(try value.text())
      }
    }
  }

  private mutating func readRun(_ node: ConfigurationNode) throws {
    try node.forEachKey(of: ["jobs", "memory", "temporary-directory"]) { key, value in
      switch key {
      case "jobs": jobs = try value.number()
      case "memory": memory = try value.text()
      default: temporaryDirectory = resolved(try value.text())
      }
    }
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

  /// A path, which is relative to the directory of the configuration.
  private func resolved(_ other: String) -> String {
    let directory = FilePath(path).removingLastComponent()
    guard other != "-", !directory.isEmpty else { return other }
    return directory.pushing(FilePath(other)).string
  }
}
