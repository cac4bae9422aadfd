internal import LinkAuditing
internal import TrafficDigest

/// An audit and the traffic it is about: the source of all formats of a report.
struct Report: TableSource {
  let audit: Audit
  let digest: TrafficDigest

  /// The number of rows in tables that are ordered by weight, or `nil` for all.
  let top: Int?

  /// All tables, in the order in which documents list them.
  static let tables: [Table<Report>] = inputTables + siteTables + coverageTables + resultTables

  static let formerNames = [
    "day-referral-kinds": "day-referrals", "delivery": "fetches", "excluded": "excluded-heavy",
    "inputs": "files", "referral-kinds": "referrals", "rejected": "rejected-by-reason",
    "unclaimed": "unclaimed-heavy",
  ]
}
