internal import ArgumentParser
internal import LinkAuditing

extension ReportCommand {
  /// Takes from a configuration what the command line leaves out.
  ///
  /// - Throws: `ValidationError` for a value that an option wouldn't take either.
  mutating func apply(_ configuration: Configuration) throws {
    var configuration = configuration
    // A store on the command line is in place of the logs.
    if store != nil { (configuration.logs, configuration.rejects) = ([], nil) }
    if store != nil { (configuration.logFormat, configuration.hostFromPath) = (nil, nil) }
    try readingOptions.apply(configuration)
    try judgingOptions.apply(configuration)
    // What was in force on each day, a store knows.
    var sites = SiteArguments(
      sites: siteOptions.sites, hasFile: siteOptions.associationFile != nil,
      routes: routeOptions.routes, routeSyntax: routeOptions.routeSyntax, apps: apps)
    try sites.apply(configuration, hasFiles: store == nil)
    (siteOptions.sites, apps) = (sites.sites, sites.apps)
    (routeOptions.routes, routeOptions.routeSyntax) = (sites.routes, sites.routeSyntax)

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
}
