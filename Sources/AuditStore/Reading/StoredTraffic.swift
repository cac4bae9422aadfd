internal import AccessLogs
public import Foundations
internal import SystemPackage
public import TrafficDigest

/// The traffic of some days of a store: their requests, whose inputs are the logs that contributed,
/// and the days, ascending, with `nil` for requests without a time.
public typealias StoredTraffic = (digest: TrafficDigest, days: [Day?])

extension AuditStore {
  /// Reads the digests of the days in a span of time.
  ///
  /// - Parameter options: The span, which must consist of complete days, the number of workers, and
  ///   the directory of temporary files.
  /// - Returns: The traffic.
  /// - Throws: ``StoreError`` if the store can't be read, or the span cuts a day.
  public func traffic(_ options: ReductionOptions) throws(StoreError) -> StoredTraffic {
    for _ in 0..<Self.attemptLimit {
      do {
        return try readTraffic(options)
      } catch .digest(let error) where error.isMissing {
        // A run has replaced a digest, and the next one has removed it.
        continue
      }
    }
    return try readTraffic(options)
  }

  private static let attemptLimit = 4

  private func readTraffic(_ options: ReductionOptions) throws(StoreError) -> StoredTraffic {
    let span = options.timeSpan
    // Runs can't commit while this reads the database, so it reads no digests there.
    let (days, files, logs) = try read { database in
      var files: [DigestFile] = []
      var days: [DayContents] = []
      for day in try DayContents.all(in: database).values.sorted(by: { $0.day < $1.day }) {
        if let problem = day.problem { throw StoreError.damaged(databasePath, problem) }
        let own = try day.files(of: self)
        // If the span includes one file of a day, it includes all of them, because it consists of
        // complete days.
        guard try own.contains(where: { try Self.isInside($0, span) }) else { continue }
        files += own
        days.append(day)
      }
      return (
        days.map(\.day.day), files,
        try Self.logs(of: days, isWhole: span.isUnlimited, in: database)
      )
    }
    return try StoreError.catching(directory) {
      let digest = try TrafficDigest.empty.adding(
        files, jobs: options.jobs, temporaryDirectory: options.temporaryDirectory)
      return (
        digest.replacingInputs(
          logs.inputs, rejections: logs.rejections, rejectedLines: logs.lines), days
      )
    }
  }

  private static func isInside(_ file: DigestFile, _ span: TimeSpan) throws -> Bool {
    do {
      return try !DigestSelection([file], in: span).files.isEmpty
    } catch {
      throw StoreError.message(
        "a store counts whole days, so '--since' and '--until' must be days, such as 2026-11-19, "
          + "yesterday or 90d")
    }
  }
}

// MARK: - Ledger

extension AuditStore {
  /// Reads the logs in the ledger that contributed requests to some days, and, if `isWhole`, those
  /// without requests.
  ///
  /// - Returns: The logs, ascending by path, whose requests on other days count as outside; the
  ///   number of all their rejected lines by reason; and the first of each reason.
  private static func logs(
    of days: [DayContents], isWhole: Bool, in database: Database
  ) throws -> (
    inputs: [TrafficDigest.Input], rejections: [RejectionReason: Int], lines: [RejectedLine]
  ) {
    var inputs: [TrafficDigest.Input] = []
    var rejections: [RejectionReason: Int] = [:]
    var requests: [Int64: RequestFigures] = [:]
    for (log, share) in days.flatMap(\.shares) { requests[log, default: RequestFigures()] += share }
    var paths: [Int64: String] = [:]
    try database.forEachRow(of: .logs) { row in
      let id: Int64 = try row.stored("id")
      let all = try row.count("requests")
      let part = requests.removeValue(forKey: id)
      guard part != nil || isWhole && all == 0 else { return }
      var tally = LineTally()
      (tally.lines, tally.requests) = (try row.count("lines"), part?.requests ?? 0)
      guard all >= tally.requests else { throw DatabaseError(invalidColumn: "requests") }
      tally.outside = all - tally.requests
      paths[id] = try row.stored("path")
      inputs.append(
        TrafficDigest.Input(
          path: try row.stored("path"), damage: try row.stored("damage"),
          format: try (row.stored("format") as String?).map { TrafficDigest.InputFormat(name: $0) },
          settings: TrafficDigest.InputSettings(defaultHost: try row.stored("host")), tally: tally,
          times: part?.times))
    }
    // Each request came from a log.
    guard requests.isEmpty else { throw DatabaseError(invalidColumn: "log") }
    inputs.sort { $0.path.precedesByBytes($1.path) }
    try database.forEachRow(of: .logRejections) { row in
      let (log, reason): (Int64, RejectionReason) = try (row.stored("log"), row.stored("reason"))
      guard paths[log] != nil else { return }
      rejections[reason, default: 0] += try row.count("lines")
    }
    var lines: [RejectedLine] = []
    try database.forEachRow(of: .rejectedLines) { row in
      let (log, reason): (Int64, RejectionReason) = try (row.stored("log"), row.stored("reason"))
      guard let path = paths[log] else { return }
      let (line, offset): (Int, Int) = try (row.stored("line"), row.stored("offset"))
      lines.append(RejectedLine(reason: reason, path: path, line: line, offset: offset))
    }
    return (inputs, rejections, RejectedLine.examples(among: lines))
  }
}
