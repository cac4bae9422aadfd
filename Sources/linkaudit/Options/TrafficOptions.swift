internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import TrafficDigest

/// The options for reading logs, for filtering their requests, and for rejected lines.
struct ReadingOptions: ParsableArguments {
  @OptionGroup(title: "Time")
  var timeOptions: TimeOptions

  @OptionGroup
  var logOptions: LogOptions

  @OptionGroup(title: "Rejected lines")
  var rejectOptions: RejectOptions

  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    try logOptions.apply(configuration)
    fill(&timeOptions.since, configuration.since)
    fill(&timeOptions.until, configuration.until)
    try timeOptions.validate()
    fill(&rejectOptions.maxRejects, configuration.maxRejects)
    fill(&rejectOptions.rejects, configuration.rejects)
    try rejectOptions.validate()
  }

  /// Returns the options for reducing logs; see
  /// ``LogOptions/reductionOptions(defaultHost:isNamed:)``.
  func reductionOptions(defaultHost: String?, isNamed: Bool) throws -> ReductionOptions {
    var options = try logOptions.reductionOptions(defaultHost: defaultHost, isNamed: isNamed)
    options.timeSpan = try timeOptions.span()
    options.keepsRejectedLines = rejectOptions.rejects != nil
    return options
  }
}

/// The requests that are judged, those of logs or of a store, and the options for judging them.
struct TrafficOptions: ParsableArguments {
  /// The store whose requests count instead of those of logs.
  struct StoreOption: ParsableArguments {
    @Option(
      help: .usual("Use the requests of this store instead of logs.", valueName: "directory"),
      completion: .directory)
    var store: String?
  }

  @OptionGroup(title: "Logs")
  var storeOption: StoreOption

  @OptionGroup
  var readingOptions: ReadingOptions

  @OptionGroup(title: "Judging")
  var judgingOptions: JudgingOptions

  /// The directory of the store, or `nil` for logs.
  var store: String? { storeOption.store }

  /// The logs.
  var logs: LogOptions { readingOptions.logOptions }

  /// The options for judging the requests.
  var auditOptions: AuditOptions {
    get throws { try judgingOptions.auditOptions(jobs: logs.workers) }
  }

  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    // A store on the command line is in place of the logs.
    let configuration = store == nil ? configuration : configuration.withoutLogs
    try readingOptions.apply(configuration)
    try judgingOptions.apply(configuration)
  }

  /// Checks the options after a configuration has completed them.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - command: The words of the command that asks a store.
  ///   - isOptional: Whether there may be no requests.
  /// - Throws: `ValidationError` if an option is invalid, or if not one of logs and a store is named.
  func check(
    _ configuration: Configuration, askingStores command: String, isOptional: Bool = false
  ) throws {
    if store != nil {
      guard logs.isEmpty else {
        throw ValidationError(
          "'--store' and logs exclude each other; to add logs to a store, use 'linkaudit ingest'.")
      }
      try IdleOptions(
        [LogListOptions.self, FormatOptions.self, HostOptions.self, RejectOptions.self],
        configuration
      ).refuse(because: "'--store' reads no logs")
    }
    if store == nil, logs.isEmpty, !isOptional {
      throw ValidationError(
        "no log; pass files or directories, '-' for standard input, or '--store DIRECTORY' "
          + "('\(command)' doesn't use the 'store' of linkaudit.yml).")
    }
    try logs.check(askingStores: command)
    try judgingOptions.check()
  }

  /// Reads the requests, and judges them.
  ///
  /// - Parameters:
  ///   - defaultHost: The host of lines that name none, or `nil`.
  ///   - isNamed: Whether that host was named.
  ///   - sites: The hosts of sites, which all belong to one owner.
  ///   - places: The places of the output.
  ///   - files: The files other than logs that output must not replace.
  ///   - judge: A function that judges a digest.
  /// - Returns: The digest, and the result of judging it.
  /// - Throws: ``Complaint``, or an error that `Complaint` explains, if nothing can be read.
  func judged<Judged>(
    defaultHost: String?, isNamed: Bool, sites: [String] = [], places: [OutputFile.Place?],
    files: [String], judge: (TrafficDigest) throws(JudgingError) -> Judged
  ) throws -> LogReading.Outcome<Judged> {
    if let store {
      try OutputFile.check(places, among: files)
      return try StoreReading(store, readingOptions).judged(judge)
    }
    let reading = try LogReading(
      readingOptions, defaultHost: defaultHost, isNamed: isNamed, sites: sites)
    let inputs = try reading.inputs()
    try OutputFile.check(
      [readingOptions.rejectOptions.place] + places,
      among: files + logs.listOptions.filesFrom.filter { $0 != "-" }, logs: inputs)
    return try reading.read(inputs, judge: judge)
  }
}
