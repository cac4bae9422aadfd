/// A value of a row, which each format writes in its own way.
enum TableValue {
  /// No value: `null` in JSON, an empty cell in CSV.
  case none
  case number(Int)
  case text(String)
  case truth(Bool)

  /// Texts without spaces: an array in JSON, separated by spaces in CSV.
  case texts([String])

  /// Numbers by name: an object in JSON, `404=20 500=3` in CSV.
  case counts([(name: String, count: Int)])

  /// A value that only JSON has: the members of an object.
  case members((inout JSONWriter) -> Void)

  /// A value that only JSON has: objects with values by name.
  case objects([[(name: String, value: TableValue)]])

  /// An object for each row of a small list.
  static func objects<Row>(
    _ rows: [Row], _ values: (Row) -> [(name: String, value: TableValue)]
  ) -> Self { .objects(rows.map(values)) }

  /// The number, or nothing.
  static func number(_ number: Int?) -> Self { number.map { .number($0) } ?? .none }

  /// The text, or nothing.
  static func text(_ text: String?) -> Self { text.map { .text($0) } ?? .none }

  /// The cell in CSV.
  var cell: String {
    switch self {
    case .none, .members, .objects: ""
    case .number(let number): String(number)
    case .text(let text): text
    case .truth(let truth): String(truth)
    case .texts(let texts): texts.joined(separator: " ")
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
    case .counts(let counts):
      json.member(name) { json in for (name, count) in counts { json.member(name, count) } }
    case .members(let members): json.member(name) { members(&$0) }
    case .objects(let objects):
      json.member(name, objects: objects) { json, object in
        for (name, value) in object { value.write(name, to: &json) }
      }
    }
  }
}
