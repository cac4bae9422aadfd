internal import AccessLogs
public import Foundations
internal import TrafficDigest

/// The contents of a store about one day.
struct DayContents {
  /// The day.
  let day: StoredDay

  /// The requests of each log.
  var shares: [(log: Int64, share: RequestFigures)] = []

  /// The digest of lines that are counted permanently, or `nil` if there is none.
  var digest: StoredDigest?

  /// Digests of lines that can still change, by log.
  var pending: [(log: Int64, requests: Int, bytes: [UInt8])] = []

  /// Reads all days, or only the digests of some; and compares their rows with their checksums
  /// unless told otherwise.
  static func all(
    in database: Database, days: Set<StoredDay>? = nil, isChecked: Bool = true
  ) throws -> [StoredDay: DayContents] {
    var contents: [StoredDay: DayContents] = [:]
    func read(
      _ table: StoredTable, _ parts: [String]?, _ body: (Row, inout DayContents) throws -> Void
    ) throws {
      try database.forEachRow(of: table, parts: parts, isChecked: isChecked) { row in
        let day = try row.day()
        try body(row, &contents[day, default: DayContents(day: day)])
      }
    }
    if days == nil {
      try read(.logDays, nil) { row, day in
        let share = RequestFigures(requests: try row.count("requests"), times: try row.times())
        day.shares.append((try row.stored("log"), share))
      }
    }
    let days = days?.sorted().map(\.text)
    try read(.digests, days) { row, day in day.digest = try StoredDigest(row) }
    try read(.pendingDays, days) { row, day in
      day.pending.append(
        (try row.stored("log"), try row.count("requests"), try row.stored("digest")))
    }
    return contents.mapValues { day in
      var day = day
      day.pending.sort { $0.log < $1.log }
      return day
    }
  }

  /// The number of requests according to logs.
  var brought: Int { shares.reduce(0) { $0 + $1.share.requests } }

  /// The number of requests according to digests.
  var held: Int { pending.reduce(digest?.requests ?? 0) { $0 + $1.requests } }

  /// The difference between the requests in digests and those of logs, or `nil` if there is none.
  var problem: String? {
    brought == held
      ? nil : "\(day.title): the logs had \(brought) requests, but the digests have \(held)"
  }

  /// Returns the entire traffic of the day: its digest, and lines that can still change.
  ///
  /// - Throws: ``StoreError`` or `DigestFileError` if one can't be read or was replaced.
  func files(of store: AuditStore) throws -> [DigestFile] {
    try (digest.map { [try store.open($0)] } ?? [])
      + pending.map { log, _, bytes in
        try DigestFile(bytes: bytes, name: "\(store.databasePath): pending lines of log \(log)")
      }
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
    days = try DayContents.all(in: database).values.sorted { $0.day < $1.day }.map { entry in
      if let problem = entry.problem { throw StoreError.damaged(path, problem) }
      let (targets, size) = (entry.digest?.targets ?? 0, entry.digest?.size ?? 0)
      return (entry.day.day, entry.brought, entry.shares.count, targets, size)
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
