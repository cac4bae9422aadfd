internal import Foundations
internal import UniversalLinks

/// Expressions for URLs and their components, as Apple's systems read them (Matching.md, 3 and 5).
extension RuleQuery {
  /// The names of the texts of a link that rules are compared with, in the order of their tests.
  static let texts = [
    "link_path", "link_path_decoded", "link_query", "link_fragment", "link_query_decoded",
    "link_fragment_decoded",
  ]

  private static let escape = "%[0-9A-Fa-f][0-9A-Fa-f]"

  /// Returns an expression for the verdict on the URL of a column: `ineligible` if no rule decides,
  /// else `body`, which uses some texts.
  func evaluate(_ column: String, ineligible: String, otherwise body: String) -> String {
    let ineligible = dialect.string(ineligible)
    // Other names are no domains, so no app can be associated with them.
    guard host.isWildcard || host.name.contains(".") else { return ineligible }
    let judged = dialect.cases(
      [(dialect.matches("link", eligible), bindTexts(in: body).continued)], otherwise: ineligible)
    let url = dialect.bind("link_url", to: "coalesce(\(column), '')", in: encoded("link_url"))
    return dialect.bind("link", to: url, in: judged)
  }

  // MARK: - Eligibility

  /// The expression for the beginning of a URL that rules decide (Matching.md, 5).
  private var eligible: String {
    let origins = [("[hH][tT][tT][pP]", "80"), ("[hH][tT][tT][pP][sS]", "443")].map {
      "\($0)://(?:[^/?#]*@)?\(hostAndPort(defaultPort: $1))"
    }
    return "^(?:\(origins.joined(separator: "|")))(?:[/?#]|\(dialect.endOfText))"
  }

  private func hostAndPort(defaultPort port: String) -> String {
    let name = host.name.unicodeScalars.map { scalar in
      let upper = scalar.properties.uppercaseMapping.unicodeScalars.first ?? scalar
      return PatternExpression.text(
        ofAnyOf: scalar == upper ? [scalar] : [upper, scalar], dialect)
    }.joined()
    let port = ":(?:0*\(port))?"
    guard host.isWildcard else { return "\(name)(?:\(port))?" }
    // The last colon begins a port, unless a bracket follows. Browsers take a backslash for a slash.
    let own = #"[^/?#@:\\]"#
    let any = #"[^/?#@\\]"#
    return #"(?:(?:\#(own)+|\#(any)*:\#(own)*\]\#(own)*)\.\#(name)|\#(any)+\.\#(name)\#(port))"#
  }

  // MARK: - Characters that a URL cannot hold

  /// Returns the URL with characters percent-encoded that a URL cannot hold (Matching.md, 3.3).
  ///
  /// Most URLs have none, and cost one test.
  private func encoded(_ url: String) -> String {
    let scalars = (UInt8.min...0x7F).filter {
      PercentEncoding.isAllowed($0) && !"%#".utf8.contains($0)
    }.map(Unicode.Scalar.init)
    let plain = PatternExpression.ranges(of: scalars, dialect)
    let group =
      dialect.backtracks ? "(?:[\(plain)]++|\(Self.escape))*+" : "(?:[\(plain)]|\(Self.escape))*"
    let isEncoded = dialect.matchesAll(url, "\(group)(?:#\(group))?")
    let (path, query, fragment) = (
      fixed(dialect.extract("link_bytes", "^[^/]*//[^/?#]*([^?#]*)")),
      fixed(dialect.extract("link_bytes", "^[^?#]*[?]([^#]*)")),
      dialect.replace(fixed(dialect.extract("link_bytes", "(?s)^[^#]*#(.*)")), "#", with: "%23")
    )
    let origin = dialect.extract("link_bytes", "^([^/]*//[^/?#]*)")
    let target = "concat(\(path), '?', \(query), '#', \(fragment))"
    let encoded = dialect.bind(
      "link_bytes", to: dialect.bytes(of: url),
      in: "concat(\(origin), \(dialect.escape(target, except: plain + "%#")))")
    return dialect.cases([(isEncoded, url)], otherwise: encoded.continued)
  }

  /// Returns a component in which every `%` is encoded if one begins no escape.
  private func fixed(_ component: String) -> String {
    let hasStray = dialect.matches(dialect.replace("link_part", Self.escape, with: ""), "%")
    return dialect.bind(
      "link_part", to: component,
      in: dialect.cases(
        [(hasStray, dialect.replace("link_part", "%", with: "%25"))], otherwise: "link_part"))
  }

  // MARK: - Components

  /// Returns an expression with names for texts of a URL that it uses.
  private func bindTexts(in body: String) -> String {
    let compared = comparedTexts
    let query = dialect.extract("link", "^[^?#]*[?]([^#]*)")
    let fragment = dialect.extract("link", "^[^#]*#(.*)")
    let decodedPath = dialect.bind(
      "link_decoded", to: decoded("link_text"), in: normalized("link_decoded"))
    let values = [
      normalized("link_text"), decodedPath, query, fragment, decoded(query), decoded(fragment),
    ]
    var body = body
    for (name, value) in zip(Self.texts, values) where compared.contains(name) {
      body = dialect.bind(name, to: value, in: body)
    }
    guard compared.contains(where: { $0.hasPrefix("link_path") }) else { return body }
    // The slash is there to save the regular expression from going back.
    let path = "concat('/', \(dialect.extract("link", "^[^/]*//[^/?#]*/([^?#]*)")))"
    return dialect.bind("link_text", to: path, in: body)
  }

  /// Returns a path as patterns are compared with it, if it is empty or begins with a slash
  /// (Matching.md, 3a).
  private func normalized(_ path: String) -> String {
    let joined = dialect.replace(dialect.replace(path, "//+", with: "/"), #"\*\*+"#, with: "*")
    let runs = dialect.cases([(dialect.matches(path, #"//|\*\*"#), joined)], otherwise: path)
    let end = dialect.cases(
      [(dialect.matches(path, "[/*]\(dialect.endOfText)"), "''")], otherwise: "'/'")
    return "concat(\(runs.continued), \(end.continued))"
  }

  /// Returns the decoded text of a percent-encoded one (Matching.md, 3.4).
  ///
  /// The result is empty if the text is not UTF-8, and ends before the first NUL.
  func decoded(_ text: String) -> String {
    let rest = dialect.matches(dialect.replace("link_part", Self.validEscapes, with: ""), "%")
    let value = dialect.unescape(dialect.replace("link_part", "(?s)%00.*", with: ""))
    return dialect.bind(
      "link_part", to: text,
      in: dialect.cases(
        [("NOT (\(dialect.matches("link_part", "%")))", "link_part"), (rest, "''")],
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
