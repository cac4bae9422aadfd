internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

/// A rule of one app, and its traffic.
typealias AppRule = (rule: ReportedRule, traffic: RuleTraffic)

/// A rule of one app, an earlier one that decided in its place, and the traffic that both match.
typealias AppShadow = (rule: ReportedRule, decider: ReportedRule, traffic: Traffic)

extension TableColumn where Row == ReportedRule {
  /// The columns that name a rule.
  static let ruleName: [TableColumn] = [
    .text("app", "The first app that has the rule") { $0.app.text }, .detail { $0.id.entry },
    TableColumn("list", .choice(["components", "paths"]), "The array that holds the rule") {
      .text($0.id.list.rawValue)
    },
    .optionalCount(
      "rule", "The position of the rule in that array, from 0; none for an entry without rules"
    ) { $0.id.position },
    .text("pattern", "The rule in short") { $0.pattern },
    .truth("excludes", "Whether the rule excludes what it matches") { $0.excludes },
    .optionalOrdinal("line", "The line of the file at which it begins") { $0.position?.line },
    .optionalOrdinal("column", "The column in that line") { $0.position?.column },
    TableColumn(
      "version", .count,
      "The position of the file among the versions of the site, from 0, if there are several",
      presence: .rarely
    ) { $0.version.map { .number($0.number) } },
  ]
}

extension TableColumn {
  /// Returns the columns that name a rule; rows without a rule have no values there.
  ///
  /// `side` is the side of a comparison that has the rule, `old` or `new`. The names of columns
  /// begin with it, and JSON groups the columns in an object of that name.
  static func naming(
    _ side: String? = nil, presence: ColumnPresence = .always,
    _ rule: @escaping Getter<ReportedRule?>
  ) -> [TableColumn] {
    TableColumn<ReportedRule>.ruleName.map { column in
      let (value, isRare) = (column.value, column.presence == .rarely)
      guard let side else {
        return TableColumn(
          column.name, column.kind, column.about, presence: isRare ? .rarely : presence
        ) { rule($0).flatMap(value) }
      }
      return TableColumn(
        column.name, .nullable(column.kind), column.about, presence: column.presence
      ) { row in
        rule(row).map(value) ?? (isRare ? nil : .some(.none))
      }.within(side + "Rule", as: side + column.name.capitalizedFirst)
    }
  }

  /// Returns the columns of some traffic, of which people see the visits first.
  static func traffic(
    requestsAreWide: Bool = false, _ value: @escaping Getter<Traffic>
  ) -> [TableColumn] {
    [
      .count("requests", "Requests") { value($0).requests }
        .headed("Requests", isWide: requestsAreWide),
      .count("visits", "Requests that are visits") { value($0).visits }
        .headed("Visits", before: 1),
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
}

extension RuleListTraffic {
  /// Returns the pairs of a rule and an earlier one that decided in its place.
  func shadows(of app: ApplicationIdentifier) -> [AppShadow] {
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
