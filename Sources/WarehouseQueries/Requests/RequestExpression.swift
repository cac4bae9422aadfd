internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// Expressions for what reports count requests by, from columns of a table.
struct RequestExpression {
  let dialect: WarehouseDialect

  /// Returns an expression for the URL of a request, without a fragment.
  ///
  /// A target that is neither a path nor a URL stays unchanged.
  ///
  /// - Parameters:
  ///   - host: The column of the host, with or without a port.
  ///   - target: The column of the request target.
  /// - Returns: The expression.
  func url(host: String, target: String) -> String {
    let host = dialect.replace(host, ":(?:80|443)?\(dialect.syntax.end)", with: "")
    let target = dialect.replace(target, "(?s)#.*", with: "")
    return dialect.cases(
      [(dialect.matches(target, "^/"), "concat('https://', \(host), \(target))")],
      otherwise: target)
  }

  /// Returns an expression for the requested host, in lower case and without its port.
  ///
  /// It is the host of the URL, or else the host that the log names.
  func site(of url: String, orOf host: String) -> String {
    let own = dialect.extract(url, "^[A-Za-z]+://(?:[^/?#]*@)?([^/?#@]*)")
    return dialect.bind(
      "link_host", to: own,
      in: name(
        dialect.cases([("link_host = ''", "coalesce(\(host), '')")], otherwise: "link_host")))
  }

  /// Returns an expression for a host in lower case, without its port.
  private func name(_ host: String) -> String {
    "lower(\(dialect.replace(host.continued, #":[^:\]@]*"# + dialect.syntax.end, with: "")))"
  }

  /// Returns an expression for the path of a URL, which may be relative to its host.
  func path(of url: String) -> String {
    let path = dialect.extract(url, "^(?:[A-Za-z]+://[^/?#]*)?([^?#]*)")
    return dialect.bind(
      "link_path", to: path, in: dialect.cases([("link_path = ''", "'/'")], otherwise: "link_path"))
  }

  /// Returns a condition: a request is a visit (Documentation/Warehouses.md).
  ///
  /// - Parameters:
  ///   - method: The column of the method.
  ///   - status: The column of the status, a number or a text.
  ///   - platform: The expression for the platform.
  ///   - path: The expression for the path.
  /// - Returns: The condition.
  func isVisit(method: String, status: String, platform: String, path: String) -> String {
    let apple = Platform.allCases.filter(\.isApple).map { dialect.string($0.name) }
    let extensions = AssetExtensions.standard.names.map {
      PatternExpression.text(ofCaselessASCII: $0, dialect.syntax)
    }.joined(separator: "|")
    return """
      coalesce(nullif(nullif(\(method), ''), '-'), 'GET') = 'GET' AND \(dialect.matches(dialect.text(of: status), "^[23][0-9][0-9]\(dialect.syntax.end)"))
        AND \(platform) IN (\(apple.joined(separator: ", ")))
        AND NOT \(dialect.matches(path, "\\.(?:\(extensions))\(dialect.syntax.end)"))
      """
  }

  /// Returns an expression for the origin of a request.
  ///
  /// - Parameters:
  ///   - referrer: The column of the referrer.
  ///   - host: The expression for the requested host, in lower case.
  /// - Returns: The expression, whose value is the name of a ``Referral``.
  func referral(from referrer: String, to host: String) -> String {
    let authority = dialect.extract(
      "link_referrer", "^[hH][tT][tT][pP][sS]?://(?:[^/?#]*@)?([^/?#@]*)")
    return dialect.bind(
      "link_referrer", to: "coalesce(\(referrer), '')",
      in: dialect.cases(
        [
          ("link_referrer IN ('', '-')", dialect.string(Referral.none.name)),
          (
            "\(name(authority).continued) = \(name(host).continued)",
            dialect.string(Referral.sameHost.name)
          ),
        ], otherwise: dialect.string(Referral.otherHost.name)))
  }
}
