internal import UniversalLinks

/// The dialect of Spark SQL.
struct SparkDialect: SQLDialect {
  let syntax = PatternExpression.Syntax.backtracking
  let firstGroup = "$1"
  let escapesBackslashes = true
  let textType = "STRING"

  // Spark replaces `${name}` in a statement by a setting or a variable of the environment.
  func string(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "'" + escaped.replacing("${", with: "$\\u007b") + "'"
  }

  func matches(_ text: String, _ expression: String) -> String {
    "\(text) RLIKE \(string(expression))"
  }

  func extract(_ text: String, _ expression: String) -> String {
    "regexp_extract(\(text), \(string(expression)), 1)"
  }

  func replace(_ text: String, _ expression: String, with replacement: String) -> String {
    "regexp_replace(\(text), \(string(expression)), \(string(replacement)))"
  }

  func bind(_ name: String, to value: String, in body: String) -> String {
    "transform(array(\(value.continued)), \(name) ->\n\(body.indented))[0]"
  }

  func allItems(of text: String, as name: String, satisfy condition: String) -> String {
    "forall(split(\(text), '&'), \(name) -> \(condition))"
  }

  // A string may hold any bytes, which functions over characters replace.
  func bytes(of column: String) -> String { "decode(CAST(\(column) AS BINARY), 'ISO-8859-1')" }

  func escape(_ text: String, except kept: String) -> String {
    let bytes = "hex(encode(run, 'ISO-8859-1'))"
    return """
      array_join(transform(
        regexp_extract_all(\(text), \(string("[\(kept)]+|[^\(kept)]+")), 0),
        run -> CASE WHEN \(matches("run", "^[\(kept)]")) THEN run
          ELSE \(replace(bytes, "(..)", with: "%" + firstGroup)) END), '')
      """
  }

  // The function takes a plus sign for a space.
  func unescape(_ text: String) -> String { "url_decode(replace(\(text), '+', '%2B'))" }

  func function(_ name: String, of parameter: String, as body: String) -> String {
    "CREATE OR REPLACE TEMPORARY FUNCTION \(name)(\(parameter) STRING) RETURNS STRING RETURN\n\(body)"
  }
}
