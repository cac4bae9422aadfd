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

  /// The greatest number of days whose files are written at a time; each takes about
  /// 100 KB of memory.
  static let daysAtATime = 256

  /// Writes a digest file for each day, with the requests, visits, fetches and clients of
  /// that day alone.
  ///
  /// The bytes of a day's file depend on the requests of that day alone: they are the same
  /// for any logs that these came from, in whatever steps, for any number of workers and
  /// any memory. As its one input, a file has the day as ISO 8601 writes it, or `undated`,
  /// with as many lines as requests, and neither format nor fingerprint.
  ///
  /// All targets are read once for every 256 days.
  ///
  /// - Parameters:
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files.
  ///   - sink: A function that is given the bytes of the files, piece by piece. Those of
  ///     different days come in turns; those of one day in order.
  /// - Returns: What has been written, requests without a time first, days ascending.
  /// - Throws: ``DigestFileError`` if what is in files can't be read or temporary ones
  ///   can't be written, and what `sink` throws.
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
    let runs = try allRuns(jobs: jobs, in: temporaryDirectory)
    var parts: [DayPart] = []
    var done: Set<Int> = []
    while true {
      var writer = DayFileWriter(jobs: jobs, limit: daysAtATime, without: done)
      try writer.write(runs, to: sink)
      let hasMore = writer.hasMore
      let (numbers, written) = try writer.finish(self, to: sink)
      parts += written
      done.formUnion(numbers)
      if !hasMore { return parts.sorted { ($0.day?.number ?? 0) < ($1.day?.number ?? 0) } }
    }
  }
}

/// Writes the files of some days at a time.
private struct DayFileWriter: ~Copyable {
  private let limit: Int

  /// The days, by number, that have been written already.
  private let done: Set<Int>

  /// The files by the number of their day.
  private var drafts: [Int: DigestFileDraft] = [:]

  /// The days by the identities of their files.
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var compressor: BlockCompressor

  /// A Boolean value indicating whether there are days besides.
  private(set) var hasMore = false

  /// The counts of a target on one day.
  private var record = TargetRecord()

  init(jobs: Int, limit: Int, without done: Set<Int>) {
    (self.limit, self.done) = (limit, done)
    compressor = BlockCompressor(jobs: jobs)
  }

  /// Writes the targets of runs.
  mutating func write(
    _ runs: [DigestRun], to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws {
    var merge = try RunMerge(runs)
    var names = ByteTable()
    while try merge.next(names: &names) {
      try add(&merge.record, names: names, to: sink)
      if names.byteCount > TargetNames.byteLimit {
        names = ByteTable()
        merge.forgetNames()
      }
    }
  }

  /// Adds a target to the files of its days.
  private mutating func add(
    _ whole: inout TargetRecord, names: borrowing ByteTable,
    to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws {
    // The day stands in the highest bits, so that the counts of one follow one another.
    whole.requests.sort { $0.dimensions < $1.dimensions }
    whole.visits.sort { ($0.dimensions, $0.template) < ($1.dimensions, $1.template) }
    (record.host, record.target) = (whole.host, whole.target)
    var (request, visit) = (0, 0)
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
      guard let draft = try draft(of: day, to: sink) else { continue }
      draft.add(&record, names: names)
      if draft.isFull { try takeBlock(of: draft, to: sink) }
    }
  }

  /// The file of a day, or `nil` if it isn't this time that it is written.
  private mutating func draft(
    of number: Int, to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> DigestFileDraft? {
    if let draft = drafts[number] { return draft }
    if done.contains(number) { return nil }
    guard drafts.count < limit else {
      hasMore = true
      return nil
    }
    let draft = DigestFileDraft()
    drafts[number] = draft
    numbers[ObjectIdentifier(draft)] = number
    try sink(Day.numbered(number), DigestBlock.start)
    return draft
  }

  private mutating func takeBlock(
    of draft: DigestFileDraft, to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws {
    guard let block = draft.takeBlock() else { return }
    let numbers = numbers
    try compressor.add(block, to: draft) { draft, bytes in
      try sink(numbers[ObjectIdentifier(draft)].flatMap { Day.numbered($0) }, bytes)
    }
  }

  /// Writes what is left of all files.
  ///
  /// - Returns: The days, by number, and what has been written.
  mutating func finish(
    _ digest: TrafficDigest, to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> (numbers: [Int], parts: [TrafficDigest.DayPart]) {
    let ordered = drafts.sorted { $0.key < $1.key }
    for (_, draft) in ordered { try takeBlock(of: draft, to: sink) }
    let numbers = numbers
    try compressor.flush { draft, bytes in
      try sink(numbers[ObjectIdentifier(draft)].flatMap { Day.numbered($0) }, bytes)
    }
    // Each day's, as there can be as many days as summaries of one.
    let fetches = Dictionary(grouping: digest.summary.dailyFetches, by: \.day)
    let clients = Dictionary(grouping: digest.summary.dailyClients, by: \.day)
    let parts = try ordered.map { number, draft in
      let day = Day.numbered(number)
      var summary = DigestSummary(of: day, requests: draft.requests, in: digest.summary)
      summary.dailyFetches = fetches[day] ?? []
      summary.dailyClients = clients[day] ?? []
      for bytes in try draft.end(summary) { try sink(day, bytes) }
      return TrafficDigest.DayPart(
        day: day, byteCount: draft.byteCount, requests: draft.requests,
        targetCount: draft.targetCount)
    }
    return (ordered.map(\.key), parts)
  }
}

extension TargetRecord.Requests {
  fileprivate var dayNumber: Int { PackedDimensions(bits: dimensions).dayNumber }
}

extension TargetRecord.Visits {
  fileprivate var dayNumber: Int { PackedDimensions(bits: dimensions).dayNumber }
}

extension DigestSummary {
  /// What a summary says of one day, but for fetches and clients.
  fileprivate init(of day: Day?, requests: Int, in whole: DigestSummary) {
    var input = TrafficDigest.Input(path: day?.description ?? "undated")
    (input.tally.lines, input.tally.requests) = (requests, requests)
    input.times = day.flatMap { whole.dayTimes.ranges[$0] }
    inputs = [input]
    firstUnlistedFetchHost = whole.firstUnlistedFetchHost
    if let times = input.times { dayTimes.add(times) }
  }
}
