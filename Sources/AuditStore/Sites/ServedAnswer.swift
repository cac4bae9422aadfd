public import Foundations
public import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A server's answer to a request for a site's association file, as a store keeps it.
public struct ServedAnswer: Sendable {
  /// The host, or `*.` and a domain, as in the name of the site.
  public var host: String

  /// The server.
  public var source: DeliverySource

  /// The URL of the file.
  public var url: String

  /// The status, or `nil` if there was no answer.
  public var status: Int?

  /// The code of the most severe problem of the answer itself, or `nil` if there is none.
  public var problem: String?

  /// The size of the decompressed content in bytes, or `nil` if it is incomplete.
  public var size: Int?

  /// The content if it is a file that systems can read.
  public var file: [UInt8]?

  /// Fields of the head, by their names in lower case.
  public var fields: [String: String]

  /// The end of the validity of the server's certificate, or `nil` if it isn't known.
  public var certificateEnd: LogTime?

  /// Creates an answer.
  public init(
    host: String, source: DeliverySource, url: String, status: Int?, problem: String?, size: Int?,
    file: [UInt8]?, fields: [String: String], certificateEnd: LogTime?
  ) {
    (self.host, self.source, self.url, self.status) = (host, source, url, status)
    (self.problem, self.size, self.file) = (problem, size, file)
    (self.fields, self.certificateEnd) = (fields, certificateEnd)
  }
}

extension AuditStore {
  /// Records answers; an answer equal to the last one of the same server extends that one's period.
  ///
  /// - Parameters:
  ///   - answers: The answers.
  ///   - time: The time of the check.
  /// - Throws: ``StoreError`` if the store can't be changed.
  public func record(_ answers: [ServedAnswer], at time: LogTime = .now) throws(StoreError) {
    try write { database in
      let tables = [StoredTable.servedFiles, .associationFiles]
      if let mismatch = try database.mismatches(of: tables).first {
        throw mismatch
      }
      for answer in answers { try answer.write(at: time, in: database) }
    }
  }
}

extension ServedAnswer {
  fileprivate func write(at time: LogTime, in database: Database) throws {
    let file = try file.map {
      try Deployment.fileNumber(of: $0, path: url, seen: time, in: database)
    }
    // In the order of arrival, because a clock can go back.
    let last = try database.row(
      """
      SELECT number, status IS ?3 AND problem IS ?4 AND association_file IS ?5 AS is_same
      FROM served_files WHERE host = ?1 AND source = ?2 ORDER BY number DESC LIMIT 1
      """, [host, source, status, problem, file])
    let number = try last?.count("number") ?? 0
    if let last, try last.stored("is_same") as Bool {
      // An error page can have a different size each time.
      try database.execute(
        """
        UPDATE served_files SET last_seen = ?, checks = checks + 1, size = ?, fields = ?,
          certificate_end = ?
        WHERE host = ? AND source = ? AND number = ?
        """, [time, size, fields, certificateEnd, host, source, number])
    } else {
      try database.insert(
        into: "served_files", host, source, number + 1, time, time, 1, status, problem, size, file,
        fields, certificateEnd)
    }
  }
}

// MARK: - Reading

extension ServedAnswer {
  /// The answers in a database by host, those of each source in the order of arrival.
  static func all(
    in database: Database, files: Deployment.Files, deployments: [[Deployment]]
  ) throws -> [String: [ServedFile]] {
    let contents = files.mapValues { file in
      (identity: file.identity, file: try? AssociationFile(decoding: file.content))
    }
    let inForce = Dictionary(
      deployments.compactMap { files in files.first.map { ($0.host, files) } },
      uniquingKeysWith: { first, _ in first })
    var answers: [String: [(number: Int, file: ServedFile)]] = [:]
    try database.forEachRow(of: .servedFiles) { row in
      let host: String = try row.stored("host")
      var content: ServedFile.Content?
      if let number = try row.stored("association_file") as Int64? {
        guard let known = contents[number] else {
          throw DatabaseError(invalidColumn: "association_file")
        }
        let files = inForce[host] ?? []
        content = known.file.map { file in
          ServedFile.Content(
            identity: known.identity, file: file,
            inForceSince: files.last { $0.file == number }?.day,
            isInForce: files.last?.file == number)
        }
      }
      let fields: [String: String] = try row.stored("fields")
      let file = ServedFile(
        source: try row.stored("source"), first: try row.stored("first_seen"),
        last: try row.stored("last_seen"),
        checks: try row.count("checks"), status: try row.stored("status"),
        problem: try row.stored("problem"), size: try row.stored("size"), content: content,
        fields: fields.sorted { $0.key < $1.key },
        certificateEnd: try row.stored("certificate_end"))
      answers[host, default: []].append((try row.count("number"), file))
    }
    return answers.mapValues { $0.sorted { $0.number < $1.number }.map(\.file) }
  }
}
