public import Foundations

extension TrafficDigest {
  /// The digest file of one day.
  public struct DayPart: Hashable, Sendable {
    /// The day of the log's own clock, or `nil` for requests without a time.
    public var day: Day?

    /// The number of bytes of the file.
    public var byteCount: Int

    /// The number of requests.
    public var requests: Int

    /// The number of distinct targets by host.
    public var targetCount: Int
  }

  /// The maximum number of days whose files are written at a time; each takes about 100 KB of
  /// memory.
  static let daysAtATime = 256

  /// Writes a digest file for each day, with only the requests, visits, fetches and clients of that
  /// day.
  ///
  /// The bytes of a day's file depend only on the requests of that day. Logs, steps, number of
  /// workers and memory don't matter. A file has one input, which is the day in ISO 8601 or
  /// `undated`. It has as many lines as requests, a fingerprint of their counts, and no format.
  ///
  /// If there are more than 256 days, the targets of the others go to temporary files first, by
  /// groups of days. Then each target is read three times at most.
  ///
  /// - Parameters:
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files.
  ///   - sink: A function that receives the bytes of the files, piece by piece. Pieces of different
  ///     days alternate; those of one day are in order.
  /// - Returns: The written digests, requests without a time first, days ascending.
  /// - Throws: ``DigestFileError`` if a file can't be read or a temporary file can't be written;
  ///   and any error of `sink`.
  public func writeByDay(
    jobs: Int, temporaryDirectory: String,
    to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> [DayPart] {
    try writeByDay(
      jobs: jobs, temporaryDirectory: temporaryDirectory, daysAtATime: Self.daysAtATime, to: sink)
  }

  func writeByDay(
    jobs: Int, temporaryDirectory: String, daysAtATime: Int,
    to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> [DayPart] {
    let summaries = DaySummaries(summary)
    var waiting = [
      (
        runs: try allRuns(jobs: jobs, in: temporaryDirectory),
        days: [0] + days.map(\.number)
      )
    ]
    var parts: [DayPart] = []
    while let (runs, days) = waiting.popLast() {
      var writer = DayFileWriter(
        days, jobs: jobs, limit: daysAtATime, temporaryDirectory: temporaryDirectory)
      try writer.write(runs, to: sink)
      let (written, rest) = try writer.finish(summaries, to: sink)
      parts += written
      waiting += rest.map { (runs: [$0.run], days: $0.days) }
    }
    return parts.sorted { ($0.day?.number ?? 0) < ($1.day?.number ?? 0) }
  }
}

/// The parts of a summary by day; it can have that many days.
private struct DaySummaries {
  private let whole: DigestSummary
  private let fetches: [Day?: [TrafficDigest.Daily<TrafficDigest.Fetch>]]
  private let clients: [Day?: [TrafficDigest.Daily<TrafficDigest.ClientCount>]]

  init(_ whole: DigestSummary) {
    self.whole = whole
    fetches = Dictionary(grouping: whole.dailyFetches, by: \.day)
    clients = Dictionary(grouping: whole.dailyClients, by: \.day)
  }

  /// The summary of one day.
  func summary(of day: Day?, requests: Int) -> DigestSummary {
    var summary = DigestSummary()
    var input = TrafficDigest.Input(of: day, requests: requests)
    input.times = day.flatMap { whole.dayTimes.ranges[$0] }
    summary.inputs = [input]
    summary.inputsAreDays = true
    summary.firstUnlistedFetchHost = whole.firstUnlistedFetchHost
    if let times = input.times { summary.dayTimes.add(times) }
    summary.dailyFetches = fetches[day] ?? []
    summary.dailyClients = clients[day] ?? []
    return summary
  }
}

/// Writes the files of the first of some days, and the targets of the others to temporary files by
/// groups of consecutive days.
private struct DayFileWriter: ~Copyable {
  /// The maximum number of groups; each is an open file.
  private static let groupLimit = 32

  private let directory: String

  /// The days whose files are written, by number.
  private let days: Set<Int>

  /// The files of these days that have targets.
  private var drafts: [Int: DigestFileDraft] = [:]
  private var compressor: BlockCompressor

  /// The first day of each group.
  private let groupStarts: [Int]
  private var groups: [Int: DigestWriter] = [:]

  /// The counts of a target on one day, and those of one group.
  private var record = TargetRecord()
  private var groupRecord = TargetRecord()

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - days: The numbers of the days, ascending. Targets can have others, too, if a digest doesn't
  ///     list them.
  ///   - jobs: The number of workers.
  ///   - limit: The maximum number of files.
  ///   - temporaryDirectory: The directory of temporary files.
  init(_ days: [Int], jobs: Int, limit: Int, temporaryDirectory: String) {
    directory = temporaryDirectory
    self.days = Set(days.prefix(limit))
    compressor = BlockCompressor(jobs: jobs)
    let rest = days.dropFirst(limit)
    let count = min(Self.groupLimit, (rest.count + limit - 1) / limit)
    groupStarts = (0..<count).map { rest[rest.startIndex + $0 * rest.count / count] }
  }

  /// Writes the targets of runs.
  mutating func write(
    _ runs: [DigestRun], to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws {
    var merge = try RunMerge(runs)
    var names = ByteTable()
    while try merge.next(names: &names) {
      try add(&merge.record, names: names, to: sink)
    }
  }

  /// Adds a target to the files of its days and to groups.
  private mutating func add(
    _ whole: inout TargetRecord, names: borrowing ByteTable,
    to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws {
    // The day is in the highest bits, so the counts of a day are consecutive.
    whole.requests.sort { $0.dimensions < $1.dimensions }
    whole.visits.sort { ($0.dimensions, $0.template) < ($1.dimensions, $1.template) }
    record.key = whole.key
    var (request, visit) = (0, 0)
    var group = 0
    while request < whole.requests.count || visit < whole.visits.count {
      let day = min(
        request < whole.requests.count ? whole.requests[request].dayNumber : .max,
        visit < whole.visits.count ? whole.visits[visit].dayNumber : .max)
      record.removeCounts()
      while request < whole.requests.count, whole.requests[request].dayNumber == day {
        record.requests.append(whole.requests[request])
        request += 1
      }
      while visit < whole.visits.count, whole.visits[visit].dayNumber == day {
        record.visits.append(whole.visits[visit])
        visit += 1
      }
      if let draft = try draft(of: day, to: sink) {
        draft.add(&record, names: names)
        if draft.isFull { try takeBlock(of: draft, to: sink) }
      } else {
        let next = self.group(of: day)
        if next != group { try finishTarget(in: group, names: names) }
        group = next
        groupRecord.requests += record.requests
        groupRecord.visits += record.visits
      }
    }
    try finishTarget(in: group, names: names)
  }

  /// The file of a day, or `nil` if it is not written this time.
  private mutating func draft(
    of number: Int, to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> DigestFileDraft? {
    if let draft = drafts[number] { return draft }
    guard days.contains(number) else { return nil }
    let draft = DigestFileDraft(day: Day.numbered(number), fingerprintsDays: true)
    drafts[number] = draft
    try sink(draft.day, DigestBlock.start)
    return draft
  }

  /// The number of a day's group; a day before all groups is in the first one.
  private func group(of day: Int) -> Int {
    max(0, groupStarts.indices.partitioningIndex { groupStarts[$0] > day } - 1)
  }

  /// Writes the counts of a target to a group.
  private mutating func finishTarget(
    in group: Int, names: borrowing ByteTable
  ) throws {
    guard !groupRecord.requests.isEmpty || !groupRecord.visits.isEmpty else { return }
    let writer = try groups[group] ?? DigestWriter(in: directory)
    groups[group] = writer
    groupRecord.key = record.key
    try writer.add(&groupRecord, names: names)
    groupRecord.removeCounts()
  }

  private mutating func takeBlock(
    of draft: DigestFileDraft, to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws {
    guard let block = draft.takeBlock() else { return }
    try compressor.add(block, to: draft) { draft, bytes in try sink(draft.day, bytes) }
  }

  /// Writes the rest of all files.
  ///
  /// - Returns: The written digests, and the targets of each group with its days, ascending.
  consuming func finish(
    _ summaries: DaySummaries, to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> (parts: [TrafficDigest.DayPart], rest: [(run: DigestRun, days: [Int])]) {
    let ordered = drafts.sorted { $0.key < $1.key }.map(\.value)
    for draft in ordered { try takeBlock(of: draft, to: sink) }
    try compressor.flush { draft, bytes in try sink(draft.day, bytes) }
    let parts = try ordered.map { draft in
      for bytes in try draft.end(summaries.summary(of: draft.day, requests: draft.requests)) {
        try sink(draft.day, bytes)
      }
      return TrafficDigest.DayPart(
        day: draft.day, byteCount: draft.byteCount, requests: draft.requests,
        targetCount: draft.targetCount)
    }
    let rest = try groups.sorted { $0.key < $1.key }.map { _, group in
      (run: try group.finish(), days: group.days.sorted())
    }
    return (parts, rest)
  }
}

extension TargetRecord.Requests {
  fileprivate var dayNumber: Int { Dimensions(bits: dimensions).dayNumber }
}

extension TargetRecord.Visits {
  fileprivate var dayNumber: Int { Dimensions(bits: dimensions).dayNumber }
}
