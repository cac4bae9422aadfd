public import AccessLogs
public import Foundations

/// The traffic of logs, counted by distinct target.
///
/// Requests for a target are counted by host, day, platform, referral, method and status; visits
/// from the same host also by the page with the link.
///
/// A digest doesn't depend on rules, so it can be judged under any number of association files. It
/// contains no client address and no user agent.
///
///     let (inputs, problems) = LogInput.discover(["/var/log/nginx"])
///     let digest = TrafficDigest.reduce(inputs, options: ReductionOptions(jobs: 8))
public struct TrafficDigest: Sendable {
  /// Everything but the targets.
  let summary: DigestSummary

  /// The counts of the workers; the same target can be in several parts.
  let parts: [DigestPart]

  /// The number of the day whose counts in ``parts`` are judged, or `nil` for all.
  let dayNumber: Int?

  /// A Boolean value indicating whether the inputs are days, whose fingerprints are computed when
  /// the digest is written.
  let inputsAreDays: Bool

  /// The counts that were spilled to temporary files, and the targets of digests.
  let runs: [DigestRun]

  /// The rejected lines, if they are kept, and the numbers that they have in their inputs.
  let keptLines: (spool: RejectedLineSpool, numbers: LineNumbers)?

  /// The times of the first and the last request, or `nil` if no request has
  /// one.
  public let times: ClosedRange<LogTime>?

  /// The fetches of association files on all days, in a fixed order.
  public let fetches: [Fetch]

  /// The requests of all hosts on all days by client, the heaviest first.
  public let clients: [ClientCount]

  init(
    _ summary: DigestSummary, parts: [DigestPart], runs: [DigestRun],
    keptLines: (spool: RejectedLineSpool, numbers: LineNumbers)? = nil, dayNumber: Int? = nil,
    inputsAreDays: Bool = false
  ) {
    (self.summary, self.parts, self.runs, self.dayNumber) = (summary, parts, runs, dayNumber)
    (self.keptLines, self.inputsAreDays) = (keptLines, inputsAreDays)
    times = summary.dayTimes.whole
    fetches = Fetch.sums(summary.dailyFetches.flatMap(\.counts))
    clients = ClientCount.sums(summary.dailyClients.flatMap(\.counts))
  }

  /// Returns this digest with other inputs and their rejected lines, for callers that store these
  /// elsewhere.
  ///
  /// - Parameters:
  ///   - inputs: The inputs.
  ///   - rejections: The number of rejected lines by reason.
  ///   - rejectedLines: The first rejected lines of each reason.
  /// - Returns: A digest of the same requests.
  public func replacingInputs(
    _ inputs: [Input], rejections: [RejectionReason: Int], rejectedLines: [RejectedLine]
  ) -> TrafficDigest {
    var summary = summary
    summary.inputs = inputs.sorted(by: Input.precedes)
    (summary.rejections, summary.rejectedLines) = (rejections, rejectedLines)
    return TrafficDigest(
      summary, parts: parts, runs: runs, keptLines: keptLines, dayNumber: dayNumber)
  }

  /// The inputs in ascending order of their paths.
  public var inputs: [Input] { summary.inputs }

  /// The number of rejected lines by reason.
  public var rejections: [RejectionReason: Int] { summary.rejections }

  /// The first rejected lines of each reason, in the order of the inputs.
  public var rejectedLines: [RejectedLine] { summary.rejectedLines }

  /// The fetches of association files by day, requests without a time first.
  public var dailyFetches: [Daily<Fetch>] { summary.dailyFetches }

  /// The number of requests for association files of hosts that exceed the limit of listed hosts.
  public var unlistedFetchRequests: Int {
    fetches.lazy.filter { $0.host == Fetch.otherHosts }.reduce(0) { $0 + $1.requests }
  }

  /// The days with requests on the logs' own clocks, in ascending order.
  public var days: [Day] { summary.dayTimes.keys.sorted() }

  /// The requests of all hosts by day and client, requests without a time first.
  public var dailyClients: [Daily<ClientCount>] { summary.dailyClients }

  /// The lines of all inputs.
  public var tally: LineTally { summary.tally }

  /// The counts of one day.
  public struct Daily<Count: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The day on the log's own clock, or `nil` for requests without a time.
    public var day: Day?

    /// The counts, none of them 0, in the same order as without days.
    public var counts: [Count]
  }
}

/// A figure of a digest and the properties by which it is counted.
protocol SummedCount: Hashable {
  /// These properties with a figure of zero.
  var key: Self { get }

  /// Adds the figure of a count with the same key.
  mutating func add(_ other: Self)

  /// Returns a Boolean value indicating whether a count comes before another one with another key.
  static func precedes(_ one: Self, _ other: Self) -> Bool
}

extension SummedCount {
  /// Adds up counts with equal keys, in a fixed order.
  static func sums(_ counts: [Self]) -> [Self] {
    var sums: [Self: Self] = [:]
    for count in counts { sums[count.key, default: count.key].add(count) }
    return sums.values.sorted(by: precedes)
  }
}

extension TrafficDigest.Daily where Count: SummedCount {
  /// Adds up counts, each with the number of its day, 0 for none; each day is once in the result,
  /// in ascending order.
  static func sums(_ counts: [(day: Int, count: Count)]) -> [Self] {
    Dictionary(grouping: counts) { $0.day }.sorted { $0.key < $1.key }.map { number, counts in
      Self(day: Day(rawValue: number), counts: Count.sums(counts.map(\.count)))
    }
  }

  /// The counts, each with the number of the day, 0 for none.
  var numbered: [(day: Int, count: Count)] { counts.map { (day?.number ?? 0, $0) } }
}

/// The final counts of targets of one worker.
final class DigestPart: Sendable {
  let hosts: ByteTable

  /// The targets; the scope is the number of the host.
  let targets: ByteTable

  /// The requests of each target by combination of dimensions.
  let requests: CountRun
  let combinations: WordTable

  /// The visits of each target that came from pages of the same host.
  let pageVisits: CountRun
  let pages: WordTable

  /// The templates of those pages.
  let templates: ByteTable

  init(
    hosts: consuming ByteTable, targets: consuming ByteTable, requests: CountRun,
    combinations: consuming WordTable, pageVisits: CountRun, pages: consuming WordTable,
    templates: consuming ByteTable
  ) {
    self.hosts = hosts
    self.targets = targets
    self.requests = requests
    self.combinations = combinations
    self.pageVisits = pageVisits
    self.pages = pages
    self.templates = templates
  }
}

/// The counts of one worker other than those of targets.
struct WorkerCounts: Sendable {
  var rejections = RejectionTally()

  var doubtfulLines: DoubtfulLines = [:]
  var fetches = FetchTally()

  /// The requests by kind of client, at the end; see ``AgentMemo/clientCounts``.
  var clients: [(day: Int, count: TrafficDigest.ClientCount)] = []

  /// The hosts that referrers name, at the end.
  var referringHosts: [TrafficDigest.ReferringHost] = []

  /// The counts of each input by its number.
  var shares: [Int: ContinuedLog.Share] = [:]

  /// The number of lines of a chunk, where a row counts once.
  typealias Chunk = (input: Int, chunk: Int, lines: Int)
  var chunks: [Chunk] = []
}
