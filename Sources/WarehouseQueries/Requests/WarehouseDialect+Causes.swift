internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension WarehouseDialect {
  /// The expression for the cause for which a claimed request stayed on the web
  /// (Documentation/Causes.md), over the columns of a view; NULL for requests that no rule claims.
  ///
  /// It tells all causes but one: whether the file was delivered on a day, no request says of itself.
  var cause: String {
    let signs = bind("link_query", to: extract("url", "^[^?]*[?](.*)"), in: bySigns)
    func isOlder(_ age: SystemAge, thanRelease releases: [SystemRelease]) -> String {
      let list = releases.map { string($0.rawValue) }.joined(separator: ", ")
      return "system = \(string(age.name)) AND release IN (\(list))"
    }
    return cases(
      [
        ("verdict <> \(string(Verdict.claimed.rawValue))", "NULL"),
        ("referral = \(string(Referral.sameHost.name))", text(.sameHost)),
        ("platform = \(string(Platform.inApp.name))", text(.inAppBrowser)),
        ("platform = \(string(Platform.iosBrowser.name))", text(.otherBrowser)),
        (
          "system = \(string(SystemAge.beforeUniversalLinks.name))"
            + "\n  OR \(isOlder(.before13Point5, thanRelease: [.iOS13Point5, .iOS14]))"
            + "\n  OR \(isOlder(.before14, thanRelease: [.iOS14]))", text(.oldSystem)
        ),
      ],
      otherwise: bind("link_kind", to: kind, in: signs).continued)
  }

  private func text(_ cause: Cause) -> String { string(cause.name) }

  /// The cause by the query and the kind of the referrer.
  private var bySigns: String {
    func item(_ names: String, _ value: String? = nil) -> String {
      let rest =
        value.map { "=(?:\($0))(?:&|\(syntax.end))" } ?? "(?:[=&]|\(syntax.end))"
      return matches("link_query", "(?:^|&)(?:\(names))\(rest)")
    }
    func literals(_ texts: [StaticString]) -> String {
      texts.map { literal("\($0)") }.joined(separator: "|")
    }
    func caseless(_ texts: [String]) -> String {
      texts.map { self.caseless($0) }.joined(separator: "|")
    }
    func isKind(_ kind: ReferrerKind) -> String {
      "link_kind = \(string(kind.name))"
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
    return cases(
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
    let host = extract(
      "referrer", "^[hH][tT][tT][pP][sS]?://(?:[^/?#]*@)?([^/?#@]*)")
    let name = replace(
      replace(host, #":[^:\]@]*"# + syntax.end, with: ""),
      #"\."# + syntax.end, with: "")
    let owner = "[^.]+\\.(?:\(registeredParent))"
    func domain(_ text: String) -> String {
      extract(text, "(?:^|\\.)(\(owner))\(syntax.end)")
    }
    var branches = [
      (
        "referral <> \(string(Referral.otherHost.name))",
        string(ReferrerKind.unknown.name)
      ),
      ("link_host = ''", string(ReferrerKind.other.name)),
    ]
    branches += known.map { (matches("link_host", $0.names), string($0.kind.name)) }
    branches.append(
      (
        "\(domain("link_host")) <> '' AND \(domain("link_host")) = \(domain("site"))",
        string(ReferrerKind.ownHost.name)
      ))
    return bind(
      "link_host", to: "lower(\(name))",
      in: cases(branches, otherwise: string(ReferrerKind.other.name)))
  }

  /// Expressions for hosts that are known: those under longer names first.
  private var known: [(names: String, kind: ReferrerKind)] {
    var groups: [(labels: Int, kind: ReferrerKind, names: [String])] = []
    for (name, kind) in ReferrerHosts.kinds {
      let labels = name.split(separator: ".").count
      let isAnyTopLevel = name.hasSuffix(".*")
      let text =
        isAnyTopLevel
        ? literal(String(name.dropLast(2))) + "\\.(?:\(registeredParent))"
        : literal(name)
      if let index = groups.firstIndex(where: { $0.labels == labels && $0.kind == kind }) {
        groups[index].names.append(text)
      } else {
        groups.append((labels, kind, [text]))
      }
    }
    return groups.sorted { $0.labels > $1.labels }.map { group in
      (
        "(?:^|\\.)(?:\(group.names.joined(separator: "|")))\(syntax.end)", group.kind
      )
    }
  }

  /// The expression for a name under which others are registered (``RegisteredDomain``).
  private var registeredParent: String {
    func any(_ names: Set<Substring>) -> String {
      names.sorted().map { literal($0) }.joined(separator: "|")
    }
    return
      "\(any(RegisteredDomain.sharedDomains))|(?:\(any(RegisteredDomain.secondLabels)))\\.[^.]{2}|[^.]+"
  }
}
