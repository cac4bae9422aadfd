internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

// The figures of single days, which are in the database for queries.
extension AuditStore {
  /// The name of the row of all hosts without their own rows, which no log can contain.
  ///
  /// Anybody can send any number of host names, and each would be a permanent row of the database.
  static let othersName = "(OTHER HOSTS)"

  /// Counts and judges days again, each under the association files in force on it.
  ///
  /// `traffic` returns the traffic of a day without the lines that can still change, or `nil` if it
  /// must be read.
  func writeFigures(
    of days: Set<StoredDay>, _ options: IngestOptions, in database: Database,
    traffic: (StoredDay) throws -> TrafficDigest? = { _ in nil }
  ) throws {
    guard !days.isEmpty else { return }
    let deployments = try Deployment.all(in: database)
    let stored = try DayContents.all(in: database, days: days)
    var auditors: [[Int64]: Auditor] = [:]
    for day in days.sorted() {
      try Self.removeFigures(of: day, in: database)
      guard let files = try stored[day]?.files(of: self) else { continue }
      try Self.writeHosts(day, files, in: database)
      // The order of the sites in an audit.
      let inForce = deployments.compactMap { Deployment.inForce(on: day.day, of: $0) }
      let key = inForce.map(\.file)
      let auditor =
        try auditors[key]
        ?? Auditor(
          sites: inForce.map { try $0.site(routes: options.routes[$0.host]) },
          options: options.audit)
      auditors[key] = auditor
      // The first file is the day's digest.
      let traffic = try traffic(day)
      let digest = try (traffic ?? .empty).adding(
        traffic == nil ? files : Array(files.dropFirst()), jobs: options.reduction.jobs,
        temporaryDirectory: options.reduction.temporaryDirectory)
      let audit = try auditor.audit(digest)
      for (site, deployment) in zip(audit.sites, inForce) {
        try Self.write(site, day, deployment.file, in: database)
      }
      for finding in audit.findings {
        try database.insert(
          into: "daily_findings", day, finding.host ?? "", finding.code, finding.subject,
          finding.severity, finding.message, finding.traffic.requests, finding.traffic.visits,
          finding.share, or: "REPLACE")
      }
    }
  }

  /// Removes the figures of a day.
  static func removeFigures(of day: StoredDay, in database: Database) throws {
    for table in StoredTable.figures {
      try database.execute("DELETE FROM \(table.table) WHERE day = ?", [day])
      try database.resetChecksum(of: table, part: day.text)
    }
  }

  /// Removes the figures of a site, without changing those of others.
  ///
  /// Findings about entire logs stay; they are computed again with the day.
  static func removeFigures(ofSite host: String, in database: Database) throws {
    // Hosts in the logs are counted even if they are not sites.
    for table in StoredTable.figures where table.table != "daily_hosts" {
      try database.execute("DELETE FROM \(table.table) WHERE host = ?", [host])
    }
  }

  /// Counts requests by host, which reads the written digests once more.
  private static func writeHosts(
    _ day: StoredDay, _ files: [DigestFile], in database: Database
  ) throws {
    // Pending and settled requests can be for the same targets, so count each target once.
    var counts = HeaviestHosts()
    try DigestFile.forEachHost(of: files) { host, targets, requests in
      counts.add(HeaviestHosts.Row(host: Array(host.utf8), requests: requests, targets: targets))
    }
    counts.keepHeaviest()
    var hosts = counts.rows.map { (name: String(decoding: $0.host, as: UTF8.self), counts: $0) }
    if counts.others.requests > 0 { hosts.append((othersName, counts.others)) }
    for (name, host) in hosts {
      // A text of SQLite ends at a zero byte, and hosts in JSON logs can contain one. Hosts that
      // become the same text count as one.
      try database.execute(
        """
        INSERT INTO daily_hosts VALUES (?, ?, ?, ?) ON CONFLICT (day, host) DO UPDATE SET
          requests = requests + excluded.requests, targets = targets + excluded.targets
        """,
        [
          day,
          name.utf8.contains(0) ? name.replacing("\0", with: "\u{FFFD}") : name,
          host.requests, host.targets,
        ])
    }
  }

  private static func write(
    _ site: SiteAudit, _ day: StoredDay, _ file: Int64, in database: Database
  ) throws {
    let total = site.total
    try database.insert(
      into: "daily_sites", day, site.host, file, total.requests, total.visits,
      site.referrals[.sameHost].visits)
    try write(site.verdicts, "daily_verdicts", site.host, day, in: database) { $0.rawValue }
    try write(site.platforms, "daily_platforms", site.host, day, in: database) { $0.name }
    try write(site.referrals, "daily_referrals", site.host, day, in: database) { $0.name }
    var causes = CaseCounts<Cause>()
    for row in site.causes { causes[row.cause] = row.traffic }
    try write(causes, "daily_causes", site.host, day, in: database) { $0.entry.name }
  }

  private static func write<Case>(
    _ counts: CaseCounts<Case>, _ table: String, _ host: String, _ day: StoredDay,
    in database: Database, name: (Case) -> String
  ) throws {
    for (value, traffic) in counts.occurring {
      try database.insert(into: table, day, host, name(value), traffic.requests, traffic.visits)
    }
  }
}
