internal import LinkAuditing
internal import UniversalLinks

extension Report {
  /// The tables that say how rules, routes and traffic fit; JSON has them in `coverage`.
  static let coverageTables: [Table<Report>] = [
    families(
      "claimed-not-implemented", "Claimed, but the app has no route",
      "Path groups that the app claims and, by its routes, does not implement.",
      \.claimedNotImplemented, hasRule: true, hasNearestRoute: true),
    families(
      "implemented-not-claimed", "The app has a route, but no rule claims it",
      "Routes of the app with traffic that no rule matches.", \.implementedNotClaimed),
    families(
      "implemented-but-excluded", "The app has a route, but a rule excludes it",
      "Routes of the app with traffic that rules exclude.", \.implementedButExcluded,
      hasRule: true),
    families(
      "excluded-heavy", "Excluded", "Path groups that rules exclude.", \.excludedHeavy,
      hasRule: true),
    families(
      "unclaimed-heavy", "Claimed by no rule", "Path groups that no rule matches.",
      \.unclaimedHeavy),
    Table(
      site: "claimed-broken", "Claimed, but the web has no page",
      "Claimed path groups that the web answers with 404, 410, or 5xx.", isLimited: true,
      rows: { $0.coverage.claimedBroken }, columns: TableColumn.answered),
    Table(
      site: "claimed-redirected", "Claimed, but the web redirects it",
      "Claimed path groups that the web redirects.", isLimited: true,
      rows: { $0.coverage.claimedRedirected },
      columns: TableColumn.answered + [
        TableColumn(
          "destination", .nullable(.text), "Where the visits seem to go",
          in: ("destination", "path")
        ) { .text($0.destination?.path) },
        TableColumn(
          "destinationVerdict", .nullable(.definition("verdict")), "The verdict of that",
          in: ("destination", "verdict")
        ) { .text($0.destination?.verdict.rawValue) },
        TableColumn(
          "destinationVisits", .nullable(.count), "The visits that got a page there",
          in: ("destination", "visits")
        ) { .number($0.destination?.visits) },
      ]),
    Table(
      site: "unvisited-routes", "Routes without a request",
      "Routes of the app that no request asked for.", isLimited: true,
      rows: { $0.coverage.unvisitedRoutes }, columns: [.text("route", "The route") { $0 }]),
  ]

  private static func families(
    _ name: String, _ title: String, _ about: String,
    _ rows: @escaping @Sendable (Coverage) -> [FamilyTraffic], hasRule: Bool = false,
    hasNearestRoute: Bool = false
  ) -> Table<Report> {
    Table(
      site: name, title, about, isLimited: true, rows: { rows($0.coverage) },
      columns: TableColumn.family(hasRule: hasRule, hasNearestRoute: hasNearestRoute))
  }
}

extension TableColumn {
  fileprivate static func path(_ path: @escaping @Sendable (Row) -> String) -> TableColumn {
    .text("path", "The path group, or the route") { path($0) }
  }

  fileprivate static func samples(_ samples: @escaping @Sendable (Row) -> [String]) -> TableColumn {
    TableColumn("samples", .texts(atMost: 3), "Up to three targets") { .texts(samples($0)) }
  }
}

extension TableColumn where Row == FamilyTraffic {
  /// The columns of a path group or a route.
  static func family(hasRule: Bool = true, hasNearestRoute: Bool = false) -> [TableColumn] {
    [.path { $0.path }] + traffic { $0.traffic }
      + (hasRule ? naming(presence: .sometimes) { $0.rule } : [])
      + [.samples { $0.samples }]
      + (hasNearestRoute
        ? [
          TableColumn(
            "nearestRoute", .nullable(.text), "The route that comes nearest",
            in: ("nearestRoute", "route")
          ) { .text($0.nearestRoute?.route) },
          TableColumn(
            "nearestRouteDifference", .nullable(.text), "What keeps the path from having it",
            in: ("nearestRoute", "difference")
          ) { .text($0.nearestRoute?.difference) },
        ] : [])
  }
}

extension TableColumn where Row == AnsweredTraffic {
  /// The columns of a path group that the web answered in a certain way.
  static let answered: [TableColumn] =
    [
      .path { $0.path }, .count("requests", "Requests with these statuses") { $0.requests },
      .count("visits", "Those that are visits: redirects can be, errors cannot") { $0.visits },
      .count("attempts", "Requests for a page from Apple devices, whatever the web answered") {
        $0.attempts
      },
      TableColumn("statuses", .counts(names: "^[0-9]{3}$"), "Requests by status") {
        .counts($0.statuses.map { (String($0.status), $0.requests) })
      },
    ] + naming(presence: .sometimes) { $0.rule } + [.samples { $0.samples }]
}
