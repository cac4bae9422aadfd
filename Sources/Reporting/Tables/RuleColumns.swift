internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

/// A rule of one app, and its traffic.
typealias AppRule = (rule: ReportedRule, traffic: RuleTraffic)

/// A rule of one app, an earlier one that decided in its place, and the traffic that both match.
typealias AppShadow = (rule: ReportedRule, decider: ReportedRule, traffic: Traffic)

extension TableColumn {
  /// Returns the columns that name a rule; rows without a rule have no values there.
  ///
  /// `side` is the side of a comparison that has the rule, `old` or `new`. The names of columns
  /// begin with it, and JSON groups the columns in an object of that name.
  static func naming(
    _ side: String? = nil, presence: ColumnPresence = .always,
    _ rule: @escaping Getter<ReportedRule?>
  ) -> [TableColumn] {
    func column(
      _ name: String, _ kind: TableValueKind, _ about: String, isRare: Bool = false,
      _ value: @escaping @Sendable (ReportedRule) -> TableValue?
    ) -> TableColumn {
      guard let side else {
        return TableColumn(name, kind, about, presence: isRare ? .rarely : presence) {
          rule($0).flatMap(value)
        }
      }
      return TableColumn(
        side + name.capitalizedFirst, .nullable(kind), about, in: (side + "Rule", name),
        presence: isRare ? .rarely : .always
      ) { row in
        rule(row).map(value) ?? (isRare ? nil : .some(.none))
      }
    }
    return [
      column("app", .text, "The first app that has the rule") { .text($0.app.text) },
      column(
        "detail", .detail,
        "The position of the entry in `details`, from 0, or its key in the object form"
      ) { $0.id.entry.value },
      column("list", .choice(["components", "paths"]), "The array that holds the rule") {
        .text($0.id.list.rawValue)
      },
      column(
        "rule", .nullable(.count),
        "The position of the rule in that array, from 0; none for an entry without rules"
      ) { .number($0.id.position) },
      column("pattern", .text, "The rule in short") { .text($0.pattern) },
      column("excludes", .truth, "Whether the rule excludes what it matches") {
        .truth($0.excludes)
      },
      column("line", .nullable(.integer(from: 1)), "The line of the file at which it begins") {
        .number($0.position?.line)
      },
      column("column", .nullable(.integer(from: 1)), "The column in that line") {
        .number($0.position?.column)
      },
      column(
        "version", .count,
        "The position of the file among the versions of the site, from 0, if there are several",
        isRare: true
      ) { $0.version.map { .number($0.number) } },
    ]
  }

  static func traffic(
    _ requests: String = "requests", _ visits: String = "visits",
    _ value: @escaping Getter<Traffic>
  ) -> [TableColumn] {
    [
      .count(requests, "Requests") { value($0).requests },
      .count(visits, "Requests that are visits") { value($0).visits },
    ]
  }
}

extension AssociationFile.EntryID {
  var value: TableValue {
    switch self {
    case .index(let index): .number(index)
    case .key(let key): .text(key)
    case .apps: .none
    }
  }

  var text: String { value.cell }
}

// MARK: - Rows

extension SiteAudit {
  /// The rules app by app, as tables of rules have them.
  var rules: some Sequence<AppRule> & SendableMetatype {
    ruleLists.lazy.flatMap { list in
      list.apps.lazy.flatMap { app in list.rules.lazy.map { ($0.rule.of(app), $0) } }
    }
  }

  /// The pairs of a rule and an earlier one that decided in its place, app by app.
  var shadows: some Sequence<AppShadow> & SendableMetatype {
    ruleLists.lazy.flatMap { list in
      list.apps.lazy.flatMap { list.shadows(of: $0) }
    }
  }

  /// The pairs of a rule and an earlier one that decided in its place, once for all apps
  /// that share them.
  var distinctShadows: [AppShadow] {
    ruleLists.flatMap { list in list.apps.first.map { list.shadows(of: $0) } ?? [] }
  }
}

extension RuleListTraffic {
  fileprivate func shadows(of app: ApplicationIdentifier) -> [AppShadow] {
    let rulesByID = Dictionary(rules.map { ($0.rule.id, $0.rule) }) { first, _ in first }
    return rules.flatMap { row in
      let rule = row.rule.of(app)
      return row.shadowedBy.compactMap { shadow in
        rulesByID[shadow.rule].map { (rule, $0, shadow.traffic) }
      }
    }
  }
}

extension RuleID {
  /// The entry and the position, such as `0.3`, with `-` for an entry without rules.
  var text: String { "\(entry.text).\(position.map(String.init) ?? "-")" }
}
