internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest
internal import UniversalLinks

/// Audits logs.
struct ReportCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Report which visits the rules claim, and why they stayed on the web.",
    usage: """
      linkaudit report <log> ... --aasa <file> --host <host> [<options>]
      linkaudit report --store <directory> [<options>]
      """,
    discussion: """
      LOG is a file, a directory with all files below it, '-' for standard input, or a quoted \
      pattern with '*', '?', '[a-z]', or '**' for any number of directories. linkaudit detects \
      compression from the first bytes, not from the name.

      '--store' reports on a store. It judges each day by the rules in force then, or all days \
      by those of '--aasa'.

      A claimed visit in a log did not open the app: when the app opens, the server gets no \
      request.

      EXAMPLES
        linkaudit report access.log.gz --aasa aasa.json --host www.example.com
        zcat logs/*.gz | linkaudit report - --aasa aasa.json --host www.example.com
        linkaudit report logs --site www.example.com=a.json \\
            --site m.example.com=b.json
        linkaudit report logs --aasa aasa.json --host www.example.com --format csv \\
            --table unclaimed-heavy -o unclaimed-heavy.csv
        linkaudit report logs --aasa aasa.json --host www.example.com \\
            --output-directory report
        linkaudit report logs --aasa aasa.json --host www.example.com --fail-on error
        linkaudit report --store /var/lib/linkaudit --since 90d
      """
  )

  // The options that are used most come first in the help.
  @OptionGroup(title: RequiredOptions.title)
  var siteOptions: SiteOptions

  @OptionGroup(title: "App")
  var routeOptions: RouteOptions

  @OptionGroup(title: "App")
  var appOptions: AppOptions

  @OptionGroup(title: "Report")
  var reportOptions: ReportOptions

  @OptionGroup(title: "Logs")
  var storeOptions: TrafficStoreOptions

  @OptionGroup
  var readingOptions: ReadingOptions

  @OptionGroup(title: "Judging")
  var judgingOptions: JudgingOptions

  @OptionGroup(title: "Report")
  var baselineOptions: BaselineOptions

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  /// The store to report on, or `nil` for logs.
  var store: String? { storeOptions.store }

  mutating func check() throws {
    let configuration = try configurationOptions.load()
    try apply(configuration)
    let inputs = readingOptions.inputOptions
    try checkTraffic(of: store, besides: inputs, configuration)
    if store == nil, inputs.isEmpty {
      throw ValidationError(
        "no log; pass files or directories, '-' for standard input, or '--store DIRECTORY' ('report' doesn't use the 'store' of linkaudit.yml)."
      )
    }
    try reportOptions.check()
    try baselineOptions.check()
    try readingOptions.check()
    try judgingOptions.check()
    let definitions = try definitions()
    let hosts = Set(definitions.compactMap(\.host))
    for case let host? in routeOptions.routeSyntax.map(\.host)
    where store == nil && !hosts.contains(host) {
      throw ValidationError(
        "'--route-syntax' names '\(host)', which is not a site; pass it with '--site'.")
    }
    let others = definitions.map(\.path) + (try loader().routesFiles.map(\.path))
    try inputs.checkStandardInput(
      besides: others, "a log, the list of logs, an association file, or the routes")
  }

  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  private mutating func apply(_ configuration: Configuration) throws {
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

  /// Returns the association files; a store needs none.
  private func definitions() throws -> [SiteOptions.Definition] {
    store == nil
      ? try siteOptions.definitions(needsHost: true) : try siteOptions.definitionsIfAny()
  }

  func loader() throws -> SiteLoader {
    SiteLoader(
      definitions: try definitions(), routes: routeOptions.routes,
      routeSyntax: routeOptions.routeSyntax, apps: appOptions.apps)
  }

  /// A description of the options; reports on a store with equal scopes are compared.
  private var scope: String {
    let judging = judgingOptions
    let parts: [(String, [String])] = [
      ("since", readingOptions.timeOptions.since.map { [$0] } ?? []),
      ("until", readingOptions.timeOptions.until.map { [$0] } ?? []),
      ("aasa", siteOptions.associationFile.map { [$0] } ?? []),
      ("host", siteOptions.host.map { [$0] } ?? []), ("site", siteOptions.sites),
      ("app", appOptions.apps), ("routes", routeOptions.routes), ("ignore", judging.ignore),
      ("callback", judging.callback),
      ("threshold", judging.threshold), ("platform", judging.filterOptions.platform),
      ("status", judging.filterOptions.status),
      ("include-bots", judging.filterOptions.includeBots ? ["yes"] : []),
    ]
    return parts.filter { !$0.1.isEmpty }
      .map { "--\($0.0) \($0.1.joined(separator: ","))" }.joined(separator: " ")
  }

  /// Reports on a store.
  private func runStored(_ directory: String) throws {
    try checkOutput([])
    let baseline = try baselineOptions.load()
    let reading = try StoreReading(directory, readingOptions)
    // A store has the association files, unless others are named.
    let isNamed = try !definitions().isEmpty
    var sites =
      isNamed
      ? try loader().loadSites().map { SiteHistory($0) }
      : try StoreSites(reading.store, routeOptions, apps: appOptions.apps).load()
    if !isNamed, let host = siteOptions.host?.lowercased(), !sites.isEmpty {
      let known = sites.map(\.host)
      sites.removeAll { $0.host != host }
      guard !sites.isEmpty else {
        throw Complaint(
          "the store '\(directory)' has no association file of '\(host)', only of "
            + "\(known.joined(separator: ", "))")
      }
    }
    guard !sites.isEmpty else {
      throw Complaint(
        "the store '\(directory)' has no association file; pass '--aasa FILE --host HOST', here or "
          + "to 'linkaudit ingest'")
    }
    let auditor = Auditor(
      histories: sites, options: try judgingOptions.auditOptions(jobs: readingOptions.workers))
    var outcome = try reading.judged { digest throws(JudgingError) in
      try auditor.audit(digest)
    }
    try reading.compare(&outcome.judged, scope: scope)
    try finish(outcome, baseline)
  }

  /// Writes a report, and exits as its findings ask for.
  private func finish(_ outcome: LogReading.Outcome<Audit>, _ baseline: Baseline?) throws {
    var outcome = outcome
    let check = Baseline.Check(
      findings: outcome.judged.findings, of: .report, hosts: outcome.judged.sites.map(\.host))
    try baselineOptions.finish(baseline, isIncomplete: outcome.isIncomplete, check) {
      outcome.judged.findings.mark($0)
    }
    try write(outcome.judged, outcome.digest)
    try ExitStatus.exit(
      findings: outcome.judged.findings, failOn: reportOptions.failOn,
      isIncomplete: outcome.isIncomplete)
  }

  func run() throws {
    if let store { return try runStored(store) }
    let sites = try loader().loadSites()
    let reading = try LogReading(
      readingOptions, defaultHost: siteOptions.host?.lowercased() ?? sites.map(\.host).onlyHost,
      isNamed: siteOptions.host != nil, sites: sites.map(\.host))
    let inputs = try reading.inputs()
    try checkOutput(inputs)
    let baseline = try baselineOptions.load()
    let auditor = Auditor(
      sites: sites, options: try judgingOptions.auditOptions(jobs: readingOptions.workers))
    let outcome = try reading.read(inputs) { digest throws(JudgingError) in
      try auditor.audit(digest)
    }
    try finish(outcome, baseline)
  }
}

extension [String] {
  /// The only host of these sites, if there is only one and it isn't a pattern.
  var onlyHost: String? {
    guard count == 1, let host = first, !host.hasPrefix("*") else { return nil }
    return host
  }
}
