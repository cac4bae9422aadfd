internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest

/// The logs in addition to those among the arguments.
struct LogListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read paths of logs from this file, one a line or separated by zero bytes ('find -print0'); '-' for standard input. Repeatable.",
      valueName: "file"),
    completion: .file())
  var filesFrom: [String] = []

  @Option(
    help: ArgumentHelp(
      "Use this name for standard input, in reports and for '--host-from-path'. (default: -)",
      valueName: "path"))
  var stdinName: String?
}

/// The host of requests whose lines name none, and the hosts of the owner.
struct HostOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take the host of lines without one from the path of their log, such as '{host}-access'.",
      valueName: "pattern"))
  var hostFromPath: String?

  @Flag(
    help: "Accept the host of lines without one, even if referrers name another host.")
  var hostConfirmed = false

  @Option(
    help: ArgumentHelp(
      "Treat this host as one that redirects to yours, such as a click tracker; repeatable. '*.NAME' means all hosts below.",
      valueName: "host"))
  var trackerHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "Treat this host as yours, besides those under the same domain; repeatable.",
      valueName: "host"))
  var ownHost: [String] = []
}

/// The memory that a command uses.
struct MemoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use this much memory for tables, such as 64M; beyond it, linkaudit spills to temporary files. (default: a quarter of the memory that the system leaves, at least 256M)",
      valueName: "size"))
  var memory: MemorySize?
}

/// The logs to read, and how: their format, their hosts, and resources of the machine.
struct LogOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Access logs: files, directories, patterns, or '-'.", valueName: "log"),
    completion: .file())
  var logs: [String] = []

  @OptionGroup(title: "Logs")
  var listOptions: LogListOptions

  @OptionGroup(title: "Log format")
  var formatOptions: FormatOptions

  @OptionGroup(title: "Hosts")
  var hostOptions: HostOptions

  @OptionGroup(title: "Resources")
  var memoryOptions: MemoryOptions

  @OptionGroup(title: "Resources")
  var workerOptions: WorkerOptions

  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    if isEmpty {
      logs = configuration.logs
    }
    if formatOptions.logFormat == nil, formatOptions.jsonKeys == nil {
      formatOptions.logFormat = configuration.logFormat
      if !configuration.jsonKeys.isEmpty {
        formatOptions.jsonKeys = configuration.jsonKeys.map { "\($0.field)=\($0.key)" }
          .joined(separator: ",")
      }
    }
    fill(&hostOptions.hostFromPath, configuration.hostFromPath)
    hostOptions.hostConfirmed = hostOptions.hostConfirmed || configuration.isHostConfirmed
    if hostOptions.trackerHost.isEmpty { hostOptions.trackerHost = configuration.trackers }
    if hostOptions.ownHost.isEmpty {
      hostOptions.ownHost = configuration.ownHosts + configuration.sites.flatMap(\.hosts)
    }
    fill(&formatOptions.maxExpansion, configuration.maxExpansion)
    fill(&formatOptions.maxWindow, try configuration.value(\.maxWindow, "logs.max-window"))
    fill(&workerOptions.jobs, configuration.jobs)
    fill(&memoryOptions.memory, try configuration.value(\.memory, "run.memory"))
    fill(&workerOptions.temporaryDirectory, configuration.temporaryDirectory)
  }

  /// Checks the options after a configuration has completed them.
  ///
  /// - Parameter command: The words of the corresponding command for stores.
  /// - Throws: `ValidationError` if an option is invalid.
  func check(askingStores command: String = "report") throws {
    try Self.checkStores(logs, askingStores: command)
    try checkPaths()
    try workerOptions.check()
    try formatOptions.check()
    if let memory = memoryOptions.memory, memory.bytes < MemoryPlan.leastTables {
      throw ValidationError(
        "'--memory' must be at least \(MemorySize(bytes: MemoryPlan.leastTables).defaultValueDescription), but it is "
          + "\(memory.defaultValueDescription); add a unit, as in '64M' or '2G'.")
    }
    _ = try hostPattern()
    for host in hostOptions.trackerHost + hostOptions.ownHost {
      _ = try HostArgument.validated(host, allowsWildcard: true)
    }
  }

  /// The greatest number of paths that are checked, because a shell can name thousands.
  private static let checkedCount = 64

  /// Rejects paths that are not logs, before anything is read.
  private func checkPaths() throws {
    if let name = listOptions.stdinName, !logs.contains("-") {
      throw ValidationError(
        "'--stdin-name \(name)' names standard input, which is not read; add '-' to the logs, or "
          + "leave the option out.")
    }
    if standardInputs.contains("-"), StandardStreams.isTerminal(.standardInput) {
      throw ValidationError(
        "'-' is standard input, which is the terminal here; use a pipe, as in "
          + "'zcat access.log.gz | linkaudit report - …'.")
    }
    for path in logs.prefix(Self.checkedCount) {
      if path.isEmpty {
        throw ValidationError("the name of a log is empty; a variable of the shell may be unset.")
      }
      // Logs may not be opened twice, because they can be replaced in between.
      let name = FilePath(path).lastComponent?.string.lowercased() ?? ""
      if ["json", "aasa", "association"].contains(where: name.contains),
        LogRecognition.isAssociationFile(path)
      {
        throw ValidationError(
          "'\(path)' looks like an association file, not like a log; pass it with '--aasa \(path.inCommand) "
            + "--host HOST'.")
      }
    }
  }

  /// The number of workers.
  var workers: Int { get throws { try resources().jobs } }

  private func resources() throws(Complaint) -> ReductionOptions {
    try workerOptions.reductionOptions(tables: memoryOptions.memory?.bytes ?? SystemMemory().tables)
  }

  /// Returns the options for reducing logs.
  ///
  /// - Parameters:
  ///   - defaultHost: The host of lines that name none, or `nil`.
  ///   - isNamed: Whether that host was named, so that it takes precedence over the host from a
  ///     path.
  /// - Returns: The options.
  /// - Throws: `ValidationError` for a value that can't be understood, and ``Complaint`` if the
  ///   system's limits are too low for the process.
  func reductionOptions(defaultHost: String?, isNamed: Bool) throws -> ReductionOptions {
    var options = try resources()
    (options.defaultHost, options.format) = (defaultHost, try formatOptions.chosen())
    if !isNamed { options.hostPattern = try hostPattern() }
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
  var standardInputs: [String] {
    (logs.contains("-") ? ["-"] : []) + listOptions.filesFrom.filter { $0 == "-" }
  }

  /// A Boolean value indicating whether no log is named, nor a list of logs.
  var isEmpty: Bool { logs.isEmpty && listOptions.filesFrom.isEmpty }

  /// Checks that at most one input is standard input.
  ///
  /// - Parameters:
  ///   - files: The paths of all other inputs.
  ///   - names: What can be standard input, in words.
  /// - Throws: `ValidationError` if it is needed twice.
  func checkStandardInput(besides files: [String] = [], _ names: String) throws {
    guard (files + standardInputs).count(where: { $0 == "-" }) > 1 else { return }
    throw ValidationError("only one input can be '-': \(names).")
  }

  /// The files that hold lists.
  var lists: [String] { listOptions.filesFrom.filter { $0 != "-" } }

  /// Refuses stores, whose digests would be read with those that have been replaced.
  ///
  /// - Parameters:
  ///   - paths: The paths to read.
  ///   - command: The words of the command that asks a store.
  /// - Throws: `ValidationError` if one is a store.
  static func checkStores(_ paths: [String], askingStores command: String = "report") throws {
    guard let path = paths.first(where: AuditStore.isStore) else { return }
    let purpose = command == "report" ? "report on it" : "use its traffic"
    throw ValidationError(
      "'\(path)' is a store; to \(purpose), use 'linkaudit \(command) --store \(path.inCommand)'.")
  }

  /// Finds the logs.
  ///
  /// - Parameter jobs: The greatest number of workers.
  /// - Returns: The logs, and the problems of other paths.
  /// - Throws: ``Complaint`` if a list can't be read.
  func discover(jobs: Int) throws -> (inputs: [LogInput], problems: [InputProblem]) {
    try Self.discover(
      logs, filesFrom: listOptions.filesFrom, what: "logs",
      standardInputName: listOptions.stdinName ?? "-", jobs: jobs)
  }

  /// Finds files.
  ///
  /// - Parameters:
  ///   - paths: Files, directories, patterns, and `-`.
  ///   - filesFrom: Lists of files.
  ///   - what: The kind of the files, in words.
  ///   - standardInputName: The name of standard input.
  ///   - jobs: The greatest number of workers.
  /// - Returns: The files, and the problems of other paths.
  /// - Throws: ``Complaint`` if a list can't be read.
  static func discover(
    _ paths: [String], filesFrom: [String], what: String, standardInputName: String = "-",
    jobs: Int = 1
  ) throws -> (inputs: [LogInput], problems: [InputProblem]) {
    let listed = try filesFrom.flatMap { list in
      let found = LogInput.paths(
        inList: try InputFile.read(
          list, what: "the list of \(what)", limit: InputFile.listLimit))
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

  /// Returns a Boolean value indicating whether a path looks like a line of a log and names no
  /// file.
  private static func isLine(_ path: String) -> Bool {
    let holdsRequest = [" HTTP/", "\"method\"", "\"request", "#Version", "#Fields", "\tGET\t"]
      .contains { path.contains($0) }
    return holdsRequest && InputFile.type(at: path) == nil
  }
}

/// The options about lines that aren't requests.
struct RejectOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write rejected lines to this file, after their path, number, byte offset and reason, separated by tabs. Only the owner can read a new file, because lines contain client addresses.",
      valueName: "file"),
    completion: .file())
  var rejects: String?

  @Option(
    help: ArgumentHelp(
      "Exit with status 2 if more than this percentage of the lines is rejected. Headings don't count.",
      valueName: "percent"))
  var maxRejects: Double?

  func validate() throws {
    if let maxRejects, !(0...100).contains(maxRejects) {
      throw ValidationError("'--max-rejects' must be from 0 to 100, but it is \(maxRejects).")
    }
    if rejects == "-" {
      throw ValidationError(
        "'--rejects' can't be '-', because the report goes to standard output; pass a file.")
    }
  }

  /// The place of the rejected lines, or `nil` if they are not kept.
  var place: OutputFile.Place? { OutputFile.Place("--rejects", rejects) }

  /// Keeps the rejected lines of a digest.
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
        lines += start(
          [path, String(place.line), String(place.offset), place.reason.rawValue, ""])
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

  /// Complains if too many lines aren't requests.
  ///
  /// - Returns: Whether there are too many.
  func exceeds(_ digest: TrafficDigest) -> Bool {
    guard let maxRejects else { return false }
    let headings = digest.rejections[.heading] ?? 0
    let (lines, rejected) = (digest.tally.lines - headings, digest.tally.rejected - headings)
    guard Double(rejected) * 100 > maxRejects * Double(lines) else { return false }
    StandardStreams.complain(
      "\(rejected.grouped) of \(lines.counted("line")) are not requests: "
        + "\(rejected.percent(of: lines)), more than '--max-rejects' allows; "
        + "to see them with their reasons, use '--rejects FILE'")
    return true
  }
}
