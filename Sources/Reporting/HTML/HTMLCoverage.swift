internal import LinkAuditing

/// The comparison of a site's claims with its app's routes and with people's visits.
struct HTMLCoverage {
  /// The end of captions, which differs from those of other sites.
  private let name: String

  /// The level of the headings of tables.
  private let level: Int

  /// The number of rows per table.
  private let limit: Int

  /// The note on the use of routes; if no site has routes, the first one shows it for all.
  private let note: String?

  /// The tables that have rows, and these.
  private let tables: [(table: Table<Report>, rows: [Table<Report>.Row])]

  init(of site: SiteAudit, in report: Report, name: String, level: Int, limit: Int) {
    (self.name, self.level, self.limit) = (name, level, limit)
    if report.audit.sites.contains(where: \.hasRoutes) {
      note =
        site.hasRoutes
        ? nil
        : "Without a list of routes of this site, linkaudit can't know which URLs the app implements: pass '--routes FILE'."
    } else {
      note = site.host == report.audit.sites.first?.host ? report.noteOnRoutes : nil
    }
    tables = Report.coverageTables.map { ($0, $0.rows(of: report, site: site)) }
      .filter { !$0.1.isEmpty }
  }

  var isEmpty: Bool { tables.isEmpty }

  /// The first table in a few words.
  var key: String { tables.first.map { "\($0.table.title): \($0.rows.count.grouped)" } ?? "" }

  func write(to page: inout HTMLWriter) {
    if let note { page.paragraph(note, class: "hint") }
    for (table, rows) in tables {
      page.heading(level) { page in
        page.text(table.title + " ")
        page.element("small", rows.count.grouped)
      }
      page.paragraph(table.about, class: "hint")
      HTMLTable(table, rows, name: name, limit: limit).write(to: &page)
    }
  }
}
