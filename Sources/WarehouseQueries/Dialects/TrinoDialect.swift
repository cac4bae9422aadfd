internal import UniversalLinks

/// The dialect of Trino and Athena.
struct TrinoDialect: SQLDialect {
  let syntax = PatternExpression.Syntax.backtracking
  let firstGroup = "$1"
  let escapesBackslashes = false
  let textType = "varchar"

  func matches(_ text: String, _ expression: String) -> String {
    "regexp_like(\(text), \(string(anchored(expression))))"
  }

  func extract(_ text: String, _ expression: String) -> String {
    "coalesce(regexp_extract(\(text), \(string(anchored(expression))), 1), '')"
  }

  /// Returns an expression that does not begin with `^`, because Trino's engine follows Ruby's
  /// syntax, in which `^` means the beginning of a line.
  private func anchored(_ expression: String) -> String {
    for start in ["^", "(?s)^"] where expression.hasPrefix(start) {
      return start.dropLast() + #"\A"# + expression.dropFirst(start.count)
    }
    return expression
  }

  func replace(_ text: String, _ expression: String, with replacement: String) -> String {
    "regexp_replace(\(text), \(string(expression)), \(string(replacement)))"
  }

  func bind(_ name: String, to value: String, in body: String) -> String {
    "transform(ARRAY[\(value.continued)], \(name) ->\n\(body.indented))[1]"
  }

  func allItems(of text: String, as name: String, satisfy condition: String) -> String {
    "all_match(split(\(text), '&'), \(name) -> \(condition))"
  }

  func escape(_ text: String, except kept: String) -> String {
    let run = replace("to_hex(to_utf8(run))", "(..)", with: "%" + firstGroup)
    return """
      array_join(transform(
        regexp_extract_all(\(text), \(string("[\(kept)]+|[^\(kept)]+"))),
        run -> CASE WHEN \(matches("run", "^[\(kept)]")) THEN run ELSE \(run) END), '')
      """
  }

  // The function takes a plus sign for a space.
  func unescape(_ text: String) -> String { "url_decode(replace(\(text), '+', '%2B'))" }

  func function(_ name: String, of parameter: String, as body: String) -> String {
    "CREATE OR REPLACE FUNCTION \(name)(\(parameter) varchar) RETURNS varchar RETURN\n\(body)"
  }
}
