public import UniversalLinks

/// Something in the traffic of sites, in a file, or in the logs that deserves attention.
public struct Finding: Diagnostic, Hashable, Sendable {
  /// The evidence of a finding: the heaviest few of each kind.
  public struct Evidence: Hashable, Sendable {
    /// The rules concerned, with their places in the file.
    public var rules: [ReportedRule] = []

    /// The path groups, or the routes, with samples of targets.
    public var paths: [PathGroupTraffic] = []

    /// The pages from and to which visits went.
    public var pairs: [PagePair] = []

    /// The logs concerned, by their paths.
    public var logs: [String] = []

    /// Creates evidence.
    public init(
      rules: [ReportedRule] = [], paths: [PathGroupTraffic] = [], pairs: [PagePair] = [],
      logs: [String] = []
    ) {
      (self.rules, self.paths, self.pairs, self.logs) = (rules, paths, pairs, logs)
    }

    /// The greatest number of each that is kept.
    static let limit = 5
  }

  /// The kind of finding.
  public var kind: DiagnosticKind

  /// The severity.
  public var severity: Severity

  /// The site, or `nil` if it concerns the input.
  public var host: String?

  /// The object of the finding where there can be several of a kind: an app, or an app and its rule;
  /// else empty.
  ///
  /// It has no figures, so that code, host and subject tell which finding of an earlier
  /// report is the same.
  public var subject = ""

  /// The finding in a sentence or two; text from logs is percent-encoded.
  public var message: String

  /// The traffic that is concerned.
  public var traffic = Traffic()

  /// The visits that could open the app once the problem is fixed, or `nil`.
  ///
  /// It is `nil` if a fix wins no visits directly, as with mistakes in the file and doubts about
  /// the logs. Visits of several findings can overlap. Findings are ordered by this number.
  public var visitsToWin: Int?

  /// A share of a whole in millionths, rounded down.
  public typealias Millionths = Int

  /// The share that measures the finding, or `nil` for findings that measure no share.
  ///
  /// The severity depends on this share, if it depends on one. Otherwise, it is the share of the
  /// things of this kind that are wrong. Unlike counts, shares can be compared between reports
  /// about different periods.
  public var share: Millionths?

  /// The evidence.
  public var evidence = Evidence()

  /// The remedy in a sentence or two.
  public var remedy: String

  /// The change since an earlier report, or `nil` if there is no such report.
  public var change: Change?

  /// The same finding of the earlier report, or `nil` if there is none.
  public var earlier: FindingRecord?

  /// Whether a baseline accepts it, or `nil` without a baseline.
  public var isKnown: Bool?

  /// The change of a finding since an earlier report.
  public enum Change: String, CaseIterable, Hashable, Sendable {
    /// The earlier report doesn't have it.
    case new

    /// It has a higher severity, or the same and a share greater by a tenth or more.
    case worse

    /// It has a lower severity, or the same and a share smaller by a tenth or more.
    case better

    /// It is as it was.
    case same
  }
}

extension Finding {
  /// Returns a Boolean value indicating whether a finding comes before another one.
  ///
  /// Problems that make other figures doubtful come first. They are errors that win no visits
  /// themselves, such as damaged logs or a file that no device reads, and warnings about the logs
  /// or that another file is served. Next come findings that win visits, ordered by their number,
  /// then the others, ordered by severity.
  static func isFirst(_ one: Finding, _ other: Finding) -> Bool {
    if one.comesFirst != other.comesFirst { return one.comesFirst }
    if !one.comesFirst {
      let (gain, otherGain) = (one.visitsToWin ?? 0, other.visitsToWin ?? 0)
      if gain != otherGain { return gain > otherGain }
    }
    if one.severity != other.severity { return one.severity > other.severity }
    return one.traffic.isHeavier(than: other.traffic)
  }

  /// Whether it makes the other findings doubtful, or pointless to fix before this one.
  private var comesFirst: Bool {
    guard visitsToWin == nil else { return false }
    // Devices receive other rules than those of the report.
    return severity == .error
      || severity == .warning && (host == nil || code == "served-file-differs")
  }

  /// Returns the share of a part in a whole; a part above 0 never has the share 0.
  static func share(_ part: Int, of whole: Int) -> Millionths {
    guard part > 0, whole > 0 else { return 0 }
    let (high, low) = part.multipliedFullWidth(by: 1_000_000)
    guard part < whole else { return 1_000_000 }
    return max(1, whole.dividingFullWidth((high, low)).quotient)
  }
}
