internal import ArgumentParser
internal import Foundations
internal import Reporting

/// The settings in `linkaudit.yml`, which complete a command line.
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

  /// The path of the configuration.
  var path = usualPath

  var sites: [Site] = []

  /// The values of the keys that it has, as their options take them.
  private(set) var values: [String: [String]] = [:]

  /// Files, directories, and patterns of files.
  var logs: [String] { values["logs.inputs"] ?? [] }
}

// MARK: - Completing a command line

extension Configuration {
  /// Returns the options that a command takes from the configuration: those that it has and that
  /// aren't typed.
  func options(
    of parts: Set<Setting.Part>, for command: any ParsableCommand.Type,
    except ignored: Set<String> = []
  ) -> [String] {
    if values.isEmpty { return [] }
    let (known, typed) = (KnownOptions(of: command), TypedArguments())
    // Keys on the command line are in place of a format, and a format in place of keys.
    let formats = ["--log-format", "--json-keys"]
    let hasFormat = formats.contains(where: typed.gives)
    return Setting.all.flatMap { setting -> [String] in
      guard let values = values[setting.key], parts.contains(setting.part),
        !ignored.contains(setting.key), let option = known.option(named: setting.option),
        !typed.gives(option), !hasFormat || !formats.contains(setting.option)
      else { return [] }
      return values.map { option.valueName == nil ? setting.option : "\(setting.option)=\($0)" }
    }
  }

  /// The hosts of all sites and their association files, as `--site` has them.
  var siteOptions: [String] {
    sites.flatMap { site in site.hosts.map { "--site=\($0)=\(site.associationFile)" } }
  }

  /// The routes of all sites that some options lack.
  func routeOptions(_ typed: RouteOptions) -> [String] {
    forEachHost { host, site in
      (typed.routes.isEmpty ? site.routes : []).map { "--routes=\(host)=\($0)" }
        + (typed.routeSyntax.isEmpty
          ? site.routeSyntax.map { ["--route-syntax=\(host)=\($0)"] } ?? [] : [])
    }
  }

  /// The apps of all sites.
  var appOptions: [String] {
    forEachHost { host, site in site.apps.map { "--app=\(host)=\($0)" } }
  }

  private func forEachHost(_ options: (_ host: String, Site) -> [String]) -> [String] {
    sites.flatMap { site in site.hosts.flatMap { options($0, site) } }
  }

  /// The logs after the mark that ends the options.
  var logArguments: [String] { logs.isEmpty ? [] : ["--"] + logs }

  /// The site of a host: the one that names it, or the longest name that it is below.
  func site(of host: String) -> Site? {
    let host = host.lowercased()
    if let site = sites.first(where: { $0.hosts.contains(host) }) { return site }
    let scopes = sites.flatMap { site in site.hosts.map { (scope: HostScope($0), site: site) } }
    return scopes.filter { $0.scope.contains(host.utf8) }
      .max { $0.scope.name.count < $1.scope.name.count }?.site
  }

  /// The only host of all sites, or `nil`.
  var onlyHost: String? {
    let hosts = sites.flatMap(\.hosts)
    return hosts.count == 1 ? hosts.first : nil
  }
}

// MARK: - Reading

extension Configuration {
  /// The name of the configuration in the working directory.
  static let usualPath = "linkaudit.yml"

  /// The greatest number of bytes of a configuration.
  private static let sizeLimit = 4 << 20

  /// Reads the named configuration, or the one in the working directory, which may be missing.
  static func load(_ path: String?) throws -> Configuration {
    guard path != nil || InputFile.type(at: usualPath) != nil else { return Configuration() }
    let path = path ?? usualPath
    let bytes = try InputFile.read(path, what: "the configuration", limit: sizeLimit)
    return try reading(bytes, from: path)
  }

  static func reading(_ bytes: [UInt8], from path: String) throws -> Configuration {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Complaint("'\(path)' is not UTF-8 text")
    }
    var configuration = Configuration(path: path)
    do {
      guard let node = try YAMLNode.parse(bytes) else { return configuration }
      try configuration.read(ConfigurationNode(path: path, node: node, place: ""))
    } catch let error as YAMLError {
      let place = error.mark.map { "line \($0.line), column \($0.column): " } ?? ""
      throw Complaint("'\(path)' is not YAML: \(place)\(error.mistake)")
    }
    return configuration
  }

  private mutating func read(_ node: ConfigurationNode) throws {
    var names = ["sites"]
    for name in Setting.all.map({ $0.section ?? $0.name }) where !names.contains(name) {
      names.append(name)
    }
    for (name, value) in try node.members(of: names) {
      let section = Setting.all.filter { $0.section == name }.map(\.name)
      if name == "sites" { sites = try value.elements().map(Site.init) }
      for node in section.isEmpty ? [value] : try value.members(of: section).map(\.value) {
        guard let setting = Setting.all.first(where: { $0.key == node.place }) else { continue }
        values[setting.key] = try node.values(setting.kind)
      }
    }
    // The hosts of all sites belong together.
    values["own-hosts", default: []] += sites.flatMap(\.hosts)
  }
}

extension Configuration.Site {
  fileprivate init(_ node: ConfigurationNode) throws {
    for (key, value) in try node.members(of: ["hosts", "aasa", "routes", "route-syntax", "apps"]) {
      switch key {
      case "hosts": hosts = try value.values(.hosts)
      case "aasa": associationFile = try value.values(.file).joined()
      case "routes": routes = try value.values(.files)
      case "route-syntax": routeSyntax = try value.text()
      default: apps = try value.values(.texts)
      }
    }
    if hosts.isEmpty { throw node.complaint("'\(node.place)' needs 'hosts'") }
    if associationFile.isEmpty {
      throw node.complaint("'\(node.place)' needs 'aasa', the path of its association file")
    }
  }
}
