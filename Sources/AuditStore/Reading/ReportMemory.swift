public import LinkAuditing
public import TrafficDigest

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What reports on a store have found, so that the next one can say what is new.
///
/// A report is compared with the last one that asked the same when other logs were in the
/// store: however often it is made over the same logs, it says the same.
public struct ReportMemory {
  private let store: AuditStore

  /// What is asked, in words.
  private let scope: String

  /// The number of reports that are remembered of each scope.
  private static let limit = 400

  /// Creates the memory of reports.
  public init(_ store: AuditStore, scope: String) { (self.store, self.scope) = (store, scope) }

  /// The last report before the last run.
  ///
  /// - Returns: The report, and its findings, or `nil` if there is none.
  /// - Throws: ``StoreError`` if the store can't be read.
  public func last() throws(StoreError) -> (report: AuditChange, findings: [FindingRecord])? {
    try store.read { database in
      let row = try database.row(
        "SELECT * FROM reports WHERE scope = ? AND run < ? ORDER BY run DESC LIMIT 1",
        [scope, try Self.run(in: database)])
      guard let row else { return nil }
      let text: String = try row.stored("made")
      guard let made = LogTime(reading: Array(text.utf8)) else { return nil }
      let times = LogTime.range(try row.stored("first_time"), try row.stored("last_time"))
      let findings = try database.rows(
        "SELECT * FROM report_findings WHERE report = ? ORDER BY position",
        [try row.stored("id") as Int64])
      return (
        AuditChange(at: made, from: times?.lowerBound, to: times?.upperBound),
        try findings.map { finding in
          let host: String = try finding.stored("host")
          return FindingRecord(
            code: try finding.stored("code"), severity: try finding.stored("severity"),
            host: host.isEmpty ? nil : host, subject: try finding.stored("subject"),
            message: try finding.stored("message"), requests: try finding.count("requests"),
            visits: try finding.count("visits"), share: try finding.share())
        }
      )
    }
  }

  /// Remembers a report, unless this process may not change the store.
  ///
  /// - Parameters:
  ///   - findings: What it found.
  ///   - times: The times of the first and the last request that it covers, or `nil`.
  /// - Throws: ``StoreError`` if the store can't be changed just now.
  public func remember(
    _ findings: [Finding], times: ClosedRange<LogTime>?
  ) throws(StoreError) {
    let path = store.databasePath
    let manager = FileManager.default
    guard manager.isWritableFile(atPath: path), manager.isWritableFile(atPath: store.directory)
    else { return }
    try StoreError.catching(path) {
      // A run that is about to commit may take a while.
      let database = try AuditStore.open(path, timeout: 5)
      try database.run("PRAGMA secure_delete = 1")
      try database.transaction(isChange: true) {
        try AuditStore.check(database, store.directory)
        try write(findings, times, in: database)
      }
    }
  }

  private func write(
    _ findings: [Finding], _ times: ClosedRange<LogTime>?, in database: Database
  ) throws {
    let run = try Self.run(in: database)
    try database.execute("DELETE FROM reports WHERE scope = ? AND run >= ?", [scope, run])
    try database.execute(
      """
      INSERT INTO reports (scope, run, made, first_time, last_time) VALUES (?, ?, ?, ?, ?)
      """,
      [
        scope, run, Timestamp.now.description, times?.lowerBound.description,
        times?.upperBound.description,
      ])
    let report = database.lastInsertedRowID
    for (position, finding) in findings.map({ FindingRecord($0) }).enumerated() {
      try database.execute(
        "INSERT OR IGNORE INTO report_findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          report, position, finding.host ?? "", finding.code, finding.subject,
          finding.severity, finding.message, finding.requests, finding.visits, finding.share,
        ])
    }
    try database.execute(
      """
      DELETE FROM reports WHERE scope = ?1 AND id NOT IN (
        SELECT id FROM reports WHERE scope = ?1 ORDER BY run DESC LIMIT \(Self.limit))
      """, [scope])
  }

  /// The last run.
  private static func run(in database: Database) throws -> Int64 {
    try database.value(of: Int64.self, "SELECT coalesce(max(id), 0) FROM runs") ?? 0
  }
}

extension Row {
  /// The share of a finding, in millionths, or `nil` if it has none.
  fileprivate func share() throws -> Int? {
    let share: Int? = try stored("share")
    guard (0...1_000_000).contains(share ?? 0) else { throw StoredValueMismatch(column: "share") }
    return share
  }
}
