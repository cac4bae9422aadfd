public import AccessLogs

/// What remains of logs when each distinct target is counted once: by host, day,
/// platform, referral, method and status, and for visits from the same host by
/// the page that the link stood on.
///
/// A digest knows nothing of rules, so it can be judged under any number of
/// association files. It holds no client address and no user agent.
///
///     let (inputs, problems) = LogInput.discover(["/var/log/nginx"])
///     let digest = TrafficDigest.reduce(inputs, options: ReductionOptions(jobs: 8))
public struct TrafficDigest: Sendable {
  /// An input and what was found in it.
  public struct Input: Hashable, Sendable {
    /// The path as it is shown.
    public var path: String

    /// What kept it from being read whole, or `nil`.
    public var damage: LogDamage?

    /// The format of its lines, or `nil` if none of its first lines had any.
    public var format: LogFormat?

    /// Its lines.
    public var tally: LineTally

    /// The beginning of the log, some lines, if no format fits them, or not the one
    /// that was named; else empty.
    public var unreadStart: [UInt8]
  }

  /// An input as it was left.
  struct InputSummary {
    var input: LogInput
    var damage: LogDamage?
    var format: LogFormat?
    var unreadStart: [UInt8]
  }

  /// Requests of one of Apple's fetchers for an association file.
  public struct Fetch: Hashable, Sendable {
    /// The path at which systems look for an association file first
    /// (MATCHING.md, 6.3).
    public static let wellKnownPath = "/.well-known/apple-app-site-association"

    /// The host.
    public var host: String

    /// The path, without a query.
    public var path: String

    /// Who asked.
    public var fetcher: Fetcher

    /// The status of the response.
    public var status: UInt16

    /// The number of requests.
    public var requests: Int

    /// The time of the last of them, or `nil` if none had a time.
    public var last: LogTime?
  }

  /// The inputs in ascending order of their paths.
  public let inputs: [Input]

  /// The number of rejected lines by reason.
  public let rejections: [RejectionReason: Int]

  /// The first rejected lines of each reason, in the order of the inputs.
  public let rejectedLines: [RejectedLine]

  /// The times of the first and the last request, or `nil` if no request has
  /// one.
  public let times: ClosedRange<LogTime>?

  /// The fetches of association files, in a fixed order.
  public let fetches: [Fetch]

  /// The requests of all hosts by client, the heaviest first.
  public let clients: [ClientCount]

  /// What the workers have counted; the same target can be in several parts.
  let parts: [DigestPart]

  /// The rejected lines, if they were to be kept.
  let rejectedLineSpool: RejectedLineSpool?

  /// What they have counted before and written to temporary files.
  let runs: [DigestRun]

  init(
    inputs: [InputSummary], parts: [DigestPart],
    runs: [DigestRun], rejectedLineSpool: RejectedLineSpool? = nil
  ) {
    (self.parts, self.runs) = (parts, runs)
    clients = Self.clients(of: parts)
    self.rejectedLineSpool = rejectedLineSpool
    let tallies = parts.flatMap(\.tallies)
    var perInput = Array(repeating: LineTally(), count: inputs.count)
    for tally in tallies { perInput[tally.input] += tally.tally }
    self.inputs = inputs.enumerated().map { index, input in
      Input(
        path: input.input.path, damage: input.damage, format: input.format, tally: perInput[index],
        unreadStart: input.unreadStart)
    }

    var rejections = RejectionTally()
    var fetches = FetchTally()
    for part in parts {
      rejections.merge(part.rejections)
      fetches.merge(part.fetches)
    }
    self.rejections = rejections.counts
    rejectedLines = Self.lines(rejections, inputs: inputs.map(\.input.path), tallies: tallies)
    self.fetches = fetches.values.map { key, value in
      Fetch(
        host: key.host, path: key.path, fetcher: key.fetcher, status: key.status,
        requests: value.requests, last: value.last)
    }.sorted {
      ($0.host, $0.path, $0.fetcher.rawValue, $0.status)
        < ($1.host, $1.path, $1.fetcher.rawValue, $1.status)
    }
    let times = parts.compactMap(\.times)
    if let first = times.map(\.lowerBound).min(), let last = times.map(\.upperBound).max() {
      self.times = first...last
    } else {
      self.times = nil
    }
  }

  /// The lines of all inputs.
  public var tally: LineTally {
    inputs.reduce(into: LineTally()) { $0 += $1.tally }
  }

  /// Turns places by chunk into line numbers.
  private static func lines(
    _ rejections: RejectionTally, inputs: [String], tallies: [ChunkTally]
  ) -> [RejectedLine] {
    let wanted = Set(rejections.examples.values.joined().map(\.input))
    let starts = LineNumbers(tallies.filter { wanted.contains($0.input) })
    return RejectionReason.allCases.flatMap { reason in
      (rejections.examples[reason] ?? []).map { place in
        RejectedLine(
          reason: reason, path: inputs[place.input],
          line: starts.lines(before: place.chunk, in: place.input) + place.line,
          offset: place.offset)
      }
    }
  }
}
