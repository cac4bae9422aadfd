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
