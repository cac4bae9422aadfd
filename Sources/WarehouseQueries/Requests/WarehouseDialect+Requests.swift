internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// Expressions for what reports count requests by, from columns of a table.
extension WarehouseDialect {
  /// Returns an expression for the URL of a request, without a fragment.
  ///
  /// A target that is neither a path nor a URL stays unchanged.
  ///
  /// - Parameters:
  ///   - host: The column of the host, with or without a port.
  ///   - target: The column of the request target.
  /// - Returns: The expression.
  func url(host: String, target: String) -> String {
    let host = replace(host, ":(?:80|443)?\(syntax.end)", with: "")
    let target = replace(target, "(?s)#.*", with: "")
    return cases(
      [(matches(target, "^/"), "concat('https://', \(host), \(target))")],
      otherwise: target)
  }

  /// Returns an expression for the requested host, in lower case and without its port.
  ///
  /// It is the host of the URL, or else the host that the log names.
  func site(of url: String, orOf host: String) -> String {
    let own = extract(url, "^[A-Za-z]+://(?:[^/?#]*@)?([^/?#@]*)")
    return bind(
      "link_host", to: own,
      in: name(
        cases([("link_host = ''", "coalesce(\(host), '')")], otherwise: "link_host")))
  }

  /// Returns an expression for a host in lower case, without its port.
  private func name(_ host: String) -> String {
    "lower(\(replace(host.continued, #":[^:\]@]*"# + syntax.end, with: "")))"
  }

  /// Returns an expression for the path of a URL, which may be relative to its host.
  func path(of url: String) -> String {
    let path = extract(url, "^(?:[A-Za-z]+://[^/?#]*)?([^?#]*)")
    return bind(
      "link_path", to: path, in: cases([("link_path = ''", "'/'")], otherwise: "link_path"))
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
    let apple = Platform.allCases.filter(\.isApple).map { string($0.name) }
    let extensions = AssetExtensions.standard.names.map { caseless($0) }.joined(separator: "|")
    return """
      coalesce(nullif(nullif(\(method), ''), '-'), 'GET') = 'GET' AND \(matches(text(of: status), "^[23][0-9][0-9]\(syntax.end)"))
        AND \(platform) IN (\(apple.joined(separator: ", ")))
        AND NOT \(matches(path, "\\.(?:\(extensions))\(syntax.end)"))
      """
  }

  /// Returns an expression for the origin of a request.
  ///
  /// - Parameters:
  ///   - referrer: The column of the referrer.
  ///   - host: The expression for the requested host, in lower case.
  /// - Returns: The expression, whose value is the name of a ``Referral``.
  func referral(from referrer: String, to host: String) -> String {
    let authority = extract(
      "link_referrer", "^[hH][tT][tT][pP][sS]?://(?:[^/?#]*@)?([^/?#@]*)")
    return bind(
      "link_referrer", to: "coalesce(\(referrer), '')",
      in: cases(
        [
          ("link_referrer IN ('', '-')", string(Referral.none.name)),
          (
            "\(name(authority).continued) = \(name(host).continued)",
            string(Referral.sameHost.name)
          ),
        ], otherwise: string(Referral.otherHost.name)))
  }
}
