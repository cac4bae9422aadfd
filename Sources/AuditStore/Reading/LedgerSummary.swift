internal import AccessLogs
internal import SystemPackage
internal import TrafficDigest

/// What the ledger says of the logs that the requests of some days came from.
struct LedgerSummary {
  /// The logs, ascending by path; requests of other days are outside.
  private(set) var inputs: [TrafficDigest.Input] = []

  /// The rejected lines of all of them by reason.
  private(set) var rejections: [RejectionReason: Int] = [:]

  /// The first rejected lines of each reason.
  private(set) var rejectedLines: [RejectedLine] = []

  /// Reads the ledger.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - isWhole: Whether logs without any request are told of, too.
  ///   - database: The ledger.
  /// - Throws: What keeps the ledger from being read.
  init(days: [StoredDay], isWhole: Bool, in database: Database) throws {
    var requests: [Int64: LogShare.DayShare] = [:]
    for start in stride(from: 0, to: days.count, by: Self.dayCount) {
      let texts = days[start..<min(days.count, start + Self.dayCount)].map(\.text)
      let marks = Database.marks(texts.count)
      let rows = try database.cursor(
        "SELECT * FROM log_days WHERE day IN (\(marks))",
        texts)
      while let row = try rows.next() {
        let share = LogShare.DayShare(
          requests: try row.count("requests"),
          times: LogTime.range(try row.stored("first_time"), try row.stored("last_time")))
        let log: Int64 = try row.stored("log")
        requests.merge([log: share], uniquingKeysWith: +)
      }
    }
    var paths: [Int64: String] = [:]
    let rows = try database.cursor(
      "SELECT id, path, host, format, status, damage, lines, requests, length FROM logs")
    while let row = try rows.next() {
      let id: Int64 = try row.stored("id")
      let all = try row.count("requests")
      let part = requests[id]
      guard part != nil || isWhole && all == 0 else { continue }
      var tally = LineTally()
      (tally.lines, tally.requests) = (try row.count("lines"), part?.requests ?? 0)
      // What brought more on some days than in all is damaged, which a check tells of.
      tally.outside = max(0, all - tally.requests)
      paths[id] = try row.stored("path")
      inputs.append(
        TrafficDigest.Input(
          path: try row.stored("path"), damage: try Self.damage(row),
          format: try (row.stored("format") as String?).map { TrafficDigest.InputFormat(name: $0) },
          settings: TrafficDigest.InputSettings(defaultHost: try row.stored("host")), tally: tally,
          times: part?.times))
    }
    inputs.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    for row in try database.rows("SELECT log, reason, lines FROM log_rejections") {
      let log: Int64 = try row.stored("log")
      guard paths[log] != nil, let reason = RejectionReason(rawValue: try row.stored("reason"))
      else { continue }
      rejections[reason, default: 0] += try row.count("lines")
    }
    var lines: [RejectionReason: [RejectedLine]] = [:]
    for row in try database.rows("SELECT * FROM rejected_lines ORDER BY reason, log, line") {
      let log: Int64 = try row.stored("log")
      guard let path = paths[log], let reason = RejectionReason(rawValue: try row.stored("reason"))
      else { continue }
      lines[reason, default: []].append(
        RejectedLine(
          reason: reason, path: path, line: try row.stored("line"), offset: try row.stored("offset")
        ))
    }
    rejectedLines = RejectionReason.allCases.flatMap { reason in
      (lines[reason] ?? []).sorted { one, other in
        one.path == other.path
          ? one.line < other.line : one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
      }.prefix(Self.exampleCount)
    }
  }

  /// So many days are asked for at a time: SQLite takes a limited number of arguments.
  private static let dayCount = 500

  /// The number of rejected lines of each reason that are told of.
  private static let exampleCount = 3

  /// What kept a log from being read whole, as far as the ledger says so.
  private static func damage(_ row: Row) throws -> LogDamage? {
    let length = try row.count("length")
    let text: String? = try row.stored("damage")
    if let text, let damage = LogDamage(expansionDescribedBy: text) {
      return damage
    }
    switch InputStatus(rawValue: try row.stored("status")) {
    case .truncated: return LogDamage(.truncated, offset: length)
    case .corrupt: return LogDamage(.invalidData, offset: length)
    case .unreadable: return LogDamage(.system(.ioError), offset: length)
    case .complete, nil: return nil
    }
  }
}
