internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The valid values of a store's columns: those of the declared types, and of these sets.
///
/// SQLite's columns accept values of any type.
enum StoredValues {
  /// A set of values.
  private enum Domain {
    /// Counts of things, of bytes, or of runs; see ``Row/count(_:)``.
    case count

    /// The change of a count.
    case change

    /// Numbers from one on.
    case atLeast(Int)

    /// Shares in millionths.
    case share

    /// No or yes.
    case flag

    /// Days; ``day`` includes the empty text for requests without a time, ``dated`` doesn't.
    case day
    case dated

    /// Names.
    case names([String])

    /// The condition for a column to have a value of the set.
    func condition(_ column: String) -> String {
      switch self {
      case .count: "\(column) BETWEEN 0 AND \(Row.countLimit)"
      case .change: "\(column) BETWEEN \(-Row.countLimit) AND \(Row.countLimit)"
      case .atLeast(let number): "\(column) >= \(number)"
      case .share: "\(column) BETWEEN 0 AND 1000000"
      case .flag: "\(column) IN (0, 1)"
      case .day: "(\(column) = '' OR \(Domain.dated.condition(column)))"
      // A modifier that changes nothing still normalizes invalid days at the end of a month.
      case .dated: "\(column) IS date(\(column), '+0 days')"
      case .names(let names):
        "\(column) IN (\(names.map { "'\($0)'" }.joined(separator: ", ")))"
      }
    }
  }

  /// The sets of columns, by their names in any table.
  private static let domains: [String: Domain] = [
    "cause": .names(Cause.allCases.map(\.name)), "checks": .atLeast(1), "day": .day,
    "first_line_end": .count,
    "first_run": .count, "is_settled": .flag,
    "last_run": .count, "length": .count, "line": .count, "lines": .count, "logs": .count,
    "number": .atLeast(1),
    "offset": .count, "pending_lines": .count,
    "platform": .names(Platform.allCases.map(\.name)), "position": .count,
    "reason": .names(RejectionReason.allCases.map(\.rawValue)),
    "referral": .names(Referral.allCases.map(\.name)), "rejected": .count, "requests": .count,
    "run": .count, "same_host_visits": .count, "settled_length": .count, "settled_lines": .count,
    "severity": .names(Severity.allCases.map(\.rawValue)), "share": .share,
    "size": .count, "source": .names(DeliverySource.allCases.map(\.rawValue)),
    "status": .names(InputStatus.allCases.map(\.rawValue)), "targets": .count,
    "verdict": .names(Verdict.allCases.map(\.rawValue)), "visits": .count,
  ]

  /// The sets of columns in single tables.
  private static let exceptions: [String: Domain] = [
    "deployments.day": .dated,
    // A file that may change unnoticed has a size that no file has; others have any size that file
    // systems allow.
    "log_files.size": .atLeast(-1),
    "served_files.status": .count,
    // Lines that changed can subtract more than new lines add.
    "runs.id": .count, "runs.lines": .change, "runs.rejected": .change, "runs.requests": .change,
  ]

  /// The values allowed by the declared types of columns.
  private static let kinds = [
    "BLOB": "blob", "BOOLEAN": "integer", "INTEGER": "integer", "REAL": "real", "TEXT": "text",
  ]

  /// Checks all values of all tables, each table once.
  ///
  /// - Parameter database: The database, whose tables must be those of this program.
  /// - Returns: The columns with invalid values, in sentences.
  /// - Throws: An error if the database can't be read.
  static func problems(in database: Database) throws -> [String] {
    let tables = try database.values(
      of: String.self,
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
      ORDER BY name
      """)
    return try tables.flatMap { try problems(of: $0, in: database) }
  }

  private static func problems(of table: String, in database: Database) throws -> [String] {
    let columns = try database.rows("PRAGMA table_info(\"\(table)\")").map { row in
      let name: String = try row.stored("name")
      let (type, isRequired): (String, Int) = (try row.stored("type"), try row.stored("notnull"))
      return (name: name, condition: condition(table, name, type, isNullable: isRequired == 0))
    }
    let counts = columns.map { "count(CASE WHEN \($0.condition) THEN NULL ELSE 1 END)" }
    let row = try database.row("SELECT \(counts.joined(separator: ", ")) FROM \"\(table)\"")
    let values = row?.values ?? []
    return zip(columns, values).compactMap { column, value -> String? in
      guard let count = Int(databaseValue: value), count > 0 else { return nil }
      let rows = count == 1 ? "a row" : "\(count) rows"
      return "in \(rows), '\(table).\(column.name)' has an invalid value"
    }
  }

  /// The condition for a column to have a valid value.
  private static func condition(
    _ table: String, _ name: String, _ type: String, isNullable: Bool
  ) -> String {
    let column = "\"\(name)\""
    let kind = kinds[type].map { "typeof(\(column)) = '\($0)'" }
    let domain = exceptions["\(table).\(name)"] ?? domains[name]
    let parts = [kind, domain?.condition(column)].compactMap { $0 }
    let condition = parts.isEmpty ? "TRUE" : parts.joined(separator: " AND ")
    return isNullable ? "\(column) IS NULL OR \(condition)" : condition
  }
}
