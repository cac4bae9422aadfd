internal import ArgumentParser
internal import AuditStore
internal import TrafficDigest

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

  @Option(
    help: ArgumentHelp("The number of workers; one for each core unless given.", valueName: "n"))
  var jobs: Int?

  mutating func validate() throws {
    let configuration = try configurationOptions.load()
    storeOptions.apply(configuration)
    try judgingOptions.apply(configuration)
    var sites = SiteArguments(
      siteOptions: SiteOptions(), routes: routes, routeSyntax: routeSyntax)
    try sites.apply(configuration, hasFiles: false)
    (routes, routeSyntax) = (sites.routes, sites.routeSyntax)
    fill(&jobs, configuration.jobs)
    try storeOptions.check()
    try judgingOptions.check()
    if let jobs, jobs < 1 {
      throw ValidationError("'--jobs' must be at least 1, but it is \(jobs).")
    }
  }

  func run() throws {
    let workers = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    do {
      let store = try AuditStore.changing(
        storeOptions.directory, isMade: false, wait: storeOptions.wait ?? 0)
      var options = IngestOptions(
        reduction: ReductionOptions(jobs: workers),
        audit: try judgingOptions.auditOptions(jobs: workers))
      options.routes = try StoreSites(store, routes: routes, routeSyntax: routeSyntax).routes()
      _ = try StoreMaintenance(store).rebuild(options)
    } catch let error as StoreError {
      throw Complaint(error)
    }
  }
}
