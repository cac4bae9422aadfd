internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import Reporting
internal import SystemPackage

struct Configuration {
  struct Site {
    /// Names such as `www.example.com`, or `*.example.com` for all hosts below.
    var hosts: [String] = []

    var associationFile = ""
    var routes: [String] = []
    var routeSyntax: String?
    var apps: [String] = []
  }

  var path = usualPath
  var sites: [Site] = []

  /// The values of the keys that it has, as their options take them.
  private(set) var values: [String: [String]] = [:]

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

  private var hosts: [(name: String, site: Site)] {
    sites.flatMap { site in site.hosts.map { ($0, site) } }
  }

  var siteOptions: [String] { hosts.map { "--site=\($0.name)=\($0.site.associationFile)" } }

  func routeOptions(_ typed: RouteOptions) -> [String] {
    hosts.flatMap { $0.site.routeOptions(typed, of: $0.name + "=") }
  }

  var appOptions: [String] {
    hosts.flatMap { host in host.site.apps.map { "--app=\(host.name)=\($0)" } }
  }

  var logArguments: [String] { logs.isEmpty ? [] : ["--"] + logs }

  /// The site of a host: the one that names it, or the longest name that it is below.
  func site(of host: String) -> Site? {
    let host = host.lowercased()
    if let site = sites.first(where: { $0.hosts.contains(host) }) { return site }
    return hosts.map { (scope: HostScope($0.name), site: $0.site) }
      .filter { $0.scope.contains(host.utf8) }
      .max { $0.scope.name.count < $1.scope.name.count }?.site
  }

  var onlyHost: String? { hosts.count == 1 ? hosts.first?.name : nil }
}

// MARK: - Reading

extension Configuration {
  static let usualPath = "linkaudit.yml"

  /// Reads the named configuration, or the one in the working directory, which may be missing.
  static func load(_ path: String?) throws -> Configuration {
    guard path != nil || InputFile.type(at: usualPath) != nil else { return Configuration() }
    let path = path ?? usualPath
    return try reading(
      try InputFile.read(path, what: "the configuration", limit: 4 << 20), from: path)
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
    for setting in Setting.all where !names.contains(setting.section ?? setting.name) {
      names.append(setting.section ?? setting.name)
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
  /// Returns the options for routes that the command line lacks; each value begins with `host`, such as
  /// `www.example.com=`, which is empty if there is only one site.
  func routeOptions(_ typed: RouteOptions, of host: String = "") -> [String] {
    let syntax = typed.routeSyntax.isEmpty ? routeSyntax : nil
    return (typed.routes.isEmpty ? routes : []).map { "--routes=\(host)\($0)" }
      + (syntax.map { ["--route-syntax=\(host)\($0)"] } ?? [])
  }

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

/// A key of the configuration: the option that it sets, and an example.
///
/// Each key is declared here and nowhere else: reading a configuration, its messages, and the file
/// that `linkaudit init` writes come from the list. The help of the option says its purpose.
struct Setting: Sendable {
  /// A part of the configuration; each command takes some.
  enum Part: Sendable {
    case reading, selection, judging, place, result, baseline, store, resources
  }

  /// The kind of value that a key has.
  enum Kind: Sendable {
    case text, file, number, decimalNumber, flag

    /// One value, or a list: of texts, of hosts, of paths, or of paths that can be patterns.
    case texts, hosts, files, patterns

    /// A list that the option takes with commas, and keys of JSON by field.
    case list, fields
  }

  /// The keys that lead to the value, such as `logs.since`.
  let key: String

  /// The option that the value is for; empty for arguments.
  let option: String
  let part: Part
  let kind: Kind

  /// An example, as YAML has it after the key.
  let example: String

  private init(_ key: String, _ option: String, _ part: Part, _ kind: Kind, _ example: String) {
    (self.key, self.option, self.part, self.kind, self.example) = (key, option, part, kind, example)
  }

  /// The section that holds the key, such as `logs`, or `nil` if none does.
  var section: String? { key.firstIndex(of: ".").map { String(key[..<$0]) } }

  /// The key itself, such as `since`.
  var name: String { String(key.dropFirst(section.map { $0.count + 1 } ?? 0)) }

  /// All keys besides `sites`, in the order of the template.
  static let all = [
    Setting("own-hosts", "--own-host", .reading, .hosts, "[shop.example.net]"),
    Setting("trackers", "--tracker-host", .reading, .hosts, "[click.example.com]"),
    Setting("callbacks", "--callback", .judging, .texts, "[/auth/callback]"),
    Setting("logs.inputs", "", .reading, .patterns, "[/var/log/nginx/access.log*]"),
    Setting("logs.format", "--log-format", .reading, .text, "auto"),
    Setting(
      "logs.json-keys", "--json-keys", .reading, .fields, "{target: req.uri, status: res.status}"),
    Setting("logs.host-from-path", "--host-from-path", .reading, .text, "\"{host}-access\""),
    Setting("logs.host-confirmed", "--host-confirmed", .reading, .flag, "true"),
    Setting("logs.since", "--since", .selection, .text, "30d"),
    Setting("logs.until", "--until", .selection, .text, "yesterday"),
    Setting("logs.max-expansion", "--max-expansion", .reading, .number, "1000"),
    Setting("logs.max-window", "--max-window", .reading, .text, "128M"),
    Setting("logs.max-rejects", "--max-rejects", .selection, .decimalNumber, "5"),
    Setting("ignore", "--ignore", .judging, .texts, "[/healthz, /internal/*]"),
    Setting(
      "asset-extensions", "--asset-extensions", .judging, .list, "[css, js, png, svg, woff2]"),
    Setting("report.format", "--format", .place, .text, "text"),
    Setting("report.output", "--output", .place, .file, "report.txt"),
    Setting("report.output-directory", "--output-directory", .place, .file, "report"),
    Setting("report.table", "--table", .place, .text, "rules"),
    Setting("report.top", "--top", .result, .number, "10"),
    Setting("report.full", "--full", .result, .flag, "true"),
    Setting("report.sort", "--sort", .judging, .text, "visits"),
    Setting("report.group", "--group", .judging, .text, "template"),
    Setting("report.fan-out", "--fan-out", .judging, .number, "100"),
    Setting("report.fail-on", "--fail-on", .result, .text, "error"),
    Setting(
      "report.thresholds", "--threshold", .judging, .texts, "[\"same-host-links:warning=20%\"]"),
    Setting("report.rejects", "--rejects", .selection, .file, "rejects.tsv"),
    Setting("baseline", "--baseline", .baseline, .file, "linkaudit-baseline.json"),
    Setting("store", "--store", .store, .file, "/var/lib/linkaudit"),
    Setting("run.jobs", "--jobs", .resources, .number, "4"),
    Setting("run.memory", "--memory", .resources, .text, "1G"),
    Setting("run.temporary-directory", "--temporary-directory", .resources, .file, "/var/tmp"),
  ]
}

/// A value in a configuration, with the keys that lead to it.
struct ConfigurationNode {
  let path: String
  let node: YAMLNode

  /// The keys that lead here, such as `sites[0].hosts`.
  let place: String

  func complaint(_ message: String, at mark: YAMLNode.Mark? = nil) -> Complaint {
    let mark = mark ?? node.mark
    return Complaint("'\(path)', line \(mark.line), column \(mark.column): \(message)")
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
        let nearest = keys.nearest(to: text)
        let remedy =
          nearest.map { "did you mean '\($0)'?" } ?? "keys are \(keys.joined(separator: ", "))"
        throw complaint("'\(text)' is not a key of \(name); \(remedy)", at: key.mark)
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

  private func plain(_ what: String, where isValid: (String) -> Bool) throws -> String {
    guard let text = node.plainText, isValid(text) else {
      throw complaint("\(name) must be \(what)")
    }
    return text
  }

  private func texts() throws -> [String] {
    if case .sequence = node.content { return try elements().map { try $0.text() } }
    return [try text()]
  }

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
