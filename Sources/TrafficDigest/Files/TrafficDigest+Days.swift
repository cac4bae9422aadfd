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
    let summary = DaySummary(of: self)
    var waiting = [(runs: try allRuns(jobs: jobs, in: temporaryDirectory), depth: 0)]
    var parts: [DayPart] = []
    while let (runs, depth) = waiting.popLast() {
      var writer = DayFileWriter(
        jobs: jobs, limit: daysAtATime,
        rest: DayPartition(depth: depth, directory: temporaryDirectory))
      try writer.write(runs, to: sink)
      let (written, rest) = try writer.finish(summary, to: sink)
      parts += written
      waiting += rest.map { (runs: [$0], depth: depth + 1) }
    }
    return parts.sorted { ($0.day?.number ?? 0) < ($1.day?.number ?? 0) }
  }
}

/// The parts of a digest other than targets, by day; a summary can have that many days.
private struct DaySummary {
  private let whole: DigestSummary
  private let fetches: [Day?: [TrafficDigest.Daily<TrafficDigest.Fetch>]]
  private let clients: [Day?: [TrafficDigest.Daily<TrafficDigest.ClientCount>]]

  init(of digest: TrafficDigest) {
    whole = digest.summary
    fetches = Dictionary(grouping: digest.summary.dailyFetches, by: \.day)
    clients = Dictionary(grouping: digest.summary.dailyClients, by: \.day)
  }

  /// The summary of one day.
  func summary(of day: Day?, requests: Int) -> DigestSummary {
    var summary = DigestSummary(of: day, requests: requests, in: whole)
    summary.dailyFetches = fetches[day] ?? []
    summary.dailyClients = clients[day] ?? []
    return summary
  }
}

/// The targets of days to write later, in temporary files by groups of days.
private struct DayPartition: ~Copyable {
  /// The number of groups; each is an open file.
  private static let groupCount = 32

  /// The number of consecutive days that stay in one group, however often groups are divided.
  private static let unitLength = 256

  private let directory: String

  /// The divisor that maps the number of a unit to its group.
  private let divisor: Int

  private var writers: [DigestRunDraft?] = []

  /// The groups with counts of the current target.
  private var touched: [Int] = []

  /// Creates a partition.
  ///
  /// - Parameters:
  ///   - depth: The number of earlier divisions of the targets into groups.
  ///   - directory: The directory of temporary files.
  init(depth: Int, directory: String) {
    self.directory = directory
    divisor = (0..<min(depth, 4)).reduce(1) { product, _ in product * Self.groupCount }
  }

  /// Adds the counts of a target on one day; all counts of a target are consecutive.
  mutating func add(_ record: TargetRecord, day: Int) throws(DigestFileError) {
    let group = day / Self.unitLength / divisor % Self.groupCount
    while writers.count < Self.groupCount { writers.append(nil) }
    if writers[group] == nil { writers[group] = try DigestRunDraft(in: directory) }
    guard let draft = writers[group] else { return }
    if draft.isEmpty { touched.append(group) }
    draft.collect(record)
  }

  /// Writes the added counts of a target.
  mutating func finishTarget(names: borrowing ByteTable) throws(DigestFileError) {
    for group in touched { try writers[group]?.finishTarget(names: names) }
    if !touched.isEmpty { touched.removeAll(keepingCapacity: true) }
  }

  /// Ends the files.
  consuming func finish() throws(DigestFileError) -> [DigestRun] {
    var runs: [DigestRun] = []
    for case let draft? in writers { runs.append(try draft.finish()) }
    return runs
  }
}

/// A run in the making whose targets arrive in pieces.
private final class DigestRunDraft {
  private var writer: DigestWriter?
  private var record = TargetRecord()

  /// A Boolean value indicating whether the current target has no counts.
  private(set) var isEmpty = true

  init(in directory: String) throws(DigestFileError) {
    writer = try DigestWriter.begin(in: directory)
  }

  /// Adds counts of a target.
  func collect(_ piece: TargetRecord) {
    if isEmpty {
      (record.host, record.target) = (piece.host, piece.target)
      record.removeCounts()
    }
    isEmpty = false
    record.requests += piece.requests
    record.visits += piece.visits
  }

  func finishTarget(names: borrowing ByteTable) throws(DigestFileError) {
    try writer?.add(&record, names: names)
    isEmpty = true
  }

  func finish() throws(DigestFileError) -> DigestRun {
    guard let writer = writer.take() else {
      throw DigestFileError(path: "", reason: .outOfMemory, isTemporary: true, offset: 0)
    }
    return try writer.finish()
  }
}

/// Writes the files of some days at a time.
private struct DayFileWriter: ~Copyable {
  private let limit: Int

  /// The files by the number of their day.
  private var drafts: [Int: DigestFileDraft] = [:]

  /// The days by the identities of their files.
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var compressor: BlockCompressor

  /// The targets of all other days.
  private var rest: DayPartition

  /// The counts of a target on one day.
  private var record = TargetRecord()

  init(jobs: Int, limit: Int, rest: consuming DayPartition) {
    self.limit = limit
    self.rest = rest
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
    }
  }

  /// Adds a target to the files of its days.
  private mutating func add(
    _ whole: inout TargetRecord, names: borrowing ByteTable,
    to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws {
    // The day is in the highest bits, so the counts of a day are consecutive.
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
      guard let draft = try draft(of: day, to: sink) else {
        try rest.add(record, day: day)
        continue
      }
      draft.add(&record, names: names)
      if draft.isFull { try takeBlock(of: draft, to: sink) }
    }
    try rest.finishTarget(names: names)
  }

  /// The file of a day, or `nil` if the day is not written this time.
  private mutating func draft(
    of number: Int, to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> DigestFileDraft? {
    if let draft = drafts[number] { return draft }
    guard drafts.count < limit else { return nil }
    let draft = DigestFileDraft(fingerprintsDays: true)
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

  /// Writes the rest of all files.
  ///
  /// - Returns: The written digests, and the targets of the remaining days.
  consuming func finish(
    _ summary: DaySummary, to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> (parts: [TrafficDigest.DayPart], rest: [DigestRun]) {
    let ordered = drafts.sorted { $0.key < $1.key }
    for (_, draft) in ordered { try takeBlock(of: draft, to: sink) }
    let numbers = numbers
    try compressor.flush { draft, bytes in
      try sink(numbers[ObjectIdentifier(draft)].flatMap { Day.numbered($0) }, bytes)
    }
    let parts = try ordered.map { number, draft in
      let day = Day.numbered(number)
      for bytes in try draft.end(summary.summary(of: day, requests: draft.requests)) {
        try sink(day, bytes)
      }
      return TrafficDigest.DayPart(
        day: day, byteCount: draft.byteCount, requests: draft.requests,
        targetCount: draft.targetCount)
    }
    return (parts, try rest.finish())
  }
}

extension TargetRecord.Requests {
  fileprivate var dayNumber: Int { Dimensions(bits: dimensions).dayNumber }
}

extension TargetRecord.Visits {
  fileprivate var dayNumber: Int { Dimensions(bits: dimensions).dayNumber }
}

extension DigestSummary {
  /// Creates the part of a summary for one day, without fetches and clients.
  fileprivate init(of day: Day?, requests: Int, in whole: DigestSummary) {
    var input = TrafficDigest.Input(of: day, requests: requests)
    input.times = day.flatMap { whole.dayTimes.ranges[$0] }
    inputs = [input]
    firstUnlistedFetchHost = whole.firstUnlistedFetchHost
    if let times = input.times { dayTimes.add(times) }
    inputsAreDays = true
  }
}
