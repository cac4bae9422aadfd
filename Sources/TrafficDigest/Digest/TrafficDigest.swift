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

  /// All but the targets.
  let summary: DigestSummary

  /// What the workers have counted; the same target can be in several parts.
  let parts: [DigestPart]

  /// What they have counted before and written to temporary files, and the targets of
  /// digests.
  let runs: [DigestRun]

  /// The rejected lines, if they were to be kept.
  let rejectedLineSpool: RejectedLineSpool?

  /// The paths of the inputs that were reduced here, in whose numbers the parts and the
  /// rejected lines name them.
  let reducedPaths: [String]

  /// The times of the first and the last request, or `nil` if no request has
  /// one.
  public let times: ClosedRange<LogTime>?

  /// Creates a digest of what workers have counted.
  ///
  /// - Parameters:
  ///   - inputs: The inputs, ascending by path, without their lines.
  ///   - parts: What the workers have counted.
  ///   - runs: What they have written to files.
  ///   - rejectedLineSpool: The rejected lines, if they were to be kept.
  init(
    inputs: [Input], parts: [DigestPart], runs: [DigestRun],
    rejectedLineSpool: RejectedLineSpool? = nil
  ) {
    self.init(
      DigestSummary(inputs: inputs, parts: parts), parts: parts, runs: runs,
      rejectedLineSpool: rejectedLineSpool, reducedPaths: inputs.map(\.path))
  }

  init(
    _ summary: DigestSummary, parts: [DigestPart], runs: [DigestRun],
    rejectedLineSpool: RejectedLineSpool? = nil, reducedPaths: [String] = []
  ) {
    (self.summary, self.parts, self.runs) = (summary, parts, runs)
    (self.rejectedLineSpool, self.reducedPaths) = (rejectedLineSpool, reducedPaths)
    times = summary.times
  }

  /// The inputs in ascending order of their paths.
  public var inputs: [Input] { summary.inputs }

  /// The number of rejected lines by reason.
  public var rejections: [RejectionReason: Int] { summary.rejections }

  /// The first rejected lines of each reason, in the order of the inputs.
  public var rejectedLines: [RejectedLine] { summary.rejectedLines }

  /// The fetches of association files, in a fixed order.
  public var fetches: [Fetch] { summary.fetches }

  /// The requests of all hosts by client, the heaviest first.
  public var clients: [ClientCount] { summary.clients }

  /// The lines of all inputs.
  public var tally: LineTally { summary.tally }
}
