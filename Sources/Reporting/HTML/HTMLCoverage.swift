internal import LinkAuditing

/// How the claims of a site fit what its app implements and what people visit.
struct HTMLCoverage {
  let report: Report
  let site: SiteAudit

  /// The end of captions, which differs from those of other sites.
  let name: String

  /// The level of the headings of tables.
  let level: Int

  /// The number of rows per table.
  let limit: Int

  /// The tables that have rows, and how many.
  private var tables: [(table: Table<Report>, count: Int)] {
    Report.coverageTables.compactMap { table in
      let count = table.rows(of: report, site: site).count
      return count > 0 ? (table, count) : nil
    }
  }

  var isEmpty: Bool { tables.isEmpty }

  func write(to page: inout HTMLWriter) {
    if !site.hasRoutes {
      page.paragraph(
        "No routes were given, so it isn't known what the app implements: --routes names them.",
        class: "hint")
    }
    for (table, count) in tables {
      page.heading(level) { page in
        page.text(table.title + " ")
        page.element("small", count.grouped)
      }
      let remark = table.name == Report.unclaimedHeavy.name ? site.remarkOnOlderSystems : nil
      page.paragraph(
        [table.about, remark].compactMap(\.self).joined(separator: " "), class: "hint")
      HTMLTable(table, of: report, site: site, name: name, limit: limit).write(to: &page)
    }
  }
}
