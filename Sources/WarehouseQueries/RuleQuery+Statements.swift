internal import UniversalLinks

/// The table of requests that a view reads.
package struct RequestTable: Sendable {
  /// The table.
  package var name: String

  /// The columns of the host, the request target, the status and the user agent.
  package var columns: [String]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - columns: The columns of the host, the request target, the status and the user agent.
  package init(name: String, columns: [String]) {
    (self.name, self.columns) = (name, columns)
  }
}

extension RuleQuery {
  /// The names of the columns of a view, in the order of ``RequestTable/columns``.
  package static let viewColumns = ["host", "target", "status", "agent"]

  /// Returns statements that create the functions `linkaudit_verdict(url)` and
  /// `linkaudit_decision(url)`.
  package func functions() -> String {
    [
      dialect.function("linkaudit_verdict", of: "url", as: verdict(of: "url").indented),
      dialect.function("linkaudit_decision", of: "url", as: decision(of: "url").indented),
    ].joined(separator: ";\n\n") + ";"
  }

  /// Returns a statement that creates the view `linkaudit_requests`: the requests of a table with
  /// `url`, `verdict` and `decision`.
  ///
  /// A target is read as in logs: with its own host if it is a URL, and without a fragment.
  package func view(of table: RequestTable) -> String {
    let names = Self.viewColumns
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
    return """
      CREATE VIEW linkaudit_requests AS
      SELECT
        \(names.joined(separator: ", ")), url,
        \(verdict(of: "url").continued) AS verdict,
        \(decision(of: "url").continued) AS decision
      FROM (
        SELECT
          \(columns.joined(separator: ", ")),
          \(url.continued.continued) AS url
        FROM \(table.name)
      ) AS requests;
      """
  }
}
