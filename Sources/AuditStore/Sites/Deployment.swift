internal import AccessLogs
internal import Foundations
public import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// An association file and the day from which it is in force on a host.
///
/// A day is judged by the latest file whose first day is not after it. Days before the first file
/// are judged by the first file.
struct Deployment: Sendable {
  var host: String

  /// The first day.
  var day: Day

  /// The number of the file in the ledger.
  var file: Int64
  var path: String
  var content: [UInt8]

  /// Returns the identity of a file, which depends on its content.
  static func identity(of content: [UInt8]) -> String {
    "\(ContentFingerprint(content.span))-\(content.count)"
  }

  /// The number of a file in the ledger, which is added if the ledger doesn't have its bytes.
  static func fileNumber(
    of content: [UInt8], path: String, seen: LogTime, in database: Database
  ) throws -> Int64? {
    let identity = identity(of: content)
    try database.insert(
      into: "association_files", Int64?.none, identity, path, seen, content, or: "IGNORE")
    return try database.value(
      of: Int64.self, "SELECT id FROM association_files WHERE identity = ?", [identity])
  }

  /// Adds a file to the ledger, unless it is in force already; returns the file that it replaces, if
  /// there was another one with the same first day.
  static func add(
    _ file: DeployedFile, since day: Day, seen: LogTime, in database: Database
  ) throws -> FileReplacement? {
    let host = file.host.lowercased()
    let id = try fileNumber(of: file.content, path: file.path, seen: seen, in: database)
    let earlier = try database.rows(
      """
      SELECT day, association_file, path
      FROM deployments JOIN association_files ON id = association_file
      WHERE host = ? AND day <= ? ORDER BY day
      """, [host, day])
    let last = try earlier.last.map { row -> (day: Day, file: Int64, path: String) in
      (try row.stored("day"), try row.stored("association_file"), try row.stored("path"))
    }
    guard id != last?.file else { return nil }
    try database.insert(into: "deployments", host, day, id, seen, or: "REPLACE")
    guard let last, last.day == day else { return nil }
    return (host, file.path, last.path, day, isFirst: earlier.count == 1)
  }

  /// Association files, by their numbers in the ledger.
  typealias Files = [Int64: (path: String, identity: String, content: [UInt8])]

  /// The files in the ledger.
  static func files(in database: Database) throws -> Files {
    var files: Files = [:]
    try database.forEachRow(of: .associationFiles) { row in
      let (identity, content): (String, [UInt8]) = try (
        row.stored("identity"), row.stored("content")
      )
      guard Self.identity(of: content) == identity else {
        throw DatabaseError(invalidColumn: "content")
      }
      files[try row.stored("id")] = (try row.stored("path"), identity, content)
    }
    return files
  }

  /// All files that were in force, by host in the order of the hosts' bytes, the earliest first.
  ///
  /// `files` are those in the ledger, if they have been read.
  static func all(in database: Database, files: Files? = nil) throws -> [[Deployment]] {
    let files = try files ?? Self.files(in: database)
    var deployments: [Deployment] = []
    try database.forEachRow(of: .deployments) { row in
      let id: Int64 = try row.stored("association_file")
      guard let file = files[id] else { throw DatabaseError(invalidColumn: "association_file") }
      deployments.append(
        Deployment(
          host: try row.stored("host"), day: try row.stored("day"), file: id, path: file.path,
          content: file.content))
    }
    return Dictionary(grouping: deployments, by: { Array($0.host.utf8) })
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { $0.value.sorted { $0.day < $1.day } }
  }

  /// The file in force on a day, of those of a host, which are in the order of their days.
  ///
  /// Requests without a time belong to the first file.
  static func inForce(on day: Day?, of deployments: [Deployment]) -> Deployment? {
    guard let day else { return deployments.first }
    return deployments.last { $0.day <= day } ?? deployments.first
  }

  /// Removes association files that no site uses, that judged no day, and that no server sends.
  static func removeUnusedFiles(in database: Database) throws {
    try database.execute(
      """
      DELETE FROM association_files
      WHERE NOT EXISTS (SELECT 1 FROM deployments WHERE association_file = id)
        AND NOT EXISTS (SELECT 1 FROM daily_sites WHERE association_file = id)
        AND NOT EXISTS (SELECT 1 FROM served_files WHERE association_file = id)
      """)
  }

  /// The days whose file differs from the one that judged them.
  static func daysToJudge(in database: Database) throws -> Set<StoredDay> {
    let deployments = try all(in: database)
    let rows = try database.rows("SELECT day, host, association_file FROM daily_sites")
    var judged: [StoredDay: [[UInt8]: Int64]] = [:]
    for row in rows {
      let day = try row.day()
      let host: String = try row.stored("host")
      judged[day, default: [:]][Array(host.utf8)] = try row.stored("association_file")
    }
    return try database.days("SELECT day FROM digests UNION SELECT day FROM pending_days")
      .filter { day in
        deployments.contains { files in
          guard let file = inForce(on: day.day, of: files) else { return false }
          return file.file != judged[day]?[Array(file.host.utf8)]
        }
      }
  }

  /// The site with these rules.
  func site(routes: RouteTable?) throws(AssociationFileError) -> Site {
    var site = Site(host: host, file: try AssociationFile(decoding: content), routes: routes)
    (site.filePath, site.fileSize) = (path, content.count)
    return site
  }
}

extension AuditStore {
  /// Returns the hosts of the sites, ascending.
  ///
  /// - Throws: ``StoreError`` if the store can't be read.
  public func siteHosts() throws(StoreError) -> [String] {
    try read { try Deployment.all(in: $0).compactMap(\.first?.host) }
  }

  /// Returns the sites with all association files that were ever in force, and servers' answers, in
  /// ascending order of the hosts.
  ///
  /// - Parameter routes: The routes of the apps, by host.
  /// - Returns: The sites.
  /// - Throws: ``StoreError`` if the store can't be read, or a file is damaged.
  public func siteHistories(routes: [String: RouteTable]) throws(StoreError) -> [SiteHistory] {
    try read { database in
      let files = try Deployment.files(in: database)
      let deployments = try Deployment.all(in: database, files: files)
      let served = try ServedAnswer.all(in: database, files: files, deployments: deployments)
      return try deployments.map { versions -> SiteHistory in
        var history = try SiteHistory(
          versions.map { deployment in
            SiteHistory.Version(
              try deployment.site(routes: routes[deployment.host]), from: deployment.day)
          })
        history.servedFiles = served[history.host] ?? []
        return history
      }
    }
  }
}
