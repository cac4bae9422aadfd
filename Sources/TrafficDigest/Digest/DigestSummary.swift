internal import AccessLogs
internal import FoundationSubset
internal import Foundations

/// Everything in a digest except its targets.
struct DigestSummary: Codable, Hashable, Sendable {
  /// The inputs, in order.
  var inputs: [TrafficDigest.Input] = []

  var rejections: [RejectionReason: Int] = [:]

  /// The first rejected lines of each reason, in the order of the inputs.
  var rejectedLines: [RejectedLine] = []

  var dailyFetches: [TrafficDigest.Daily<TrafficDigest.Fetch>] = []

  /// The first host whose fetches aren't listed, or `nil` if all are.
  ///
  /// See ``FetchTally/limit``.
  var firstUnlistedFetchHost: String?

  var dailyClients: [TrafficDigest.Daily<TrafficDigest.ClientCount>] = []

  /// The times of the first and the last request of each day.
  var dayTimes: [Day: ClosedRange<LogTime>] = [:]

  /// The hosts that referrers name, on lines without a host of their own.
  var referringHosts: [TrafficDigest.ReferringHost] = []

  /// The days of all requests in a file, ascending; 0 for requests without a time.
  var days: [Int] = []

  var tally: LineTally {
    inputs.reduce(into: LineTally()) { $0 += $1.tally }
  }
}

extension DigestSummary {
  /// Adds up the counts of workers.
  ///
  /// - Parameters:
  ///   - inputs: The inputs, ascending by path, without their lines.
  ///   - counts: The counts of the workers.
  ///   - linesBefore: The number of lines of each input that were counted in earlier runs.
  init(
    inputs: consuming [TrafficDigest.Input], counts: [WorkerCounts], linesBefore: [Int] = []
  ) {
    for (number, share) in counts.lazy.flatMap(\.shares) {
      inputs[number].tally += share.tally
      inputs[number].times.widen(to: share.times)
      for times in share.days.values.lazy.compactMap(\.times) { dayTimes.add(times) }
      rejections.merge(share.rejections, uniquingKeysWith: +)
    }
    self.inputs = inputs
    assert(self.inputs.allSatisfy { $0.format != nil || $0.tally.requests + $0.tally.outside == 0 })

    var (rejected, fetches) = (RejectionTally(), FetchTally())
    var doubtfulLines: DoubtfulLines = [:]
    for worker in counts {
      doubtfulLines.merge(worker.doubtfulLines) { $0.place < $1.place ? $0 : $1 }
      rejected.addExamples(worker.rejections)
      fetches.merge(worker.fetches)
    }
    for (number, doubtful) in doubtfulLines where self.inputs[number].isMisread {
      self.inputs[number].doubtfulLine = doubtful.line
    }
    let examples = RejectionReason.allCases.map { ($0, rejected.examples(of: $0)) }
    let changed = self.inputs.indices.filter { input in
      self.inputs[input].doubts.contains { $0.chunk != nil }
    }
    let wanted = Set(examples.flatMap(\.1).map(\.input) + changed)
    let numbers = LineNumbers(
      counts.flatMap(\.chunks).filter { wanted.contains($0.input) },
      paths: self.inputs.map(\.path), linesBefore)
    rejectedLines = examples.flatMap { reason, places in
      places.map { numbers.line(reason, at: $0) }
    }
    for input in changed { numbers.number(&self.inputs[input].doubts, of: input) }
    fetches.limit()
    dailyFetches = TrafficDigest.Daily.sums(fetches.counts)
    firstUnlistedFetchHost = fetches.firstUnlistedHost
    dailyClients = TrafficDigest.Daily.sums(counts.flatMap(\.clients))
    referringHosts = TrafficDigest.ReferringHost.firstSums(counts.flatMap(\.referringHosts))
  }

  /// Adds up digests.
  init(adding summaries: [DigestSummary]) {
    // Name an input without lines once, however many digests name it.
    var known: [[UInt8]: Set<TrafficDigest.Input>] = [:]
    inputs = summaries.flatMap(\.inputs).sorted(by: TrafficDigest.Input.precedes).filter {
      if $0.tally.lines > 0 { return true }
      var input = $0
      (input.digest, input.unreadStart, input.hasAmbiguousDates) = (nil, [], false)
      return known[Array(input.path.utf8), default: []].insert(input).inserted
    }
    for summary in summaries { rejections.merge(summary.rejections, uniquingKeysWith: +) }
    rejectedLines = RejectedLine.examples(among: summaries.flatMap(\.rejectedLines))
    dailyFetches = TrafficDigest.Daily.sums(
      summaries.flatMap(\.dailyFetches).flatMap(\.numbered))
    limitFetches(summaries.compactMap(\.firstUnlistedFetchHost))
    dailyClients = TrafficDigest.Daily.sums(
      summaries.flatMap(\.dailyClients).flatMap(\.numbered))
    for summary in summaries { dayTimes.add(summary.dayTimes) }
    referringHosts = TrafficDigest.ReferringHost.firstSums(summaries.flatMap(\.referringHosts))
  }

  /// Limits the fetches to as many hosts as a digest of all logs would list; parts list none from
  /// some hosts on.
  private mutating func limitFetches(_ unlisted: [String]) {
    let count = dailyFetches.reduce(0) { $0 + $1.counts.count }
    guard !unlisted.isEmpty || count > FetchTally.limit else { return }
    var tally = FetchTally()
    for host in unlisted { tally.listHosts(before: host) }
    for (day, fetch) in dailyFetches.flatMap(\.numbered) {
      tally.add(FetchTally.Key(day: day, fetch: fetch.key), fetch.figures)
    }
    tally.limit()
    dailyFetches = TrafficDigest.Daily.sums(tally.counts)
    firstUnlistedFetchHost = tally.firstUnlistedHost
  }
}

extension RejectedLine {
  /// The first lines of each reason in the order of the inputs.
  package static func examples(among lines: [RejectedLine]) -> [RejectedLine] {
    let groups = Dictionary(grouping: lines, by: \.reason)
    return RejectionReason.allCases.flatMap { reason in
      (groups[reason] ?? []).sorted { one, other in
        one.path.hasSameBytes(as: other.path)
          ? (one.line, one.offset) < (other.line, other.offset)
          : one.path.precedesByBytes(other.path)
      }.prefix(RejectionTally.exampleLimit)
    }
  }
}

// MARK: - Files

extension DigestSummary {
  /// The summary as the payload of a block.
  var payload: [UInt8] {
    get throws { [UInt8](try JSONEncoder.sorted.encode(self)) }
  }

  /// The clients and the numbers of fetches of each day, encoded.
  ///
  /// The counts of targets don't contain them.
  func dailyValues() throws -> [(day: Day?, value: [UInt8])] {
    let encoder = JSONEncoder.sorted
    return try dailyClients.map { ($0.day, [UInt8](try encoder.encode($0))) }
      + dailyFetches.map { ($0.day, [UInt8](try encoder.encode($0.withoutTimesAndSizes))) }
  }

  // Bounds for what is read, because values take more memory than their bytes. A summary of ten years
  // with hundreds of kinds of clients on each day has four million values, and 30 MB.
  private static let byteLimit = 1 << 28
  private static let valueLimit = 1 << 24

  /// Reads the first bytes of an array as such a payload, or returns `nil` if it is damaged.
  static func read(_ payload: [UInt8], count: Int) -> DigestSummary? {
    let bytes = payload[..<count]
    guard count <= byteLimit, bytes.count(where: { $0 == UInt8(ascii: ",") }) <= valueLimit,
      let summary = try? JSONDecoder().decode(DigestSummary.self, from: Data(bytes)),
      summary.isPlausible
    else { return nil }
    return summary
  }

  /// Upper bound for numbers in a digest; sums of all numbers in a file don't overflow.
  static let countLimit = 0...LogFormat.rowCountLimit

  /// A Boolean value indicating whether counts and their sums are within the limit, and days ascend.
  private var isPlausible: Bool {
    let fetches = dailyFetches.flatMap(\.counts)
    let clients = dailyClients.flatMap(\.counts)
    let requests =
      fetches.map(\.requests) + clients.map(\.requests) + referringHosts.map(\.requests)
    let tallies = inputs.map(\.tally)
    var counts = requests + rejections.values + rejectedLines.map(\.line)
    for tally in tallies {
      counts += [tally.lines, tally.requests, tally.outside]
      counts += [tally.misplacedAgents, tally.unreadTimes, tally.rejectedAppleLines]
    }
    for doubt in inputs.flatMap(\.doubts) { counts += [doubt.count, doubt.total, doubt.line] }
    for sizes in fetches.compactMap(\.sizes) { counts += [sizes.lowerBound, sizes.upperBound] }
    let lengths =
      inputs.map(\.settings.lineLimit) + inputs.compactMap(\.fingerprint?.length)
      + rejectedLines.map(\.offset)
    let times = dayTimes.values + inputs.compactMap(\.times) + fetches.compactMap(\.figures.times)
    return counts.allSatisfy(Self.countLimit.contains) && lengths.allSatisfy { $0 >= 0 }
      && Self.countLimit.contains((tallies.map(\.lines) + requests).reduce(0) { max($0, $0 &+ $1) })
      && tallies.allSatisfy { $0.rejected >= 0 } && fetches.allSatisfy { $0.status <= 999 }
      && clients.allSatisfy { (1...255).contains($0.systemVersion ?? 1) }
      && times.allSatisfy { $0.lowerBound.isPlausible && $0.upperBound.isPlausible }
      && dayTimes.allSatisfy { $0 == $1.lowerBound.day && $0 == $1.upperBound.day }
      && days.isStrictlyAscending && days.allSatisfy { $0 == 0 || Day(rawValue: $0) != nil }
      && dailyFetches.map { $0.day?.number ?? 0 }.isStrictlyAscending
      && dailyClients.map { $0.day?.number ?? 0 }.isStrictlyAscending
  }
}

extension LogTime {
  /// A Boolean value indicating whether a log can have the time: in the years from 0 to 9999, with
  /// the offset of a clock.
  fileprivate var isPlausible: Bool {
    (-62_167_305_600...253_402_387_199).contains(secondsSince1970)
      && (-Self.greatestOffset...Self.greatestOffset).contains(offsetInMinutes)
  }
}

extension [Int] {
  fileprivate var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
