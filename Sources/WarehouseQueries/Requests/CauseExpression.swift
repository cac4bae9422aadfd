internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// An expression for the cause for which a claimed request stayed on the web (Documentation/Causes.md).
///
/// It tells all causes but one: whether the file was delivered on a day, no request says of itself.
struct CauseExpression {
  let dialect: WarehouseDialect

  /// The expression, over the columns of a view; NULL for requests that no rule claims.
  var cause: String {
    let signs = dialect.bind("link_query", to: dialect.extract("url", "^[^?]*[?](.*)"), in: bySigns)
    func isOlder(_ age: SystemAge, thanRelease releases: [SystemRelease]) -> String {
      let list = releases.map { dialect.string($0.rawValue) }.joined(separator: ", ")
      return "system = \(dialect.string(age.name)) AND release IN (\(list))"
    }
    return dialect.cases(
      [
        ("verdict <> \(dialect.string(Verdict.claimed.rawValue))", "NULL"),
        ("referral = \(dialect.string(Referral.sameHost.name))", text(.sameHost)),
        ("platform = \(dialect.string(Platform.inApp.name))", text(.inAppBrowser)),
        ("platform = \(dialect.string(Platform.iosBrowser.name))", text(.otherBrowser)),
        (
          "system = \(dialect.string(SystemAge.beforeUniversalLinks.name))"
            + "\n  OR \(isOlder(.before13Point5, thanRelease: [.iOS13Point5, .iOS14]))"
            + "\n  OR \(isOlder(.before14, thanRelease: [.iOS14]))", text(.oldSystem)
        ),
      ],
      otherwise: dialect.bind("link_kind", to: kind, in: signs).continued)
  }

  private func text(_ cause: Cause) -> String { dialect.string(cause.rawValue) }

  /// The cause by the query and the kind of the referrer.
  private var bySigns: String {
    func item(_ names: String, _ value: String? = nil) -> String {
      let rest =
        value.map { "=(?:\($0))(?:&|\(dialect.syntax.end))" } ?? "(?:[=&]|\(dialect.syntax.end))"
      return dialect.matches("link_query", "(?:^|&)(?:\(names))\(rest)")
    }
    func literals(_ texts: [StaticString]) -> String {
      texts.map { literal("\($0)") }.joined(separator: "|")
    }
    func caseless(_ texts: [String]) -> String {
      texts.map { PatternExpression.text(ofCaselessASCII: $0, dialect.syntax) }
        .joined(separator: "|")
    }
    func isKind(_ kind: ReferrerKind) -> String {
      "link_kind = \(dialect.string(kind.name))"
    }
    let login =
      QuerySigns.loginPairs.map { "\(item(literals([$0.0]))) AND \(item(literals([$0.1])))" }
      + [item(literals(QuerySigns.loginItems))]
    let mail = [
      item(literals(QuerySigns.mailItems)),
      item("utm_medium|utm_source", caseless(QuerySigns.mailValues)), isKind(.mail),
    ]
    let advert = [
      item(literals(QuerySigns.advertItems)),
      item("utm_medium", caseless(QuerySigns.advertValues)), isKind(.advert),
    ]
    return dialect.cases(
      [
        (login.joined(separator: "\n  OR "), text(.loginCallback)),
        (isKind(.tracker), text(.ownRedirect)),
        (mail.joined(separator: "\n  OR "), text(.mail)),
        (advert.joined(separator: "\n  OR "), text(.advert)),
        (isKind(.ownHost), text(.ownHost)), (isKind(.search), text(.search)),
        (isKind(.social), text(.social)), (isKind(.unknown), text(.unknown)),
      ], otherwise: text(.otherSite))
  }

  // MARK: - Referrers

  /// The kind of site that the link was on; that of a name that is known is stronger than one owner.
  private var kind: String {
    let host = dialect.extract(
      "referrer", "^[hH][tT][tT][pP][sS]?://(?:[^/?#]*@)?([^/?#@]*)")
    let name = dialect.replace(
      dialect.replace(host, #":[^:\]@]*"# + dialect.syntax.end, with: ""),
      #"\."# + dialect.syntax.end, with: "")
    let owner = "[^.]+\\.(?:\(RegisteredName.parent(dialect.syntax)))"
    func domain(_ text: String) -> String {
      dialect.extract(text, "(?:^|\\.)(\(owner))\(dialect.syntax.end)")
    }
    var branches = [
      (
        "referral <> \(dialect.string(Referral.otherHost.name))",
        dialect.string(ReferrerKind.unknown.name)
      ),
      ("link_host = ''", dialect.string(ReferrerKind.other.name)),
    ]
    branches += known.map { (dialect.matches("link_host", $0.names), dialect.string($0.kind.name)) }
    branches.append(
      (
        "\(domain("link_host")) <> '' AND \(domain("link_host")) = \(domain("site"))",
        dialect.string(ReferrerKind.ownHost.name)
      ))
    return dialect.bind(
      "link_host", to: "lower(\(name))",
      in: dialect.cases(branches, otherwise: dialect.string(ReferrerKind.other.name)))
  }

  /// Expressions for hosts that are known: those under longer names first.
  private var known: [(names: String, kind: ReferrerKind)] {
    var groups: [(labels: Int, kind: ReferrerKind, names: [String])] = []
    for (name, kind) in ReferrerHosts.kinds {
      let labels = name.split(separator: ".").count
      let isAnyTopLevel = name.hasSuffix(".*")
      let text =
        isAnyTopLevel
        ? literal(String(name.dropLast(2))) + "\\.(?:\(RegisteredName.parent(dialect.syntax)))"
        : literal(name)
      if let index = groups.firstIndex(where: { $0.labels == labels && $0.kind == kind }) {
        groups[index].names.append(text)
      } else {
        groups.append((labels, kind, [text]))
      }
    }
    return groups.sorted { $0.labels > $1.labels }.map { group in
      (
        "(?:^|\\.)(?:\(group.names.joined(separator: "|")))\(dialect.syntax.end)", group.kind
      )
    }
  }

  private func literal(_ text: String) -> String {
    PatternExpression.text(ofLiteral: text, dialect.syntax)
  }
}

/// Expressions for names under which others are registered (``RegisteredDomain``).
private enum RegisteredName {
  static func parent(_ syntax: PatternExpression.Syntax) -> String {
    func any(_ names: Set<Substring>) -> String {
      names.sorted().map { PatternExpression.text(ofLiteral: $0, syntax) }.joined(separator: "|")
    }
    return
      "\(any(RegisteredDomain.sharedDomains))|(?:\(any(RegisteredDomain.secondLabels)))\\.[^.]{2}|[^.]+"
  }
}
