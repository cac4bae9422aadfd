internal import AccessLogs
public import Foundations
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

    /// The greatest number of each that is kept.
    static let limit = 5
  }

  public var kind: DiagnosticKind
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
  public var evidence = Evidence()
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

/// A finding as a database keeps it: texts and whole numbers.
public struct FindingRecord: Hashable, Sendable {
  public var code: String
  public var severity: String

  /// The site, or `nil` if it concerns the input.
  public var host: String?

  /// The object of the finding where there can be several of a kind; else empty.
  public var subject: String
  public var message: String
  public var requests: Int
  public var visits: Int

  /// The share by which it is measured, in millionths of a whole, or `nil`.
  public var share: Int?

  /// Creates a record of what is known.
  public init(
    code: String, severity: String, host: String?, subject: String, message: String,
    requests: Int, visits: Int, share: Int?
  ) {
    (self.code, self.severity, self.host) = (code, severity, host)
    (self.subject, self.message) = (subject, message)
    (self.requests, self.visits, self.share) = (requests, visits, share)
  }

  public init(_ finding: Finding) {
    self.init(
      code: finding.code, severity: finding.severity.rawValue, host: finding.host,
      subject: finding.subject, message: finding.message, requests: finding.traffic.requests,
      visits: finding.traffic.visits, share: finding.share)
  }

  public var knownSeverity: Severity { Severity(rawValue: severity) ?? .note }
}

/// The properties in which the same finding of two reports agrees, as bytes: hosts and paths that
/// only look alike are different.
package typealias FindingIdentity = [[UInt8]?]

extension FindingIdentity {
  package init(code: String, host: String?, subject: String) {
    self = [code, host, subject].map { $0?.utf8.map(\.self) }
  }
}

extension FindingRecord {
  var identity: FindingIdentity { FindingIdentity(code: code, host: host, subject: subject) }
}

extension Finding {
  var identity: FindingIdentity { FindingIdentity(code: code, host: host, subject: subject) }

  fileprivate var ownChange: Change {
    guard let earlier else { return .new }
    if severity != earlier.knownSeverity {
      return severity > earlier.knownSeverity ? .worse : .better
    }
    guard let before = earlier.share, let now = share, before != now,
      abs(now - before) * 10 >= before
    else { return .same }
    return now > before ? .worse : .better
  }
}

extension [Finding] {
  /// Compares findings with those of an earlier report, and marks each with its change.
  ///
  /// Findings are the same if they have the same code, host, and subject. A finding is worse if its
  /// severity is higher. With the same severity, it is worse if its share has grown by at least a
  /// tenth of the earlier one. The same holds for better findings. A finding without a share changes
  /// only with its severity.
  ///
  /// - Returns: The findings of the earlier report that are no more, in its order.
  mutating func compare(with earlier: [FindingRecord]) -> [FindingRecord] {
    let known = Dictionary(earlier.map { ($0.identity, $0) }) { first, _ in first }
    for index in indices {
      self[index].earlier = known[self[index].identity]
      self[index].change = self[index].ownChange
    }
    let present = Set(map(\.identity))
    return earlier.filter { !present.contains($0.identity) }
  }
}

/// The comparison of a report with an earlier one.
public struct AuditChange: Sendable {
  public var at: LogTime

  /// The times of the first and the last request that it covered, or `nil`.
  public var from: LogTime?
  public var to: LogTime?

  /// The findings that it has and this one hasn't, in its order.
  public internal(set) var gone: [FindingRecord] = []

  /// Creates the name of an earlier report.
  public init(at: LogTime, from: LogTime?, to: LogTime?) {
    (self.at, self.from, self.to) = (at, from, to)
  }
}

/// The reason why a report on a store has no earlier one to be compared with.
public enum ComparisonGap: Sendable {
  /// Nobody reported on the store before logs were last added.
  case noReport

  /// The reports before that had other options, so their findings are about something else.
  case otherOptions
}

extension Audit {
  public mutating func compare(with report: AuditChange, findings earlier: [FindingRecord]) {
    var report = report
    report.gone = findings.compare(with: earlier)
    change = report
  }
}
