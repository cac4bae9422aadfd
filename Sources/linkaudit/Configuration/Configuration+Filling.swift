internal import ArgumentParser
internal import Foundations
internal import LinkAuditing

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

extension ReadingOptions {
  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    try logOptions.apply(configuration)
    fill(&timeOptions.since, configuration.since)
    fill(&timeOptions.until, configuration.until)
    try timeOptions.validate()
    fill(&rejectOptions.maxRejects, configuration.maxRejects)
    fill(&rejectOptions.rejects, configuration.rejects)
    try rejectOptions.validate()
  }
}

extension LogOptions {
  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    if inputOptions.logs.isEmpty, inputOptions.filesFrom.isEmpty {
      inputOptions.logs = configuration.logs
    }
    if formatOptions.logFormat == nil, formatOptions.jsonKeys == nil {
      formatOptions.logFormat = configuration.logFormat
      if !configuration.jsonKeys.isEmpty {
        formatOptions.jsonKeys = configuration.jsonKeys.map { "\($0.field)=\($0.key)" }
          .joined(separator: ",")
      }
    }
    fill(&hostOptions.hostFromPath, configuration.hostFromPath)
    hostOptions.hostConfirmed = hostOptions.hostConfirmed || configuration.isHostConfirmed
    if hostOptions.trackerHost.isEmpty { hostOptions.trackerHost = configuration.trackers }
    if hostOptions.ownHost.isEmpty {
      hostOptions.ownHost = configuration.ownHosts + configuration.sites.flatMap(\.hosts)
    }
    fill(&expansionOptions.maxExpansion, configuration.maxExpansion)
    fill(&expansionOptions.maxWindow, try configuration.value(\.maxWindow, "logs.max-window"))
    fill(&workerOptions.jobs, configuration.jobs)
    fill(&memoryOptions.memory, try configuration.value(\.memory, "run.memory"))
    fill(&workerOptions.temporaryDirectory, configuration.temporaryDirectory)
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
