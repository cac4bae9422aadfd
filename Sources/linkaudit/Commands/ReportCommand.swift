internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Audits logs.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Report which visits the app claims, and what keeps them on the web.",
    discussion: """
      LOG is a file, a directory (all files in it and below), '-' for standard input, or a \
      pattern that the shell has left as it is, with '*', '?', '[a-z]', and '**' for \
      directories of any depth. Compression is told by the first bytes, never by the name.

      A claimed visit in a log is a visit that did not open the app: when the app opens, \
      the server is not asked.

      EXAMPLES
        linkaudit report access.log.gz --aasa aasa.json --host www.example.com
        zcat logs/*.gz | linkaudit report - --aasa aasa.json --host www.example.com
        linkaudit report logs --site www.example.com=a.json \\
            --site m.example.com=b.json
        linkaudit report logs --aasa aasa.json --host www.example.com --format csv \\
            --table unclaimed -o unclaimed.csv
        linkaudit report logs --aasa aasa.json --host www.example.com --fail-on error
      """
  )

  @OptionGroup
  var inputOptions: InputOptions

  @OptionGroup
  var configurationOptions: ConfigurationOptions

  @OptionGroup(title: "Site options")
  var siteOptions: SiteOptions

  @Option(
    help: ArgumentHelp(
      "What the app implements: a route a line, such as '/buy/:id'. HOST=FILE for one site of several.",
      valueName: "file"),
    completion: .file())
  var routes: [String] = []

  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "An app that counts; all that the file names unless given. HOST=ID for one site of several. May be repeated.",
      valueName: "id"))
  var apps: [String] = []

  @Option(
    help: ArgumentHelp(
      "The host of lines that name none, from the path of their log, such as '{host}-access'.",
      valueName: "pattern"))
  var hostFromPath: String?

  @Option(
    help: ArgumentHelp(
      "A path whose requests don't count, such as '/healthz' or '/internal/*'. May be repeated.",
      valueName: "path"))
  var ignore: [String] = []

  @Option(
    help: ArgumentHelp(
      "The extensions of paths that aren't pages, in place of the usual ones, such as 'css,js,png'.",
      valueName: "list"))
  var assetExtensions: String?

  @OptionGroup(title: "Format options")
  var formatOptions: FormatOptions

  @OptionGroup(title: "Time options")
  var timeOptions: TimeOptions

  @OptionGroup(title: "Rejected lines")
  var rejectOptions: RejectOptions

  @Option(
    help: ArgumentHelp("The number of workers; one for each core unless given.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "How much memory tables may take, such as 64M; what is more goes to temporary files. (default: 1G)",
      valueName: "size"))
  var memory: MemorySize?

  @Option(
    help: ArgumentHelp(
      "Where temporary files go; $TMPDIR or /tmp unless given.", valueName: "directory"),
    completion: .directory)
  var temporaryDirectory: String?

  @Option(
    help: ArgumentHelp(
      "How many different names one directory may have before they fold into '{*}'. (default: 100)",
      valueName: "n"))
  var fanOut: Int?

  @Option(
    help: ArgumentHelp(
      "Rows per table: 10 in text unless given, all in other forms.", valueName: "n"))
  var top: Int?

  @OptionGroup(title: "Filters")
  var filterOptions: FilterOptions

  @Option(help: "The form of the report. (default: text)")
  var format: ReportFormat?

  @Option(help: "The table of a report in CSV.")
  var table: ReportTable?

  @Option(
    help: "Exit with status 1 if there is a finding of this severity or a higher one.")
  var failOn: Finding.Severity?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where the report goes; '-' for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  private static let jobLimit = 256

  /// Tables of less would be written all the time.
  private static let leastMemory = MemorySize(bytes: 1 << 20)

  mutating func validate() throws {
    try apply(try configurationOptions.load())
    if inputOptions.logs.isEmpty, inputOptions.filesFrom.isEmpty {
      throw ValidationError(
        "no log is named; name files or directories, or '--files-from FILE'.")
    }
    if let jobs, jobs < 1 {
      throw ValidationError("'--jobs' must be at least 1, but it is \(jobs).")
    }
    if let jobs, jobs > Self.jobLimit {
      throw ValidationError("'--jobs' can be \(Self.jobLimit) at most, but it is \(jobs).")
    }
    if let memory, memory.bytes < Self.leastMemory.bytes {
      throw ValidationError(
        "'--memory' must be at least \(Self.leastMemory.defaultValueDescription), but it is "
          + "\(memory.defaultValueDescription).")
    }
    if let top, top < 1 { throw ValidationError("'--top' must be at least 1, but it is \(top).") }
    if let fanOut, fanOut < 1 {
      throw ValidationError("'--fan-out' must be at least 1, but it is \(fanOut).")
    }
    if table != nil, format != .csv {
      throw ValidationError("'--table' goes with '--format csv'.")
    }
    _ = try formatOptions.chosen()
    _ = try hostPattern()
    try checkPaths()
    let definitions = try siteOptions.definitions(needsHost: true)
    let others = definitions.map(\.path) + routesFiles(of: definitions).map(\.path)
    if (others + inputOptions.standardInputs).count(where: { $0 == "-" }) > 1 {
      throw ValidationError(
        "only one of logs, their list, association files and routes can be '-'.")
    }
  }

  func run() throws {
    let sites = try loadSites()
    let (inputs, problems) = try inputOptions.discover()
    report(problems)
    if inputs.isEmpty { throw Complaint("there is nothing to read") }
    try checkOutput(inputs)

    let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    var options = ReductionOptions(
      defaultHost: siteOptions.host?.lowercased() ?? sites.onlyHost,
      format: try formatOptions.chosen(), jobs: jobs)
    // A host that is named wins over one that a path tells.
    if siteOptions.host == nil { options.hostPattern = try hostPattern() }
    options.memoryLimit = memory?.bytes ?? ReductionOptions.defaultMemoryLimit
    options.timeSpan = try timeOptions.span()
    options.keepsRejectedLines = rejectOptions.rejects != nil
    options.temporaryDirectory =
      temporaryDirectory ?? ProcessInfo.processInfo.environment["TMPDIR"].flatMap {
        $0.isEmpty ? nil : $0
      } ?? "/tmp"
    let sizes = inputs.map(\.size)
    let progress = Progress(
      total: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 &+ ($1 ?? 0) }, isQuiet: quiet)
    let (digest, audit) = try audit(inputs, sites, options, progress)
    try rejectOptions.keep(digest)
    let isDamaged = try report(digest, named: options.format)
    let hasManyRejects = rejectOptions.exceeds(digest)
    if digest.inputs.allSatisfy({ $0.damage?.isUnopened ?? false }) {
      throw Complaint("there is nothing to report: none of the logs could be read")
    }
    do {
      try write(audit, digest)
    } catch is BrokenPipe {
      // Whoever read the report has seen enough; the exit status still counts.
    }
    try exit(audit, isDamaged: isDamaged || hasManyRejects)
  }

  private func audit(
    _ inputs: [LogInput], _ sites: [Site], _ options: ReductionOptions, _ progress: Progress
  ) throws -> (TrafficDigest, Audit) {
    var auditOptions = AuditOptions(jobs: options.jobs)
    if let fanOut { auditOptions.fanOut = fanOut }
    auditOptions.ignoredPaths = IgnoredPaths(ignore)
    if let assetExtensions { auditOptions.assetExtensions = AssetExtensions(assetExtensions) }
    auditOptions.filter = try filterOptions.filter()
    defer { progress.finish() }
    do throws(DigestFileError) {
      let digest = try TrafficDigest.reduce(inputs, options: options) {
        progress.add(bytes: $0, lines: $1)
      }
      progress.finish()
      return (digest, try Auditor(sites: sites, options: auditOptions).audit(digest))
    } catch {
      throw Complaint(error)
    }
  }

  private func hostPattern() throws -> HostPattern? {
    guard let hostFromPath else { return nil }
    guard let pattern = HostPattern(hostFromPath) else {
      throw ValidationError(
        "'--host-from-path \(hostFromPath)' must hold '{host}' once, and behind it what ends a host, as in '{host}-access'."
      )
    }
    return pattern
  }

  private func checkPaths() throws {
    for path in ignore where !path.hasPrefix("/") && !path.hasPrefix("*") {
      throw ValidationError(
        "'--ignore \(path)' is not a path; it begins with '/', as '/healthz' or '/internal/*'.")
    }
    if let assetExtensions, assetExtensions.contains(where: { "/*?".contains($0) }) {
      throw ValidationError(
        "'--asset-extensions \(assetExtensions)' is not a list of extensions, as 'css,js,png'.")
    }
  }

  /// Refuses to write the report over what it is made from.
  private func checkOutput(_ inputs: [LogInput]) throws {
    if let rejects = rejectOptions.rejects, let output, output != "-",
      OutputFile.isSamePlace(rejects, output)
    {
      throw ValidationError("'--rejects' and '--output' name the same file, '\(output)'.")
    }
    if let rejects = rejectOptions.rejects {
      try checkOutput(rejects, option: "--rejects", inputs)
    }
    if let output, output != "-" { try checkOutput(output, option: "--output", inputs) }
  }

  private func checkOutput(_ output: String, option: String, _ inputs: [LogInput]) throws {
    guard let target = OutputFile.Identity(output) else { return }
    let definitions = try siteOptions.definitions(needsHost: true)
    let files = definitions.map(\.path) + routesFiles(of: definitions).map(\.path)
    for path in inputs.map(\.path) + files + inputOptions.lists + configurationOptions.paths
    where OutputFile.Identity(path) == target {
      throw ValidationError(
        "'\(option) \(output)' would replace '\(path)', which is read; choose another name.")
    }
  }

  private func write(_ audit: Audit, _ digest: TrafficDigest) throws {
    let file = OutputFile(output)
    switch format ?? .text {
    case .text:
      let report = TextReport(
        audit: audit, digest: digest, top: top ?? 10,
        style: Style(isTerminal: file.isTerminal))
      try file.write(report.text())
    case .json:
      try file.write(JSONReport(audit: audit, digest: digest, top: top).text())
    case .csv:
      try file.write(
        CSVReport(audit: audit, clients: digest.clients, top: top).text(table ?? .rules))
    case .html:
      try file.write(HTMLReport(audit: audit, digest: digest, top: top).text())
    }
  }

  private func exit(_ audit: Audit, isDamaged: Bool) throws {
    // That figures are incomplete matters more than what they say.
    if isDamaged { throw ExitStatus.failure }
    if let failOn, audit.findings.contains(where: { $0.severity >= failOn }) {
      throw ExitStatus.findings
    }
  }
}

extension [Site] {
  /// The host of the only site, if there is only one and it has one host.
  fileprivate var onlyHost: String? {
    guard count == 1, let host = first?.host, !host.hasPrefix("*") else { return nil }
    return host
  }
}

extension LogDamage {
  /// A Boolean value indicating whether the input could not be opened at all.
  fileprivate var isUnopened: Bool {
    switch kind {
    case .system, .unsupported: offset == 0
    default: false
    }
  }
}
