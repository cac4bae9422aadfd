public import Foundations

extension TrafficDigest {
  /// Writes a digest file for each day, with only the requests, visits, fetches and clients of that
  /// day.
  ///
  /// The bytes of a day's file depend only on the requests of that day. Logs, steps, number of
  /// workers and memory don't matter. A file has one input, which is the day in ISO 8601 or
  /// `undated`. It has as many lines as requests, a fingerprint of their counts, and no format.
  ///
  /// If there are more days than `daysAtATime`, the targets of the others go to temporary files first,
  /// by groups of days. Then each target is read three times at most.
  ///
  /// - Parameters:
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files.
  ///   - daysAtATime: The maximum number of days whose files are written at a time; each takes about
  ///     100 KB of memory.
  ///   - sink: A function that receives the bytes of the files, piece by piece. Pieces of different
  ///     days alternate; those of one day are in order.
  /// - Returns: The days of the written digests, ascending; `nil` is for requests without a time.
  /// - Throws: ``DigestFileError`` if a file can't be read or a temporary file can't be written;
  ///   and any error of `sink`.
  public func writeByDay(
    jobs: Int, temporaryDirectory: String, daysAtATime: Int = 256,
    to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> [Day?] {
    var waiting = [
      (sources: try sources(jobs: jobs, in: temporaryDirectory), days: [0] + days.map(\.number))
    ]
    var written: [Int] = []
    while let (sources, days) = waiting.popLast() {
      let (done, rest) = try sources.writeByDay(
        days, jobs: jobs, limit: daysAtATime, in: temporaryDirectory, summary, to: sink)
      written += done
      waiting += rest
    }
    return written.sorted().map { Day(rawValue: $0) }
  }

  /// The traffic of a day, to be judged without reading it from a file, or `nil` if not all of it is
  /// in memory.
  ///
  /// Its inputs and figures are those of the day's file; see
  /// ``writeByDay(jobs:temporaryDirectory:daysAtATime:to:)``.
  package func inMemory(on day: Day?) -> TrafficDigest? {
    guard runs.isEmpty, dayNumber == nil else { return nil }
    let requests = summary.dailyClients.part(on: day).flatMap(\.counts).reduce(0) {
      $0 + $1.requests
    }
    return TrafficDigest(
      summary.part(on: day, requests: requests), parts: parts, runs: [],
      dayNumber: day?.number ?? 0)
  }
}

extension DigestSummary {
  /// The summary of one day.
  fileprivate func part(on day: Day?, requests: Int) -> DigestSummary {
    var part = DigestSummary()
    var input = TrafficDigest.Input(of: day, requests: requests)
    input.times = day.flatMap { dayTimes[$0] }
    part.inputs = [input]
    part.firstUnlistedFetchHost = firstUnlistedFetchHost
    if let times = input.times { part.dayTimes.add(times) }
    part.dailyFetches = dailyFetches.part(on: day)
    part.dailyClients = dailyClients.part(on: day)
    return part
  }
}

extension Array {
  /// The counts of one day; days ascend, and there can be many.
  fileprivate func part<Count>(on day: Day?) -> Self where Element == TrafficDigest.Daily<Count> {
    let number = day?.number ?? 0
    let start = indices.partitioningIndex { (self[$0].day?.number ?? 0) >= number }
    return Array(self[start...].prefix { $0.day == day })
  }
}

extension TargetSources {
  /// The maximum number of groups; each is an open file.
  private static let groupLimit = 32

  /// Writes the files of the first of some days, and the targets of the others to temporary files by
  /// groups of consecutive days; returns the days of the written files, and each group.
  ///
  /// Days ascend. Targets can have others, too, if a digest doesn't list them.
  fileprivate func writeByDay(
    _ days: [Int], jobs: Int, limit: Int, in directory: String, _ summary: DigestSummary,
    to sink: (_ day: Day?, _ bytes: [UInt8]) throws -> Void
  ) throws -> (written: [Int], rest: [(sources: TargetSources, days: [Int])]) {
    let fileDays = Set(days.prefix(limit))
    let rest = days.dropFirst(limit)
    let count = min(Self.groupLimit, (rest.count + limit - 1) / limit)
    let groupStarts = (0..<count).map { rest[rest.startIndex + $0 * rest.count / count] }
    // The number of a group is below zero. A day before all groups is in the first one.
    let output: @Sendable (Int) -> Int = { day in
      fileDays.contains(day)
        ? day : -max(1, groupStarts.indices.partitioningIndex { groupStarts[$0] > day })
    }
    var drafts: [Int: DigestFileDraft] = [:]
    var groups: [Int: DigestWriter] = [:]
    try write(jobs: jobs, output: output) { batch, share in
      let number = batch.shares[share].output
      if let draft = drafts[number] { return draft }
      guard number >= 0 else {
        let group = try groups[number] ?? DigestWriter(in: directory)
        groups[number] = group
        try group.add(batch, share: share)
        return nil
      }
      let draft = DigestFileDraft(day: Day(rawValue: number), fingerprintsDays: true)
      drafts[number] = draft
      try sink(draft.day, DigestBlock.start)
      return draft
    } _: { draft, bytes in
      try sink(draft.day, bytes)
    }
    for (_, draft) in drafts.sorted(by: { $0.key < $1.key }) {
      for bytes in try draft.end(summary.part(on: draft.day, requests: draft.requests)) {
        try sink(draft.day, bytes)
      }
    }
    return (
      Array(drafts.keys),
      try groups.sorted { $0.key > $1.key }.map { _, group in
        (TargetSources(runs: [try group.finish()]), group.days.sorted())
      }
    )
  }
}
