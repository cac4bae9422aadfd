internal import Foundations
internal import LinkAuditing

/// A report that tables are made from.
package protocol TableSource: SendableMetatype {
  /// All tables, in the order in which documents list them.
  static var tables: [Table<Self>] { get }

  /// The number of rows in tables that are ordered by weight, or `nil` for all.
  var top: Int? { get }
}

extension TableSource {
  /// The table with a name, or `nil` if there is none.
  package static func table(_ name: String) -> Table<Self>? {
    tables.first { $0.name == name }
  }
}

/// A table, declared once.
///
/// CSV, NDJSON, rows of JSON, schemas, reference documents, and the tables of pages and text reports
/// are all made from this declaration.
package struct Table<Source: TableSource>: Sendable {
  /// The name in options and of CSV files, such as `same-host-referrals`.
  package let name: String

  /// The heading; empty for tables that are only metrics.
  let title: String
  let about: String

  /// The columns that have a name, for programs.
  let columns: [TableColumn<Row>]

  /// Whether the table has rows for each site, so that its first column names the host.
  let isPerSite: Bool

  /// The columns whose values are the labels of metrics, after the host.
  let labels: [String]

  /// Calls a closure with each row that the formats have, those of one site if it is given.
  private let visit: @Sendable (Source, SiteAudit?, (Row) -> Void) -> Void

  /// Returns all rows for people, of one site if it is given.
  private let shown: @Sendable (Source, SiteAudit?) -> DocumentTable

  /// A row, whose values are computed on demand.
  struct Row {
    let host: String?
    fileprivate let value: (_ column: Int) -> TableValue?
  }

  /// The name in JSON, such as `sameHostReferrals`.
  var member: String {
    let words = name.split(separator: "-")
    return words.dropFirst().reduce(String(words.first ?? "")) { $0 + String($1).capitalizedFirst }
  }

  /// Creates a table whose rows are in parts, each with a host or without one.
  private init<Element, Elements: Sequence<Element> & SendableMetatype>(
    _ name: String, _ title: String, _ about: String, isPerSite: Bool, isLimited: Bool,
    labels: [String], columns: [TableColumn<Element>],
    parts: @escaping @Sendable (Source, SiteAudit?) -> [(host: String?, rows: () -> Elements)]
  ) {
    (self.name, self.title, self.about) = (name, title, about)
    (self.isPerSite, self.labels) = (isPerSite, labels)
    let named = columns.filter { !$0.name.isEmpty }
    self.columns = named.enumerated().map { index, column in
      TableColumn<Row>(like: column) { $0.value(index) }
    }
    // The type of a column is found at run time, so do so once, not for each row.
    let values = named.map(\.value)
    visit = { source, site, body in
      let limit = isLimited ? source.top ?? .max : .max
      for (host, rows) in parts(source, site) {
        for element in rows().prefix(limit) { body(Row(host: host) { values[$0](element) }) }
      }
    }
    shown = { source, site in
      DocumentTable(title, columns, parts(source, site).flatMap { $0.rows() })
    }
  }

  /// Declares a table whose rows belong to no site.
  ///
  /// `isLimited` says that rows are ordered by weight, so a number of rows can limit them. `host`
  /// is the host of all rows, if they have one. `labels` names the columns that tell samples of
  /// metrics apart.
  init<Element, Elements: Sequence<Element> & SendableMetatype>(
    _ name: String, _ title: String = "", _ about: String = "", isLimited: Bool = false,
    host: (@Sendable (Source) -> String)? = nil, labels: [String] = [],
    rows: @escaping @Sendable (Source) -> Elements, columns: [TableColumn<Element>]
  ) {
    self.init(
      name, title, about, isPerSite: host != nil, isLimited: isLimited, labels: labels,
      columns: columns
    ) { source, _ in [(host.map { $0(source) }, { rows(source) })] }
  }

  /// Calls a closure with each row that the formats have, those of one site if it is given.
  func forEachRow(of source: Source, site: SiteAudit? = nil, _ body: (Row) -> Void) {
    visit(source, site, body)
  }

  /// Returns the table for people: all rows, regardless of the requested number, of one site if it is
  /// given; explained if nothing else does so.
  func document(
    of source: Source, site: SiteAudit? = nil, isExplained: Bool = false
  ) -> DocumentTable {
    var table = shown(source, site)
    if isExplained { table.about = about }
    return table
  }
}

extension Table where Source == Report {
  /// Declares a table with rows for each site.
  ///
  /// `isLimited` says that rows are ordered by weight, so a number of rows can limit them.
  init<Element, Elements: Sequence<Element> & SendableMetatype>(
    site name: String, _ title: String = "", _ about: String = "", isLimited: Bool = false,
    labels: [String] = [], rows: @escaping @Sendable (SiteAudit) -> Elements,
    columns: [TableColumn<Element>]
  ) {
    self.init(
      name, title, about, isPerSite: true, isLimited: isLimited, labels: labels, columns: columns
    ) { report, site in
      (site.map { [$0] } ?? report.audit.sites).map { site in (site.host, { rows(site) }) }
    }
  }
}

// MARK: - Values

extension Table {
  func columns(_ names: [String]) -> [TableColumn<Row>] {
    names.compactMap { name in columns.first { $0.name == name } }
  }

  func value(_ column: String, of row: Row) -> TableValue? {
    columns.first { $0.name == column }?.value(row)
  }

  func number(_ column: String, of row: Row) -> Int? { value(column, of: row)?.number }
}

// MARK: - CSV

extension Table {
  /// Returns the columns of CSV; rare columns only if a row has a value.
  func csvColumns(of source: Source) -> [TableColumn<Row>] {
    var present: Set<String> = []
    if columns.contains(where: { $0.presence == .rarely }) {
      forEachRow(of: source) { row in
        for column in columns where column.presence == .rarely && column.value(row) != nil {
          present.insert(column.name)
        }
      }
    }
    return columns.filter {
      !$0.kind.isOnlyInJSON && ($0.presence != .rarely || present.contains($0.name))
    }
  }

  func csvHeader(of columns: [TableColumn<Row>]) -> [String] {
    (isPerSite ? ["host"] : []) + columns.map(\.name)
  }

  package func writeCSV(of source: Source, to sink: @escaping OutputSink) throws {
    var csv = CSVWriter(to: sink)
    let columns = csvColumns(of: source)
    csv.row(csvHeader(of: columns))
    forEachRow(of: source) { row in
      csv.row((row.host.map { [$0] } ?? []) + columns.map { $0.value(row)?.cell ?? "" })
    }
    try csv.finish()
  }
}

// MARK: - JSON

extension JSONWriter {
  mutating func members<Row>(of row: Row, _ columns: [TableColumn<Row>]) {
    var index = 0
    while index < columns.count {
      let column = columns[index]
      index += 1
      guard column.presence != .onlyInCSV, let value = column.value(row) else { continue }
      guard let parent = column.member?.parent else {
        value.write(column.name, to: &self)
        continue
      }
      var group = [(column.member?.name ?? column.name, value)]
      while index < columns.count, let member = columns[index].member, member.parent == parent {
        if let value = columns[index].value(row) { group.append((member.name, value)) }
        index += 1
      }
      if group.allSatisfy({ $0.1.isNone }) {
        member(parent, nil as String?)
      } else {
        member(parent) { json in for (name, value) in group { value.write(name, to: &json) } }
      }
    }
  }

  /// Writes each row of a table as a line that names the table.
  mutating func lines<Source>(_ table: Table<Source>, of source: Source) {
    table.forEachRow(of: source) { row in
      object { json in
        json.member("type", table.member)
        if let host = row.host { json.member("host", host) }
        json.members(of: row, table.columns)
      }
    }
  }
}
