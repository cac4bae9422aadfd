internal import AccessLogs
public import Foundations
internal import TrafficDigest

/// The days of a store: the requests of logs, and their digests.
struct StoredDays {
  /// One day.
  struct Entry: Sendable {
    /// The requests of each log.
    var shares: [(log: Int64, share: RequestFigures)] = []

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
        let share = RequestFigures(requests: try row.count("requests"), times: try row.times())
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
  /// The days, ascending, with the numbers of requests, of logs that they came from, of distinct
  /// targets, and of the bytes of the digest; requests without a time, whose day is `nil`, come first.
  public private(set) var days: [(day: Day?, requests: Int, logs: Int, targets: Int, size: Int)] =
    []

  /// The association files by host, the earliest first: the first day, the source, and the number of
  /// bytes.
  public private(set) var files: [(host: String, day: String, path: String, size: Int)] = []

  /// The numbers of logs, of their lines, and of runs.
  public private(set) var logs = 0
  public private(set) var lines = 0
  public private(set) var runs = 0

  /// The end of the last run, as in RFC 3339, or `nil` if there was none.
  public private(set) var lastRun: String?

  /// Reads the contents of a store.
  ///
  /// - Throws: ``StoreError`` if it can't be read.
  public init(_ store: AuditStore) throws(StoreError) {
    self = try store.read { try StoreListing(in: $0, path: store.databasePath) }
  }

  private init(in database: Database, path: String) throws {
    let stored = try StoredDays(in: database)
    for (day, entry) in stored.entries.sorted(by: { $0.key < $1.key }) {
      if let problem = stored.problem(of: day) { throw StoreError.damaged(path, problem) }
      days.append(
        (
          day.day, entry.brought, entry.shares.count, entry.digest?.targets ?? 0,
          entry.digest?.size ?? 0
        ))
    }
    files = try Deployment.all(in: database).joined().map {
      ($0.host, $0.day.description, $0.path, $0.content.count)
    }
    try database.forEachRow(of: .logs) { row in
      logs += 1
      lines += try row.count("lines")
    }
    try database.forEachRow(of: .runs) { row in
      runs += 1
      lastRun = max(lastRun ?? "", try row.stored("finished"))
    }
  }
}
