internal import UniversalLinks

/// The dialect of BigQuery.
struct BigQueryDialect: SQLDialect {
  let syntax = PatternExpression.Syntax.linear
  let firstGroup = #"\1"#
  let escapesBackslashes = true
  let textType = "STRING"

  func matches(_ text: String, _ expression: String) -> String {
    "REGEXP_CONTAINS(\(text), \(string(expression)))"
  }

  func extract(_ text: String, _ expression: String) -> String {
    "IFNULL(REGEXP_EXTRACT(\(text), \(string(expression))), '')"
  }

  func replace(_ text: String, _ expression: String, with replacement: String) -> String {
    "REGEXP_REPLACE(\(text), \(string(expression)), \(string(replacement)))"
  }

  func bind(_ name: String, to value: String, in body: String) -> String {
    "(SELECT\n\(body.indented)\n  FROM (SELECT \(value.continued) AS \(name)))"
  }

  func allItems(of text: String, as name: String, satisfy condition: String) -> String {
    "NOT EXISTS (SELECT 1 FROM UNNEST(SPLIT(\(text), '&')) AS \(name) WHERE NOT (\(condition)))"
  }

  func escape(_ text: String, except kept: String) -> String {
    let run = replace("UPPER(TO_HEX(CAST(run AS BYTES)))", "(..)", with: "%" + firstGroup)
    return joined(
      "IF(\(matches("run", "^[\(kept)]")), run, \(run))", text, "[\(kept)]+|[^\(kept)]+")
  }

  func unescape(_ text: String) -> String {
    let run = "IF(STARTS_WITH(run, '%'), REPLACE(run, '%', ''), TO_HEX(CAST(run AS BYTES)))"
    return "SAFE_CONVERT_BYTES_TO_STRING(FROM_HEX(\(joined(run, text, "(?:%..)+|[^%]+"))))"
  }

  /// Returns the matches of a regular expression, each changed, as one text.
  private func joined(_ change: String, _ text: String, _ expression: String) -> String {
    """
    IFNULL((SELECT STRING_AGG(\(change), '' ORDER BY position)
      FROM UNNEST(REGEXP_EXTRACT_ALL(\(text), \(string(expression)))) AS run WITH OFFSET AS position), '')
    """
  }

  func function(_ name: String, of parameter: String, as body: String) -> String {
    "CREATE TEMP FUNCTION \(name)(\(parameter) STRING) RETURNS STRING AS (\n\(body))"
  }
}
