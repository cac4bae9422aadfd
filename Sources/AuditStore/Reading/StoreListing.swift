internal import AccessLogs
public import Foundations
internal import TrafficDigest

/// A summary of a store.
public struct StoreListing: Sendable {
  /// A day.
  public struct DayRow: Sendable {
    /// The day, or `nil` for requests without a time.
    public var day: Day?

    /// The number of requests, of logs that they came from, and of distinct targets.
    public var requests: Int
    public var logs: Int
    public var targets: Int

    /// The number of bytes of the digest.
    public var size: Int
  }

  /// An association file in force.
  public struct FileRow: Sendable {
    /// The host.
    public var host: String

    /// The first day.
    public var day: String

    /// The source of the file, and its number of bytes.
    public var path: String
    public var size: Int
  }

  /// The days, ascending; requests without a time come first.
  public let days: [DayRow]

  /// The association files by host, the earliest first.
  public let files: [FileRow]

  /// The numbers of logs, of their lines, and of runs.
  public let logs: Int
  public let lines: Int
  public let runs: Int

  /// The end of the last run, as in RFC 3339, or `nil` if there was none.
  public let lastRun: String?

  /// Reads the contents of a store.
  ///
  /// - Throws: ``StoreError`` if it can't be read.
  public init(_ store: AuditStore) throws(StoreError) {
    (days, files, logs, lines, runs, lastRun) = try store.read { database in
      let stored = try StoredDays(in: database)
      let days = try stored.entries.sorted { $0.key < $1.key }.map { day, entry in
        if let problem = stored.problem(of: day) {
          throw StoreError.damaged(path: store.databasePath, problem)
        }
        return DayRow(
          day: day.day, requests: entry.brought, logs: entry.shares.count,
          targets: entry.digest?.targets ?? 0, size: entry.digest?.size ?? 0)
      }
      let deployments = try Deployment.all(in: database).joined()
      var (logs, lines, runs): (Int, Int, Int) = (0, 0, 0)
      try database.forEachRow(of: .logs) { row in
        logs += 1
        lines += try row.count("lines")
      }
      var lastRun: String?
      try database.forEachRow(of: .runs) { row in
        runs += 1
        lastRun = max(lastRun ?? "", try row.stored("finished"))
      }
      return (
        days,
        deployments.map {
          FileRow(
            host: $0.host, day: $0.day.description, path: $0.path, size: $0.content.count)
        }, logs, lines, runs, lastRun
      )
    }
  }
}
