internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

/// The declaration of a column, whatever its rows are: schemas and reference documents are made of it.
protocol ColumnDeclaration: Sendable {
  /// The name in CSV, and in JSON unless ``member`` says otherwise; camelCase.
  var name: String { get }

  /// The object that the value is in, and its name there, where JSON has one around several columns.
  var member: (parent: String, name: String)? { get }
  var kind: TableValueKind { get }

  /// The meaning, as a sentence without its full stop.
  var about: String { get }
  var presence: ColumnPresence { get }
}

/// A column of a table, or a member of an object: its name, its kind of values, and the function
/// that computes them from a row.
///
/// Programs see columns with a name, people those with a heading.
///
/// It is a class, so that a loop over the columns of each row counts one reference.
final class TableColumn<Row>: ColumnDeclaration {
  /// A function that computes something from a row.
  typealias Getter<Value> = @Sendable (Row) -> Value

  let name: String
  let member: (parent: String, name: String)?
  let kind: TableValueKind
  let about: String
  let presence: ColumnPresence

  /// The metric that its numbers are; most columns are none.
  let gauge: Gauge?

  /// The heading for people, or `nil` if only programs see the column.
  let heading: ColumnHeading?

  /// The value of a row; `nil` leaves the member out in JSON.
  let value: Getter<TableValue?>

  /// The function that computes the value for people, or `nil` if they see ``value``.
  private let form: Getter<TableValue?>?

  init(
    _ name: String, _ kind: TableValueKind, _ about: String, presence: ColumnPresence = .always,
    value: @escaping Getter<TableValue?>
  ) {
    (self.name, self.kind, self.about) = (name, kind, about)
    (self.presence, self.value) = (presence, value)
    (member, gauge, heading, form) = (nil, nil, nil, nil)
  }

  /// Creates a column that is declared like another one, by default with the same metric and heading.
  init<Other>(
    like other: TableColumn<Other>, name: String? = nil,
    member: (parent: String, name: String)? = nil, gauge: Gauge? = nil,
    heading: ColumnHeading? = nil, value: @escaping Getter<TableValue?>,
    form: Getter<TableValue?>? = nil
  ) {
    (self.name, self.member) = (name ?? other.name, member ?? other.member)
    (kind, about, presence) = (other.kind, other.about, other.presence)
    (self.gauge, self.heading) = (gauge ?? other.gauge, heading ?? other.heading)
    (self.value, self.form) = (value, form)
  }

  /// The value of a row as people see it.
  var shown: Getter<TableValue?> { form ?? value }

  /// The column of rows that have this column's rows in them.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> TableColumn<Whole> {
    let (value, shown) = (value, shown)
    return TableColumn<Whole>(like: self, value: { value(part($0)) }, form: { shown(part($0)) })
  }

  /// The column as a member of an object in JSON; elsewhere, its name begins with that of the object
  /// by default.
  func within(_ parent: String, as name: String? = nil) -> TableColumn {
    TableColumn(
      like: self, name: name ?? parent + self.name.capitalizedFirst, member: (parent, self.name),
      value: value, form: form)
  }

  /// The column as a metric, whose name begins with `linkaudit_`.
  ///
  /// `labels` names further columns that tell its samples apart, and `scale` is the number of the
  /// metric's units in one of the column's.
  func gauge(_ name: String, _ help: String, labels: [String] = [], scale: Int = 1) -> TableColumn {
    let gauge: Gauge = ("linkaudit_" + name, help, labels, scale)
    return TableColumn(like: self, gauge: gauge, value: value, form: form)
  }

  static func count(_ name: String, _ about: String, _ value: @escaping Getter<Int>) -> Self {
    Self(name, .count, about) { .number(value($0)) }
  }

  static func optionalCount(
    _ name: String, _ about: String, _ value: @escaping Getter<Int?>
  ) -> Self {
    Self(name, .nullable(.count), about) { .number(value($0)) }
  }

  static func text(_ name: String, _ about: String, _ value: @escaping Getter<String>) -> Self {
    Self(name, .text, about) { .text(value($0)) }
  }

  static func optional(
    _ name: String, _ about: String, _ value: @escaping Getter<String?>
  ) -> Self {
    Self(name, .nullable(.text), about) { .text(value($0)) }
  }

  static func truth(_ name: String, _ about: String, _ value: @escaping Getter<Bool>) -> Self {
    Self(name, .truth, about) { .truth(value($0)) }
  }

  static func ordinal(_ name: String, _ about: String, _ value: @escaping Getter<Int>) -> Self {
    Self(name, .integer(from: 1), about) { .number(value($0)) }
  }

  static func optionalOrdinal(
    _ name: String, _ about: String, _ value: @escaping Getter<Int?>
  ) -> Self {
    Self(name, .nullable(.integer(from: 1)), about) { .number(value($0)) }
  }

  static func texts(
    _ name: String, _ about: String, atMost limit: Int = .max,
    _ value: @escaping Getter<[String]>
  ) -> Self {
    Self(name, .texts(atMost: limit), about) { .texts(value($0)) }
  }

  static func choice<Value: CaseIterable & RawRepresentable<String> & SendableMetatype>(
    _ name: String, _ about: String, _ value: @escaping Getter<Value>
  ) -> Self {
    Self(name, .choice(Value.allCases.map(\.rawValue)), about) { .text(value($0).rawValue) }
  }

  static func severity(_ about: String, _ value: @escaping Getter<Severity>) -> Self {
    Self("severity", .definition("severity"), about) { .text(value($0).rawValue) }
  }

  static func verdict(_ name: String, _ about: String, _ value: @escaping Getter<Verdict>) -> Self {
    Self(name, .definition("verdict"), about) { .text(value($0).rawValue) }
  }

  static func optionalVerdict(
    _ name: String, _ about: String, _ value: @escaping Getter<Verdict?>
  ) -> Self {
    Self(name, .nullable(.definition("verdict")), about) { .text(value($0)?.rawValue) }
  }

  static func detail(_ value: @escaping Getter<AssociationFile.EntryID>) -> Self {
    Self(
      "detail", .detail,
      "The position of the entry in `details`, from 0, or its key in the object form"
    ) { value($0).value }
  }
}

// MARK: - Columns for people

extension TableColumn {
  /// The column with a heading, so that people see it.
  ///
  /// `form` computes the value that they see, by default that of programs; `nil` is an empty cell.
  func headed(
    _ title: String, _ kind: ShownKind? = nil, help: String? = nil, isNote: Bool = false,
    isWide: Bool = false, before: Int = 0, form: Getter<TableValue?>? = nil
  ) -> TableColumn {
    let heading = ColumnHeading(
      title: title, kind: kind ?? (self.kind.isNumber ? .number : .text), help: help,
      isNote: isNote, isWide: isWide, before: before)
    return TableColumn(like: self, heading: heading, value: value, form: form)
  }

  /// The column with a heading, whose texts are names that are shown as they are.
  func headed(code title: String) -> TableColumn {
    let value = value
    return headed(title, .code) { row in value(row).map { .code($0.cell) } }
  }

  /// The column with a heading, whose texts are percent-encoded paths, perhaps with samples.
  func headed(
    path title: String, before: Int = 0, samples: @escaping Getter<[String]> = { _ in [] }
  ) -> TableColumn {
    let value = value
    return headed(title, .code, before: before) { row in
      value(row).map { .path($0.cell, samples: samples(row)) }
    }
  }

  /// A column that only people see.
  static func shown(
    _ title: String, _ kind: ShownKind = .text, help: String? = nil, isWide: Bool = false,
    value: @escaping Getter<TableValue?>
  ) -> TableColumn {
    TableColumn("", .text, "", value: value).headed(title, kind, help: help, isWide: isWide)
  }

  /// A column of rules, which only people see.
  static func rule(_ title: String, _ rule: @escaping Getter<ReportedRule?>) -> TableColumn {
    shown(title, .code) { rule($0).map { TableValue.rule($0) } ?? TableValue.text("none") }
  }
}

/// The heading of a column that people see.
struct ColumnHeading: Sendable {
  let title: String
  let kind: ShownKind

  /// The meaning of the values in a few words, where the title doesn't say it.
  let help: String?

  /// Whether few rows have a value: pages leave the column out if none has, and text shows the values
  /// in sentences below the table.
  let isNote: Bool

  /// Whether only pages have room for the column.
  let isWide: Bool

  /// The number of columns that are declared before it and that people see after it.
  let before: Int

  /// The place of the column's cells in the rows of a document.
  var index = 0

  var isNumber: Bool { kind == .number || kind == .share }

  func cell(_ row: [TableValue]) -> TableValue { row[index] }
}

/// The kind of values in a column; the script of the page sorts by it.
enum ShownKind: String {
  case number
  case share
  case text
  case code
  case marks
  case link
}

// MARK: - Members of documents

extension TableColumn {
  /// An array of objects, which only JSON has.
  static func objects<Element>(
    _ name: String, named definition: String? = nil, _ about: String,
    _ columns: [TableColumn<Element>], _ rows: @escaping Getter<[Element]>
  ) -> Self {
    let columns = columns.filter { !$0.name.isEmpty }
    return Self(name, .list(.object(columns, named: definition)), about) {
      .objects(rows($0), columns)
    }
  }

  /// An object or nothing, which only JSON has.
  static func object<Element>(
    _ name: String, named definition: String? = nil, _ about: String,
    _ columns: [TableColumn<Element>], _ row: @escaping Getter<Element?>
  ) -> Self {
    Self(name, .nullable(.object(columns, named: definition)), about) { .object(row($0), columns) }
  }

  /// An object, which only JSON has; it may be left out if its presence says so.
  static func part<Part>(
    _ name: String, named definition: String? = nil, _ about: String,
    presence: ColumnPresence = .always, _ columns: [TableColumn<Part>],
    _ part: @escaping Getter<Part?>
  ) -> Self {
    Self(name, .object(columns, named: definition), about, presence: presence) { row in
      part(row).map { .object($0, columns) }
    }
  }

  /// An object with the traffic, which only JSON has.
  static func traffic(
    object name: String, _ about: String, presence: ColumnPresence = .always,
    _ traffic: @escaping Getter<Traffic?>
  ) -> Self {
    part(
      name, named: "traffic", about, presence: presence, TableColumn<Traffic>.traffic { $0 },
      traffic)
  }

  /// An object with the traffic of each case of a kind, or only of those that have any.
  static func traffic<Key: NumberedCase>(
    object name: String, _ about: String, onlyOccurring: Bool = false,
    by text: @escaping @Sendable (Key) -> String,
    _ traffic: @escaping Getter<CaseCounts<Key>>
  ) -> Self {
    let columns = TableColumn<Traffic>.traffic { $0 }
    return Self(
      name,
      .byName(Key.allCases.map(text), .object(columns, named: "traffic"), hasAll: !onlyOccurring),
      about
    ) { row in
      let parts = traffic(row)
      return .members { json in
        for key in Key.allCases {
          let part = parts[key]
          guard part.requests > 0 || !onlyOccurring else { continue }
          json.member(text(key)) { $0.members(of: part, columns) }
        }
      }
    }
  }

  /// The rows of a table, of one site if it is given, as an array of objects; `nil` leaves it out.
  static func table<Source>(
    _ table: Table<Source>, named name: String? = nil, presence: ColumnPresence = .always,
    _ source: @escaping Getter<(report: Source, site: SiteAudit?)?>
  ) -> Self {
    Self(
      name ?? table.member, .list(.object(table.columns, named: table.member)), table.about,
      presence: presence
    ) { row in
      source(row).map { report, site in
        .elements { json in
          table.forEachRow(of: report, site: site) { row in
            json.object { $0.members(of: row, table.columns) }
            json.passOn()
          }
        }
      }
    }
  }
}

/// A metric with a sample for each row of a table, by the labels of the table and those of further
/// columns; its name ends with the unit if there is one, and `scale` is the number of its units in
/// one of the column's.
typealias Gauge = (name: String, help: String, labels: [String], scale: Int)

extension Array {
  /// Columns of requests and visits as two metrics.
  func gauges<Row>(_ name: String, _ what: String) -> [Element]
  where Element == TableColumn<Row> {
    map { $0.gauge(name + $0.name, "\($0.name.capitalizedFirst) \(what).") }
  }
}

/// The rows and the formats that have a value of a column.
enum ColumnPresence: Sendable {
  case always

  /// JSON leaves the member out of rows without a value.
  case sometimes

  /// CSV also has the column only if a row has a value.
  case rarely

  /// JSON never has the member.
  case onlyInCSV
}
