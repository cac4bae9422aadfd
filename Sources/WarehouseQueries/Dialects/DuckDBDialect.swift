internal import UniversalLinks

/// The dialect of DuckDB.
struct DuckDBDialect: SQLDialect {
  let syntax = PatternExpression.Syntax.linear
  let firstGroup = #"\1"#
  let escapesBackslashes = false
  let textType = "VARCHAR"

  func matches(_ text: String, _ expression: String) -> String {
    "regexp_matches(\(text), \(string(expression)))"
  }

  func extract(_ text: String, _ expression: String) -> String {
    "regexp_extract(\(text), \(string(expression)), 1)"
  }

  func replace(_ text: String, _ expression: String, with replacement: String) -> String {
    "regexp_replace(\(text), \(string(expression)), \(string(replacement)), 'g')"
  }

  func bind(_ name: String, to value: String, in body: String) -> String {
    "list_transform([\(value.continued)], lambda \(name):\n\(body.indented))[1]"
  }

  func allItems(of text: String, as name: String, satisfy condition: String) -> String {
    "len(list_filter(string_split(\(text), '&'), lambda \(name): NOT (\(condition)))) = 0"
  }

  func escape(_ text: String, except kept: String) -> String {
    let run = replace("hex(run)", "(..)", with: "%" + firstGroup)
    return """
      array_to_string(list_transform(
        regexp_extract_all(\(text), \(string("[\(kept)]+|[^\(kept)]+"))),
        lambda run: CASE WHEN \(matches("run", "^[\(kept)]")) THEN run ELSE \(run) END), '')
      """
  }

  func unescape(_ text: String) -> String { "url_decode(\(text))" }

  func function(_ name: String, of parameter: String, as body: String) -> String {
    "CREATE OR REPLACE MACRO \(name)(\(parameter)) AS\n\(body)"
  }
}
