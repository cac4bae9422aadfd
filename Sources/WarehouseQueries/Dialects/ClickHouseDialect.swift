internal import UniversalLinks

/// The dialect of ClickHouse.
struct ClickHouseDialect: SQLDialect {
  let syntax = PatternExpression.Syntax.linear
  let firstGroup = #"\1"#
  let escapesBackslashes = true
  let textType = "String"

  func matches(_ text: String, _ expression: String) -> String {
    "match(\(text), \(string(expression)))"
  }

  func extract(_ text: String, _ expression: String) -> String {
    "extract(\(text), \(string(expression)))"
  }

  func replace(_ text: String, _ expression: String, with replacement: String) -> String {
    "replaceRegexpAll(\(text), \(string(expression)), \(string(replacement)))"
  }

  func bind(_ name: String, to value: String, in body: String) -> String {
    "arrayMap(\(name) ->\n\(body.indented),\n  [\(value.continued)])[1]"
  }

  func allItems(of text: String, as name: String, satisfy condition: String) -> String {
    "arrayAll(\(name) -> \(condition), splitByChar('&', \(text)))"
  }

  // A string may hold any bytes.
  func bytes(of column: String) -> String { "convertCharset(\(column), 'ISO-8859-1', 'UTF-8')" }

  func escape(_ text: String, except kept: String) -> String {
    let bytes = "hex(convertCharset(run, 'UTF-8', 'ISO-8859-1'))"
    return """
      arrayStringConcat(arrayMap(
        run -> if(\(matches("run", "^[\(kept)]")), run, \(replace(bytes, "(..)", with: "%" + firstGroup))),
        extractAll(\(text), \(string("[\(kept)]+|[^\(kept)]+")))))
      """
  }

  func unescape(_ text: String) -> String { "decodeURLComponent(\(text))" }

  func function(_ name: String, of parameter: String, as body: String) -> String {
    "CREATE OR REPLACE FUNCTION \(name) AS (\(parameter)) ->\n\(body)"
  }
}
