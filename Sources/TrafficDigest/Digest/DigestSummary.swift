internal import AccessLogs
internal import Foundations

/// Everything in a digest except its targets.
struct DigestSummary: Hashable, Sendable {
  /// The inputs, in order.
  var inputs: [TrafficDigest.Input] = []

  /// A Boolean value indicating whether the inputs are days, whose fingerprints are computed when
  /// the digest is written.
  var inputsAreDays = false

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

  var tally: LineTally {
    inputs.reduce(into: LineTally()) { $0 += $1.tally }
  }

  /// The times of the first and the last request.
  var times: ClosedRange<LogTime>? { dayTimes.whole }

  /// The fetches of association files on all days, in a fixed order.
  var fetches: [TrafficDigest.Fetch] { TrafficDigest.Fetch.sums(dailyFetches.flatMap(\.counts)) }

  /// The requests on all days by client, the heaviest first.
  var clients: [TrafficDigest.ClientCount] {
    TrafficDigest.ClientCount.sums(dailyClients.flatMap(\.counts))
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
    }
    self.inputs = inputs
    assert(self.inputs.allSatisfy { $0.format != nil || $0.tally.requests + $0.tally.outside == 0 })

    var (rejections, fetches) = (RejectionTally(), FetchTally())
    var doubtfulLines: DoubtfulLines = [:]
    for worker in counts {
      doubtfulLines.merge(worker.doubtfulLines) { $0.place < $1.place ? $0 : $1 }
      rejections.merge(worker.rejections)
      fetches.merge(worker.fetches)
    }
    for (number, doubtful) in doubtfulLines where self.inputs[number].isMisread {
      self.inputs[number].doubtfulLine = doubtful.line
    }
    self.rejections = rejections.counts
    let examples = RejectionReason.allCases.map { ($0, rejections.examples(of: $0)) }
    let wanted = Set(examples.flatMap(\.1).map(\.input))
    let numbers = LineNumbers(
      counts.flatMap(\.chunks).filter { wanted.contains($0.input) },
      paths: self.inputs.map(\.path), linesBefore)
    rejectedLines = examples.flatMap { reason, places in
      places.map { numbers.line(reason, at: $0) }
    }
    fetches.limit()
    dailyFetches = TrafficDigest.Daily.sums(fetches.counts)
    firstUnlistedFetchHost = fetches.firstUnlistedHost
    dailyClients = TrafficDigest.Daily.sums(counts.flatMap(\.clients))
    referringHosts = ReferringHostTally.sums(counts.flatMap(\.referringHosts))
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
    let lines = summaries.flatMap(\.rejectedLines)
    rejectedLines = RejectionReason.allCases.flatMap { reason in
      lines.filter { $0.reason == reason }.sorted(by: RejectedLine.precedes)
        .prefix(RejectionTally.exampleLimit)
    }
    dailyFetches = TrafficDigest.Daily.sums(
      summaries.flatMap(\.dailyFetches).flatMap(\.numbered))
    limitFetches(summaries.compactMap(\.firstUnlistedFetchHost))
    dailyClients = TrafficDigest.Daily.sums(
      summaries.flatMap(\.dailyClients).flatMap(\.numbered))
    for summary in summaries { dayTimes.add(summary.dayTimes) }
    referringHosts = ReferringHostTally.sums(summaries.flatMap(\.referringHosts))
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
  fileprivate static func precedes(_ one: RejectedLine, _ other: RejectedLine) -> Bool {
    one.path.hasSameBytes(as: other.path)
      ? (one.line, one.offset) < (other.line, other.offset)
      : one.path.precedesByBytes(other.path)
  }
}
