internal import UniversalLinks

/// A column of a table, or a member of an object: its name, its kind of values, and the function
/// that computes them from a row.
///
/// It is a class, so that a loop over the columns of each row counts one reference.
final class TableColumn<Row>: Sendable {
  /// The name in CSV, and in JSON unless ``member`` says otherwise; camelCase.
  let name: String

  /// The object that the value is in, and its name there, where JSON has one around several columns.
  let member: (parent: String, name: String)?

  /// The kind of values, of which JSON Schemas are made.
  let kind: TableValueKind

  /// The meaning, as a sentence without its full stop; reference documents show it.
  let about: String
  let formats: ColumnFormats

  let presence: ColumnPresence

  /// The value of a row; `nil` leaves the member out in JSON.
  let value: @Sendable (Row) -> TableValue?

  init(
    _ name: String, _ kind: TableValueKind, _ about: String, in member: (String, String)? = nil,
    formats: ColumnFormats = .all, presence: ColumnPresence = .always,
    value: @escaping @Sendable (Row) -> TableValue?
  ) {
    (self.name, self.kind, self.about, self.formats) = (name, kind, about, formats)
    (self.presence, self.value) = (presence, value)
    self.member = member.map { ($0.0, $0.1) }
  }

  static func count(_ name: String, _ about: String, _ value: @escaping @Sendable (Row) -> Int)
    -> Self
  {
    Self(name, .count, about) { .number(value($0)) }
  }

  static func optionalCount(
    _ name: String, _ about: String, _ value: @escaping @Sendable (Row) -> Int?
  ) -> Self {
    Self(name, .nullable(.count), about) { .number(value($0)) }
  }

  static func text(_ name: String, _ about: String, _ value: @escaping @Sendable (Row) -> String)
    -> Self
  {
    Self(name, .text, about) { .text(value($0)) }
  }

  static func optional(
    _ name: String, _ about: String, _ value: @escaping @Sendable (Row) -> String?
  ) -> Self {
    Self(name, .nullable(.text), about) { .text(value($0)) }
  }

  static func truth(_ name: String, _ about: String, _ value: @escaping @Sendable (Row) -> Bool)
    -> Self
  {
    Self(name, .truth, about) { .truth(value($0)) }
  }

  /// A number from 1, such as that of a line.
  static func ordinal(_ name: String, _ about: String, _ value: @escaping @Sendable (Row) -> Int)
    -> Self
  {
    Self(name, .integer(from: 1), about) { .number(value($0)) }
  }

  /// A number from 1, or nothing.
  static func optionalOrdinal(
    _ name: String, _ about: String, _ value: @escaping @Sendable (Row) -> Int?
  ) -> Self {
    Self(name, .nullable(.integer(from: 1)), about) { .number(value($0)) }
  }

  static func texts(
    _ name: String, _ about: String, atMost limit: Int = .max,
    _ value: @escaping @Sendable (Row) -> [String]
  ) -> Self {
    Self(name, .texts(atMost: limit), about) { .texts(value($0)) }
  }

  /// A column with one of the cases of a type.
  static func choice<Value: CaseIterable & RawRepresentable<String> & SendableMetatype>(
    _ name: String, _ about: String, _ value: @escaping @Sendable (Row) -> Value
  ) -> Self {
    Self(name, .choice(Value.allCases.map(\.rawValue)), about) { .text(value($0).rawValue) }
  }

  static func severity(_ about: String, _ value: @escaping @Sendable (Row) -> Severity) -> Self {
    Self("severity", .definition("severity"), about) { .text(value($0).rawValue) }
  }

  static func verdict(
    _ name: String, _ about: String, _ value: @escaping @Sendable (Row) -> Verdict
  ) -> Self {
    Self(name, .definition("verdict"), about) { .text(value($0).rawValue) }
  }

  /// The identity of an entry.
  static func detail(_ value: @escaping @Sendable (Row) -> AssociationFile.EntryID) -> Self {
    Self(
      "detail", .detail,
      "The position of the entry in `details`, from 0, or its key in the object form"
    ) { value($0).value }
  }

  /// An array of objects, which only JSON has.
  static func objects<Element>(
    _ name: String, _ definition: String, _ about: String, _ columns: [TableColumn<Element>],
    _ rows: @escaping @Sendable (Row) -> [Element]
  ) -> Self {
    Self(name, .list(definition), about, formats: .jsonOnly) { .objects(rows($0), columns) }
  }

  /// An object or nothing, which only JSON has.
  static func object<Element>(
    _ name: String, _ definition: String, _ about: String, _ columns: [TableColumn<Element>],
    _ row: @escaping @Sendable (Row) -> Element?
  ) -> Self {
    Self(name, .nullable(.definition(definition)), about, formats: .jsonOnly) {
      .object(row($0), columns)
    }
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

/// The formats that have a column.
enum ColumnFormats: Sendable {
  case all
  case jsonOnly
  case csvOnly
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

  /// Numbers from 0.
  case numbers
  case counts(names: String)

  /// The position of an entry in `details`, its key, or nothing.
  case detail

  /// A definition of a schema, by its name.
  case definition(String)

  /// An array of a definition of a schema.
  case list(String)
  case nullable(TableValueKind)

  /// A time as RFC 3339 has it, with the offset from UTC.
  static let time = pattern(
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}$")

  /// A day of the calendar.
  static let day = pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
}

/// A value of a row, which each format writes in its own way.
enum TableValue {
  /// No value: `null` in JSON, an empty cell in CSV.
  case none
  case number(Int)
  case text(String)
  case truth(Bool)

  /// Texts without spaces: an array in JSON, separated by spaces in CSV.
  case texts([String])

  /// Numbers, as texts are.
  case numbers([Int])

  /// Numbers by name: an object in JSON, `404=20 500=3` in CSV.
  case counts([(name: String, count: Int)])

  /// A value that only JSON has: the members of an object.
  case members((inout JSONWriter) -> Void)

  /// A value that only JSON has: the elements of an array.
  case elements((inout JSONWriter) -> Void)

  /// An object, or nothing.
  static func object<Row>(_ row: Row?, _ columns: [TableColumn<Row>]) -> Self {
    row.map { row in .members { $0.members(of: row, columns) } } ?? .none
  }

  /// An array with an object for each row.
  static func objects<Row>(_ rows: [Row], _ columns: [TableColumn<Row>]) -> Self {
    .elements { json in
      for row in rows {
        json.object { $0.members(of: row, columns) }
        json.passOn()
      }
    }
  }

  /// The number, or nothing.
  static func number(_ number: Int?) -> Self { number.map { .number($0) } ?? .none }

  /// The text, or nothing.
  static func text(_ text: String?) -> Self { text.map { .text($0) } ?? .none }

  /// The cell in CSV.
  var cell: String {
    switch self {
    case .none, .members, .elements: ""
    case .number(let number): String(number)
    case .text(let text): text
    case .truth(let truth): String(truth)
    case .texts(let texts): texts.joined(separator: " ")
    case .numbers(let numbers): numbers.map(String.init).joined(separator: " ")
    case .counts(let counts): counts.map { "\($0.name)=\($0.count)" }.joined(separator: " ")
    }
  }

  /// Whether there is no value.
  var isNone: Bool { if case .none = self { true } else { false } }

  /// Writes the value as a member of an object.
  func write(_ name: String, to json: inout JSONWriter) {
    switch self {
    case .none: json.member(name, nil as String?)
    case .number(let number): json.member(name, number)
    case .text(let text): json.member(name, text)
    case .truth(let truth): json.member(name, truth)
    case .texts(let texts): json.member(name, strings: texts)
    case .numbers(let numbers): json.member(name, elements: numbers.map(String.init))
    case .counts(let counts):
      json.member(name) { json in for (name, count) in counts { json.member(name, count) } }
    case .members(let members): json.member(name) { members(&$0) }
    case .elements(let elements): json.array(name) { elements(&$0) }
    }
  }
}
