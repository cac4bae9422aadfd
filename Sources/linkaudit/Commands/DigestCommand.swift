internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest

struct DigestCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "digest",
    abstract: "Reduce logs to a digest: the counts of each distinct URL.",
    usage: """
      linkaudit digest <log> ... -o <file> [<options>]
      linkaudit digest --from-rows <file> ... -o <file> [<options>]
      linkaudit digest --describe <digest> ...
      """,
    discussion: """
      A digest replaces its logs in 'report' and 'diff', which accept any number of digests and \
      logs. It is many times smaller than the logs and is read in a moment, so you can test \
      rules on it repeatedly. It holds no client address and no user agent.

      LOG is as in 'linkaudit report', and can be a digest, which counts as its logs. To merge \
      many digests, use 'linkaudit merge'.

      With '--from-rows', files hold rows that a warehouse has grouped and counted: CSV whose \
      first line names the columns, or one JSON object a line. Rows need 'target', 'status' and \
      'count', and can have 'day', 'host', 'method', 'referrer', 'agent' and others. The digest \
      equals that of the log lines that the rows count.

      EXAMPLES
        linkaudit digest /var/log/nginx --host www.example.com -o day.digest
        linkaudit diff deployed.json candidate.json day.digest --host www.example.com
        linkaudit digest --describe november.digest
        linkaudit digest november.digest --format ndjson -o november.ndjson
        linkaudit digest --from-rows rows.csv.gz --host www.example.com \\
            -o november.digest
      """
  )

  @Option(
    name: .shortAndLong,
    help: .usual(
      "Write the digest to this file; '-' for standard output, the default for rows. An existing file is replaced only if it is a digest.",
      "file"), completion: .file())
  var output: String?

  @Option(
    help: .usual("Count lines that record no host for this one. Reports can't change it.", "host"),
    transform: HostArgument.single)
  var host: String?

  @Option(
    name: [.customShort("f"), .long],
    help: .usual(
      "Write this format: a digest, or its rows as newline-delimited JSON for databases. (default: ndjson if the output ends with '.ndjson', else digest)"
    ))
  var format: Format?

  @Flag(
    help: .rare(
      "Write a digest even if no log can be read, so that merged parts equal a digest of all logs. The exit status is 2 if a log is damaged."
    ))
  var part = false

  @Flag(
    help: .usual("Read rows of a warehouse, in CSV or JSON, each with its 'count' of requests."))
  var fromRows = false

  @Flag(help: .usual("Leave out names of logs, and times within a day."))
  var countsOnly = false

  @Flag(help: .usual("Describe digests, and check them for damage."))
  var describe = false

  @OptionGroup var readingOptions: ReadingOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case digest, ndjson
  }

  func arguments(from configuration: Configuration) throws -> [String] {
    guard !describe else { return [] }
    var options = configuration.options(
      of: [.reading, .selection, .resources], for: Self.self,
      except: fromRows ? ["logs.format", "logs.json-keys"] : [])
    if host == nil, let only = configuration.onlyHost, !only.hasPrefix("*") {
      options.append("--host=\(only)")
    }
    return options + (readingOptions.logOptions.isEmpty ? configuration.logArguments : [])
  }

  mutating func check() throws {
    let inputs = readingOptions.logOptions
    try refuse(
      if: inputs.isEmpty,
      "no \(describe ? "digest" : fromRows ? "file of rows" : "log"); pass files or directories, or "
        + "'--files-from FILE'.")
    try inputs.checkStandardInput()
    if describe {
      return try IdleOptions(
        [Self.self],
        except: [
          "--describe", "--files-from", "--config", "--no-config", "--quiet", "--jobs", "--memory",
          "--temporary-directory", "--color",
        ]
      ).refuse(because: "'--describe' prints the contents of digests")
    }
    if format == nil { format = try OutputForm.named(output) }
    if fromRows {
      try IdleOptions(["--log-format", "--json-keys"])
        .refuse(because: "'--from-rows' reads rows, which have fixed names")
    }
    try refuse(
      if: output == nil && format ?? .digest == .digest,
      "no output; name the file to write with '-o day.digest'.")
  }

  func run() throws {
    var reading = try LogReading(readingOptions, defaultHost: host)
    reading.reduction.fingerprintsContent = true
    (reading.isPart, reading.needsHosts) = (part, false)
    if fromRows { reading.reduction.format = .rows }
    let inputs = try reading.inputs()
    if describe {
      for (number, input) in inputs.enumerated() {
        let text = try DigestFile(opening: input.path).contentText()
        try StandardStreams.write((number > 0 ? "\n" : "") + text)
      }
      return
    }
    let file = DigestOutput(path: output ?? "-")
    try file.check(
      isDigest: format ?? .digest == .digest,
      rejects: readingOptions.rejectOptions.place,
      among: readingOptions.logOptions.lists + configurationOptions.paths, logs: inputs)
    let outcome = try reading.read(inputs) { _ throws(JudgingError) in () }
    if fromRows { try reportRows(outcome.digest) }
    if outcome.digest.hasNamelessHost {
      warn(
        "some lines record no host, so they count for no site; pass '--host' or '--host-from-path'")
    }
    let digest = countsOnly ? outcome.digest.countsOnly : outcome.digest
    switch format ?? .digest {
    case .digest: try file.write(digest, reading.reduction)
    case .ndjson:
      try OutputFile(file.path).write {
        try digest.writeNDJSON(
          jobs: reading.reduction.jobs,
          temporaryDirectory: reading.reduction.temporaryDirectory, to: $0)
      }
    }
    if outcome.isIncomplete { throw ExitStatus.failure }
  }

  /// Complains about rows that don't count, with the place of the first for each reason.
  private func reportRows(_ digest: TrafficDigest) throws(Complaint) {
    for reason in RejectionReason.allCases where reason != .heading {
      guard let rows = digest.rejections[reason],
        let first = digest.rejectedLines.first(where: { $0.reason == reason })
      else { continue }
      let place = InputFile.name(of: first.path)
      warn(
        "\(rows.counted("row")) \(reason.sentence) \(rows == 1 ? "doesn't" : "don't") count: "
          + "\(rows == 1 ? "" : "the first is ")line \(first.line.grouped) of \(place)")
    }
    let tally = digest.tally
    if tally.unreadTimes > 0 {
      warn(
        "\(tally.unreadTimes.counted("request")) of rows \(tally.unreadTimes == 1 ? "has" : "have") an "
          + "invalid day or time; write days as 2026-11-19")
    }
    guard tally.requests + tally.outside <= TrafficDigest.lineLimit else {
      throw Complaint(
        "the rows count more than \(TrafficDigest.lineLimit.grouped) requests, the limit of a digest; "
          + "check that 'count' is the number of requests")
    }
    if tally.requests + tally.outside == 0, !part,
      tally.rejected > digest.rejections[.heading] ?? 0
    {
      throw Complaint(
        "no row is usable; each needs 'target', 'status', and 'count', a whole number above 0")
    }
  }
}

struct DigestOutput {
  /// The path, or `-` for standard output.
  let path: String

  /// Rejects output that would overwrite the input, or a file that isn't a digest.
  func check(
    isDigest: Bool = true, rejects: OutputFile.Place? = nil,
    among read: [String], logs: [LogInput]
  ) throws {
    try refuse(
      if: isDigest && OutputFile(path).isTerminal,
      "a digest is binary, and can't go to a terminal; name a file with '-o'.")
    try OutputFile.check([rejects, OutputFile.Place("--output", path)], among: read, logs: logs)
    guard isDigest, path != "-",
      let status = try? Stat(FilePath(path), followTargetSymlink: true),
      status.type == .regular, status.size > 0, !DigestFile.isDigest(path)
    else { return }
    throw ValidationError(
      "'--output \(path)' would replace a file that is not a digest; choose another name.")
  }

  func write(
    _ digest: TrafficDigest, _ options: ReductionOptions,
    progress: (_ bytes: Int) -> Void = { _ in }
  ) throws {
    guard digest.tally.lines <= TrafficDigest.lineLimit else {
      throw Complaint(
        "there are \(digest.tally.lines.grouped) lines, and the limit of a digest is "
          + "\(TrafficDigest.lineLimit.grouped); make several, and pass them all to "
          + "'linkaudit report'")
    }
    try OutputFile(path, isSynced: true).write { sink in
      try digest.write(
        jobs: options.jobs, temporaryDirectory: options.temporaryDirectory
      ) { bytes in
        try sink(bytes)
        progress(bytes.count)
      }
    }
  }
}

struct MergeCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge several digests into one.",
    usage: "linkaudit merge <digest> ... -o <file> [<options>]",
    discussion: """
      The result is byte for byte the digest of all their logs, for any order and number of \
      merges. Memory use doesn't depend on the size of digests.

      DIGEST is a file, a directory, or a pattern; other files are an error. A digest that \
      another one contains counts once. Two digests that share only some of their logs are an \
      error, because these logs would count twice.

      EXAMPLES
        linkaudit merge 2026-11-*.digest -o november.digest
        find digests -name '2026-*' | linkaudit merge --files-from - -o 2026.digest
      """
  )

  @Argument(help: .rare("Digests: files, directories, or patterns.", "digest"), completion: .file())
  var digests: [String] = []

  @Option(
    name: .shortAndLong,
    help: .rare(
      "Write the digest to this file; '-' for standard output. An existing file is replaced only if it is a digest.",
      "file"), completion: .file())
  var output: String

  @Option(
    help: .rare("Read paths of digests from this file; '-' for standard input.", "file"),
    completion: .file())
  var filesFrom: [String] = []

  @OptionGroup(title: "Resources") var workerOptions: WorkerOptions

  func check() throws {
    try refuse(
      if: digests.isEmpty && filesFrom.isEmpty,
      "no digest; pass files or directories, or '--files-from FILE'.")
    try refuse(if: digests.contains("-"), "a digest can't come from a pipe; pass a file.")
    try LogOptions.refuseStores(among: digests, insteadOf: "digest")
    try refuse(
      if: filesFrom.count(where: { $0 == "-" }) > 1, "only one list of digests can be '-'.")
  }

  func run() throws {
    let (inputs, problems) = try LogOptions.discover(digests, filesFrom: filesFrom, what: "digests")
    for problem in problems { problem.complain() }
    if inputs.isEmpty { throw Complaint("there is nothing to merge") }
    let file = DigestOutput(path: output)
    try file.check(among: filesFrom.filter { $0 != "-" }, logs: inputs)
    let options = try workerOptions.reductionOptions()
    let reading = try DigestReading(digests: inputs, options)
    let progress = Progress(
      total: reading.selection.files.reduce(0) { $0 + $1.size }, isQuiet: workerOptions.quiet)
    defer { progress.finish() }
    try file.write(try reading.added(to: .empty), options) { bytes in
      progress.add(bytes: bytes, lines: 0)
    }
  }
}
