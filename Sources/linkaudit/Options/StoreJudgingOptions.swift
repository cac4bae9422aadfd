internal import ArgumentParser
internal import AuditStore
internal import TrafficDigest

/// A store, and the options for judging its days again.
struct StoreJudgingOptions: ParsableArguments {
  @OptionGroup(title: RequiredOptions.title)
  var storeOptions: StoreOptions

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  @OptionGroup(title: "App")
  var routeOptions: RouteOptions

  @OptionGroup(title: "Stored figures")
  var judgingOptions: JudgingOptions

  @OptionGroup(title: "Resources")
  var workerOptions: WorkerOptions

  /// Completes the options from the configuration, and checks them.
  ///
  /// - Throws: `ValidationError` if they don't fit together.
  mutating func check() throws {
    let configuration = try configurationOptions.load()
    storeOptions.apply(configuration)
    try judgingOptions.apply(configuration)
    try routeOptions.apply(configuration)
    fill(&workerOptions.jobs, configuration.jobs)
    fill(&workerOptions.temporaryDirectory, configuration.temporaryDirectory)
    try storeOptions.check()
    try judgingOptions.check()
    try workerOptions.check()
  }

  /// Returns the options for judging the days of a store.
  ///
  /// - Throws: ``Complaint`` if routes can't be read, and `StoreError` if the store can't be read.
  func options(for store: AuditStore) throws -> IngestOptions {
    let reduction = try workerOptions.reductionOptions()
    var options = IngestOptions(
      reduction: reduction, audit: try judgingOptions.auditOptions(jobs: reduction.jobs))
    options.routes = try StoreSites(store, routeOptions).routes()
    return options
  }
}
