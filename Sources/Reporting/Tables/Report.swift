package import LinkAuditing
package import TrafficDigest

/// An audit and the traffic it is about: the source of all formats of a report.
package struct Report: TableSource {
  let audit: Audit
  let digest: TrafficDigest

  /// The number of rows in tables that are ordered by weight, or `nil` for all.
  package let top: Int?

  /// The words of the command line that requested it.
  let words: ReportWords

  package init(
    audit: Audit, digest: TrafficDigest, top: Int?, words: ReportWords = ReportWords()
  ) {
    self.audit = audit
    self.digest = digest
    self.top = top
    self.words = words
  }

  /// All tables, in the order in which documents list them.
  package static let tables: [Table<Report>] =
    inputTables + siteTables + coverageTables + resultTables
}
