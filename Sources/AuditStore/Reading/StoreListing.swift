internal import AccessLogs
public import TrafficDigest

/// What a store holds, in short.
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

    /// Where it was read from, and its number of bytes.
    public var path: String
    public var size: Int
  }

  /// The days, ascending; requests without a time come first.
  public let days: [DayRow]

  /// The association files by host, the earliest first.
  public let files: [FileRow]

  /// The number of logs, of their lines, and of runs.
  public let logs: Int
  public let lines: Int
  public let runs: Int

  /// When the last run ended, as RFC 3339 has it, or `nil` if there was none.
  public let lastRun: String?

  /// Reads what a store holds.
  ///
  /// - Throws: ``StoreError`` if it can't be read.
  public init(_ store: AuditStore) throws(StoreError) {
    (days, files, logs, lines, runs, lastRun) = try store.read { database in
      let days = try database.rows(
        """
        SELECT log_days.day AS day, sum(log_days.requests) AS requests, count(*) AS logs,
          coalesce(targets, 0) AS targets, coalesce(size, 0) AS size
        FROM log_days LEFT JOIN digests ON digests.day = log_days.day
        GROUP BY log_days.day ORDER BY log_days.day
        """)
      let files = try database.rows(
        """
        SELECT host, day, path, length(content) AS size
        FROM deployments JOIN association_files ON id = association_file ORDER BY host, day
        """)
      let sums = try database.row(
        "SELECT count(*) AS logs, coalesce(sum(lines), 0) AS lines FROM logs")
      let runs = try database.row("SELECT count(*) AS runs, max(finished) AS finished FROM runs")
      return (
        try days.compactMap { row in
          try StoredDay(text: try row.stored("day")).map {
            DayRow(
              day: $0.day, requests: try row.count("requests"), logs: try row.count("logs"),
              targets: try row.count("targets"), size: try row.count("size"))
          }
        },
        try files.map {
          FileRow(
            host: try $0.stored("host"), day: try $0.stored("day"), path: try $0.stored("path"),
            size: try $0.count("size"))
        },
        try sums?.count("logs") ?? 0, try sums?.count("lines") ?? 0, try runs?.stored("runs") ?? 0,
        try runs?.stored("finished") ?? nil
      )
    }
  }
}
