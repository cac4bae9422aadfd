internal import ArgumentParser
internal import AuditStore
internal import TrafficDigest

/// Computes the figures of a store anew.
struct StoreRebuildCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Compute all daily figures and findings of a store anew from its digests.",
    discussion: """
      For when how they are judged has changed: ignored paths, thresholds, routes, or this \
      program. Digests and the ledger stay as they are.
      """)

  @OptionGroup
  var storeOptions: StoreOptions

  @OptionGroup
  var configurationOptions: ConfigurationOptions

  @OptionGroup
  var routeOptions: RouteOptions

  @OptionGroup(title: "Judging")
  var judgingOptions: JudgingOptions

  @OptionGroup
  var workerOptions: WorkerOptions

  mutating func check() throws {
    let configuration = try configurationOptions.load()
    storeOptions.apply(configuration)
    try judgingOptions.apply(configuration)
    var sites = SiteArguments(
      routes: routeOptions.routes, routeSyntax: routeOptions.routeSyntax)
    try sites.apply(configuration, hasFiles: false)
    (routeOptions.routes, routeOptions.routeSyntax) = (sites.routes, sites.routeSyntax)
    fill(&workerOptions.jobs, configuration.jobs)
    fill(&workerOptions.temporaryDirectory, configuration.temporaryDirectory)
    try storeOptions.check()
    try judgingOptions.check()
    try workerOptions.check()
  }

  func run() throws {
    let workforce = try workerOptions.workforce()
    do {
      let store = try storeOptions.changing()
      var reduction = ReductionOptions(jobs: workforce.jobs)
      reduction.temporaryDirectory = workforce.temporaryDirectory
      var options = IngestOptions(
        reduction: reduction, audit: try judgingOptions.auditOptions(jobs: workforce.jobs))
      options.routes = try StoreSites(store, routeOptions).routes()
      _ = try StoreMaintenance(store).rebuild(options)
    } catch let error as StoreError {
      throw Complaint(error)
    }
  }
}
