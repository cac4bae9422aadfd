internal import ArgumentParser
internal import AuditStore
internal import TrafficDigest

/// Computes the figures of a store anew.
struct StoreRebuildCommand: ParsableCommand {
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

  @Option(
    help: ArgumentHelp(
      "What the app implements: a route a line. HOST=FILE for one site of several.",
      valueName: "file"),
    completion: .file())
  var routes: [String] = []

  @Option(
    help: ArgumentHelp(
      "How the routes are written; told from the file unless given. HOST=NAME for one site of several.",
      valueName: "name"))
  var routeSyntax: [RouteSyntaxOption] = []

  @OptionGroup(title: "Judging")
  var judgingOptions: JudgingOptions

  @OptionGroup
  var workerOptions: WorkerOptions

  mutating func validate() throws {
    let configuration = try configurationOptions.load()
    storeOptions.apply(configuration)
    try judgingOptions.apply(configuration)
    var sites = SiteArguments(routes: routes, routeSyntax: routeSyntax)
    try sites.apply(configuration, hasFiles: false)
    (routes, routeSyntax) = (sites.routes, sites.routeSyntax)
    fill(&workerOptions.jobs, configuration.jobs)
    fill(&workerOptions.temporaryDirectory, configuration.temporaryDirectory)
    try storeOptions.check()
    try judgingOptions.check()
    try workerOptions.check()
  }

  func run() throws {
    let workforce = workerOptions.workforce
    do {
      let store = try AuditStore.changing(
        storeOptions.directory, isMade: false, wait: storeOptions.wait ?? 0)
      var reduction = ReductionOptions(jobs: workforce.jobs)
      reduction.temporaryDirectory = workforce.temporaryDirectory
      var options = IngestOptions(
        reduction: reduction, audit: try judgingOptions.auditOptions(jobs: workforce.jobs))
      options.routes = try StoreSites(store, routes: routes, routeSyntax: routeSyntax).routes()
      _ = try StoreMaintenance(store).rebuild(options)
    } catch let error as StoreError {
      throw Complaint(error)
    }
  }
}
