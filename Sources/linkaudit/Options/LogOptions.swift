internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest

struct LogListOptions: ParsableArguments {
  @Option(
    help: .rare("Read paths of logs from this file, or from '-'; repeatable.", "file"),
    completion: .file())
  var filesFrom: [String] = []

  @Option(help: .rare("Use this name for standard input. (default: -)", "path"))
  var stdinName: String?
}

struct HostOptions: ParsableArguments {
  @Option(help: .rare("Take missing hosts from the log's path, as in '{host}-access'.", "pattern"))
  var hostFromPath: String?

  @Flag(help: "Accept the host of lines without one, even if referrers name another host.")
  var hostConfirmed = false

  @Option(
    help: .rare("Treat this host as a click tracker of yours; repeatable.", "host"),
    transform: HostArgument.pattern)
  var trackerHost: [String] = []

  @Option(
    help: .rare("Treat this host as yours, too; repeatable.", "host"),
    transform: HostArgument.pattern)
  var ownHost: [String] = []
}

struct MemoryOptions: ParsableArguments {
  @Option(
    help: .rare(
      "Use this much memory for tables, such as 64M; beyond it, linkaudit spills to temporary files. (default: a quarter of the memory that the system leaves, at least 256M)",
      "size"),
    transform: MemorySize.reading(
      MemoryPlan.leastTables..., "must be at least 1M; add a unit, as in '64M' or '2G'"))
  var memory: Int?
}

struct LogOptions: ParsableArguments {
  @Argument(
    help: .rare("Access logs: files, directories, patterns, or '-'.", "log"), completion: .file())
  var logs: [String] = []

  @OptionGroup(title: "Logs") var listOptions: LogListOptions
  @OptionGroup(title: "Log format") var formatOptions: FormatOptions
  @OptionGroup(title: "Hosts") var hostOptions: HostOptions
  @OptionGroup(title: "Resources") var memoryOptions: MemoryOptions
  @OptionGroup(title: "Resources") var workerOptions: WorkerOptions

  func validate() throws {
    _ = try hostPattern()
    try Self.refuseStores(among: logs, insteadOf: "log")
    if let name = listOptions.stdinName, !logs.contains("-") {
      throw ValidationError(
        "'--stdin-name \(name)' names standard input, which is not read; add '-' to the logs, or "
          + "leave the option out.")
    }
    try refuse(
      if: standardInputs.contains("-") && StandardStreams.isTerminal(.standardInput),
      "'-' is standard input, which is the terminal here; use a pipe, as in "
        + "'zcat access.log.gz | linkaudit report - …'.")
    // A shell can name thousands.
    for path in logs.prefix(64) {
      try refuse(
        if: path.isEmpty, "the name of a log is empty; a variable of the shell may be unset.")
      // Logs may not be opened twice, because they can be replaced in between.
      let name = FilePath(path).lastComponent?.string.lowercased() ?? ""
      try refuse(
        if: ["json", "aasa", "association"].contains(where: name.contains)
          && LogRecognition.isAssociationFile(path),
        "'\(path)' looks like an association file, not like a log; "
          + (KnownOptions.typedCommandHas("--aasa")
            ? "pass it with '--aasa \(path.inCommand) --host HOST'." : "leave it out of the logs."))
    }
  }

  static func refuseStores(among paths: [String], insteadOf what: String) throws {
    guard let path = paths.first(where: AuditStore.isStore) else { return }
    throw ValidationError(
      "'\(path)' is a store, not a \(what); 'report', 'diff' and 'suggest' read it with '--store "
        + "\(path.inCommand)'.")
  }

  var workers: Int { get throws { try resources().jobs } }

  private func resources() throws(Complaint) -> ReductionOptions {
    try workerOptions.reductionOptions(tables: memoryOptions.memory ?? SystemMemory().tables)
  }

  /// Returns the options for reducing logs, whose lines count for a host if they name none; a host
  /// that is typed takes precedence over the host from a path.
  func reductionOptions(defaultHost: String?) throws -> ReductionOptions {
    var options = try resources()
    (options.defaultHost, options.format) = (defaultHost, try formatOptions.chosen())
    if !TypedArguments().gives("--host") { options.hostPattern = try hostPattern() }
    options.isHostConfirmed = hostOptions.hostConfirmed
    (options.trackers, options.ownHosts) = (hostOptions.trackerHost, hostOptions.ownHost)
    options.expansion = formatOptions.expansion
    return options
  }

  private func hostPattern() throws -> HostPattern? {
    guard let hostFromPath = hostOptions.hostFromPath else { return nil }
    guard let pattern = HostPattern(hostFromPath) else {
      throw ValidationError(
        "'--host-from-path \(hostFromPath)' must contain '{host}' once, before a character that ends the host, as in '{host}-access'."
      )
    }
    return pattern
  }

  /// A `-` for each use of standard input.
  private var standardInputs: [String] {
    (logs.contains("-") ? ["-"] : []) + listOptions.filesFrom.filter { $0 == "-" }
  }

  var isEmpty: Bool { logs.isEmpty && listOptions.filesFrom.isEmpty }

  func checkStandardInput(besides files: [String] = []) throws {
    guard (files + standardInputs).count(where: { $0 == "-" }) > 1 else { return }
    throw ValidationError("only one input can be '-'.")
  }

  var lists: [String] { listOptions.filesFrom.filter { $0 != "-" } }

  static func discover(
    _ paths: [String], filesFrom: [String], what: String, standardInputName: String = "-",
    jobs: Int = 1
  ) throws -> (inputs: [LogInput], problems: [InputProblem]) {
    let listed = try filesFrom.flatMap { list in
      let found = LogInput.paths(
        inList: try InputFile.read(list, what: "the list of \(what)", limit: InputFile.listLimit))
      // Complaints about its lines would show client addresses.
      if let first = found.first, isLine(first) {
        throw Complaint(
          "'\(list)' looks like a log, not like a list of paths; pass logs without '--files-from'")
      }
      return found
    }
    return LogInput.discover(
      paths, listed: listed, standardInputName: standardInputName, jobs: jobs)
  }

  /// Whether a path looks like a line of a log and names no file.
  private static func isLine(_ path: String) -> Bool {
    let holdsRequest = [" HTTP/", "\"method\"", "\"request", "#Version", "#Fields", "\tGET\t"]
      .contains { path.contains($0) }
    return holdsRequest && InputFile.type(at: path) == nil
  }
}

struct RejectOptions: ParsableArguments {
  @Option(
    help: .rare(
      "Write rejected lines to this file, after their path, number, byte offset and reason, separated by tabs. Only the owner can read a new file, because lines contain client addresses.",
      "file"), completion: .file())
  var rejects: String?

  @Option(
    help: .rare("Fail if more than this percentage of lines is rejected.", "percent"),
    transform: number(0...100, "must be from 0 to 100"))
  var maxRejects: Double?

  func validate() throws {
    try refuse(
      if: rejects == "-",
      "'--rejects' can't be '-', because the report goes to standard output; pass a file.")
  }

  var place: OutputFile.Place? { OutputFile.Place("--rejects", rejects) }

  func keep(_ digest: TrafficDigest) throws {
    guard let rejects else { return }
    let file = OutputFile(rejects, option: "--rejects", isPrivate: true)
    let isShown = file.isTerminal
    try file.write { sink in
      let tab = isShown ? "  " : "\t"
      func start(_ cells: [String]) -> [UInt8] { Array(cells.joined(separator: tab).utf8) }
      var lines = start(["file", "line", "offset", "reason", "text\n"])
      try digest.forEachRejectedLine { place, line in
        // A name with a tab or a line feed must not look like two columns.
        let path = SafeText.escaped(place.path)
        lines += start([path, String(place.line), String(place.offset), place.reason.rawValue, ""])
        lines +=
          isShown ? Array(SafeText.escaped(String(decoding: line, as: UTF8.self)).utf8) : line
        lines.append(UInt8(ascii: "\n"))
        if lines.count > 1 << 16 {
          try sink(lines)
          lines.removeAll(keepingCapacity: true)
        }
      }
      try sink(lines)
    }
  }

  /// Complains if too many lines aren't requests, and returns whether they are too many.
  func exceeds(_ digest: TrafficDigest) -> Bool {
    guard let maxRejects else { return false }
    let headings = digest.rejections[.heading] ?? 0
    let (lines, rejected) = (digest.tally.lines - headings, digest.tally.rejected - headings)
    guard Double(rejected) * 100 > maxRejects * Double(lines) else { return false }
    warn(
      "\(rejected.grouped) of \(lines.counted("line")) are not requests: "
        + "\(rejected.percent(of: lines)), more than '--max-rejects' allows; "
        + "to see them with their reasons, use '--rejects FILE'")
    return true
  }
}

struct TimeOptions: ParsableArguments {
  @Option(
    help: .usual(
      "Count requests from this time on: a date, a time, 'today', 'yesterday', or an age such as 7d or 12h. Days are in the time zone of the log.",
      "time"), completion: .list(["today", "yesterday", "7d", "30d", "90d", "365d"]))
  var since: String?

  @Option(
    help: .usual("Count requests up to this time; a day is included.", "time"),
    completion: .list(["today", "yesterday", "7d", "30d"]))
  var until: String?

  func validate() throws { _ = try span() }

  func span() throws -> TimeSpan {
    let now = LogTime.now.secondsSince1970
    func bound(_ option: String, _ text: String, isEnd: Bool) throws -> TimeBound {
      if let bound = TimeBound(text, now: now, isEnd: isEnd) { return bound }
      throw ValidationError(
        "'\(option) \(text)' is not a time; write it as 2026-11-19, 2026-11-19T13:00, "
          + "2026-11-19T13:00:00+01:00, today, yesterday, 7d, 2w, or 12h.")
    }
    let span = TimeSpan(
      since: try since.map { try bound("--since", $0, isEnd: false) },
      until: try until.map { try bound("--until", $0, isEnd: true) })
    try refuse(if: span.isEmpty, "'--since \(since ?? "")' is later than '--until \(until ?? "")'.")
    return span
  }
}

struct ReadingOptions: ParsableArguments {
  @OptionGroup(title: "Time") var timeOptions: TimeOptions
  @OptionGroup var logOptions: LogOptions
  @OptionGroup(title: "Rejected lines") var rejectOptions: RejectOptions

  func reductionOptions(defaultHost: String?) throws -> ReductionOptions {
    var options = try logOptions.reductionOptions(defaultHost: defaultHost)
    options.timeSpan = try timeOptions.span()
    options.keepsRejectedLines = rejectOptions.rejects != nil
    return options
  }
}

/// The requests that are judged, those of logs or of a store, and the options for judging them.
struct TrafficOptions: ParsableArguments {
  struct StoreOption: ParsableArguments {
    @Option(
      help: .usual("Use the requests of this store instead of logs.", "directory"),
      completion: .directory)
    var store: String?
  }

  @OptionGroup(title: "Logs") var storeOption: StoreOption
  @OptionGroup var readingOptions: ReadingOptions
  @OptionGroup(title: "Judging") var judgingOptions: JudgingOptions

  var store: String? { storeOption.store }
  var logs: LogOptions { readingOptions.logOptions }

  var auditOptions: AuditOptions {
    get throws { try judgingOptions.auditOptions(jobs: logs.workers) }
  }

  func check(_ command: String) throws {
    try refuse(
      if: store == nil && logs.isEmpty,
      "no log; pass files or directories, '-' for standard input, or '--store DIRECTORY' "
        + "('\(command)' doesn't use the 'store' of linkaudit.yml).")
  }

  /// Returns the options that a configuration adds, and its logs unless others are named; a store
  /// takes no options for logs.
  func arguments(
    from configuration: Configuration, _ parts: Set<Setting.Part>,
    for command: any ParsableCommand.Type, except ignored: Set<String> = []
  ) throws -> (options: [String], logs: [String]) {
    if store != nil {
      try refuse(
        if: !logs.isEmpty,
        "'--store' and logs exclude each other; to add logs to a store, use 'linkaudit ingest'.")
      try IdleOptions(
        [LogListOptions.self, FormatOptions.self, HostOptions.self, RejectOptions.self],
        configuration
      ).refuse(because: "'--store' reads no logs")
    }
    return (
      configuration.options(
        of: parts.union([.reading, .selection, .judging, .resources]), for: command,
        except: ignored),
      store == nil && logs.isEmpty ? configuration.logArguments : []
    )
  }

  /// Reads the requests, and judges them.
  ///
  /// The sites all belong to one owner, and the output replaces neither logs nor `files`.
  func judged<Judged>(
    defaultHost: String?, sites: [String] = [], places: [OutputFile.Place?],
    files: [String], judge: (TrafficDigest) throws(JudgingError) -> Judged
  ) throws -> LogReading.Outcome<Judged> {
    if let store {
      try OutputFile.check(places, among: files)
      return try StoreReading(store, readingOptions).judged(judge)
    }
    let reading = try LogReading(readingOptions, defaultHost: defaultHost, sites: sites)
    let inputs = try reading.inputs()
    try OutputFile.check(
      [readingOptions.rejectOptions.place] + places,
      among: files + logs.lists, logs: inputs)
    return try reading.read(inputs, judge: judge)
  }
}
