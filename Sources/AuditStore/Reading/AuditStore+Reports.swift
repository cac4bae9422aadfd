internal import FoundationSubset
public import Foundations
public import LinkAuditing
internal import TrafficDigest

// The findings of reports, with which the next report compares its own.
//
// A report is compared with the last one for the same question and other logs in the store. So
// reports on the same logs always say the same.
extension AuditStore {
  /// The number of remembered reports for each scope.
  private static let reportLimit = 400

  /// Returns the last report before the last run.
  ///
  /// - Parameter scope: The question of the report, in words.
  /// - Returns: The report, and its findings, or `nil` if there is none; and the reason for that.
  /// - Throws: ``StoreError`` if the store can't be read.
  public func lastReport(
    scope: String
  ) throws(StoreError) -> (
    last: (report: AuditChange, findings: [FindingRecord])?, gap: ComparisonGap
  ) {
    try read { database in
      let run = try Self.lastRun(in: database)
      var (last, gap): ((row: Row, run: Int64)?, ComparisonGap) = (nil, .noReport)
      try database.forEachRow(of: .reports) { row in
        let own: Int64 = try row.stored("run")
        guard own < run else { return }
        gap = .otherOptions
        if try row.stored("scope") == scope, own > last?.run ?? -1 { last = (row, own) }
      }
      guard let row = last?.row else { return (nil, gap) }
      let made: LogTime = try row.stored("made")
      let times = try row.times()
      var findings: [(position: Int, row: Row)] = []
      let report: Int64 = try row.stored("id")
      try database.forEachRow(of: .reportFindings, parts: [String(report)]) { row in
        findings.append((try row.count("position"), row))
      }
      findings.sort { $0.position < $1.position }
      let records = try findings.map { _, finding in
        let host: String = try finding.stored("host")
        return FindingRecord(
          code: try finding.stored("code"), severity: try finding.stored("severity"),
          host: host.isEmpty ? nil : host, subject: try finding.stored("subject"),
          message: try finding.stored("message"), requests: try finding.count("requests"),
          visits: try finding.count("visits"), share: try finding.share())
      }
      let change = AuditChange(at: made, from: times?.lowerBound, to: times?.upperBound)
      return ((change, records), gap)
    }
  }

  /// Remembers a report, unless this process may not change the store.
  ///
  /// - Parameters:
  ///   - findings: Its findings.
  ///   - scope: The question of the report, in words.
  ///   - times: The times of the first and the last request that it covers, or `nil`.
  /// - Throws: ``StoreError`` if the store can't be changed at the moment.
  public func remember(
    _ findings: [Finding], scope: String, times: ClosedRange<LogTime>?
  ) throws(StoreError) {
    let path = databasePath
    let manager = FileManager.default
    guard manager.isWritableFile(atPath: path), manager.isWritableFile(atPath: directory)
    else { return }
    try StoreError.catching(path) {
      // A run may take a while to commit.
      let database = try Self.open(path, timeout: 5)
      try database.transaction(isChange: true) {
        try Self.check(database, directory)
        try database.keepChecksums()
        try Self.write(findings, scope, times, in: database)
      }
    }
  }

  private static func write(
    _ findings: [Finding], _ scope: String, _ times: ClosedRange<LogTime>?, in database: Database
  ) throws {
    let run = try lastRun(in: database)
    try database.execute("DELETE FROM reports WHERE scope = ? AND run >= ?", [scope, run])
    try database.insert(
      into: "reports", Int64?.none, scope, run, LogTime.now, times?.lowerBound, times?.upperBound)
    let report = database.lastInsertedRowID
    for (position, finding) in findings.map({ FindingRecord($0) }).enumerated() {
      try database.insert(
        into: "report_findings", report, position, finding.host ?? "", finding.code,
        finding.subject, finding.severity, finding.message, finding.requests, finding.visits,
        finding.share, or: "IGNORE")
    }
    try database.execute(
      """
      DELETE FROM reports WHERE scope = ?1 AND id NOT IN (
        SELECT id FROM reports WHERE scope = ?1 ORDER BY run DESC LIMIT \(reportLimit))
      """, [scope])
  }

  /// The number of the last run.
  private static func lastRun(in database: Database) throws -> Int64 {
    var last: Int64 = 0
    try database.forEachRow(of: .runs) { last = max(last, try $0.stored("id")) }
    return last
  }
}

extension Row {
  /// The share of a finding, in millionths, or `nil` if it has none.
  fileprivate func share() throws -> Int? {
    let share: Int? = try stored("share")
    guard (0...1_000_000).contains(share ?? 0) else { throw DatabaseError(invalidColumn: "share") }
    return share
  }
}
