internal import AccessLogs
internal import ArgumentParser
internal import TrafficDigest

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

/// The options for reading logs: files, formats, and resources of the machine.
struct LogOptions: ParsableArguments {
  @OptionGroup
  var inputOptions: InputOptions

  @OptionGroup(title: "Log format")
  var formatOptions: FormatOptions

  @OptionGroup(title: "Hosts")
  var hostOptions: HostOptions

  @OptionGroup(title: "Resources")
  var memoryOptions: MemoryOptions

  @OptionGroup(title: "Resources")
  var expansionOptions: ExpansionOptions

  @OptionGroup(title: "Resources")
  var workerOptions: WorkerOptions

  /// The pattern that finds the host in the path of a log.
  var hostFromPath: String? { hostOptions.hostFromPath }

  /// The memory for tables, or `nil` for the default.
  var memory: MemorySize? { memoryOptions.memory }

  /// Tables of less would be written all the time.
  private static let leastMemory = MemorySize(bytes: MemoryPlan.leastTables)

  /// Checks the options after a configuration has completed them.
  ///
  /// - Parameter command: The words of the corresponding command for stores.
  /// - Throws: `ValidationError` if an option is invalid.
  func check(askingStores command: String) throws {
    try inputOptions.check(askingStores: command)
    try workerOptions.check()
    try expansionOptions.check()
    if let memory, memory.bytes < Self.leastMemory.bytes {
      throw ValidationError(
        "'--memory' must be at least \(Self.leastMemory.defaultValueDescription), but it is "
          + "\(memory.defaultValueDescription); add a unit, as in '64M' or '2G'.")
    }
    _ = try formatOptions.chosen()
    _ = try hostPattern()
    for host in hostOptions.trackerHost + hostOptions.ownHost {
      _ = try HostArgument.validated(host, allowsWildcard: true)
    }
  }

  /// The number of workers.
  var workers: Int { get throws { try resources().jobs } }

  private func resources() throws(Complaint) -> ReductionOptions {
    try workerOptions.reductionOptions(tables: memory?.bytes ?? SystemMemory().tables)
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
    options.expansion = expansionOptions.limit
    return options
  }

  private func hostPattern() throws -> HostPattern? {
    guard let hostFromPath else { return nil }
    guard let pattern = HostPattern(hostFromPath) else {
      throw ValidationError(
        "'--host-from-path \(hostFromPath)' must contain '{host}' once, before a character that ends the host, as in '{host}-access'."
      )
    }
    return pattern
  }
}
