internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// An association file and the day from which it is in force on a host.
///
/// A day is judged by the file whose first day is the last one up to it; days before the
/// first file by that one.
struct Deployment: Sendable {
  var host: String

  /// The first day.
  var day: Day

  /// The number of the file in the ledger.
  var file: Int64
  var path: String
  var content: [UInt8]

  /// What tells a file from others, by its content.
  static func identity(of content: [UInt8]) -> String {
    "\(ContentFingerprint(content.span))-\(content.count)"
  }

  /// Takes a file into the ledger, unless it is the one in force.
  ///
  /// - Returns: What it replaces, if there was another one with the same first day.
  static func add(
    _ file: DeployedFile, since day: Day, seen: Timestamp, in database: Database
  ) throws -> FileReplacement? {
    let identity = identity(of: file.content)
    try database.execute(
      """
      INSERT INTO association_files (identity, path, seen, content) VALUES (?, ?, ?, ?)
      ON CONFLICT (identity) DO NOTHING
      """,
      [identity, file.path, seen.description, file.content])
    let inForce = try database.value(
      of: Int64.self,
      """
      SELECT association_file FROM deployments WHERE host = ? AND day <= ?
      ORDER BY day DESC LIMIT 1
      """, [file.host, day.description])
    let id = try database.value(
      of: Int64.self, "SELECT id FROM association_files WHERE identity = ?", [identity])
    guard let id, id != inForce else { return nil }
    let replaced = try database.value(
      of: String.self,
      """
      SELECT path FROM deployments JOIN association_files ON id = association_file
      WHERE host = ? AND day = ?
      """, [file.host, day.description])
    let earlier = try database.value(
      of: Int.self, "SELECT count(*) FROM deployments WHERE host = ? AND day < ?",
      [file.host, day.description])
    try database.execute(
      "INSERT OR REPLACE INTO deployments VALUES (?, ?, ?, ?)",
      [file.host, day.description, id, seen.description])
    return replaced.map { replaced in
      FileReplacement(
        host: file.host, path: file.path, replacedPath: replaced, day: day,
        isFirst: earlier == 0)
    }
  }

  /// All that were in force, by host, the earliest first.
  static func all(in database: Database) throws -> [String: [Deployment]] {
    let rows = try database.rows(
      """
      SELECT host, day, association_file, path, content
      FROM deployments JOIN association_files ON id = association_file ORDER BY host, day
      """)
    let deployments = try rows.compactMap { row -> Deployment? in
      guard let day = Day(try row.stored("day") as String) else { return nil }
      return Deployment(
        host: try row.stored("host"), day: day, file: try row.stored("association_file"),
        path: try row.stored("path"),
        content: try row.stored("content"))
    }
    return Dictionary(grouping: deployments, by: \.host)
  }

  /// The file in force on a day.
  ///
  /// - Parameters:
  ///   - day: The day, or `nil` for requests without a time, which count to the first.
  ///   - deployments: Those of a host, the earliest first.
  /// - Returns: The file, or `nil` if there is none.
  static func inForce(on day: Day?, of deployments: [Deployment]) -> Deployment? {
    guard let day else { return deployments.first }
    return deployments.last { $0.day <= day } ?? deployments.first
  }

  /// Removes association files that no site has and that judged no day.
  static func removeUnusedFiles(in database: Database) throws {
    try database.execute(
      """
      DELETE FROM association_files
      WHERE NOT EXISTS (SELECT 1 FROM deployments WHERE association_file = id)
        AND NOT EXISTS (SELECT 1 FROM daily_sites WHERE association_file = id)
      """)
  }

  /// The days that are judged by another file than they were.
  static func daysToJudge(in database: Database) throws -> Set<StoredDay> {
    let deployments = try all(in: database)
    let rows = try database.rows("SELECT day, host, association_file FROM daily_sites")
    var judged: [StoredDay: [String: Int64]] = [:]
    for row in rows {
      guard let day = StoredDay(text: try row.stored("day")) else { continue }
      let host: String = try row.stored("host")
      judged[day, default: [:]][host] = try row.stored("association_file")
    }
    let days = try database.values(
      of: String.self, "SELECT day FROM digests UNION SELECT day FROM pending_days"
    ).compactMap { StoredDay(text: $0) }
    return Set(
      days.filter { day in
        deployments.contains { host, files in
          inForce(on: day.day, of: files)?.file != judged[day]?[host]
        }
      })
  }

  /// The site under these rules.
  func site(routes: RouteTable?) throws(AssociationFileError) -> Site {
    var site = Site(host: host, file: try AssociationFile(decoding: content), routes: routes)
    (site.filePath, site.fileSize) = (path, content.count)
    return site
  }
}
