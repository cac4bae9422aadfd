internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension SuggestionReport {
  /// Writes the suggested rules as one JSON document, schema `linkaudit.suggest/1`.
  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document("linkaudit.suggest/1", to: sink) { json in
      json.membersOfJudging(suggestion.filter, suggestion.grouping, suggestion.weight)
      json.member("host", suggestion.host)
      json.member("apps", strings: suggestion.apps.map(\.text))
      json.member("file", filePath)
      suggestion.entry.value.write("detail", to: &json)
      json.member("list", suggestion.list?.rawValue)
      json.member("summary", summary)
      json.member("input") { json in
        json.member("files", objects: digest.inputs, TableColumn.input)
        json.members(of: digest)
      }
      json.member("components", elements: suggestion.rules.map { SafeText.escapedJSON($0.json) })
      json.member("smallest", suggestion.isSmallest)
      json.member("least", suggestion.least)
      // Rules that are inserted never lose traffic.
      for (name, traffic) in [
        ("total", suggestion.total), ("wanted", suggestion.wanted), ("won", suggestion.won),
        ("sameHost", suggestion.wonFromSameHost), ("besides", suggestion.besides),
        ("taken", suggestion.taken), ("lost", Traffic()),
      ] {
        json.member(name) { $0.members(of: traffic) }
      }
      json.member("rules", objects: suggestion.rules, TableColumn.members)
      json.member("placements", objects: suggestion.placements, TableColumn.members)
      json.member("remaining", objects: suggestion.remaining, TableColumn.members)
      json.member("claimedByOthers", objects: suggestion.claimedByOthers, TableColumn.members)
      json.member("hiddenRules", objects: suggestion.hiddenRules, TableColumn.naming { $0 })
    }
  }
}

extension TableColumn where Row == SuggestedRule {
  /// The members of a suggested rule; one that excludes keeps traffic, others take it.
  static let members: [TableColumn] = [
    .count("position", "Its position in the list of the new file, from 0") { $0.position },
    .truth("excludes", "Whether the rule excludes what it matches") { $0.excludes },
    .traffic("won", "Newly claimed traffic with a route", presence: .always) { $0.won },
    .traffic("sameHost", "The part of it that came from pages of the same host", presence: .always)
    {
      $0.sameHost
    },
    .objects(
      "routes", "servedRoute", "The routes that it claims",
      TableColumn<PathGroupTraffic>.servedRoute
    ) {
      $0.routes
    },
    .traffic("kept", "Traffic without a route that it keeps on the web") {
      $0.excludes ? $0.othersTotal : nil
    },
    .traffic("besides", "Newly claimed traffic without a route") {
      $0.excludes ? nil : $0.othersTotal
    },
    .traffic("taken", "Newly claimed traffic that another app opens now") {
      $0.excludes ? nil : $0.taken
    },
    .objects(
      "paths", "path", "The path groups of that traffic", TableColumn<PathGroupTraffic>.pathGroup()
    ) { $0.others },
    TableColumn(
      "unseenPath", .nullable(.text),
      "A path without a route and without a request that it would also claim",
      presence: .sometimes
    ) { $0.excludes ? nil : .text($0.unseenPath) },
  ]
}

extension TableColumn where Row == PathGroupTraffic {
  /// The members of a route that a suggested rule claims, and its traffic.
  static let servedRoute: [TableColumn] =
    [.text("route", "The route as written") { $0.path }] + traffic { $0.traffic }
}

extension TableColumn where Row == Suggestion.Placement {
  /// The members of a place in the list.
  static let members: [TableColumn] = [
    .count("position", "The position in the list, from 0") { $0.position },
    .ordinal("count", "The number of rules to insert there") { $0.count },
    .object(
      "inFrontOf", "ruleName", "The rule that they precede; none after the last",
      TableColumn<ReportedRule>.naming { $0 }
    ) { $0.following },
  ]
}

extension TableColumn where Row == RemainingRoute {
  /// The members of a route that no suggested rule claims.
  static let members: [TableColumn] =
    [
      .text("route", "The route as written") { $0.route },
      TableColumn(
        "reason", .choice(RemainingRoute.Reason.codes), "The reason why no rule claims it"
      ) {
        .text($0.reason.code)
      },
    ] + traffic { $0.traffic } + [
      TableColumn(
        "component", .text, "The best rejected rule, as JSON", presence: .sometimes
      ) { route in
        if case .besides(let rule, _) = route.reason { .text(rule) } else { nil }
      },
      .traffic("besides", "The traffic without a route that this rule would claim") { route in
        if case .besides(_, let traffic) = route.reason { traffic } else { nil }
      },
      TableColumn(
        "rule", .nullable(.definition("ruleName")), "The rule that excludes it",
        presence: .sometimes
      ) { route in
        guard case .excluded(let rule) = route.reason else { return nil }
        return .object(rule, TableColumn<ReportedRule>.naming { $0 })
      },
      .texts("samples", "Up to three targets", atMost: 3) { $0.samples },
    ]
}

extension TableColumn where Row == Suggestion.ClaimingApp {
  /// The members of another app.
  static let members: [TableColumn] =
    [
      .text("app", "The app") { $0.app.text },
      .count("routes", "The number of routes that it claims") { $0.routes },
    ] + traffic { $0.traffic }
}

extension TableColumn {
  /// An object with requests and visits, in rows that have it.
  fileprivate static func traffic(
    _ name: String, _ about: String, presence: ColumnPresence = .sometimes,
    _ traffic: @escaping @Sendable (Row) -> Traffic?
  ) -> TableColumn {
    TableColumn(
      name, .definition("traffic"), about, formats: .jsonOnly, presence: presence
    ) { row in
      traffic(row).map { .object($0, TableColumn<Traffic>.traffic { $0 }) }
    }
  }
}
