internal import UniversalLinks

/// The part of an SQL dialect that expressions over links need, in addition to the parts that all
/// dialects share.
///
/// Methods take and return SQL expressions, except for regular expressions, which are text.
protocol SQLDialect: Sendable {
  /// The dialect of regular expressions.
  var syntax: PatternExpression.Syntax { get }

  /// The reference to the first group of a regular expression in a replacement.
  var firstGroup: String { get }

  /// Whether a backslash in a string literal begins an escape.
  var escapesBackslashes: Bool { get }

  /// The type of texts.
  var textType: String { get }

  /// Returns a literal for a text.
  func string(_ text: String) -> String

  /// Returns a condition: the regular expression matches a part of a text.
  func matches(_ text: String, _ expression: String) -> String

  /// Returns the part of a text that the first group of a regular expression matches, or the empty
  /// text.
  func extract(_ text: String, _ expression: String) -> String

  /// Returns a text with each match of a regular expression replaced.
  func replace(_ text: String, _ expression: String, with replacement: String) -> String

  /// Returns an expression with a name for a value that it uses.
  func bind(_ name: String, to value: String, in body: String) -> String

  /// Returns a condition: a condition holds for each part of a text between ampersands, by name.
  func allItems(of text: String, as name: String, satisfy condition: String) -> String

  /// Returns a text in which each character represents a byte of a column, for ``escape(_:in:)``.
  ///
  /// It is used where a column may have bytes that are not UTF-8.
  func bytes(of column: String) -> String

  /// Returns a text with the bytes of all characters percent-encoded, except those of a class.
  func escape(_ text: String, except kept: String) -> String

  /// Returns a text with escapes decoded that are UTF-8 without NUL.
  func unescape(_ text: String) -> String

  /// Returns a statement that creates a function from text to text.
  func function(_ name: String, of parameter: String, as body: String) -> String
}

extension SQLDialect {
  func string(_ text: String) -> String {
    guard escapesBackslashes else { return "'" + text.replacing("'", with: "''") + "'" }
    return "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }

  /// Returns a condition: the regular expression matches all of a text.
  func matchesAll(_ text: String, _ expression: String) -> String {
    matches(text, "(?s)^" + expression + syntax.end)
  }

  /// Returns a number, or another value, as text.
  func text(of value: String) -> String { "CAST(\(value) AS \(textType))" }

  func bytes(of column: String) -> String { column }

  /// Returns a `CASE` of conditions with their results, or only the other result if there are no
  /// conditions.
  func cases(_ branches: [(condition: String, result: String)], otherwise: String) -> String {
    guard !branches.isEmpty else { return otherwise }
    let lines = branches.map { "WHEN \($0.condition) THEN \($0.result)".indented }
    return (["CASE"] + lines + ["ELSE \(otherwise)".indented, "END"]).joined(separator: "\n")
  }
}

extension String {
  /// The text with all lines but the first indented.
  var continued: String { replacing("\n", with: "\n  ") }

  /// The text with all lines moved to the right.
  var indented: String { "  " + continued }
}

/// The dialects of SQL that rules are translated to.
package enum WarehouseDialect: String, CaseIterable, Sendable {
  case clickhouse
  case duckdb
  case spark
  case trino
  case bigquery

  /// The dialect's notation.
  var notation: any SQLDialect {
    switch self {
    case .clickhouse: ClickHouseDialect()
    case .duckdb: DuckDBDialect()
    case .spark: SparkDialect()
    case .trino: TrinoDialect()
    case .bigquery: BigQueryDialect()
    }
  }
}
