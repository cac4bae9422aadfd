internal import AccessLogs
internal import ArgumentParser
internal import FoundationSubset
internal import TrafficDigest

struct JobOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: .rare("Use this many workers. (default: one per core)", "n"),
    transform: number(1...256, "must be from 1 to 256"))
  var jobs: Int?

  /// Returns the plan that fits the limits of this process.
  func plan(tables: Int = MemoryPlan.leastTables) throws(Complaint) -> MemoryPlan {
    let wanted = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    return try MemoryPlan(
      jobs: max(1, min(wanted, OpenFileLimit.workers)), tables: tables,
      left: ResourceLimits.memoryLeft)
  }
}

/// The resources that a command uses, and whether it shows progress.
struct WorkerOptions: ParsableArguments {
  @OptionGroup var jobOptions: JobOptions

  @Option(
    help: .rare("Write temporary files here. (default: $TMPDIR, or /tmp)", "directory"),
    completion: .directory)
  var temporaryDirectory: String?

  @Flag(
    name: [.short, .long, .customLong("no-progress")],
    help: "Hide progress, but not notes and errors.")
  var quiet = false

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

/// The number of workers and the memory for their tables, within the limits of the system.
///
/// No result depends on either, so both are lowered as far as necessary.
struct MemoryPlan {
  let jobs: Int

  /// The number of bytes that tables may take.
  let tables: Int

  /// The bytes that a run needs for judging and writing, in addition to workers and tables.
  private static let base = 64 << 20

  /// The bytes that a worker needs in addition to its tables.
  ///
  /// They are for a stack, an arena of the system's `malloc`, a chunk of lines, and a decoder.
  private static let worker = 80 << 20

  /// Tables of less would be written all the time.
  static let leastTables = 1 << 20

  /// The bytes that the smallest run takes.
  static let least = base + worker + 2 * leastTables

  init(jobs: Int, tables: Int, left: Int?) throws(Complaint) {
    guard let left else {
      (self.jobs, self.tables) = (jobs, tables)
      return
    }
    // A table that grows takes up to twice its size.
    func room(_ jobs: Int) -> Int { (left - Self.base - jobs * Self.worker) / 2 }
    var fitting = jobs
    while fitting > 1, room(fitting) < min(tables, 16 << 20) { fitting -= 1 }
    guard room(fitting) >= Self.leastTables else {
      throw ResourceLimits.shortage(of: Self.least, left: left)
    }
    (self.jobs, self.tables) = (fitting, min(tables, room(fitting)))
  }
}

/// A number of bytes as people write it: `64M`, `1.5G`, `512MiB`, `1073741824`.
struct MemorySize: ExpressibleByArgument {
  let bytes: Int

  /// Returns a function that reads a size that obeys a rule, such as `must be at least 1M`.
  static func reading(
    _ bounds: some RangeExpression<Int> & Sendable, _ rule: String
  ) -> @Sendable (String) throws -> Int {
    { text in
      guard let size = MemorySize(argument: text) else {
        throw ValidationError("write it with a unit, as in '64M' or '2G'")
      }
      guard bounds.contains(size.bytes) else { throw ValidationError("it \(rule)") }
      return size.bytes
    }
  }

  /// Reads a number with a unit: `M`, `MB` and `MiB` mean the same, and each unit is 1024 of the
  /// one before.
  init?(argument: String) {
    let text = argument.lowercased()
    let number = text.prefix { $0.isNumber || $0 == "." }
    var unit = text.dropFirst(number.count)
    if unit.hasSuffix("b") { unit = unit.dropLast() }
    if unit.hasSuffix("i") { unit = unit.dropLast() }
    let shifts: [Substring: Int] = ["": 0, "k": 10, "m": 20, "g": 30, "t": 40]
    guard let shift = shifts[unit], let value = Double(number), value >= 0,
      value < Double(Int.max >> shift)
    else { return nil }
    bytes = Int(value * Double(1 << shift))
  }
}
