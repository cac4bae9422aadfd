internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest
internal import UniversalLinks

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
    help: .rare("The deployed association file; '-' for standard input.", "old"),
    completion: .file())
  var old: String

  @Argument(
    help: .rare("The candidate association file; '-' for standard input.", "new"),
    completion: .file())
  var new: String

  @Option(
    help: .usual("Name the host of the files, and of lines without one.", "host"),
    transform: HostArgument.pattern)
  var host: String?

  @OptionGroup(title: "App") var routeOptions: RouteOptions
  @OptionGroup(title: "App") var appOptions: AppOptions

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, csv, html, markdown, github
  }

  @OptionGroup(title: "Report") var extentOptions: ExtentOptions
  @OptionGroup(title: "Report") var formOptions: FormOptions<Format>
  @OptionGroup(title: "Report") var commentOptions: CommentOptions

  @Option(help: "Write this table in CSV. (default: changes)")
  var table: TableOption<DiffReport>?

  @Option(help: .usual("Fail from this severity on, with status 1. (default: never)", "severity"))
  var failOn: Severity?

  @Flag(help: "Compare patterns only, even if the configuration names logs.")
  var patternsOnly = false

  @OptionGroup var trafficOptions: TrafficOptions
  @OptionGroup(title: "Report") var baselineOptions: BaselineOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  private var hasTraffic: Bool { !trafficOptions.logs.isEmpty || trafficOptions.store != nil }

  func arguments(from configuration: Configuration) throws -> [String] {
    let traffic = try trafficOptions.arguments(
      from: configuration, [.result, .baseline], for: Self.self)
    let logs = patternsOnly ? [] : traffic.logs
    if !hasTraffic, logs.isEmpty {
      // Comparing the patterns alone also when logs are configured is said on the command line.
      IdleOptions(
        [ReadingOptions.self, JudgingOptions.self, RouteOptions.self],
        patternsOnly ? Configuration() : configuration,
        except: ["--threshold", "--quiet", "--jobs", "--temporary-directory"]
      ).complain(because: "without logs, linkaudit compares the patterns alone")
    }
    let host = host ?? configuration.onlyHost
    guard let host, let site = configuration.site(of: host) else { return traffic.options + logs }
    return traffic.options + (self.host == nil ? ["--host=\(host)"] : [])
      + site.routeOptions(routeOptions)
      + (appOptions.apps.isEmpty ? site.apps : []).map { "--app=\($0)" } + logs
  }

  mutating func check() throws {
    try formOptions.check()
    try refuse(
      if: host == nil, "no host; pass the host of the association files with '--host HOST'.")
    for path in [old, new]
    where !LogRecognition.isAssociationFile(path)
      && LogRecognition.complaint(aboutFile: path, insteadOf: "an association file") != nil
    {
      throw ValidationError(
        "'\(path)' looks like an access log, not like an association file; pass logs after both "
          + "files: 'linkaudit diff OLD NEW \(path.inCommand) --host HOST'.")
    }
    try refuse(if: table != nil && formOptions.format != .csv, "'--table' needs '--format csv'.")
    try trafficOptions.logs.checkStandardInput(besides: [old, new] + routeOptions.routes)
    try refuse(
      if: hasTraffic && patternsOnly,
      "'--patterns-only' reads no traffic; leave out logs and '--store'.")
    if !hasTraffic, let name = table?.table.name,
      ![DiffReport.patternChanges.name, DiffReport.findings.name].contains(name)
    {
      throw ValidationError("'--table \(name)' needs logs; pass some.")
    }
  }

  func run() throws {
    let host = host ?? ""
    let sites = try SiteLoader(
      definitions: [old, new].map { SiteOptions.Definition(host: host, path: $0) },
      routeOptions: routeOptions, apps: appOptions.apps
    ).loadSites()
    let (oldSite, newSite) = (sites[0], sites[1])
    let auditOptions = try trafficOptions.auditOptions
    let baseline = try baselineOptions.load()
    var patterns = PatternComparison(
      old: oldSite, new: newSite, thresholds: auditOptions.thresholds)
    let files =
      [old, new] + routeOptions.routes + configurationOptions.paths + baselineOptions.readPaths
    let places = [formOptions.place, commentOptions.place, baselineOptions.place]
    var outcome: LogReading.Outcome<Comparison>?
    if hasTraffic {
      let comparer = Comparer(old: oldSite, new: newSite, options: auditOptions)
      outcome = try trafficOptions.judged(
        defaultHost: [host].onlyHost, places: places, files: files, judge: comparer.compare)
    } else {
      try OutputFile.check(places, among: files)
    }
    var findings = outcome?.judged.findings ?? patterns.findings
    let isIncomplete = outcome?.isIncomplete ?? false
    try baselineOptions.finish(
      baseline, isIncomplete: isIncomplete,
      Baseline.Check(findings: findings, of: .diff, hosts: [host])
    ) { findings.mark($0) }
    if outcome == nil { patterns.findings = findings }
    outcome?.judged.findings = findings
    try write(
      DiffReport(
        old: oldSite, new: newSite, patterns: patterns,
        traffic: outcome.map { (comparison: $0.judged, digest: $0.digest) }, top: extentOptions.top)
    )
    try ExitStatus.exit(findings: findings, failOn: failOn, isIncomplete: isIncomplete)
  }

  private func write(_ report: DiffReport) throws {
    let file = formOptions.file
    let (isFull, rows) = (extentOptions.full, extentOptions.top ?? 10)
    let document = report.document
    func markdown() -> String {
      document.markdown(isFull: true, top: isFull ? .max : rows, findingLimit: rows)
    }
    switch formOptions.format ?? .text {
    case .text:
      // Without traffic, there is little more than the start.
      try file.write(
        document.text(
          isFull: isFull || report.traffic == nil, top: rows, style: formOptions.style))
    case .json: try file.write(report.writeJSON)
    case .markdown: try file.write(markdown())
    case .github: try file.write(report.annotations)
    case .html: try file.write(document.html(top: extentOptions.top))
    case .csv:
      let usual = report.traffic == nil ? DiffReport.patternChanges : DiffReport.pathGroupChanges
      try file.write { try (table?.table ?? usual).writeCSV(of: report, to: $0) }
    }
    try commentOptions.write(markdown)
  }
}
