internal import AccessLogs
public import Foundations
internal import TrafficDigest

// Changes of a store other than adding logs.

extension AuditStore {
  /// Removes days: their digests and figures.
  ///
  /// Their logs stay in the ledger, so that they are not counted again.
  ///
  /// - Parameter days: The days; `nil` is for requests without a time.
  /// - Returns: The removed days.
  /// - Throws: ``StoreError`` if the store can't be changed.
  public func removeDays(_ days: [Day?]) throws(StoreError) -> [Day?] {
    try write { database in
      try days.filter { day in
        // Remembered reports contain the heaviest paths of all their days.
        let day = StoredDay(day)
        try database.execute(
          """
          DELETE FROM reports
          WHERE ?1 = '' OR ?1 BETWEEN substr(first_time, 1, 10) AND substr(last_time, 1, 10)
          """, [day])
        return try Self.remove(day, in: database)
      }
    }
  }

  /// Computes all daily figures again.
  ///
  /// - Parameter options: The options for judging.
  /// - Throws: ``StoreError`` if the store can't be read or changed.
  public func rebuild(_ options: IngestOptions) throws(StoreError) {
    try write { database in
      let known = try database.days(
        """
        SELECT day FROM digests UNION SELECT day FROM pending_days
        UNION SELECT day FROM daily_hosts
        """)
      try writeFigures(of: known, options, in: database)
    }
  }

  /// Removes a day, and returns whether the store had it.
  @discardableResult
  static func remove(_ day: StoredDay, in database: Database) throws -> Bool {
    // If the day has pending lines of a log, all pending lines of that log become permanent, so
    // that they are never subtracted or read again.
    let logs = try database.values(
      of: Int64.self, "SELECT log FROM pending_days WHERE day = ? AND NOT is_settled",
      [day])
    for log in logs {
      try database.execute("UPDATE pending_days SET is_settled = TRUE WHERE log = ?", [log])
      try database.execute("DELETE FROM pending_rejections WHERE log = ?", [log])
      try database.execute(
        """
        UPDATE logs SET settled_length = length, settled_lines = settled_lines + pending_lines,
          pending_lines = 0 WHERE id = ?
        """, [log])
    }
    var count = 0
    for table in [StoredTable.digests, .pendingDays, .logDays] {
      try database.execute("DELETE FROM \(table.table) WHERE day = ?", [day])
      count += database.changesCount
      try database.resetChecksum(of: table, part: day.text)
    }
    try removeFigures(of: day, in: database)
    try database.execute("DELETE FROM reports WHERE substr(last_time, 1, 10) <= ?", [day])
    return count > 0
  }

  // MARK: - Sites

  /// Removes a site with its association files, servers' answers, daily figures, and findings of
  /// reports.
  ///
  /// Requests belong to hosts, not to sites, so they stay.
  ///
  /// - Parameter host: The host, or `*.` and a domain, as in the name of the site.
  /// - Returns: The number of requests for its host, which stay without a site, or `nil` if the store
  ///   has no such site.
  /// - Throws: ``StoreError`` if the store can't be changed.
  public func removeSite(_ host: String) throws(StoreError) -> Int? {
    try write { database in
      guard try Self.hasSite(host, in: database) else { return nil }
      let requests = try database.value(
        of: Int.self, "SELECT coalesce(sum(requests), 0) FROM daily_sites WHERE host = ?",
        [host])
      try database.execute("DELETE FROM deployments WHERE host = ?", [host])
      try Self.forgetSite(host, in: database)
      return requests ?? 0
    }
  }

  /// Removes all that is known of a site without association files.
  private static func forgetSite(_ host: String, in database: Database) throws {
    try database.execute("DELETE FROM served_files WHERE host = ?", [host])
    try removeFigures(ofSite: host, in: database)
    try database.execute("DELETE FROM report_findings WHERE host = ?", [host])
    try Deployment.removeUnusedFiles(in: database)
  }
}

// MARK: - Hosts

extension AuditStore {
  /// Renames a host, with its requests, its site and its logs.
  ///
  /// Its requests are added to those of the new host. Its site becomes that of the new host, unless
  /// that has a site.
  ///
  /// - Parameters:
  ///   - old: The host.
  ///   - new: The new host.
  ///   - options: The options for judging days.
  /// - Returns: The number of its requests, and of the days that have any; or `nil` if the store has no
  ///   such host.
  /// - Throws: ``StoreError`` if the store can't be read or changed.
  public func renameHost(
    _ old: String, to new: String, _ options: IngestOptions
  ) throws(StoreError) -> (days: Int, requests: Int)? {
    let (known, run) = try read { database in
      (try requests(for: old, in: database), try Self.nextRun(in: database))
    }
    let days = Set(known.keys)
    let rows = try writeDigests(of: days, run: run, options.reduction) { present in
      try renaming(Array(present.values), old, new, options, jobs: options.reduction.jobs)
    }
    let isKnown = try write { database in
      for row in rows { try row.write(run: run, in: database) }
      try renamePending(days, old, new, options, in: database)
      let changedSites = try Self.moveSite(old, to: new, in: database)
      try database.execute("UPDATE logs SET host = ? WHERE host = ?", [new, old])
      let changedLogs = database.changesCount
      guard !days.isEmpty || changedSites || changedLogs > 0 else { return false }
      let now = LogTime.now
      try database.insert(into: "runs", run, now, now, 0, 0, 0, 0)
      try writeFigures(of: days, options, in: database)
      return true
    }
    guard isKnown else { return nil }
    return (days.count, known.values.reduce(0, +))
  }

  /// The requests for a host by day, including those of hosts without a row of their own.
  private func requests(for host: String, in database: Database) throws -> [StoredDay: Int] {
    let days = try database.days(
      "SELECT DISTINCT day FROM daily_hosts WHERE host IN (?, ?)", [host, Self.othersName])
    var requests: [StoredDay: Int] = [:]
    let contents = try DayContents.all(in: database, days: days)
    for (day, contents) in contents.sorted(by: { $0.key < $1.key }) {
      try DigestFile.forEachHost(of: try contents.files(of: self)) { name, _, count in
        if name.hasSameBytes(as: host) { requests[day] = count }
      }
    }
    return requests
  }

  private func renaming(
    _ files: [DigestFile], _ old: String, _ new: String, _ options: IngestOptions, jobs: Int
  ) throws -> TrafficDigest {
    let directory = options.reduction.temporaryDirectory
    return try TrafficDigest.empty.adding(files, jobs: jobs, temporaryDirectory: directory)
      .renamingHost(old, to: new, jobs: jobs, temporaryDirectory: directory)
  }

  /// Renames the host in lines that can still change.
  private func renamePending(
    _ days: Set<StoredDay>, _ old: String, _ new: String, _ options: IngestOptions,
    in database: Database
  ) throws {
    for day in days.sorted() {
      let rows = try database.rows(
        "SELECT rowid, digest FROM pending_days WHERE day = ? ORDER BY rowid", [day])
      for row in rows {
        let bytes: [UInt8] = try row.stored("digest")
        let file = try DigestFile(bytes: bytes, name: "\(databasePath): pending lines")
        var renamed: [UInt8] = []
        _ = try renaming([file], old, new, options, jobs: 1).writeByDay(
          jobs: 1, temporaryDirectory: options.reduction.temporaryDirectory
        ) { renamed += $1 }
        let number: Int64 = try row.stored("rowid")
        try database.execute(
          "UPDATE pending_days SET digest = ? WHERE rowid = ?", [renamed, number])
      }
    }
  }

  private static func hasSite(_ host: String, in database: Database) throws -> Bool {
    try database.row("SELECT 1 FROM deployments WHERE host = ?", [host]) != nil
  }

  /// Moves the association files of a host to another one without any, and removes the findings of
  /// reports about it; returns whether the host had any.
  private static func moveSite(
    _ old: String, to new: String, in database: Database
  ) throws -> Bool {
    if try hasSite(new, in: database) {
      try database.execute("DELETE FROM deployments WHERE host = ?", [old])
    } else {
      try database.execute("UPDATE deployments SET host = ? WHERE host = ?", [new, old])
    }
    let hadSite = database.changesCount > 0
    // Servers were asked for the old name, which says nothing about the new one.
    try forgetSite(old, in: database)
    return hadSite
  }
}
