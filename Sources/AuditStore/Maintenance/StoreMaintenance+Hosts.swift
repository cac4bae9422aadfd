internal import AccessLogs
public import Foundations
internal import TrafficDigest

extension StoreMaintenance {
  /// A renamed host.
  public struct RenamedHost: Sendable {
    /// The days with requests for it, ascending; `nil` is for requests without a time.
    public var days: [Day?]

    /// The number of those requests.
    public var requests: Int
  }

  /// Renames a host, with its requests, its site and its logs.
  ///
  /// Its requests are added to those of the new host. Its site becomes that of the new host, unless
  /// that has a site.
  ///
  /// - Parameters:
  ///   - old: The host.
  ///   - new: The new host.
  ///   - options: The options for judging days.
  /// - Returns: The counts of the renamed host, or `nil` if the store has no such host.
  /// - Throws: ``StoreError`` if the store can't be read or changed.
  public func renameHost(
    _ old: String, to new: String, _ options: IngestOptions
  ) throws(StoreError) -> RenamedHost? {
    let (known, run) = try store.read { database in
      (
        try requests(for: old, in: database),
        try database.value(of: Int64.self, "SELECT coalesce(max(id), 0) + 1 FROM runs") ?? 1
      )
    }
    let days = Set(known.keys)
    let digests = DayDigests(store, options.reduction, run: run)
    let rows = try StoreError.catching(store.digestDirectory) {
      try digests.rewrite(days) { try renaming($0, old, new, options) }
    }
    let isKnown = try store.write { database in
      for row in rows { try row.write(run: run, in: database) }
      try renamePending(days, old, new, options, in: database)
      let changedSites = try moveSite(old, to: new, in: database)
      try database.execute("UPDATE logs SET host = ? WHERE host = ?", [new, old])
      let changedLogs = database.changesCount
      guard !days.isEmpty || changedSites || changedLogs > 0 else { return false }
      let now = Timestamp.now.description
      try database.execute(
        "INSERT INTO runs VALUES (?, ?, ?, 0, 0, 0, 0)", [run, now, now])
      try DailyFigures(store, options).write(days, in: database)
      return true
    }
    guard isKnown else { return nil }
    return RenamedHost(
      days: days.sorted().map(\.day), requests: known.values.reduce(0, +))
  }

  /// The requests for a host by day, including those of hosts without a row of their own.
  private func requests(for host: String, in database: Database) throws -> [StoredDay: Int] {
    let days = try database.rows(
      "SELECT DISTINCT day FROM daily_hosts WHERE host IN (?, ?) ORDER BY day",
      [host, HostCounts.othersName]
    ).map { try $0.day() }
    let stored = try StoredDays(in: database, days: days)
    var requests: [StoredDay: Int] = [:]
    for day in days {
      try DigestFile.forEachHost(of: try stored.files(of: day, store)) { name, _, count in
        if name.hasSameBytes(as: host) { requests[day] = count }
      }
    }
    return requests
  }

  private func renaming(
    _ digest: TrafficDigest, _ old: String, _ new: String, _ options: IngestOptions
  ) throws -> TrafficDigest {
    try digest.renamingHost(
      old, to: new, jobs: options.reduction.jobs,
      temporaryDirectory: options.reduction.temporaryDirectory)
  }

  /// Renames the host in lines that can still change.
  private func renamePending(
    _ days: Set<StoredDay>, _ old: String, _ new: String, _ options: IngestOptions,
    in database: Database
  ) throws {
    for day in days.sorted() {
      let rows = try database.rows(
        "SELECT rowid, digest FROM pending_days WHERE day = ? ORDER BY rowid", [day.text])
      for row in rows {
        let bytes: [UInt8] = try row.stored("digest")
        let file = try DigestFile(bytes: bytes, name: "\(store.databasePath): pending lines")
        let digest = try TrafficDigest.empty.adding(
          [file], jobs: 1, temporaryDirectory: options.reduction.temporaryDirectory)
        var renamed: [UInt8] = []
        _ = try renaming(digest, old, new, options).writeByDay(
          jobs: 1, temporaryDirectory: options.reduction.temporaryDirectory
        ) { renamed += $1 }
        let number: Int64 = try row.stored("rowid")
        try database.execute(
          "UPDATE pending_days SET digest = ? WHERE rowid = ?", [renamed, number])
      }
    }
  }

  /// Moves the association files of a host to another one without any, and removes the findings of
  /// reports about it.
  ///
  /// - Returns: Whether the host had any.
  private func moveSite(_ old: String, to new: String, in database: Database) throws -> Bool {
    let hasSite = try database.value(
      of: Bool.self, "SELECT EXISTS (SELECT 1 FROM deployments WHERE host = ?)", [new])
    if hasSite == true {
      try database.execute("DELETE FROM deployments WHERE host = ?", [old])
    } else {
      try database.execute("UPDATE deployments SET host = ? WHERE host = ?", [new, old])
    }
    let hadSite = database.changesCount > 0
    // Servers were asked for the old name, which says nothing about the new one.
    try database.execute("DELETE FROM served_files WHERE host = ?", [old])
    try DailyFigures.removeSite(old, in: database)
    try database.execute("DELETE FROM report_findings WHERE host = ?", [old])
    try Deployment.removeUnusedFiles(in: database)
    return hadSite
  }
}
