internal import ArgumentParser
internal import LinkAuditing

extension ReportCommand {
  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    var configuration = configuration
    // A store on the command line is in place of the logs.
    if store != nil { (configuration.logs, configuration.rejects) = ([], nil) }
    if store != nil { (configuration.logFormat, configuration.hostFromPath) = (nil, nil) }
    try readingOptions.apply(configuration)
    try judgingOptions.apply(configuration)
    // A store knows the files in force on each day, so it needs none.
    var sites = SiteArguments(
      sites: siteOptions.sites, hasFile: siteOptions.associationFile != nil,
      routes: routeOptions.routes, routeSyntax: routeOptions.routeSyntax, apps: appOptions.apps)
    try sites.apply(configuration, hasFiles: store == nil)
    (siteOptions.sites, appOptions.apps) = (sites.sites, sites.apps)
    (routeOptions.routes, routeOptions.routeSyntax) = (sites.routes, sites.routeSyntax)
    try reportOptions.apply(configuration)
    baselineOptions.apply(configuration)
  }
}
