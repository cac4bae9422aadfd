internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest

struct IngestCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest",
    abstract: "Add the new lines of logs to a store, each line once.",
    usage: """
      linkaudit ingest <log> ... --store <directory>
          [--aasa <file> --host <host>] [<options>]
      """,
    discussion: """
      Run it each night over all logs, old ones and the current one. linkaudit identifies a log \
      by its content, not by its name, compression or modification time. So each line counts \
      once, even if logs are rotated, compressed or still growing. An interrupted run \
      continues from its last commit.

      Prints nothing if all is well; '--summary' prints a line. The store keeps association \
      files with their first day: 'linkaudit report --store' judges each day by the files in \
      force then.

      The store keeps the counts of all requests, and daily figures for dashboards. The options \
      under STORED FIGURES apply to these figures only; 'linkaudit report --store' counts all \
      requests, and has its own options. 'linkaudit store rebuild' recomputes the figures.

      EXAMPLES
        linkaudit ingest /var/log/nginx --store /var/lib/linkaudit \\
            --aasa aasa.json --host www.example.com
        linkaudit ingest /var/log/nginx --store /var/lib/linkaudit \\
            --host www.example.com --keep 400d --summary
        linkaudit ingest --store /var/lib/linkaudit --deployed 2026-03-01 \\
            --aasa march.json --host www.example.com
      """
  )

  @OptionGroup(title: ConfigurationOptions.mainTitle) var storeOptions: StoreOptions
  @OptionGroup(title: "Association files") var siteOptions: SiteOptions

  @Option(help: .usual("Set the first day of these association files. (default: today)", "date"))
  var deployed: Day?

  @Option(help: .usual("Remove days older than this, such as 400d. (default: none)", "time"))
  var keep: DayCount?

  @Option(help: .rare("Commit after reading this many bytes of logs. (default: 4G)", "size"))
  var batch: MemorySize?

  @Flag(help: .usual("Print the number of added lines and requests."))
  var summary = false

  @OptionGroup var logOptions: LogOptions

  // Options of reports are parsed to explain that a store doesn't have them.
  @OptionGroup(visibility: .private) var timeOptions: TimeOptions
  @OptionGroup(visibility: .private) var rejectOptions: RejectOptions
  @OptionGroup(title: Self.figures) var routeOptions: RouteOptions
  @OptionGroup(title: Self.figures) var judgingOptions: JudgingOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  /// The title of options that are in force when figures are stored, and not when they are shown.
  static let figures = "Stored figures"

  func arguments(from configuration: Configuration) throws -> [String] {
    // A store keeps the requests that a report leaves out.
    try IdleOptions([TimeOptions.self, RejectOptions.self], configuration)
      .refuse(because: "a store counts all requests and keeps no lines")
    let sites =
      siteOptions.hasFile
      ? [] : configuration.siteOptions + configuration.routeOptions(routeOptions)
    let logs = logOptions.isEmpty ? configuration.logArguments : []
    if logOptions.isEmpty, logs.isEmpty {
      try IdleOptions([FormatOptions.self]).refuse(because: "no logs are ingested")
    }
    return configuration.options(of: [.reading, .judging, .resources, .store], for: Self.self)
      + sites + logs
  }

  func check() throws {
    let definitions = try siteOptions.definitionsIfAny()
    try refuse(
      if: logOptions.isEmpty && definitions.isEmpty,
      "no log; pass files or directories, or '--files-from FILE'.")
    try storeOptions.check()
    try refuse(
      if: logOptions.logs.contains("-"),
      "'-' can't be ingested: linkaudit can't recognize the data of a pipe later; pass files.")
    try refuse(
      if: deployed != nil && definitions.isEmpty,
      "'--deployed' needs association files, such as '--aasa FILE --host HOST'.")
    let paths = definitions.map(\.path) + loader(definitions).routesFiles.map(\.path)
    try logOptions.checkStandardInput(besides: paths)
  }

  private func loader(_ definitions: [SiteOptions.Definition]) -> SiteLoader {
    SiteLoader(definitions: definitions, routeOptions: routeOptions)
  }

  func run() throws {
    let definitions = try siteOptions.definitionsIfAny()
    var readingOptions = ReadingOptions()
    (readingOptions.logOptions, readingOptions.timeOptions) = (logOptions, timeOptions)
    readingOptions.rejectOptions = rejectOptions
    let reading = try LogReading(
      readingOptions,
      defaultHost: siteOptions.host?.lowercased() ?? definitions.compactMap(\.host).onlyHost,
      sites: definitions.compactMap(\.host))
    let hasLogs = !logOptions.isEmpty
    let inputs = hasLogs ? try reading.inputs(besides: storeOptions.directory) : []
    let emptyDigests = inputs.filter { $0.size == 0 && DigestFile.isUsualName($0.path) }
    for digest in emptyDigests {
      warn("'\(digest.path)' is empty, so it is not a digest; pass the logs that it was made from")
    }
    let options = try options(reading.reduction, definitions)
    let progress = Progress(
      total: inputs.reduce(0) { $0 &+ ($1.size ?? 0) }, isQuiet: logOptions.workerOptions.quiet)
    var (outcome, told) = (IngestOutcome(), 0)
    // The next run wouldn't report it again, so report it even if this one ends early.
    func tell(_ outcome: IngestOutcome) {
      guard outcome.notes.count > told else { return }
      progress.finish()
      for (path, note) in outcome.notes[told...] { complain(note, about: path) }
      told = outcome.notes.count
    }
    do {
      defer {
        progress.finish()
        for replacement in outcome.replacements { complain(replacement) }
        tell(outcome)
        complainOfNameless(outcome)
        complainOfFuture(outcome)
      }
      let store = try storeOptions.changing(isMade: true)
      try StoreIngest(store, options: options).run(
        inputs, &outcome, progress: { progress.add(bytes: $0, lines: $1) }, committed: tell)
    }
    try BrokenPipe.isNoError {
      if summary { try StandardStreams.write(outcome.summary + "\n") }
    }
    let unopened = Set(outcome.notes.compactMap { $0.kind.isUnopened ? $0.path : nil })
    if hasLogs, unopened.count == inputs.count {
      throw Complaint("nothing was ingested: no log could be read")
    }
    if outcome.isIncomplete || !emptyDigests.isEmpty { throw ExitStatus.failure }
  }

  private func options(
    _ reduction: ReductionOptions, _ definitions: [SiteOptions.Definition]
  ) throws -> IngestOptions {
    var options = IngestOptions(
      reduction: reduction, audit: try judgingOptions.auditOptions(jobs: logOptions.workers))
    options.deployed = zip(definitions, try definitions.load()).map { definition, loaded in
      (definition.host ?? "", loaded.path ?? "standard input", loaded.content)
    }
    options.routes = try loader(definitions).loadRoutes(hosts: definitions.compactMap(\.host))
    (options.deployedSince, options.keptDays) = (deployed, keep?.days)
    if let batch { options.batchSize = batch.bytes }
    return options
  }

  /// Reports days after tomorrow, which come from wrong clocks or misread dates.
  private func complainOfFuture(_ outcome: IngestOutcome) {
    let today = LogTime.now.day
    let days = outcome.countedDays.compactMap(\.self).filter { $0.isDoubtful(today: today) }
    guard let first = days.first else { return }
    warn(
      "new requests are dated \(first)"
        + (days.count > 1 ? " and \((days.count - 1).counted("later day"))" : "")
        + ", in the future; check the clock of the server, and remove the day with 'linkaudit store "
        + "remove-day \(first) --store \(storeOptions.directory.inCommand)'")
  }

  /// Reports logs without hosts in one message: if the option was forgotten, it concerns all.
  private func complainOfNameless(_ outcome: IngestOutcome) {
    let nameless = outcome.notes.filter { if case .nameless = $0.kind { true } else { false } }
    guard let first = nameless.first else { return }
    let others = nameless.count > 1 ? " and of \((nameless.count - 1).counted("other log"))" : ""
    let remedy =
      logOptions.hostOptions.hostFromPath.map {
        "'--host-from-path \($0)' doesn't fit the path; fix it, or pass '--host HOST'"
      } ?? "pass '--host HOST' or '--host-from-path PATTERN'"
    warn(
      "the lines of '\(first.path)'\(others) record no host, so they would count for no site, and "
        + "were not ingested; \(remedy)")
  }

  private func complain(_ replacement: FileReplacement) {
    let (path, other) = (replacement.path, replacement.replacedPath)
    let span =
      "from \(replacement.day) on" + (replacement.isFirst ? ", and for all days before" : "")
    warn(
      (path == other
        ? "another version of '\(path)' replaces the ingested one"
        : "'\(path)' replaces the ingested file '\(other)'")
        + " of the same day: it is in force on \(replacement.host) \(span)"
        + (deployed == nil
          ? "; if both were in force, ingest each with its first day, as in '--deployed 2026-03-01'"
          : ""))
  }

  private func complain(_ note: IngestNote, about log: String) {
    switch note {
    case .damaged(let damage, let lines): damage.complain(about: "'\(log)'", lines: lines)
    case .unsupported:
      warn("'\(log)' can't be read twice, as a pipe, so it was skipped; ingest regular files")
    case .unsteady:
      warn("'\(log)' changed while it was read, three times; the next run ingests it")
    case .unread(let start): complain(of: log, start)
    case .unfit(let lines, let format, let start):
      if !start.isEmpty { complain(of: log, start) }
      // A file that no format fits has its line; files next to logs are seen each night.
      guard !DigestFile.isStart(start),
        format != nil || start.isEmpty || LogFormat.isErrorLog(start)
      else { return }
      warn(
        "'\(log)': none of \(lines.counted("line")) is a request"
          + (format.map {
            " in the format '\($0)'; the log was skipped: ingest it with the right '--log-format'"
          }
            ?? "; the file was skipped: if it is a log, ingest it with '--log-format'"))
    case .misread(let format, let lacksTimes, let doubt):
      warn(
        "'\(log)' was read as '\(format)', but "
          + (doubt.map(\.sentence)
            ?? (lacksTimes
              ? "no line has a valid time"
              : "its lines have browser names outside the user agent"))
          + ", so the format is probably wrong, and the log was skipped; check it with 'linkaudit "
          + "formats test', and name the right one with '--log-format'")
    case .ambiguousDates: LogReading.complainOfAmbiguousDates("'\(log)'")
    case .nameless: break
    case .copy(let path):
      warn(
        "'\(log)' has only lines that '\(path)' begins with, which count already, so nothing "
          + "was added; if it is the log of another server, its lines count once the logs differ")
    case .twin(let path):
      warn(
        "'\(log)' begins with all lines of '\(path)', which count once; if two servers wrote "
          + "them, add the server's name to the log format")
    case .alike(let path):
      warn(
        "'\(log)' begins with the same lines as '\(path)', but continues differently, so all "
          + "lines of both count; if one is an edited copy of the other, the shared lines count twice"
      )
    case .unfinished: warn("'\(log)' has no complete line yet; a later run counts it")
    case .diverged(let path):
      warn(
        "the end of '\(log)' has changed since it was read as '\(path)'; the lines after the "
          + "last common place were counted, up to 64 KiB of them perhaps twice")
    }
  }

  private func complain(of path: String, _ start: [UInt8]) {
    if DigestFile.isStart(start) {
      warn("'\(path)' is a digest, so it was skipped; ingest the logs that it was made from")
    } else if !LogFormat.isErrorLog(start) {
      // Logs of errors are next to those of requests, and directories are named whole.
      UnreadLog(path: path, start: start, named: try? logOptions.formatOptions.chosen())
        .complain(isAmongLogs: true)
    }
  }
}

extension IngestNote {
  fileprivate var isUnopened: Bool {
    switch self {
    case .damaged(let damage, lines: 0): damage.isUnopened
    case .unsupported, .unfit, .misread: true
    default: false
    }
  }
}

extension IngestOutcome {
  var summary: String {
    let known = files - newFiles
    var text = "\(newFiles.counted("log")) with \(tally.lines.counted("new line"))"
    text += ", \(tally.requests.counted("request"))"
    if tally.rejected > 0 { text += ", \(tally.rejected.grouped) rejected" }
    let dated = countedDays.compactMap { $0 }
    if let first = dated.first, let last = dated.last {
      text += first == last ? ", of \(first)" : ", of \(first) to \(last)"
    }
    text += "; \(known.counted("log")) with none"
    if !removedDays.isEmpty { text += "; \(removedDays.count.counted("day")) removed" }
    if isIncomplete { text += "; incomplete" }
    return text
  }
}
