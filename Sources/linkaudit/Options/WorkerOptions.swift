internal import ArgumentParser
internal import FoundationSubset
internal import TrafficDigest

/// The number of workers of a command.
struct JobOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp("Use this many workers. (default: one per core)", valueName: "n"))
  var jobs: Int?

  private static let jobLimit = 256

  /// Checks the options after a configuration has completed them.
  ///
  /// - Throws: `ValidationError` if an option is invalid.
  func check() throws {
    if let jobs, jobs < 1 {
      throw ValidationError("'--jobs' must be at least 1, but it is \(jobs).")
    }
    if let jobs, jobs > Self.jobLimit {
      throw ValidationError("'--jobs' must be at most \(Self.jobLimit), but it is \(jobs).")
    }
  }

  /// Returns the plan that fits the limits of this process.
  ///
  /// - Parameter tables: The number of bytes that tables may take.
  /// - Returns: The number of workers and the memory for tables that fit.
  /// - Throws: ``Complaint`` if the system's limits are too low for the process.
  func plan(tables: Int = MemoryPlan.leastTables) throws(Complaint) -> MemoryPlan {
    let wanted = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    return try MemoryPlan(
      jobs: max(1, min(wanted, OpenFileLimit.workers)), tables: tables,
      left: ResourceLimits.memoryLeft)
  }
}

/// The resources that a command uses, and whether it shows progress.
struct WorkerOptions: ParsableArguments {
  @OptionGroup
  var jobOptions: JobOptions

  @Option(
    help: ArgumentHelp(
      "Write temporary files to this directory. (default: $TMPDIR, or /tmp)", valueName: "directory"
    ),
    completion: .directory)
  var temporaryDirectory: String?

  @Flag(
    name: [.short, .long, .customLong("no-progress")],
    help: "Hide progress, but not notes and errors.")
  var quiet = false

  /// The number of workers, or `nil` for the default.
  var jobs: Int? {
    get { jobOptions.jobs }
    set { jobOptions.jobs = newValue }
  }

  /// Checks the options after a configuration has completed them.
  ///
  /// - Throws: `ValidationError` if an option is invalid.
  func check() throws { try jobOptions.check() }

  /// Returns the options for reducing logs that fit the limits of this process: the number of
  /// workers, the memory for tables, and the directory of temporary files.
  ///
  /// - Parameter tables: The number of bytes that tables may take, or `nil` if no logs are read.
  /// - Returns: The options.
  /// - Throws: ``Complaint`` if the system's limits are too low for the process.
  func reductionOptions(tables: Int? = nil) throws(Complaint) -> ReductionOptions {
    let plan = try jobOptions.plan(tables: tables ?? MemoryPlan.leastTables)
    let variable = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
    var options = ReductionOptions(jobs: plan.jobs)
    if tables != nil { options.memoryLimit = plan.tables }
    options.temporaryDirectory = temporaryDirectory ?? (variable.isEmpty ? "/tmp" : variable)
    return options
  }
}
