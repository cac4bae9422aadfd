internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage

/// The settings in `linkaudit.yml`; those that it leaves out are `nil` or empty.
///
/// The command line wins over it, key by key.
struct Configuration {
  /// An association file and the hosts that it belongs to.
  struct Site {
    /// Names such as `www.example.com`, or `*.example.com` for all hosts below.
    var hosts: [String] = []

    /// The path of the association file.
    var associationFile = ""

    /// The paths of files with routes.
    var routes: [String] = []

    /// The syntax of the routes, or `nil` to detect it from the files.
    var routeSyntax: String?

    /// The apps that count; all that the file names if empty.
    var apps: [String] = []
  }

  /// The fields of requests whose keys in JSON can be named, as options and configurations have
  /// them.
  static let jsonFields = [
    "target", "query", "request", "method", "status", "host", "referrer", "user-agent", "time",
  ]

  /// The path of the configuration.
  var path: String

  /// The keys that it has, such as `logs.since`.
  var keys: Set<String> = []

  var sites: [Site] = []

  /// Other hosts of the sites' owner.
  var ownHosts: [String] = []

  /// Hosts that redirect to the sites.
  var trackers: [String] = []

  /// Paths to which login services send browsers back.
  var callbackPaths: [String] = []

  /// Files, directories, and patterns of files.
  var logs: [String] = []

  var logFormat: String?
  var jsonKeys: [(field: String, key: String)] = []
  var hostFromPath: String?
  var isHostConfirmed = false
  var since: String?
  var until: String?
  var maxRejects: Double?
  var maxExpansion: Int?
  var maxWindow: String?

  /// Paths whose requests don't count.
  var ignoredPaths: [String] = []

  /// The extensions of paths that aren't pages, or `nil` for the default ones.
  var assetExtensions: [String]?

  var format: String?
  var output: String?
  var outputDirectory: String?
  var table: String?
  var top: Int?
  var isFull = false
  var fanOut: Int?
  var group: String?
  var weight: String?

  /// The thresholds of findings, as the option has them.
  var thresholds: [String] = []
  var failOn: String?
  var rejects: String?

  /// The file of findings that are accepted.
  var baseline: String?

  /// The directory of the store.
  var store: String?

  var jobs: Int?
  var memory: String?
  var temporaryDirectory: String?
}

/// Sets an option that the command line lacks.
func fill<Value>(_ option: inout Value?, _ value: Value?) {
  option = option ?? value
}

extension Configuration {
  /// A value as an option would take it.
  ///
  /// - Throws: `ValidationError` for a value that an option wouldn't take.
  func value<Value: ExpressibleByArgument>(
    _ text: KeyPath<Configuration, String?>, _ key: String
  ) throws -> Value? {
    try self[keyPath: text].map { try value($0, key) }
  }

  /// A value as an option would take it.
  ///
  /// - Throws: `ValidationError` for a value that an option wouldn't take.
  func value<Value: ExpressibleByArgument>(_ text: String, _ key: String) throws -> Value {
    guard let value = Value(argument: text) else {
      let known = Value.allValueStrings
      let remedy = known.isEmpty ? "" : "; it can be \(known.joined(separator: ", "))"
      throw ValidationError("'\(path)': '\(key)' can't be '\(text)'\(remedy).")
    }
    return value
  }
}

extension Configuration {
  /// The hosts of all sites and their association files, as `--site` has them.
  var siteArguments: [String] {
    sites.flatMap { site in site.hosts.map { "\($0)=\(site.associationFile)" } }
  }

  /// The configuration for traffic that is not read from logs.
  var withoutLogs: Configuration {
    var configuration = self
    (configuration.logs, configuration.rejects) = ([], nil)
    (configuration.logFormat, configuration.hostFromPath) = (nil, nil)
    return configuration
  }

  /// The site of a host: the one that names it, or the longest name that it is below.
  func site(of host: String) -> Site? {
    if let site = sites.first(where: { $0.hosts.contains(host) }) { return site }
    let scopes = sites.flatMap { site in site.hosts.map { (scope: HostScope($0), site: site) } }
    return scopes.filter { $0.scope.contains(host.utf8) }
      .max { $0.scope.name.count < $1.scope.name.count }?.site
  }
}

extension JudgingOptions {
  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    if ignore.isEmpty { ignore = configuration.ignoredPaths }
    if callback.isEmpty { callback = configuration.callbackPaths }
    fill(&assetExtensions, configuration.assetExtensions?.joined(separator: ","))
    fill(&group, try configuration.value(\.group, "report.group"))
    fill(&fanOut, configuration.fanOut)
    fill(&weight, try configuration.value(\.weight, "report.sort"))
    if threshold.isEmpty { threshold = configuration.thresholds }
  }
}

extension RouteOptions {
  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    if routes.isEmpty {
      routes = configuration.sites.flatMap { site in
        site.hosts.flatMap { host in site.routes.map { "\(host)=\($0)" } }
      }
    }
    guard routeSyntax.isEmpty else { return }
    for (index, site) in configuration.sites.enumerated() {
      guard let name = site.routeSyntax else { continue }
      let option: RouteSyntaxOption = try configuration.value(name, "sites[\(index)].route-syntax")
      routeSyntax += site.hosts.map { RouteSyntaxOption(host: $0, syntax: option.syntax) }
    }
  }
}

extension AppOptions {
  /// Completes missing options from a configuration.
  mutating func apply(_ configuration: Configuration) {
    guard apps.isEmpty else { return }
    apps = configuration.sites.flatMap { site in
      site.hosts.flatMap { host in site.apps.map { "\(host)=\($0)" } }
    }
  }
}

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
