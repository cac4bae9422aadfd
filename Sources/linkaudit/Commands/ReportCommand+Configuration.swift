internal import ArgumentParser
internal import LinkAuditing

extension ReportCommand {
  /// Takes from a configuration what the command line leaves out.
  ///
  /// - Throws: `ValidationError` for a value that an option wouldn't take either.
  mutating func apply(_ configuration: Configuration) throws {
    let path = configuration.path
    if inputOptions.logs.isEmpty, inputOptions.filesFrom.isEmpty {
      inputOptions.logs = configuration.logs
    }
    applySites(configuration.sites)

    if formatOptions.logFormat == nil, formatOptions.jsonKeys == nil {
      formatOptions.logFormat = configuration.logFormat
      if !configuration.jsonKeys.isEmpty {
        formatOptions.jsonKeys = configuration.jsonKeys.map { "\($0.field)=\($0.key)" }
          .joined(separator: ",")
      }
    }
    fill(&hostFromPath, configuration.hostFromPath)
    fill(&timeOptions.since, configuration.since)
    fill(&timeOptions.until, configuration.until)
    try timeOptions.validate()
    fill(&rejectOptions.maxRejects, configuration.maxRejects)
    fill(&rejectOptions.rejects, configuration.rejects)
    try rejectOptions.validate()
    if ignore.isEmpty { ignore = configuration.ignoredPaths }
    fill(&assetExtensions, configuration.assetExtensions?.joined(separator: ","))

    // A place on the command line wins, of whichever kind it is.
    if output == nil, outputDirectory == nil {
      (output, outputDirectory) = (configuration.output, configuration.outputDirectory)
    }
    let configuredFormat: ReportFormat? = try configuration.format.map {
      try Self.value($0, "report.format", in: path)
    }
    let configuredTable: ReportTable? = try configuration.table.map {
      try Self.value($0, "report.table", in: path)
    }
    // A directory gets all forms unless the command line names one.
    if outputDirectory == nil {
      fill(&format, configuredFormat)
      // A table is one of CSV, whoever asks for another form.
      if format == .csv { fill(&table, configuredTable) }
    }
    fill(&failOn, try configuration.failOn.map { try Self.value($0, "report.fail-on", in: path) })
    fill(&top, configuration.top)
    fill(&fanOut, configuration.fanOut)
    fill(&jobs, configuration.jobs)
    fill(&memory, try configuration.memory.map { try Self.value($0, "run.memory", in: path) })
    fill(&temporaryDirectory, configuration.temporaryDirectory)
  }

  private mutating func applySites(_ sites: [Configuration.Site]) {
    guard siteOptions.sites.isEmpty, siteOptions.associationFile == nil else { return }
    for site in sites {
      siteOptions.sites += site.hosts.map { "\($0)=\(site.associationFile)" }
    }
    if routes.isEmpty {
      routes = sites.flatMap { site in
        site.hosts.flatMap { host in site.routes.map { "\(host)=\($0)" } }
      }
    }
    if apps.isEmpty {
      apps = sites.flatMap { site in
        site.hosts.flatMap { host in site.apps.map { "\(host)=\($0)" } }
      }
    }
  }

  private func fill<Value>(_ option: inout Value?, _ value: Value?) {
    option = option ?? value
  }

  private static func value<Value: ExpressibleByArgument>(
    _ text: String, _ key: String, in path: String
  ) throws -> Value {
    guard let value = Value(argument: text) else {
      let known = Value.allValueStrings
      let remedy = known.isEmpty ? "" : "; it can be \(known.joined(separator: ", "))"
      throw ValidationError("'\(path)': '\(key)' can't be '\(text)'\(remedy).")
    }
    return value
  }
}
