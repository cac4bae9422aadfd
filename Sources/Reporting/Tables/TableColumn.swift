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

  /// Whether only CSV has the column.
  var isOnlyInCSV: Bool { get }
  var presence: ColumnPresence { get }
}

/// A column of a table, or a member of an object: its name, its kind of values, and the function
/// that computes them from a row.
///
/// It is a class, so that a loop over the columns of each row counts one reference.
final class TableColumn<Row>: ColumnDeclaration {
  /// A function that computes something from a row.
  typealias Getter<Value> = @Sendable (Row) -> Value

  let name: String
  let member: (parent: String, name: String)?
  let kind: TableValueKind
  let about: String
  let isOnlyInCSV: Bool
  let presence: ColumnPresence

  /// The metric that its numbers are; most columns are none.
  let gauge: Gauge?

  /// The value of a row; `nil` leaves the member out in JSON.
  let value: Getter<TableValue?>

  init(
    _ name: String, _ kind: TableValueKind, _ about: String,
    in member: (parent: String, name: String)? = nil, isOnlyInCSV: Bool = false,
    presence: ColumnPresence = .always, value: @escaping Getter<TableValue?>
  ) {
    (self.name, self.kind, self.about, self.isOnlyInCSV) = (name, kind, about, isOnlyInCSV)
    (self.member, self.presence, self.value) = (member, presence, value)
    gauge = nil
  }

  /// Creates a column that is declared like another one, by default with the same metric.
  init<Other>(
    like other: TableColumn<Other>, gauge: Gauge? = nil, value: @escaping Getter<TableValue?>
  ) {
    (name, member, kind, about) = (other.name, other.member, other.kind, other.about)
    (isOnlyInCSV, presence) = (other.isOnlyInCSV, other.presence)
    (self.gauge, self.value) = (gauge ?? other.gauge, value)
  }

  /// The column of rows that have this column's rows in them.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> TableColumn<Whole> {
    let value = value
    return TableColumn<Whole>(like: self) { value(part($0)) }
  }

  /// The column as a metric, whose name begins with `linkaudit_`.
  ///
  /// `labels` names further columns that tell its samples apart, and `scale` is the number of the
  /// metric's units in one of the column's.
  func gauge(_ name: String, _ help: String, labels: [String] = [], scale: Int = 1) -> TableColumn {
    TableColumn(like: self, gauge: ("linkaudit_" + name, help, labels, scale), value: value)
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

  static func detail(_ value: @escaping Getter<AssociationFile.EntryID>) -> Self {
    Self(
      "detail", .detail,
      "The position of the entry in `details`, from 0, or its key in the object form"
    ) { value($0).value }
  }
}

// MARK: - Members of documents

extension TableColumn {
  /// An array of objects, which only JSON has.
  static func objects<Element>(
    _ name: String, named definition: String? = nil, _ about: String,
    _ columns: [TableColumn<Element>], _ rows: @escaping Getter<[Element]>
  ) -> Self {
    Self(name, .list(.object(columns, named: definition)), about) { .objects(rows($0), columns) }
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
  static func traffic<Key: CaseIterable & Hashable & SendableMetatype>(
    object name: String, _ about: String, onlyOccurring: Bool = false,
    by text: @escaping @Sendable (Key) -> String,
    _ traffic: @escaping Getter<[Key: Traffic]>
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
          let part = parts[key] ?? Traffic()
          guard part.requests > 0 || !onlyOccurring else { continue }
          json.member(text(key)) { $0.members(of: part, columns) }
        }
      }
    }
  }

  /// The rows of a table, of one site if it is given: an array of objects, or of values if the table
  /// has one column; `nil` leaves it out.
  static func table<Source>(
    _ table: Table<Source>, named name: String? = nil, presence: ColumnPresence = .always,
    _ source: @escaping Getter<(report: Source, site: SiteAudit?)?>
  ) -> Self {
    let kind =
      table.columns.count == 1
      ? table.columns[0].kind : .object(table.columns, named: table.member)
    return Self(name ?? table.member, .list(kind), table.about, presence: presence) { row in
      source(row).map { report, site in
        if let column = table.columns.first, table.columns.count == 1 {
          var texts: [String] = []
          table.forEachRow(of: report, site: site) { texts.append(column.value($0)?.cell ?? "") }
          return .texts(texts)
        }
        return .elements { json in
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

/// Whether all rows have a value of a column.
enum ColumnPresence: Sendable {
  case always

  /// JSON leaves the member out of rows without a value.
  case sometimes

  /// CSV also has the column only if a row has a value.
  case rarely
}

/// The kind of a column's values, as JSON Schema describes it.
indirect enum TableValueKind: Sendable {
  case count
  case integer(from: Int, to: Int = .max)
  case text
  case pattern(String)
  case truth
  case choice([String])
  case texts(atMost: Int)

  case counts(names: String)

  /// The position of an entry in `details`, its key, or nothing.
  case detail
  case definition(String)

  /// The members of an object, and the name of its definition if it has one.
  case object([any ColumnDeclaration], named: String?)

  /// Values of a kind by some names, of which an object has all or only some.
  case byName([String], TableValueKind, hasAll: Bool)
  case list(TableValueKind)
  case nullable(TableValueKind)

  /// A time as RFC 3339 has it, with the offset from UTC.
  static let time = pattern(
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}$")

  static let day = pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")

  /// Whether the values have members or elements of their own, which only JSON has.
  var isOnlyInJSON: Bool {
    switch self {
    case .object, .byName, .list: true
    case .nullable(let kind): kind.isOnlyInJSON
    default: false
    }
  }
}

/// A value of a row, which each format writes in its own way.
enum TableValue {
  /// No value: `null` in JSON, an empty cell in CSV.
  case none
  case number(Int)
  case text(String)

  /// A time, as text; metrics have the seconds since the Unix epoch.
  case time(LogTime)
  case truth(Bool)

  /// Texts without spaces: an array in JSON, separated by spaces in CSV.
  case texts([String])

  /// Numbers or texts that are JSON already, as texts are.
  case values([String])

  /// Numbers by name: an object in JSON, `404=20 500=3` in CSV.
  case counts([(name: String, count: Int)])

  /// A value that only JSON has: the members of an object.
  case members((inout JSONWriter) -> Void)
  case elements((inout JSONWriter) -> Void)

  static func object<Row>(_ row: Row?, _ columns: [TableColumn<Row>]) -> Self {
    row.map { row in .members { $0.members(of: row, columns) } } ?? .none
  }

  static func objects<Row>(_ rows: [Row], _ columns: [TableColumn<Row>]) -> Self {
    .elements { json in
      for row in rows {
        json.object { $0.members(of: row, columns) }
        json.passOn()
      }
    }
  }

  static func number(_ number: Int?) -> Self { number.map { .number($0) } ?? .none }

  /// The number that metrics have, if there is one.
  var number: Int? {
    switch self {
    case .number(let number): number
    case .time(let time): time.secondsSince1970
    default: nil
    }
  }

  static func text(_ text: String?) -> Self { text.map { .text($0) } ?? .none }

  var cell: String {
    switch self {
    case .none, .members, .elements: ""
    case .number(let number): String(number)
    case .text(let text): text
    case .time(let time): time.description
    case .truth(let truth): String(truth)
    case .texts(let texts): texts.joined(separator: " ")
    case .values(let values): values.joined(separator: " ")
    case .counts(let counts): counts.map { "\($0.name)=\($0.count)" }.joined(separator: " ")
    }
  }

  var isNone: Bool { if case .none = self { true } else { false } }

  func write(_ name: String, to json: inout JSONWriter) {
    switch self {
    case .none: json.member(name, nil as String?)
    case .number(let number): json.member(name, number)
    case .text(let text): json.member(name, text)
    case .time(let time): json.member(name, time.description)
    case .truth(let truth): json.member(name, truth)
    case .texts(let texts): json.member(name, strings: texts)
    case .values(let values): json.member(name, elements: values)
    case .counts(let counts):
      json.member(name) { json in for (name, count) in counts { json.member(name, count) } }
    case .members(let members): json.member(name) { members(&$0) }
    case .elements(let elements): json.array(name) { elements(&$0) }
    }
  }
}
