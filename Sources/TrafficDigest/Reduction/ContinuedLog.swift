public import AccessLogs
public import Foundations

/// A log whose lines are counted in several runs: where reading continues, and after reading, the
/// counts of its new lines.
public struct ContinuedLog: Sendable {
  /// The log.
  public var file: LogInput

  /// The number of decompressed bytes whose lines are counted permanently; they end at the end of a
  /// line.
  ///
  /// Reading increases it.
  public var settledLength: Int

  /// The number of lines that were counted permanently before reading.
  public var settledLines: Int

  /// The fingerprint of the content's beginning, or `nil` for any.
  ///
  /// If the beginning differs, the file is not the one that was examined.
  public var beginning: ContentFingerprint?

  /// The log as an input of the digest; its lines are in ``added``.
  public internal(set) var input: TrafficDigest.Input

  /// A Boolean value indicating whether the content began differently than expected.
  ///
  /// If so, discard the counts.
  public internal(set) var isOther = false

  /// A Boolean value indicating whether its lines can name hosts, even if none does.
  public internal(set) var canNameHosts = false

  /// The trace of the content, with checkpoints.
  public internal(set) var trace = ContentTrace()

  /// The stamp of the file when it was opened, or `nil`.
  public internal(set) var stamp: FileStamp?

  /// The counts of new lines that are permanent, whatever the log becomes.
  public internal(set) var settled = Share()

  /// The counts of the lines after those, which count only as long as the log doesn't grow.
  ///
  /// These are the last line if it is unterminated, or all lines if they are too few to detect their
  /// format for certain.
  public internal(set) var pending = Share()

  /// The digest of those lines, or `nil` if there are none.
  public internal(set) var pendingDigest: TrafficDigest?

  /// Creates a log to be read; by default, nothing is counted yet.
  public init(
    _ file: LogInput, settledLength: Int = 0, settledLines: Int = 0,
    beginning: ContentFingerprint? = nil
  ) {
    self.file = file
    (self.settledLength, self.settledLines) = (settledLength, settledLines)
    self.beginning = beginning
    input = TrafficDigest.Input(path: file.path)
  }

  /// The counts of all new lines.
  public var added: Share {
    var share = settled
    share.add(pending)
    return share
  }
}

extension ContinuedLog {
  /// The counts of a log, or of a part of it.
  public struct Share: Hashable, Sendable {
    /// The lines.
    public var tally = LineTally()

    /// The rejected lines among them by reason.
    public var rejections: [RejectionReason: Int] = [:]

    /// The requests by day on the log's own clock, with `nil` as the day of those without a time.
    public var days: [Day?: RequestFigures] = [:]

    /// The times of the first and the last request, or `nil` if no request has one.
    public var times: ClosedRange<LogTime>? {
      days.values.reduce(into: nil) { $0.widen(to: $1.times) }
    }

    /// Creates an empty share.
    public init() {}

    /// Adds the lines of another share.
    public mutating func add(_ other: Share) {
      tally += other.tally
      rejections.merge(other.rejections, uniquingKeysWith: +)
      for (day, figures) in other.days { days[day, default: RequestFigures()] += figures }
    }
  }
}
