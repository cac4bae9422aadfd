internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest
internal import UniversalLinks

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
  @OptionGroup(title: ConfigurationOptions.mainTitle) var siteOptions: SiteOptions
  @OptionGroup(title: "App") var routeOptions: RouteOptions
  @OptionGroup(title: "App") var appOptions: AppOptions
  @OptionGroup(title: "Report") var reportOptions: ReportOptions
  @OptionGroup var trafficOptions: TrafficOptions
  @OptionGroup(title: "Report") var baselineOptions: BaselineOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  private var store: String? { trafficOptions.store }

  func arguments(from configuration: Configuration) throws -> [String] {
    let traffic = try trafficOptions.arguments(
      from: configuration, [.place, .result, .baseline], for: Self.self,
      except: try reportOptions.ignoredKeys(of: configuration))
    // A store knows the files in force on each day, so it needs none.
    let sites =
      siteOptions.hasFile
      ? []
      : (store == nil ? configuration.siteOptions : [])
        + configuration.routeOptions(routeOptions)
        + (appOptions.apps.isEmpty ? configuration.appOptions : [])
    return traffic.options + sites + traffic.logs
  }

  mutating func check() throws {
    try trafficOptions.check("report")
    try reportOptions.check()
    let hosts = Set(try definitions().compactMap(\.host))
    for case let host? in routeOptions.routeSyntax.map(\.host)
    where store == nil && !hosts.contains(host) {
      throw ValidationError(
        "'--route-syntax' names '\(host)', which is not a site; pass it with '--site'.")
    }
    try trafficOptions.logs.checkStandardInput(besides: try files())
  }

  private func definitions() throws -> [SiteOptions.Definition] {
    store == nil
      ? try siteOptions.definitions(needsHost: true) : try siteOptions.definitionsIfAny()
  }

  private func loader() throws -> SiteLoader {
    SiteLoader(definitions: try definitions(), routeOptions: routeOptions, apps: appOptions.apps)
  }

  private func files() throws -> [String] {
    try definitions().map(\.path) + loader().routesFiles.map(\.path)
  }

  /// A description of the options; reports on a store with equal scopes are compared.
  private var scope: String {
    let judging = trafficOptions.judgingOptions
    let times = trafficOptions.readingOptions.timeOptions
    let filters = judging.filterOptions
    let parts: [(name: String, values: [String?])] = [
      ("since", [times.since]), ("until", [times.until]),
      ("aasa", [siteOptions.associationFile]), ("host", [siteOptions.host]),
      ("site", siteOptions.sites), ("app", appOptions.apps), ("routes", routeOptions.routes),
      ("ignore", judging.ignore), ("callback", judging.callback),
      ("threshold", judging.threshold), ("platform", filters.platform),
      ("status", filters.status), ("include-bots", [filters.includeBots ? "yes" : nil]),
    ]
    return parts.compactMap { name, values -> String? in
      let values = values.compactMap(\.self)
      return values.isEmpty ? nil : "--\(name) \(values.joined(separator: ","))"
    }.joined(separator: " ")
  }

  func run() throws {
    let read = try files() + configurationOptions.paths + baselineOptions.readPaths
    if let store {
      try OutputFile.check(places, among: read)
      return try finish(try runStored(store), try baselineOptions.load())
    }
    let sites = try loader().loadSites()
    let baseline = try baselineOptions.load()
    let auditor = Auditor(sites: sites, options: try trafficOptions.auditOptions)
    let hosts = sites.map(\.host)
    let outcome = try trafficOptions.judged(
      defaultHost: siteOptions.host?.lowercased() ?? hosts.onlyHost, sites: hosts, places: places,
      files: read, judge: auditor.audit)
    try finish(outcome, baseline)
  }

  private func runStored(_ directory: String) throws -> LogReading.Outcome<Audit> {
    let reading = try StoreReading(directory, trafficOptions.readingOptions)
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
    let auditor = Auditor(histories: sites, options: try trafficOptions.auditOptions)
    var outcome = try reading.judged(auditor.audit)
    try reading.compare(&outcome.judged, scope: scope)
    return outcome
  }

  private func finish(_ outcome: LogReading.Outcome<Audit>, _ baseline: Baseline?) throws {
    var outcome = outcome
    // A gate must not pass on nothing.
    if reportOptions.failOn != nil,
      let reason = outcome.judged.reasonForNothing(of: outcome.digest.tally.requests)
    {
      warn("nothing was counted: \(reason)")
      outcome.isIncomplete = true
    }
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
}

extension Audit {
  fileprivate func reasonForNothing(of requests: Int) -> String? {
    guard requests > 0, otherHosts.requests == requests else { return nil }
    let name = otherHosts.rows.first { !$0.host.isEmpty }?.name
    return
      "\(requests == 1 ? "the only request is" : "all \(requests.counted("request")) are") for "
      + (name.map { "other hosts, such as '\(SafeText.escaped($0))'" } ?? "no host")
      + "; check '--host' and '--site'"
  }
}

// MARK: - Output

extension ReportCommand {
  private func write(_ audit: Audit, _ digest: TrafficDigest) throws {
    guard let outputDirectory = reportOptions.outputDirectory else {
      let file = OutputFile(reportOptions.output)
      return try file.finish(
        try draft(reportOptions.format ?? .text, reportOptions.table?.table, audit, digest, file))
    }
    let made: [String]
    do throws(Errno) {
      made = try OutputDirectory.make(outputDirectory)
    } catch {
      throw Complaint(
        "cannot make the directory '\(outputDirectory)': \(error); "
          + error.writingRemedy("--output-directory"))
    }
    // None gets its name before all are complete, so that they are of one report.
    var drafts: [(file: OutputFile, draft: FileDraft?)] = []
    defer {
      for (_, draft) in drafts { draft?.discard() }
      OutputDirectory.removeEmpty(made)
    }
    for entry in directoryFiles {
      // It replaces any file of that name there, and changes none elsewhere.
      let file = OutputFile(
        OutputFile.path(of: entry.name, in: outputDirectory), option: "--output-directory",
        followsLinks: false)
      drafts.append((file, try draft(entry.format, entry.table, audit, digest, file)))
    }
    for (file, draft) in drafts { try file.finish(draft) }
    complainAboutLeftovers(in: outputDirectory)
  }

  private func draft(
    _ format: ReportFormat, _ table: Table<Report>?, _ audit: Audit, _ digest: TrafficDigest,
    _ file: OutputFile
  ) throws -> FileDraft? {
    let report = Report(
      audit: audit, digest: digest, top: reportOptions.extentOptions.top,
      words: [.text, .html, .markdown].contains(format) ? words : nil)
    let (isFull, top) = (reportOptions.extentOptions.full, report.top ?? 10)
    switch format {
    case .text:
      let style = reportOptions.formOptions.styleOptions.style(for: file)
      return try file.draft(report.document.text(isFull: isFull, top: top, style: style))
    case .json: return try file.draft(report.writeJSON)
    case .csv: return try file.draft { try (table ?? Report.rules).writeCSV(of: report, to: $0) }
    case .html: return try file.draft(report.document.html(top: report.top))
    case .ndjson: return try file.draft(report.writeNDJSON)
    case .markdown:
      return try file.draft(
        report.document.markdown(isFull: isFull, top: top, findingLimit: isFull ? .max : top))
    case .openmetrics: return try file.draft(report.writeOpenMetrics)
    }
  }

  private var words: ReportWords {
    let format = trafficOptions.logs.formatOptions
    let elements = TypedArguments().elements(KnownOptions(of: Self.self))
    return ReportWords(
      logs: elements.filter { $0.option == nil }.map(\.word),
      options: elements.compactMap { word, option, value in
        guard let option, option.changesFigures else { return nil }
        return value.map { [option.name, $0] } ?? [word]
      }, format: ["--log-format": format.logFormat, "--json-keys": format.jsonKeys])
  }

  private func complainAboutLeftovers(in directory: String) {
    let written = Set(directoryFiles.map(\.name))
    let all =
      Report.tables.map { $0.name + "." + ReportFormat.csv.filenameExtension }
      + ReportFormat.allCases.map { "report." + $0.filenameExtension }
    let left = all.filter {
      !written.contains($0)
        && (try? Stat(FilePath(OutputFile.path(of: $0, in: directory)))) != nil
    }.sorted()
    guard !left.isEmpty else { return }
    warn(
      "'\(directory)' still has \(left.count.counted("file")) of an earlier report: "
        + left.listed(upTo: 3))
  }

  private var directoryFiles: [(name: String, format: ReportFormat, table: Table<Report>?)] {
    (reportOptions.format.map { [$0] } ?? [.csv, .json, .html]).flatMap { format in
      let chosen = reportOptions.table.map { [$0.table] } ?? Report.tables
      let tables: [Table<Report>?] = format == .csv ? chosen : [nil]
      return tables.map { ("\($0?.name ?? "report").\(format.filenameExtension)", format, $0) }
    }
  }

  private var places: [OutputFile.Place?] {
    let directory = reportOptions.outputDirectory
    return [OutputFile.Place("--output", reportOptions.output), baselineOptions.place]
      + directoryFiles.map { file in
        directory.flatMap {
          OutputFile.Place("--output-directory", $0, path: OutputFile.path(of: file.name, in: $0))
        }
      }
  }
}
