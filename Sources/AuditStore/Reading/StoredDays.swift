internal import AccessLogs
public import Foundations
internal import TrafficDigest

/// The days of a store: the requests of logs, and their digests.
struct StoredDays {
  /// One day.
  struct Entry: Sendable {
    /// The requests of each log.
    var shares: [(log: Int64, share: DayRequests)] = []

    /// The digest of lines that are counted permanently, or `nil` if there is none.
    var digest: StoredDigest?

    /// Digests of lines that can still change, by log.
    var pending: [(log: Int64, requests: Int, bytes: [UInt8])] = []

    /// The number of requests according to logs.
    var brought: Int { shares.reduce(0) { $0 + $1.share.requests } }

    /// The number of requests according to digests.
    var held: Int { pending.reduce(digest?.requests ?? 0) { $0 + $1.requests } }
  }

  private(set) var entries: [StoredDay: Entry] = [:]

  /// Reads all days, or only the digests of some; and compares their rows with their checksums
  /// unless told otherwise.
  init(in database: Database, days: Set<StoredDay>? = nil, isChecked: Bool = true) throws {
    if days == nil {
      try database.forEachRow(of: .logDays, isChecked: isChecked) { row in
        let share = DayRequests(requests: try row.count("requests"), times: try row.times())
        entries[try row.day(), default: Entry()].shares.append((try row.stored("log"), share))
      }
    }
    let days = days?.sorted().map(\.text)
    try database.forEachRow(of: .digests, parts: days, isChecked: isChecked) { row in
      entries[try row.day(), default: Entry()].digest = try StoredDigest(row)
    }
    try database.forEachRow(of: .pendingDays, parts: days, isChecked: isChecked) { row in
      entries[try row.day(), default: Entry()].pending.append(
        (try row.stored("log"), try row.count("requests"), try row.stored("digest")))
    }
    for day in entries.keys { entries[day]?.pending.sort { $0.log < $1.log } }
  }

  /// Compares the requests of a day in digests with those of logs, and describes a difference, or
  /// returns `nil`.
  func problem(of day: StoredDay) -> String? {
    let entry = entries[day] ?? Entry()
    guard entry.brought != entry.held else { return nil }
    let name = day.day.map { "the day \($0)" } ?? "requests without a time"
    return "\(name): the logs had \(entry.brought) requests, but the digests have \(entry.held)"
  }

  /// Returns the entire traffic of a day: its digest, and lines that can still change.
  ///
  /// - Throws: ``StoreError`` or `DigestFileError` if one can't be read or was replaced.
  func files(of day: StoredDay, _ store: AuditStore) throws -> [DigestFile] {
    guard let entry = entries[day] else { return [] }
    var files: [DigestFile] = []
    if let digest = entry.digest { files.append(try store.open(digest)) }
    for (log, _, bytes) in entry.pending {
      files.append(
        try DigestFile(bytes: bytes, name: "\(store.databasePath): pending lines of log \(log)"))
    }
    return files
  }
}

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
          FileRow(host: $0.host, day: $0.day.description, path: $0.path, size: $0.content.count)
        }, logs, lines, runs, lastRun
      )
    }
  }
}
