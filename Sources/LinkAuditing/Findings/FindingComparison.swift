internal import AccessLogs
public import Foundations
internal import TrafficDigest
public import UniversalLinks

/// A finding as a database keeps it: texts and whole numbers.
public struct FindingRecord: Hashable, Sendable {
  /// The code of the kind.
  public var code: String

  /// The name of the severity.
  public var severity: String

  /// The site, or `nil` if it concerns the input.
  public var host: String?

  /// The object of the finding where there can be several of a kind; else empty.
  public var subject: String

  /// The finding in a sentence or two.
  public var message: String

  /// The traffic that is concerned.
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

  /// Creates the record of a finding.
  public init(_ finding: Finding) {
    self.init(
      code: finding.code, severity: finding.severity.rawValue, host: finding.host,
      subject: finding.subject, message: finding.message, requests: finding.traffic.requests,
      visits: finding.traffic.visits, share: finding.share)
  }

  /// The severity, or a note if its name is no longer known.
  public var knownSeverity: Severity { Severity(rawValue: severity) ?? .note }
}

/// The properties in which the same finding of two reports agrees.
package struct FindingIdentity: Hashable, Sendable {
  var code: String
  var host: String?
  var subject: String

  /// Creates an identity.
  package init(code: String, host: String?, subject: String) {
    (self.code, self.host, self.subject) = (code, host, subject)
  }

  init(_ finding: Finding) {
    (code, host, subject) = (finding.code, finding.host, finding.subject)
  }

  init(_ record: FindingRecord) {
    (code, host, subject) = (record.code, record.host, record.subject)
  }

  package static func == (one: Self, other: Self) -> Bool {
    // Hosts and paths that only look alike are different.
    one.code == other.code && (one.host == nil) == (other.host == nil)
      && (one.host ?? "").hasSameBytes(as: other.host ?? "")
      && one.subject.hasSameBytes(as: other.subject)
  }
}

/// The comparison of a report's findings with those of an earlier one.
///
/// Findings are the same if they have the same code, host, and subject. A finding is worse if its
/// severity is higher. With the same severity, it is worse if its share has grown by at least a
/// tenth of the earlier one. The same holds for better findings. A finding without a share changes
/// only with its severity.
public struct FindingComparison: Sendable {
  /// For each current finding, its change since the earlier report.
  public let changes: [Finding.Change]

  /// For each current finding, the same finding of the earlier report, or `nil`.
  let earlier: [FindingRecord?]

  /// The findings of the earlier report that are no more, in its order.
  public let gone: [FindingRecord]

  /// Compares findings.
  ///
  /// - Parameters:
  ///   - earlier: Those of the earlier report.
  ///   - now: Those of this one.
  public init(earlier: [FindingRecord], now: [Finding]) {
    let known = Dictionary(
      earlier.map { (FindingIdentity($0), $0) }, uniquingKeysWith: { first, _ in first })
    self.earlier = now.map { known[FindingIdentity($0)] }
    changes = zip(self.earlier, now).map { record, finding in
      record.map { Self.change(from: $0, to: finding) } ?? .new
    }
    let present = Set(now.map { FindingIdentity($0) })
    gone = earlier.filter { !present.contains(FindingIdentity($0)) }
  }

  private static func change(
    from earlier: FindingRecord, to finding: Finding
  ) -> Finding.Change {
    if finding.severity != earlier.knownSeverity {
      return finding.severity > earlier.knownSeverity ? .worse : .better
    }
    guard let before = earlier.share, let now = finding.share, before != now else { return .same }
    if now > before { return (now - before) * 10 >= before ? .worse : .same }
    return (before - now) * 10 >= before ? .better : .same
  }
}

/// The comparison of a report with an earlier one.
public struct AuditChange: Sendable {
  /// The time of the earlier report.
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
  /// Compares the findings with those of an earlier report.
  ///
  /// - Parameters:
  ///   - report: The earlier report.
  ///   - earlier: The findings of the earlier report.
  public mutating func compare(with report: AuditChange, findings earlier: [FindingRecord]) {
    let comparison = FindingComparison(earlier: earlier, now: findings)
    for index in findings.indices {
      findings[index].change = comparison.changes[index]
      findings[index].earlier = comparison.earlier[index]
    }
    var report = report
    report.gone = comparison.gone
    change = report
  }
}
