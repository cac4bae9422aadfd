internal import AccessLogs
internal import FoundationSubset
internal import LinkAuditing
internal import SystemPackage
internal import TrafficDigest
internal import UniversalLinks

/// The result of checking a store for consistency.
public struct StoreCheck: Sendable {
  /// The problems, in sentences.
  public private(set) var problems: [String] = []

  /// The names of files among the digests that no run has written.
  public private(set) var leftovers: [String] = []

  /// Reads and checks the entire store.
  ///
  /// - Throws: ``StoreError`` if the database is unreadable, or the system refuses to open a
  ///   digest, which doesn't mean damage.
  public init(_ store: AuditStore) throws(StoreError) {
    let path = store.databasePath
    var found = StoreCheck()
    // Runs can't commit while the database is being read, so digests are read afterwards.
    let digests = try store.read { database -> [StoredDigest] in
      let results = try database.values(of: String.self, "PRAGMA integrity_check(10)")
      found.problems += results.filter { $0 != "ok" }.map { "the database '\(path)': \($0)" }
      for row in try database.rows("PRAGMA foreign_key_check") {
        let table: String? = try row.stored("table")
        found.problems.append(
          "the database '\(path)': a row of '\(table ?? "")' refers to a missing row")
      }
      // The checks after this one rely on the types of values.
      let values = try Self.invalidColumns(in: database)
      found.problems += values.map { "the database '\(path)': \($0)" }
      guard values.isEmpty else { return [] }
      let rows = try database.mismatches(of: StoredTable.ledger + StoredTable.history)
      found.problems += rows.map { "the database '\(path)': \($0.message)" }
      try found.checkFiles(database)
      try found.checkPending(database)
      try found.checkDays(database)
      try found.checkLogs(database)
      found.leftovers = try Self.leftovers(store, database)
      return try database.rows("SELECT * FROM digests ORDER BY day").map { try StoredDigest($0) }
    }
    for digest in digests { try found.check(digest, store) }
    self = found
  }

  private init() {}

  private mutating func check(_ digest: StoredDigest, _ store: AuditStore) throws(StoreError) {
    let path: String
    do throws(StoreError) {
      path = try store.path(of: digest)
    } catch {
      if case .system = error { throw error }
      problems.append("\(error)")
      return
    }
    do throws(DigestFileError) {
      let file = try DigestFile(opening: path)
      guard digest.isSame(as: file) else {
        problems.append("'\(path)' is not the digest that linkaudit wrote")
        return
      }
      if try file.verify() != digest.requests {
        problems.append("the requests of '\(path)' are not those in the database")
      }
    } catch {
      switch error.reason {
      case .system(let reason) where ![.noSuchFileOrDirectory, .ioError].contains(reason):
        throw .digest(error)
      case .outOfMemory: throw .digest(error)
      default: problems.append("\(error)")
      }
    }
  }

  /// Compares association files with their hashes in the ledger.
  private mutating func checkFiles(_ database: Database) throws {
    let query = "SELECT id, identity, path, content FROM association_files ORDER BY id"
    try database.forEachRow(query) { row in
      let content = try row.stored("content") as [UInt8]
      let identity: String = try row.stored("identity")
      guard identity != Deployment.identity(of: content) else { return }
      let (id, path): (Int64, String) = (try row.stored("id"), try row.stored("path"))
      problems.append(
        "the content of association file \(id), '\(path)', does not match "
          + "'association_files.identity'")
    }
  }

  private mutating func checkPending(_ database: Database) throws {
    try database.forEachRow("SELECT * FROM pending_days ORDER BY log, day") { row in
      let (log, day): (Int64, String) = (try row.stored("log"), try row.stored("day"))
      let (content, counted): ([UInt8], Int) = (try row.stored("digest"), try row.count("requests"))
      do throws(DigestFileError) {
        if try DigestFile(bytes: content, name: "").verify() != counted {
          problems.append("the pending lines of log \(log) on \(day) don't match their count")
        }
      } catch {
        problems.append("the pending lines of log \(log) on \(day) are damaged")
      }
    }
  }

  /// Compares the requests of logs with those of digests.
  private mutating func checkDays(_ database: Database) throws {
    let stored = try DayContents.all(in: database, isChecked: false)
    var hosts: [StoredDay: Int] = [:]
    for row in try database.rows("SELECT day, requests FROM daily_hosts") {
      hosts[try row.day(), default: 0] += try row.count("requests")
    }
    let changed = Set(
      try StoredTable.figures.flatMap { try database.changedParts(of: $0) })
    let days = Set(stored.keys).union(hosts.keys)
      .union(changed.compactMap { StoredDay(text: $0) })
    let rebuild = "compute them again with 'linkaudit store rebuild'"
    for day in days.sorted() {
      let (counted, held) = (hosts[day] ?? 0, stored[day]?.held ?? 0)
      if let problem = stored[day]?.problem {
        problems.append(problem)
      } else if counted != held {
        problems.append(
          "\(day.title): the figures count \(counted) requests, but the digests have \(held); "
            + rebuild)
      } else if changed.contains(day.text) {
        problems.append(
          "\(day.title): the figures are not those that linkaudit computed; \(rebuild)")
      }
    }
  }

  /// Checks the sums of each log's lines.
  private mutating func checkLogs(_ database: Database) throws {
    let rows = try database.rows(
      """
      SELECT id, path FROM logs
      WHERE lines <> requests + rejected
        OR rejected <> (SELECT coalesce(sum(lines), 0) FROM log_rejections WHERE log = logs.id)
        OR requests < (SELECT coalesce(sum(requests), 0) FROM log_days WHERE log = logs.id)
      """)
    for row in rows {
      let (id, path): (Int64, String) = (try row.stored("id"), try row.stored("path"))
      problems.append("the lines of log \(id), '\(path)', don't add up")
    }
  }

  private static func leftovers(_ store: AuditStore, _ database: Database) throws -> [String] {
    let named = Set(try database.values(of: String.self, "SELECT file FROM digests"))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: store.digestDirectory)) ?? []
    // The next run removes digests that earlier runs left or replaced.
    return names.filter { !named.contains($0) && StoredDay(digestName: $0) == nil }.sorted()
  }

  /// Describes the columns with invalid values in sentences; the tables must be those of this
  /// program.
  private static func invalidColumns(in database: Database) throws -> [String] {
    try StoredTable.created.flatMap { table in
      let counts = table.columns.map {
        "count(CASE WHEN \(StoredTable.validity(of: $0)) THEN NULL ELSE 1 END)"
      }
      let row = try database.row(
        "SELECT \(counts.joined(separator: ", ")) FROM \"\(table.table)\"")
      return zip(table.columns, row?.values ?? []).compactMap { column, value -> String? in
        guard let count = value.integer, count > 0 else { return nil }
        let rows = count == 1 ? "a row" : "\(count) rows"
        return "in \(rows), '\(table.table).\(column.name)' has an invalid value"
      }
    }
  }
}
