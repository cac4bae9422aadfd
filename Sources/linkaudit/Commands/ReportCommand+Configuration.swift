internal import ArgumentParser
internal import LinkAuditing

extension ReportCommand {
  /// Takes from a configuration what the command line leaves out.
  ///
  /// - Throws: `ValidationError` for a value that an option wouldn't take either.
  mutating func apply(_ configuration: Configuration) throws {
    try readingOptions.apply(configuration)
    try judgingOptions.apply(configuration)
    try applySites(configuration)

    // A place on the command line wins, of whichever kind it is.
    if output == nil, outputDirectory == nil {
      (output, outputDirectory) = (configuration.output, configuration.outputDirectory)
    }
    let configuredFormat: ReportFormat? = try configuration.value(\.format, "report.format")
    let configuredTable: ReportTable? = try configuration.value(\.table, "report.table")
    // A directory gets all forms unless the command line names one.
    if outputDirectory == nil {
      fill(&format, configuredFormat)
      // A table is one of CSV, whoever asks for another form.
      if format == .csv { fill(&table, configuredTable) }
    }
    fill(&failOn, try configuration.value(\.failOn, "report.fail-on"))
    fill(&top, configuration.top)
  }

  private mutating func applySites(_ configuration: Configuration) throws {
    let sites = configuration.sites
    guard siteOptions.sites.isEmpty, siteOptions.associationFile == nil else { return }
    for site in sites {
      siteOptions.sites += site.hosts.map { "\($0)=\(site.associationFile)" }
    }
    if routes.isEmpty {
      routes = sites.flatMap { site in
        site.hosts.flatMap { host in site.routes.map { "\(host)=\($0)" } }
      }
    }
    if routeSyntax.isEmpty {
      for (index, site) in sites.enumerated() {
        guard let name = site.routeSyntax else { continue }
        let option: RouteSyntaxOption = try configuration.value(
          name, "sites[\(index)].route-syntax")
        routeSyntax += site.hosts.map { RouteSyntaxOption(host: $0, syntax: option.syntax) }
      }
    }
    if apps.isEmpty {
      apps = sites.flatMap { site in
        site.hosts.flatMap { host in site.apps.map { "\(host)=\($0)" } }
      }
    }
  }
}
