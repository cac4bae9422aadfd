internal import ArgumentParser
internal import LinkAuditing

extension ReportCommand {
  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    // A store on the command line is in place of the logs.
    let configuration = store == nil ? configuration : configuration.withoutLogs
    try readingOptions.apply(configuration)
    try judgingOptions.apply(configuration)
    if !siteOptions.hasFile {
      // A store knows the files in force on each day, so it needs none.
      if store == nil { siteOptions.sites = configuration.siteArguments }
      try routeOptions.apply(configuration)
      appOptions.apply(configuration)
    }
    try reportOptions.apply(configuration)
    baselineOptions.apply(configuration)
  }
}
