internal import TrafficDigest
internal import UniversalLinks

/// The table of requests that a view reads.
package struct RequestTable: Sendable {
  /// The table.
  package var name: String

  /// The columns that hold a request, in the order of ``names``.
  package var columns: [String]

  /// The names that a view has for the columns: ``requiredCount`` of them must be there.
  package static let names = ["host", "target", "status", "agent", "method", "referrer"]

  /// The number of columns without which there is no view; the method adds visits, and the referrer
  /// where links stood.
  package static let requiredCount = 4

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - columns: The columns of the host, the request target, the status and the user agent, then
  ///     those of the method and the referrer, if there are any.
  package init(name: String, columns: [String]) {
    (self.name, self.columns) = (name, columns)
  }
}

extension RuleQuery {
  /// Returns statements that create the functions `linkaudit_verdict(url)` and
  /// `linkaudit_decision(url)`.
  package func functions() -> String {
    [
      dialect.function("linkaudit_verdict", of: "url", as: verdict(of: "url").indented),
      dialect.function("linkaudit_decision", of: "url", as: decision(of: "url").indented),
    ].joined(separator: ";\n\n") + ";"
  }

  /// Returns a statement that creates the view `linkaudit_requests`: the requests of a table with
  /// what reports count them by.
  ///
  /// A target is read as in logs: with its own host if it is a URL, and without a fragment.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - old: The same rules as iOS 12 and earlier read them, which decide for Safari there; `nil` if
  ///     these rules decide for all.
  /// - Returns: The statement.
  package func view(of table: RequestTable, forOldSystems old: RuleQuery? = nil) -> String {
    let names = RequestTable.names.prefix(table.columns.count)
    let columns = zip(table.columns, names).map { $0 == $1 ? $0 : "\($0) AS \($1)" }
    let (host, target) = (
      table.columns.first ?? names[0], table.columns.dropFirst().first ?? names[1]
    )
    let url = dialect.cases(
      [
        (
          dialect.matches(target, "^/"),
          "concat('https://', \(dialect.replace(host, ":(?:80|443)?\(dialect.syntax.end)", with: "")), "
            + "\(dialect.replace(target, "(?s)#.*", with: "")))"
        )
      ], otherwise: dialect.replace(target, "(?s)#.*", with: ""))
    let request = RequestExpression(dialect: dialect)
    func value(_ text: (RuleQuery) -> String) -> String {
      guard let old else { return text(self) }
      let isOld = "platform = \(dialect.string(Platform.ios12.name))"
      return dialect.cases([(isOld, text(old).continued)], otherwise: text(self).continued)
    }
    var figures = [
      "url", "site", "path", "platform", "\(value { $0.verdict(of: "url") }.continued) AS verdict",
      "\(value { $0.decision(of: "url") }.continued) AS decision",
    ]
    if names.contains("method") {
      let isVisit = request.isVisit(
        method: "method", status: "status", platform: "platform", path: "path")
      figures.append("\(dialect.cases([(isVisit, "1")], otherwise: "0").continued) AS visits")
    }
    if names.contains("referrer") {
      figures.append("\(request.referral(from: "referrer", to: "site").continued) AS referral")
    }
    let all = names.joined(separator: ", ")
    return """
      CREATE VIEW linkaudit_requests AS
      SELECT
        \(all),
        \(figures.joined(separator: ",\n  "))
      FROM (
        SELECT
          \(all), url,
          \(request.site(of: "url", orOf: "host").continued.continued) AS site,
          \(request.path(of: "url").continued.continued) AS path,
          \(AgentExpression(dialect: dialect).platform(of: "agent").continued.continued) AS platform
        FROM (
          SELECT
            \(columns.joined(separator: ", ")),
            \(url.continued.continued.continued) AS url
          FROM \(table.name)
        ) AS links
      ) AS requests;
      """
  }
}
