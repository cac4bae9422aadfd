internal import UniversalLinks

/// The dialects of SQL that rules are translated to.
///
/// Methods take and return SQL expressions, except for regular expressions, which are text.
package enum WarehouseDialect: String, CaseIterable, Sendable {
  case clickhouse
  case duckdb
  case spark

  /// The dialect of Trino and Athena.
  case trino
  case bigquery
}

// MARK: - Texts

extension WarehouseDialect {
  func string(_ text: String) -> String {
    if self == .duckdb || self == .trino { return "'" + text.replacing("'", with: "''") + "'" }
    let escaped = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    // Spark replaces `${name}` in a statement by a setting or a variable of the environment.
    return "'" + (self == .spark ? escaped.replacing("${", with: "$\\u007b") : escaped) + "'"
  }

  /// Returns a text in which each character represents a byte of a column, for
  /// ``escape(_:except:)``.
  ///
  /// It is used where a column may have bytes that are not UTF-8.
  func bytes(of column: String) -> String {
    switch self {
    // A string may hold any bytes.
    case .clickhouse: "convertCharset(\(column), 'ISO-8859-1', 'UTF-8')"
    // The same, but functions over characters replace such bytes.
    case .spark: "decode(CAST(\(column) AS BINARY), 'ISO-8859-1')"
    case .duckdb, .trino, .bigquery: column
    }
  }

  /// Returns a text with the bytes of all characters percent-encoded, except those of a class.
  func escape(_ text: String, except kept: String) -> String {
    let runs = string("[\(kept)]+|[^\(kept)]+")
    let isKept = matches("run", "^[\(kept)]")
    let digits =
      switch self {
      case .clickhouse: "hex(convertCharset(run, 'UTF-8', 'ISO-8859-1'))"
      case .duckdb: "hex(run)"
      case .spark: "hex(encode(run, 'ISO-8859-1'))"
      case .trino: "to_hex(to_utf8(run))"
      case .bigquery: "UPPER(TO_HEX(CAST(run AS BYTES)))"
      }
    let firstGroup = backtracks ? "$1" : #"\1"#
    let escaped = replace(digits, "(..)", with: "%" + firstGroup)
    return switch self {
    case .clickhouse:
      """
      arrayStringConcat(arrayMap(
        run -> if(\(isKept), run, \(escaped)),
        extractAll(\(text), \(runs))))
      """
    case .duckdb:
      """
      array_to_string(list_transform(
        regexp_extract_all(\(text), \(runs)),
        lambda run: CASE WHEN \(isKept) THEN run ELSE \(escaped) END), '')
      """
    case .spark:
      """
      array_join(transform(
        regexp_extract_all(\(text), \(runs), 0),
        run -> CASE WHEN \(isKept) THEN run
          ELSE \(escaped) END), '')
      """
    case .trino:
      """
      array_join(transform(
        regexp_extract_all(\(text), \(runs)),
        run -> CASE WHEN \(isKept) THEN run ELSE \(escaped) END), '')
      """
    case .bigquery: joined("IF(\(isKept), run, \(escaped))", runs, of: text)
    }
  }

  /// Returns a text with escapes decoded that are UTF-8 without NUL.
  func unescape(_ text: String) -> String {
    switch self {
    case .clickhouse: return "decodeURLComponent(\(text))"
    case .duckdb: return "url_decode(\(text))"
    // The function takes a plus sign for a space.
    case .spark, .trino: return "url_decode(replace(\(text), '+', '%2B'))"
    case .bigquery:
      let run = "IF(STARTS_WITH(run, '%'), REPLACE(run, '%', ''), TO_HEX(CAST(run AS BYTES)))"
      let runs = string("(?:%..)+|[^%]+")
      return "SAFE_CONVERT_BYTES_TO_STRING(FROM_HEX(\(joined(run, runs, of: text))))"
    }
  }

  /// Returns the matches of a regular expression, each changed, as one text in BigQuery.
  private func joined(_ change: String, _ runs: String, of text: String) -> String {
    """
    IFNULL((SELECT STRING_AGG(\(change), '' ORDER BY position)
      FROM UNNEST(REGEXP_EXTRACT_ALL(\(text), \(runs))) AS run WITH OFFSET AS position), '')
    """
  }

  // MARK: - Regular expressions

  /// Whether regular expressions are Java's, which try alternatives one after another; RE2's follow
  /// all at once.
  var backtracks: Bool { self == .spark || self == .trino }

  /// The expression for the end of a text; Java's '$' is also before a last line feed.
  var endOfText: String { backtracks ? #"\z"# : "$" }

  /// Returns a condition: the regular expression matches a part of a text.
  func matches(_ text: String, _ expression: String) -> String {
    let pattern = pattern(expression)
    return switch self {
    case .clickhouse: "match(\(text), \(pattern))"
    case .duckdb: "regexp_matches(\(text), \(pattern))"
    case .spark: "\(text) RLIKE \(pattern)"
    case .trino: "regexp_like(\(text), \(pattern))"
    case .bigquery: "REGEXP_CONTAINS(\(text), \(pattern))"
    }
  }

  /// Returns a condition: the regular expression matches all of a text.
  func matchesAll(_ text: String, _ expression: String) -> String {
    matches(text, "(?s)^" + expression + endOfText)
  }

  /// Returns the part of a text that the first group of an expression matches, or the empty text.
  func extract(_ text: String, _ expression: String) -> String {
    let pattern = pattern(expression)
    return switch self {
    case .clickhouse: "extract(\(text), \(pattern))"
    case .duckdb, .spark: "regexp_extract(\(text), \(pattern), 1)"
    case .trino: "coalesce(regexp_extract(\(text), \(pattern), 1), '')"
    case .bigquery: "IFNULL(REGEXP_EXTRACT(\(text), \(pattern)), '')"
    }
  }

  /// Returns a literal for a regular expression.
  ///
  /// In Trino it does not begin with `^`, because the engine follows Ruby's syntax, in which `^`
  /// means the beginning of a line.
  private func pattern(_ expression: String) -> String {
    for start in ["^", "(?s)^"] where self == .trino && expression.hasPrefix(start) {
      return string(start.dropLast() + #"\A"# + expression.dropFirst(start.count))
    }
    return string(expression)
  }

  /// Returns a text with each match of a regular expression replaced.
  func replace(_ text: String, _ expression: String, with replacement: String) -> String {
    let arguments = "\(text), \(string(expression)), \(string(replacement))"
    return switch self {
    case .clickhouse: "replaceRegexpAll(\(arguments))"
    case .duckdb: "regexp_replace(\(arguments), 'g')"
    case .spark, .trino: "regexp_replace(\(arguments))"
    case .bigquery: "REGEXP_REPLACE(\(arguments))"
    }
  }

  // MARK: - Expressions

  /// Returns an expression with a name for a value that it uses.
  func bind(_ name: String, to value: String, in body: String) -> String {
    let (value, body) = (value.continued, body.indented)
    return switch self {
    case .clickhouse: "arrayMap(\(name) ->\n\(body),\n  [\(value)])[1]"
    case .duckdb: "list_transform([\(value)], lambda \(name):\n\(body))[1]"
    case .spark: "transform(array(\(value)), \(name) ->\n\(body))[0]"
    case .trino: "transform(ARRAY[\(value)], \(name) ->\n\(body))[1]"
    case .bigquery: "(SELECT\n\(body)\n  FROM (SELECT \(value) AS \(name)))"
    }
  }

  /// Returns a condition: a condition holds for each part of a text between ampersands, by name.
  func allItems(of text: String, as name: String, satisfy condition: String) -> String {
    switch self {
    case .clickhouse: "arrayAll(\(name) -> \(condition), splitByChar('&', \(text)))"
    case .duckdb:
      "len(list_filter(string_split(\(text), '&'), lambda \(name): NOT (\(condition)))) = 0"
    case .spark: "forall(split(\(text), '&'), \(name) -> \(condition))"
    case .trino: "all_match(split(\(text), '&'), \(name) -> \(condition))"
    case .bigquery:
      "NOT EXISTS (SELECT 1 FROM UNNEST(SPLIT(\(text), '&')) AS \(name) WHERE NOT (\(condition)))"
    }
  }

  /// Returns a `CASE` of conditions with their results, or only the other result without any.
  func cases(_ branches: [(condition: String, result: String)], otherwise: String) -> String {
    guard !branches.isEmpty else { return otherwise }
    let lines = branches.map { "WHEN \($0.condition) THEN \($0.result)".indented }
    return (["CASE"] + lines + ["ELSE \(otherwise)".indented, "END"]).joined(separator: "\n")
  }

  /// Returns a statement that creates a function from text to text.
  func function(_ name: String, of parameter: String, as body: String) -> String {
    switch self {
    case .clickhouse: "CREATE OR REPLACE FUNCTION \(name) AS (\(parameter)) ->\n\(body)"
    case .duckdb: "CREATE OR REPLACE MACRO \(name)(\(parameter)) AS\n\(body)"
    case .spark:
      "CREATE OR REPLACE TEMPORARY FUNCTION \(name)(\(parameter) STRING) RETURNS STRING RETURN\n\(body)"
    case .trino:
      "CREATE OR REPLACE FUNCTION \(name)(\(parameter) varchar) RETURNS varchar RETURN\n\(body)"
    case .bigquery:
      "CREATE TEMP FUNCTION \(name)(\(parameter) STRING) RETURNS STRING AS (\n\(body))"
    }
  }
}

// MARK: - URLs

/// Expressions for URLs and their components, as Apple's systems read them (Matching.md, 3).
extension WarehouseDialect {
  private static let anyEscape = "%[0-9A-Fa-f][0-9A-Fa-f]"

  /// Returns the URL with characters percent-encoded that a URL cannot hold (Matching.md, 3.3).
  ///
  /// Most URLs have none, and cost one test.
  func encoded(_ url: String) -> String {
    let scalars = (UInt8.min...0x7F).filter {
      PercentEncoding.isAllowed($0) && !"%#".utf8.contains($0)
    }.map(Unicode.Scalar.init)
    let plain = PatternExpression.ranges(of: scalars, self)
    let group =
      backtracks ? "(?:[\(plain)]++|\(Self.anyEscape))*+" : "(?:[\(plain)]|\(Self.anyEscape))*"
    let isEncoded = matchesAll(url, "\(group)(?:#\(group))?")
    let (path, query, fragment) = (
      fixed(extract("link_bytes", "^[^/]*//[^/?#]*([^?#]*)")),
      fixed(extract("link_bytes", "^[^?#]*[?]([^#]*)")),
      replace(fixed(extract("link_bytes", "(?s)^[^#]*#(.*)")), "#", with: "%23")
    )
    let origin = extract("link_bytes", "^([^/]*//[^/?#]*)")
    let target = "concat(\(path), '?', \(query), '#', \(fragment))"
    let encoded = bind(
      "link_bytes", to: bytes(of: url),
      in: "concat(\(origin), \(escape(target, except: plain + "%#")))")
    return cases([(isEncoded, url)], otherwise: encoded.continued)
  }

  /// Returns a component in which every `%` is encoded if one begins no escape.
  private func fixed(_ component: String) -> String {
    let hasStray = matches(replace("link_part", Self.anyEscape, with: ""), "%")
    return bind(
      "link_part", to: component,
      in: cases(
        [(hasStray, replace("link_part", "%", with: "%25"))], otherwise: "link_part"))
  }

  /// Returns a path as patterns are compared with it, if it is empty or begins with a slash
  /// (Matching.md, 3a).
  func normalized(_ path: String) -> String {
    let joined = replace(replace(path, "//+", with: "/"), #"\*\*+"#, with: "*")
    let runs = cases([(matches(path, #"//|\*\*"#), joined)], otherwise: path)
    let end = cases(
      [(matches(path, "[/*]\(endOfText)"), "''")], otherwise: "'/'")
    return "concat(\(runs.continued), \(end.continued))"
  }

  /// Returns the decoded text of a percent-encoded one (Matching.md, 3.4).
  ///
  /// The result is empty if the text is not UTF-8, and ends before the first NUL.
  func decoded(_ text: String) -> String {
    let rest = matches(replace("link_part", Self.validEscapes, with: ""), "%")
    let value = unescape(replace("link_part", "(?s)%00.*", with: ""))
    return bind(
      "link_part", to: text,
      in: cases(
        [("NOT (\(matches("link_part", "%")))", "link_part"), (rest, "''")],
        otherwise: value.continued))
  }

  /// The expression for the escapes of one scalar in UTF-8 (RFC 3629).
  private static let validEscapes = {
    let next = "%[89ABab]."
    return [
      "%[0-7].", "%[Cc][2-9A-Fa-f]\(next)", "%[Dd].\(next)", "%[Ee]0%[ABab].\(next)",
      "%[Ee][1-9A-Ca-cE-Fe-f]\(next)\(next)", "%[Ee][Dd]%[89].\(next)",
      "%[Ff]0%[9ABab].\(next)\(next)", "%[Ff][1-3]\(next)\(next)\(next)", "%[Ff]4%8.\(next)\(next)",
    ].joined(separator: "|")
  }()
}

extension String {
  /// The text with all lines but the first indented.
  var continued: String { replacing("\n", with: "\n  ") }

  var indented: String { "  " + continued }
}
