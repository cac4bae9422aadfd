internal import Foundations
internal import LinkAuditing

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

  var isNumber: Bool {
    switch self {
    case .count, .integer: true
    case .nullable(let kind): kind.isNumber
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

  /// Texts without spaces: an array in JSON, separated by spaces in CSV, marks for people.
  case texts([String])

  /// Numbers or texts that are JSON already, as texts are.
  case values([String])

  /// Numbers by name: an object in JSON, `404=20 500=3` in CSV.
  case counts([(name: String, count: Int)])

  /// A value that only JSON has: the members of an object.
  case members((inout JSONWriter) -> Void)
  case elements((inout JSONWriter) -> Void)

  /// A name that is shown as it is, such as that of a file.
  case code(String)

  /// A percent-encoded path, and a remark for people.
  indirect case path(String, remark: String)
  indirect case rule(ReportedRule)
  indirect case link(String, to: String)

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
    case .text(let text), .code(let text), .path(let text, _), .link(let text, _): text
    case .time(let time): time.description
    case .rule(let rule): rule.pattern
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
    case .time, .code, .path, .rule, .link: json.member(name, cell)
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

// MARK: - Values for people

extension TableValue {
  static func path(_ path: String, samples: [String]) -> Self {
    let sample = samples.first { $0 != path }.map { "such as " + ShownText(path: $0).text }
    return .path(path, remark: sample ?? "")
  }

  var isEmpty: Bool { text.isEmpty }

  /// The value without its remark; it isn't safe to show yet.
  var text: String {
    switch self {
    case .number(let number): number.grouped
    case .path(let path, _): SafeText.readable(path)
    case .rule(let rule): (rule.version.map { "v\($0.number) " } ?? "") + rule.signedPattern
    case .texts(let texts): texts.joined(separator: ", ")
    default: cell
    }
  }

  /// The remark on the value, such as the place of a rule; empty if there is none.
  var remark: String {
    switch self {
    case .path(_, let remark): SafeText.readable(remark)
    case .rule(let rule): rule.remark
    default: ""
    }
  }
}
