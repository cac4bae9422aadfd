internal import SystemPackage
internal import Yams

extension Configuration {
  /// The name that is looked for in the working directory.
  static let usualPath = "linkaudit.yml"

  /// Reads the configuration that was named, or the one of the working directory if
  /// there is one.
  ///
  /// - Parameter path: The path, or `nil` if none was named.
  /// - Returns: The configuration; an empty one if there is none.
  /// - Throws: ``Complaint`` if it can't be read or understood.
  static func load(_ path: String?) throws -> Configuration {
    if let path { return try read(path) }
    let isThere = (try? Stat(FilePath(usualPath), followTargetSymlink: true)) != nil
    return isThere ? try read(usualPath) : Configuration(path: usualPath)
  }

  private static func read(_ path: String) throws -> Configuration {
    let bytes = try InputFile.read(path, what: "the configuration")
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Complaint("'\(path)' is not UTF-8 text")
    }
    var configuration = Configuration(path: path)
    do {
      guard let node = try Yams.compose(yaml: text) else { return configuration }
      try configuration.read(ConfigurationNode(path: path, node: node, place: ""))
    } catch let error as YamlError {
      throw Complaint("'\(path)' is not YAML: \(error.summary)")
    }
    return configuration
  }

  private mutating func read(_ node: ConfigurationNode) throws {
    try node.forEachKey(of: [
      "sites", "logs", "ignore", "asset-extensions", "report", "store", "run",
    ]) {
      key, value in
      switch key {
      case "sites": sites = try value.elements().map(site)
      case "logs": try readLogs(value)
      case "ignore": ignoredPaths = try value.texts()
      case "asset-extensions": assetExtensions = try value.texts()
      case "report": try readReport(value)
      case "store": store = resolved(try value.text())
      default: try readRun(value)
      }
    }
  }

  private func site(_ node: ConfigurationNode) throws -> Site {
    var site = Site()
    try node.forEachKey(of: ["hosts", "aasa", "routes", "route-syntax", "apps"]) { key, value in
      switch key {
      case "hosts":
        site.hosts = try value.texts().map { host in
          do {
            return try SiteOptions.validated(host, allowsWildcard: true)
          } catch {
            throw value.complaint("\(error)")
          }
        }
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
    let keys = ["inputs", "format", "json-keys", "host-from-path", "since", "until", "max-rejects"]
    try node.forEachKey(of: keys) { key, value in
      switch key {
      case "inputs": logs = try value.texts().map(resolvedPattern)
      case "format": logFormat = try value.text()
      case "json-keys":
        jsonKeys = []
        try value.forEachKey(of: FormatOptions.fieldNames) { field, key in
          jsonKeys.append((field, try key.text()))
        }
      case "host-from-path": hostFromPath = try value.text()
      case "since": since = try value.text()
      case "until": until = try value.text()
      default: maxRejects = try value.decimalNumber()
      }
    }
  }

  private mutating func readReport(_ node: ConfigurationNode) throws {
    let keys = [
      "format", "output", "output-directory", "table", "top", "by", "group", "fan-out",
      "fail-on", "thresholds", "rejects",
    ]
    try node.forEachKey(of: keys) { key, value in
      switch key {
      case "format": format = try value.text()
      case "output": output = resolved(try value.text())
      case "output-directory": outputDirectory = resolved(try value.text())
      case "table": table = try value.text()
      case "top": top = try value.number()
      case "by": weight = try value.text()
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

  /// A path that may be a pattern; nothing in the configuration's own directory is one.
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

extension YamlError {
  /// What is wrong, and where, in one line.
  fileprivate var summary: String {
    switch self {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "line \(mark.line), column \(mark.column): \(problem)"
    case .duplicatedKeysInMapping(let keys, let context):
      "line \(context.mark.line), column \(context.mark.column): "
        + "\(keys.sorted().map { "'\($0)'" }.joined(separator: ", ")) stands there twice"
    default: "\(self)".split(separator: "\n").joined(separator: " ")
    }
  }
}
