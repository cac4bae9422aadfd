internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest
internal import UniversalLinks

/// Compares two association files.
struct DiffCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two association files: count the visits whose verdict changes.",
    usage: "linkaudit diff <old> <new> [<log> ...] --host <host> [<options>]",
    discussion: """
      OLD and NEW are association files. LOG is as in 'linkaudit report'; each log is read once.

      Without logs on the command line or in the configuration, linkaudit compares the \
      patterns alone, and shows a URL for each change.

      EXAMPLES
        linkaudit diff old.json new.json access.log.gz --host www.example.com
        linkaudit diff old.json new.json logs --host www.example.com \\
            --routes routes.txt --fail-on warning
        linkaudit diff old.json new.json --host www.example.com
        linkaudit diff old.json new.json --store /var/lib/linkaudit --since 365d \\
            --host www.example.com
        linkaudit diff old.json new.json logs --host www.example.com \\
            --format markdown --baseline known.json
        git show main:aasa.json | linkaudit diff - aasa.json \\
            --host www.example.com
      """
  )

  @Argument(
    help: ArgumentHelp("The deployed association file; '-' for standard input.", valueName: "old"),
    completion: .file())
  var old: String

  @Argument(
    help: ArgumentHelp("The candidate association file; '-' for standard input.", valueName: "new"),
    completion: .file())
  var new: String

  /// The host that the files belong to.
  struct FileHostOptions: ParsableArguments {
    @Option(
      help: .usual(
        "Name the host of the association files, and of lines that record no host.",
        valueName: "host"))
    var host: String?
  }

  @OptionGroup(title: RequiredOptions.title)
  var hostOptions: FileHostOptions

  @OptionGroup(title: "App")
  var routeOptions: RouteOptions

  @OptionGroup(title: "App")
  var appOptions: AppOptions

  /// The formats of a comparison.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
    case csv
    case html
    case markdown
    case github
  }

  /// The format and the output of the comparison.
  struct ComparisonOptions: ParsableArguments {
    @OptionGroup
    var extentOptions: ExtentOptions

    @OptionGroup
    var formOptions: FormOptions<Format>

    @OptionGroup
    var commentOptions: CommentOptions

    @Option(help: "Write this table in CSV. (default: changes)")
    var table: TableOption<DiffReport>?

    @Option(
      help: .usual(
        "Fail from this severity on, with status 1. (default: never)",
        valueName: "severity"))
    var failOn: Severity?
  }

  @OptionGroup(title: "Report")
  var reportOptions: ComparisonOptions

  /// Whether requests count.
  struct ExtentOfComparison: ParsableArguments {
    @Flag(help: "Compare patterns only, even if the configuration names logs.")
    var patternsOnly = false
  }

  @OptionGroup(title: "Logs")
  var extent: ExtentOfComparison

  @OptionGroup
  var trafficOptions: TrafficOptions

  @OptionGroup(title: "Report")
  var baselineOptions: BaselineOptions

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  /// Whether the command line names the host, so that it takes precedence over one in a log's path.
  private var isHostNamed = false

  enum CodingKeys: String, CodingKey {
    case old, new, hostOptions, routeOptions, appOptions, reportOptions, extent, trafficOptions
    case baselineOptions, configurationOptions
  }

  private var host: String? { hostOptions.host }
  private var routes: [String] { routeOptions.routes }
  private var apps: [String] { appOptions.apps }
  private var format: Format? { reportOptions.formOptions.format }
  private var table: TableOption<DiffReport>? { reportOptions.table }
  private var top: Int? { reportOptions.extentOptions.top }
  private var failOn: Severity? { reportOptions.failOn }
  private var patternsOnly: Bool { extent.patternsOnly }

  /// Whether requests count, not the patterns alone.
  private var hasTraffic: Bool { !trafficOptions.logs.isEmpty || trafficOptions.store != nil }

  mutating func check() throws {
    isHostNamed = host != nil
    let configuration = try configurationOptions.load()
    try apply(configuration)
    try reportOptions.formOptions.check()
    hostOptions.host = try HostArgument.validated(try namedHost, allowsWildcard: true)
    for path in [old, new]
    where !LogRecognition.isAssociationFile(path)
      && LogRecognition.complaint(aboutFile: path, insteadOf: "an association file") != nil
    {
      throw ValidationError(
        "'\(path)' looks like an access log, not like an association file; pass logs after both "
          + "files: 'linkaudit diff OLD NEW \(path.inCommand) --host HOST'.")
    }
    try reportOptions.extentOptions.check()
    if table != nil, format != .csv {
      throw ValidationError("'--table' needs '--format csv'.")
    }
    try trafficOptions.check(configuration, askingStores: "diff OLD NEW", isOptional: true)
    try baselineOptions.check()
    try trafficOptions.logs.checkStandardInput(
      besides: [old, new] + routes, "an association file, the routes, a log, or the list of logs")
    if hasTraffic {
      if patternsOnly {
        throw ValidationError("'--patterns-only' reads no traffic; leave out logs and '--store'.")
      }
      return
    }
    if let table, table.name != DiffReport.patternChanges.name,
      table.name != DiffReport.findings.name
    {
      throw ValidationError("'--table \(table.name)' needs logs; pass some.")
    }
    // Comparing the patterns alone also when logs are configured is said on the command line.
    let silent = Configuration(path: configuration.path)
    IdleOptions(
      [ReadingOptions.self, JudgingOptions.self, RouteOptions.self],
      patternsOnly ? silent : configuration,
      except: ["--threshold", "--quiet", "--jobs", "--temporary-directory"]
    ).complain(because: "without logs, linkaudit compares the patterns alone")
  }

  /// The host.
  ///
  /// - Throws: `ValidationError` if none was named.
  private var namedHost: String {
    get throws {
      guard let host else {
        throw ValidationError(
          "no host; pass the host of the association files with '--host HOST'.")
      }
      return host
    }
  }

  /// Completes missing options from a configuration.
  private mutating func apply(_ configuration: Configuration) throws {
    var configuration = configuration
    if patternsOnly { (configuration.logs, configuration.rejects) = ([], nil) }
    try trafficOptions.apply(configuration)
    baselineOptions.apply(configuration)
    fill(&reportOptions.failOn, try configuration.value(\.failOn, "report.fail-on"))
    reportOptions.extentOptions.apply(configuration)
    let hosts = configuration.sites.flatMap(\.hosts)
    if host == nil, hosts.count == 1 { hostOptions.host = hosts.first }
    guard let site = host.flatMap({ configuration.site(of: $0.lowercased()) }) else { return }
    if routes.isEmpty { routeOptions.routes = site.routes }
    if routeOptions.routeSyntax.isEmpty, let name = site.routeSyntax {
      routeOptions.routeSyntax = [try configuration.value(name, "sites.route-syntax")]
    }
    if apps.isEmpty { appOptions.apps = site.apps }
  }

  func run() throws {
    let host = try namedHost
    let (oldSite, newSite) = try sites(host)
    let auditOptions = try trafficOptions.auditOptions
    let baseline = try baselineOptions.load()
    var patterns = PatternComparison(
      old: oldSite, new: newSite, thresholds: auditOptions.thresholds)
    guard hasTraffic else {
      try OutputFile.check(places, among: readFiles)
      try accept(&patterns.findings, baseline, host, isIncomplete: false)
      try write(DiffReport(old: oldSite, new: newSite, patterns: patterns, traffic: nil, top: top))
      return try ExitStatus.exit(findings: patterns.findings, failOn: failOn, isIncomplete: false)
    }
    let comparer = Comparer(old: oldSite, new: newSite, options: auditOptions)
    var outcome = try trafficOptions.judged(
      defaultHost: [host].onlyHost, isNamed: isHostNamed, places: places, files: readFiles
    ) { digest throws(JudgingError) in
      try comparer.compare(digest)
    }
    try accept(
      &outcome.judged.findings, baseline, host, isIncomplete: outcome.isIncomplete)
    try write(
      DiffReport(
        old: oldSite, new: newSite, patterns: patterns,
        traffic: (outcome.judged, outcome.digest),
        top: top))
    try ExitStatus.exit(
      findings: outcome.judged.findings, failOn: failOn, isIncomplete: outcome.isIncomplete)
  }

  /// Marks the findings that a baseline has.
  private func accept(
    _ findings: inout [Finding], _ baseline: Baseline?, _ host: String, isIncomplete: Bool
  ) throws {
    try baselineOptions.finish(
      baseline, isIncomplete: isIncomplete,
      Baseline.Check(findings: findings, of: .diff, hosts: [host])
    ) { findings.mark($0) }
  }

  /// The paths of all that is read but logs.
  private var readFiles: [String] {
    [old, new] + routes + configurationOptions.paths + baselineOptions.readPaths
  }

  private var places: [OutputFile.Place?] {
    [
      reportOptions.formOptions.place, reportOptions.commentOptions.place, baselineOptions.place,
    ]
  }

  /// Returns the site with each of the files and only the chosen apps.
  private func sites(_ host: String) throws -> (old: Site, new: Site) {
    let oldSite = try site(host, old, routeOptions)
    // Routes belong to the app, not to a file; they are read and reported once.
    var noRoutes = routeOptions
    noRoutes.routes = []
    let newSite = try site(host, new, noRoutes)
    guard !apps.isEmpty else { return (oldSite, newSite) }
    let known = (oldSite.file.entries + newSite.file.entries).flatMap(\.namedApps)
    let chosen = apps.map { ApplicationIdentifier($0) }
    if let unknown = chosen.first(where: { !known.contains($0) }) {
      let names = Set(known.map(\.text)).sorted().joined(separator: ", ")
      throw Complaint(
        "neither association file names the app '\(unknown.text)'; they name "
          + (names.isEmpty ? "none" : names))
    }
    return (oldSite.choosing(chosen), newSite.choosing(chosen))
  }

  /// The site with one of the files.
  private func site(_ host: String, _ path: String, _ routes: RouteOptions) throws -> Site {
    let definition = SiteOptions.Definition(host: host, path: path)
    return try SiteLoader(definitions: [definition], routeOptions: routes).loadSites()[0]
  }

  private func write(_ report: DiffReport) throws {
    let file = reportOptions.formOptions.file
    let (isFull, rows) = (reportOptions.extentOptions.full, top ?? 10)
    let document = report.document
    func markdown() -> String {
      document.markdown(isFull: true, top: isFull ? .max : rows, findingLimit: rows)
    }
    switch format ?? .text {
    case .text:
      // Without traffic, there is little more than the start.
      try file.write(
        document.text(
          isFull: isFull || report.traffic == nil, top: rows,
          style: reportOptions.formOptions.style))
    case .json: try file.write(report.writeJSON)
    case .markdown: try file.write(markdown())
    case .github: try file.write(GitHubAnnotations(report: report).text())
    case .html: try file.write(document.html(top: top))
    case .csv:
      let usual = report.traffic == nil ? DiffReport.patternChanges : DiffReport.pathGroupChanges
      try file.write { try (table?.table ?? usual).writeCSV(of: report, to: $0) }
    }
    try reportOptions.commentOptions.write(markdown)
  }
}
