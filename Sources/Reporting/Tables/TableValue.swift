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
