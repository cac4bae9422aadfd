internal import LinkAuditing

/// A report that tables are made from.
protocol TableSource: SendableMetatype {
  /// All tables, in the order in which documents list them.
  static var tables: [Table<Self>] { get }

  /// Former names of tables, which options still take, and their present names.
  static var formerNames: [String: String] { get }

  /// The number of rows in tables that are ordered by weight, or `nil` for all.
  var top: Int? { get }
}

extension TableSource {
  static var formerNames: [String: String] { [:] }

  /// The table with a name.
  static func table(_ name: String) -> Table<Self>? {
    tables.first { $0.name == name }
  }
}

/// A table, declared once: CSV, NDJSON, rows of JSON, schemas and reference documents are made from
/// the declaration.
struct Table<Source: TableSource>: Sendable {
  /// The name in options and of CSV files, such as `same-host-referrals`.
  let name: String

  /// The heading.
  let title: String

  /// The rows in a sentence.
  let about: String
  let columns: [TableColumn<Row>]

  /// Whether the table has rows for each site, so that its first column names the host.
  let isPerSite: Bool

  /// Calls a closure with each row, those of one site if it is given.
  private let visit: @Sendable (Source, SiteAudit?, (Row) -> Void) -> Void

  /// The values of a row, in the order of the columns.
  struct Row {
    let host: String?
    fileprivate let values: [TableValue?]
  }

  /// The name in JSON, such as `sameHostReferrals`.
  var member: String {
    let words = name.split(separator: "-")
    return words.dropFirst().reduce(String(words.first ?? "")) { $0 + String($1).capitalizedFirst }
  }

  /// Declares a table whose rows belong to no site.
  ///
  /// `isLimited` says that rows are ordered by weight, so that a number of rows limits them; `host` is
  /// the host of all rows, if they have one.
  init<Element, Elements: Sequence<Element> & SendableMetatype>(
    _ name: String, _ title: String, _ about: String, isLimited: Bool = false,
    host: (@Sendable (Source) -> String)? = nil, rows: @escaping @Sendable (Source) -> Elements,
    columns: [TableColumn<Element>]
  ) {
    (self.name, self.title, self.about, isPerSite) = (name, title, about, host != nil)
    self.columns = Self.erased(columns)
    visit = { source, _, body in
      let host = host.map { $0(source) }
      for element in rows(source).prefix(isLimited ? source.top ?? .max : .max) {
        body(Row(host: host, values: columns.map { $0.value(element) }))
      }
    }
  }

  private static func erased<Element>(_ columns: [TableColumn<Element>]) -> [TableColumn<Row>] {
    columns.enumerated().map { index, column in
      TableColumn<Row>(
        column.name, column.kind, column.about, in: column.member.map { ($0.parent, $0.name) },
        formats: column.formats, presence: column.presence
      ) { $0.values[index] }
    }
  }

  /// Calls a closure with each row, those of one site if it is given.
  func forEachRow(of source: Source, site: SiteAudit? = nil, _ body: (Row) -> Void) {
    visit(source, site, body)
  }
}

// MARK: - Values

extension Table {
  /// Whether a column has a name.
  func has(_ column: String) -> Bool { columns.contains { $0.name == column } }

  /// The value of a row in the column with a name.
  func value(_ column: String, of row: Row) -> TableValue? {
    columns.first { $0.name == column }?.value(row)
  }

  /// The number of a row in the column with a name.
  func number(_ column: String, of row: Row) -> Int? {
    if case .number(let number) = value(column, of: row) { number } else { nil }
  }
}

extension Table where Source == Report {
  /// Declares a table with rows for each site.
  init<Element, Elements: Sequence<Element> & SendableMetatype>(
    site name: String, _ title: String, _ about: String, isLimited: Bool = false,
    rows: @escaping @Sendable (SiteAudit) -> Elements, columns: [TableColumn<Element>]
  ) {
    (self.name, self.title, self.about, isPerSite) = (name, title, about, true)
    self.columns = Self.erased(columns)
    visit = { report, site, body in
      for site in site.map({ [$0] }) ?? report.audit.sites {
        for element in rows(site).prefix(isLimited ? report.top ?? .max : .max) {
          body(Row(host: site.host, values: columns.map { $0.value(element) }))
        }
      }
    }
  }
}

// MARK: - CSV

extension Table {
  /// The columns of CSV; rare ones only where a row has a value.
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
      $0.formats != .jsonOnly && ($0.presence != .rarely || present.contains($0.name))
    }
  }

  /// The header of CSV.
  func csvHeader(of columns: [TableColumn<Row>]) -> [String] {
    (isPerSite ? ["host"] : []) + columns.map(\.name)
  }

  /// Writes the table as CSV.
  func writeCSV(of source: Source, to sink: @escaping OutputFile.Sink) throws {
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
  /// Writes the values of a row as members.
  mutating func members<Row>(of row: Row, _ columns: [TableColumn<Row>]) {
    var index = 0
    while index < columns.count {
      let column = columns[index]
      index += 1
      guard column.formats != .csvOnly, let value = column.value(row) else { continue }
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

  /// Writes the rows of a table, those of one site if it is given, as an array under its own name.
  mutating func member<Source>(
    _ table: Table<Source>, of source: Source, site: SiteAudit? = nil, named name: String? = nil
  ) {
    array(name ?? table.member) { json in
      table.forEachRow(of: source, site: site) { row in
        json.object { $0.members(of: row, table.columns) }
        json.passOn()
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
