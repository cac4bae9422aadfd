internal import LinkAuditing
internal import UniversalLinks

extension Report {
  /// The tables that say how rules, routes and traffic fit; JSON has them in `coverage`.
  static let coverageTables: [Table<Report>] = [
    claimedNotImplemented, implementedNotClaimed, implementedButExcluded, excludedHeavy,
    unclaimedHeavy, olderSystems, claimedBroken, claimedRedirected, unvisitedRoutes,
  ]

  static let claimedNotImplemented = pathGroups(
    "claimed-not-implemented", "Claimed, but the app has no route",
    "Path groups that rules claim without a route of the app: the app opens, but can't show the link.",
    \.claimedNotImplemented, rule: "Claimed by")

  static let implementedNotClaimed = pathGroups(
    "implemented-not-claimed", "The app has a route, but no rule claims it",
    "Routes of the app with traffic that no rule matches: the app could open these links.",
    \.implementedNotClaimed, path: "Route")

  static let implementedButExcluded = pathGroups(
    "implemented-but-excluded", "The app has a route, but a rule excludes it",
    "Routes of the app with traffic that rules exclude, on purpose or because an exclusion is too wide.",
    \.implementedButExcluded, path: "Route", rule: "Excluded by")

  static let excludedHeavy = pathGroups(
    "excluded-heavy", "Excluded", "Path groups that rules exclude.", \.excludedHeavy,
    rule: "Excluded by")

  static let unclaimedHeavy = pathGroups(
    "unclaimed-heavy", "Claimed by no rule",
    "Path groups that no rule matches. The table `older-systems` has those that rules match only on newer systems.",
    \.unclaimedHeavy)

  static let olderSystems = Table<Report>(
    site: "older-systems", "Unclaimed on iOS 12 and earlier, which read only 'paths'",
    "Visits from iOS 12 and earlier to path groups that a rule decides on newer systems. The older ones read only 'appID' and 'paths', which have no matching rule. To claim these visits, add both to the entry.",
    isLimited: true, rows: { $0.coverage.olderSystems },
    columns: TableColumn.pathGroup(),
    shown: [ShownColumn("Paths like", .code) { .path($0.path, samples: $0.samples) }]
      + ShownColumn.traffic { $0.traffic } + [
        .text("Newer systems") { row in row.rule.map { $0.excludes ? "excluded" : "claimed" } },
        .rule("By") { $0.rule },
      ])

  static let claimedBroken = Table<Report>(
    site: "claimed-broken", "Claimed, but the web has no page",
    "Claimed path groups that the web answers with 404, 410, or 5xx. Attempts are requests that would have been visits.",
    isLimited: true, rows: { $0.coverage.claimedBroken }, columns: TableColumn.answered,
    shown: ShownColumn.answered(.number("Attempts") { $0.attempts }))

  static let claimedRedirected = Table<Report>(
    site: "claimed-redirected", "Claimed, but the web redirects it",
    "Claimed path groups that the web redirects. The app gets the URL before the redirect. Logs do not record the target of a redirect: the destination is a served path group that differs only in a final slash or in letter case.",
    isLimited: true, rows: { $0.coverage.claimedRedirected },
    columns: TableColumn.answered + [
      TableColumn(
        "destination", .nullable(.text), "The probable destination, a path group",
        in: ("destination", "path")
      ) { .text($0.destination?.path) },
      TableColumn(
        "destinationVerdict", .nullable(.definition("verdict")), "The verdict of the destination",
        in: ("destination", "verdict")
      ) { .text($0.destination?.verdict.rawValue) },
      TableColumn(
        "destinationVisits", .nullable(.count), "Visits to the destination that got a page",
        in: ("destination", "visits")
      ) { .number($0.destination?.visits) },
    ],
    shown: ShownColumn.answered(.number("Visits") { $0.visits }) + [
      ShownColumn("Probable destination", .code, isNote: true) { row in
        row.destination.map { destination in
          .path(
            destination.path,
            remark: "\(destination.verdict.rawValue), \(destination.visits.counted("visit"))")
        } ?? .text("")
      }
    ])

  static let unvisitedRoutes = Table<Report>(
    site: "unvisited-routes", "Routes without a request",
    "Routes of the app without a request. Links that open the app make no request, either.",
    isLimited: true, rows: { $0.coverage.unvisitedRoutes },
    columns: [.text("route", "The route") { $0 }], shown: [.code("Route") { $0 }])

  /// Declares a table of path groups or routes; `path` and `rule` are the headings of those columns.
  private static func pathGroups(
    _ name: String, _ title: String, _ about: String,
    _ rows: @escaping @Sendable (Coverage) -> [PathGroupTraffic], path: String = "Paths like",
    rule: String? = nil
  ) -> Table<Report> {
    Table(
      site: name, title, about, isLimited: true, rows: { rows($0.coverage) },
      columns: TableColumn.pathGroup(hasRule: rule != nil),
      shown: [ShownColumn(path, .code) { .path($0.path, samples: $0.samples) }]
        + ShownColumn.traffic { $0.traffic }
        + (rule.map { [.rule($0) { $0.rule }] } ?? []))
  }
}

extension ShownColumn where Row == AnsweredTraffic {
  fileprivate static func answered(_ count: Self) -> [Self] {
    [
      ShownColumn("Paths like", .code) { .path($0.path, samples: $0.samples) }, count,
      .number("Requests") { $0.requests },
      .text("Status") { row in
        // One status needs no number of its own.
        row.statuses.count == 1
          ? row.statuses.first.map { String($0.status) }
          : row.statuses.map { "\($0.status) (\($0.requests.grouped))" }.joined(separator: ", ")
      },
      .rule("Claimed by") { $0.rule },
    ]
  }
}

extension TableColumn {
  fileprivate static func path(_ path: @escaping Getter<String>) -> TableColumn {
    .text("path", "The path group, or the route", path)
  }

  fileprivate static func samples(_ samples: @escaping Getter<[String]>) -> TableColumn {
    .texts("samples", "Up to three targets", atMost: 3, samples)
  }
}

extension TableColumn where Row == PathGroupTraffic {
  static func pathGroup(hasRule: Bool = true) -> [TableColumn] {
    [.path { $0.path }] + traffic { $0.traffic }
      + (hasRule ? naming(presence: .sometimes) { $0.rule } : [])
      + [.samples { $0.samples }]
  }
}

extension TableColumn where Row == AnsweredTraffic {
  static let answered: [TableColumn] =
    [
      .path { $0.path }, .count("requests", "Requests with these statuses") { $0.requests },
      .count("visits", "Requests that are visits; redirects can be visits, errors cannot") {
        $0.visits
      },
      .count("attempts", "Requests for a page from Apple devices, with any status") { $0.attempts },
      TableColumn("statuses", .counts(names: "^[0-9]{3}$"), "Requests by status") {
        .counts($0.statuses.map { (String($0.status), $0.requests) })
      },
    ] + naming(presence: .sometimes) { $0.rule } + [.samples { $0.samples }]
}
