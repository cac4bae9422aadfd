internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension RuleQuery {
  /// The names that a view has for the columns of a request: ``requiredColumnCount`` of them must be
  /// there.
  package static let columnNames = ["host", "target", "status", "agent", "method", "referrer"]

  /// The number of columns without which there is no view; the method adds visits, and the referrer
  /// where links stood.
  package static let requiredColumnCount = 4

  /// Returns a statement that creates the view `linkaudit_requests`: the requests of a table with
  /// the columns that reports count by.
  ///
  /// A target is read as in logs: with its own host if it is a URL, and without a fragment.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - columns: The columns of the host, the request target, the status and the user agent. The
  ///     columns of the method and the referrer follow, if they exist.
  ///   - old: The rules as iOS 12 and earlier read them, which decide for Safari there; `nil` if
  ///     these rules decide for all systems.
  /// - Returns: The statement.
  package func view(
    of table: String, columns: [String], forOldSystems old: RuleQuery? = nil
  ) -> String {
    let names = Array(Self.columnNames.prefix(columns.count))
    func judged(_ text: (RuleQuery) -> String) -> String {
      guard let old else { return text(self) }
      let isOld = "platform = \(dialect.string(Platform.ios12.name))"
      return dialect.cases([(isOld, text(old).continued)], otherwise: text(self).continued)
    }
    var view = Selection(
      from: table, names,
      zip(columns, names).map { $0 == $1 ? $0 : "\($0) AS \($1)" })
    view.add([("url", dialect.url(host: "host", target: "target"))])
    view.add([
      ("site", dialect.site(of: "url", orOf: "host")), ("path", dialect.path(of: "url")),
      ("platform", dialect.platform(of: "agent")),
    ])
    view.add([
      ("verdict", judged { $0.verdict(of: "url") }),
      ("decision", judged { $0.decision(of: "url") }),
    ])
    if names.contains("method") {
      let isVisit = dialect.isVisit(
        method: "method", status: "status", platform: "platform", path: "path")
      view.add([("visits", dialect.cases([(isVisit, "1")], otherwise: "0"))])
    }
    if names.contains("referrer") {
      view.add([
        ("referral", dialect.referral(from: "referrer", to: "site")),
        ("system", dialect.systemAge(of: "agent", on: "platform")),
        ("release", judged { $0.release(of: "url") }),
      ])
      view.add([("cause", dialect.cause)])
    }
    return "CREATE OR REPLACE VIEW linkaudit_requests AS\n\(view.text);"
  }
}

/// A query whose columns are added step by step, so that each can use those before.
private struct Selection {
  private(set) var text: String
  private var names: [String]

  init(from table: String, _ names: [String], _ columns: [String]) {
    text = "SELECT \(columns.joined(separator: ", "))\nFROM \(table)"
    self.names = names
  }

  mutating func add(_ columns: [(name: String, value: String)]) {
    let values = columns.map { ",\n  \($0.value.continued) AS \($0.name)" }.joined()
    text = """
      SELECT
        \(names.joined(separator: ", "))\(values)
      FROM (
      \(text.indented)
      ) AS requests
      """
    names += columns.map(\.name)
  }
}
