internal import Foundations
internal import LinkAuditing

/// A column of a table as people see it.
struct ShownColumn<Row>: Sendable {
  /// A function that computes something from a row.
  typealias Getter<Value> = @Sendable (Row) -> Value

  let title: String
  let kind: ShownKind

  /// The meaning of the values in a few words, where the title doesn't say it.
  let help: String?

  /// Whether few rows have a value: pages leave the column out if none has, and text shows the values
  /// in sentences below the table.
  let isNote: Bool

  /// Whether only pages have room for the column.
  let isWide: Bool
  let cell: Getter<ShownCell>

  init(
    _ title: String, _ kind: ShownKind, help: String? = nil, isNote: Bool = false,
    isWide: Bool = false, cell: @escaping Getter<ShownCell>
  ) {
    (self.title, self.kind, self.help) = (title, kind, help)
    (self.isNote, self.isWide, self.cell) = (isNote, isWide, cell)
  }

  var isNumber: Bool { kind == .number || kind == .share }

  /// Returns a column with the same heading for other rows.
  func of<Other>(_ cell: @escaping @Sendable (Other) -> ShownCell) -> ShownColumn<Other> {
    ShownColumn<Other>(title, kind, help: help, isNote: isNote, isWide: isWide, cell: cell)
  }

  static func number(
    _ heading: String, help: String? = nil, isWide: Bool = false,
    _ number: @escaping Getter<Int?>
  ) -> Self {
    Self(heading, .number, help: help, isWide: isWide) {
      number($0).map { .number($0) } ?? .text("")
    }
  }

  static func text(
    _ heading: String, isWide: Bool = false, _ text: @escaping Getter<String?>
  ) -> Self {
    Self(heading, .text, isWide: isWide) { .text(text($0) ?? "") }
  }

  /// A column of percent-encoded paths.
  static func path(_ heading: String, _ path: @escaping Getter<String>) -> Self {
    Self(heading, .code) { .path(path($0)) }
  }

  /// A column of names that are shown as they are, such as those of files.
  static func code(_ heading: String, _ text: @escaping Getter<String>) -> Self {
    Self(heading, .code) { .code(text($0)) }
  }

  static func rule(_ heading: String, _ rule: @escaping Getter<ReportedRule?>) -> Self {
    Self(heading, .code) { rule($0).map { .rule($0) } ?? .text("none") }
  }

  static func traffic(_ traffic: @escaping Getter<Traffic>) -> [Self] {
    [.number("Visits") { traffic($0).visits }, .number("Requests") { traffic($0).requests }]
  }
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

/// A value as people see it.
enum ShownCell {
  case number(Int)
  case text(String)
  case path(String, remark: String = "")
  case code(String, remark: String = "")
  case rule(ReportedRule)
  case marks([String])
  case link(String, to: String)

  var isEmpty: Bool { text.isEmpty }

  /// The value without its remark; it isn't safe to show yet.
  var text: String {
    switch self {
    case .number(let number): number.grouped
    case .text(let text), .code(let text, _), .link(let text, _): text
    case .path(let path, _): SafeText.readable(path)
    case .rule(let rule): rule.version.mark + rule.signedPattern
    case .marks(let marks): marks.joined(separator: ", ")
    }
  }

  /// The remark on the value, such as the place of a rule; empty if there is none.
  var remark: String {
    switch self {
    case .path(_, let remark), .code(_, let remark): SafeText.readable(remark)
    case .rule(let rule): rule.remark
    case .number, .text, .marks, .link: ""
    }
  }

  static func path(_ path: String, samples: [String]) -> Self {
    let sample = samples.first { $0 != path }.map { "such as " + ShownText(path: $0).text }
    return .path(path, remark: sample ?? "")
  }
}
