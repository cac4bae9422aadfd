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

  func plan(tables: Int = MemoryPlan.leastTables) throws(Complaint) -> MemoryPlan {
    let wanted = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    return try MemoryPlan(
      jobs: max(1, min(wanted, OpenFileLimit.workers)), tables: tables,
      left: ResourceLimits.memoryLeft)
  }
}

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

  /// Returns the options for reducing logs within the limits of this process.
  ///
  /// `tables` is the greatest number of bytes for tables, or `nil` if no logs are read.
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
  let tables: Int

  /// The bytes that a run needs for judging and writing, in addition to workers and tables.
  private static let base = 64 << 20

  /// The bytes that a worker needs in addition to its tables: for a stack, an arena of the system's
  /// `malloc`, a chunk of lines, and a decoder.
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

struct SystemMemory {
  let left: Int?

  /// Reads the figures below a directory that contains `proc` and `sys`, with a slash at its end.
  init(root: String = "/") {
    let lefts = [Self.free(root) ?? Self.installed(root)] + Self.groups(root)
    left = lefts.compactMap(\.self).min()
  }

  /// The default of the memory for tables, in bytes: a quarter of what is left, and
  /// ``leastTables`` if that is less or unknown.
  var tables: Int { max(Self.leastTables, (left ?? 0) / 4) }

  static let leastTables = 256 << 20

  /// The bytes that processes can get without swapping, as Linux estimates them.
  private static func free(_ root: String) -> Int? {
    figure("MemAvailable:", in: text(root + "proc/meminfo")).map { $0 << 10 }
  }

  /// The bytes of the machine; other systems don't say how many are free.
  private static func installed(_ root: String) -> Int? {
    root == "/" ? Int(clamping: ProcessInfo.processInfo.physicalMemory) : nil
  }

  /// The bytes that the limits of control groups leave, in both versions of their interface.
  ///
  /// Each group is limited by those above it, too. In a container, the names can be those outside
  /// of it, and only the group at the top is visible.
  private static func groups(_ root: String) -> [Int?] {
    let lines = text(root + "proc/self/cgroup")?.split(separator: "\n") ?? []
    return lines.flatMap { line -> [Int?] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      let isSecond = fields.count == 3 && fields[0] == "0" && fields[1].isEmpty
      guard fields.count == 3, isSecond || fields[1].split(separator: ",").contains("memory") else {
        return []
      }
      let directory = root + "sys/fs/cgroup" + (isSecond ? "" : "/memory")
      let names = fields[2].split(separator: "/")
      return (0...names.count).map { count in
        let group = directory + names.prefix(count).map { "/" + $0 }.joined() + "/memory."
        return isSecond
          ? left(group, limit: "max", usage: "current", cache: "inactive_file")
          : left(
            group, limit: "limit_in_bytes", usage: "usage_in_bytes", cache: "total_inactive_file")
      }
    }
  }

  /// The number of bytes that the limit of a group leaves, or `nil` without a limit.
  private static func left(
    _ group: String, limit: String, usage: String, cache: String
  ) -> Int? {
    func number(_ name: String) -> Int? {
      text(group + name)?.split(separator: "\n").first.flatMap { Int($0) }
    }
    guard let limit = number(limit) else { return nil }
    // Files that nobody has used for a while make room for anything else.
    let used = (number(usage) ?? 0) - (figure(cache, in: text(group + "stat")) ?? 0)
    return max(0, limit - max(0, used))
  }

  private static func text(_ path: String) -> String? {
    (try? InputFile.read(path, what: "the memory of this system")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func figure(_ name: String, in text: String?) -> Int? {
    let lines = text?.split(separator: "\n").map { $0.split(separator: " ") } ?? []
    return lines.first { $0.count > 1 && $0[0] == name }.flatMap { Int($0[1]) }
  }
}
