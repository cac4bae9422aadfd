internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

extension Report {
  /// The tables that say how rules, routes and traffic fit; JSON has them in `coverage`.
  static let coverageTables = pathTables + [unvisitedRoutes]

  /// Those whose rows have a path and its traffic.
  static let pathTables: [Table<Report>] = [
    claimedNotImplemented, implementedNotClaimed, implementedButExcluded, excludedHeavy,
    unclaimedHeavy, olderSystems, claimedBroken, claimedRedirected,
  ]

  static let claimedNotImplemented = pathGroups(
    "claimed-not-implemented", "Claimed, but the app has no route",
    "Path groups that rules claim without a route of the app: the app opens, but can't show the link.",
    \.claimedNotImplemented, rule: "Claimed by")

  static let implementedNotClaimed = pathGroups(
    "implemented-not-claimed", "The app has a route, but no rule claims it",
    "Routes of the app with traffic that no rule matches, without that of iOS 12 and earlier: the app could open these links.",
    \.implementedNotClaimed, path: "Route")

  static let implementedButExcluded = pathGroups(
    "implemented-but-excluded", "The app has a route, but a rule excludes it",
    "Routes of the app with traffic that rules exclude, without that of iOS 12 and earlier, on purpose or because an exclusion is too wide.",
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
    columns: TableColumn.pathGroup() + [
      .shown("Newer systems") { row in
        .text(row.rule.map { $0.excludes ? "excluded" : "claimed" })
      },
      .rule("By") { $0.rule },
    ])

  static let claimedBroken = Table<Report>(
    site: "claimed-broken", "Claimed, but the web has no page",
    "Claimed path groups that the web answers with 404, 410, or 5xx. Attempts are requests that would have been visits.",
    isLimited: true, rows: { $0.coverage.claimedBroken },
    columns: TableColumn.answered(showing: "attempts"))

  static let claimedRedirected = Table<Report>(
    site: "claimed-redirected", "Claimed, but the web redirects it",
    "Claimed path groups that the web redirects. The app gets the URL before the redirect. Logs do not record the target of a redirect: the destination is a served path group that differs only in a final slash or in letter case.",
    isLimited: true, rows: { $0.coverage.claimedRedirected },
    columns: TableColumn.answered(showing: "visits") + [
      .optional("path", "The probable destination, a path group") { $0.destination?.path }
        .within("destination", as: "destination")
        .headed("Probable destination", .code, isNote: true) { row in
          row.destination.map { destination in
            .path(
              destination.path,
              remark: "\(destination.verdict.rawValue), \(destination.visits.counted("visit"))")
          }
        },
      .optionalVerdict("verdict", "The verdict of the destination") { $0.destination?.verdict }
        .within("destination"),
      .optionalCount("visits", "Visits to the destination that got a page") {
        $0.destination?.visits
      }.within("destination"),
    ])

  static let unvisitedRoutes = Table<Report>(
    site: "unvisited-routes", "Routes without a request",
    "Routes of the app without a request. Links that open the app make no request, either.",
    isLimited: true, rows: { $0.coverage.unvisitedRoutes },
    columns: [.text("route", "The route") { $0 }.headed(code: "Route")])

  /// Declares a table of path groups or routes; `path` and `rule` are the headings of those columns.
  private static func pathGroups(
    _ name: String, _ title: String, _ about: String,
    _ rows: @escaping @Sendable (Coverage) -> [PathGroupTraffic], path: String = "Paths like",
    rule: String? = nil
  ) -> Table<Report> {
    Table(
      site: name, title, about, isLimited: true, rows: { rows($0.coverage) },
      columns: TableColumn.pathGroup(hasRule: rule != nil, path)
        + (rule.map { [.rule($0) { $0.rule }] } ?? []))
  }
}

extension TableColumn where Row == PathGroupTraffic {
  static func pathGroup(hasRule: Bool = true, _ title: String = "Paths like") -> [TableColumn] {
    [path(title)] + traffic { $0.traffic }
      + (hasRule ? naming(presence: .sometimes) { $0.rule } : []) + [samples]
  }

  /// Returns the columns of paths by status; of visits and attempts, people see those that `shown`
  /// names.
  fileprivate static func answered(showing shown: String) -> [TableColumn] {
    let numbers: [TableColumn] = [
      .count("visits", "Requests that are visits; redirects can be visits, errors cannot") {
        $0.traffic.visits
      },
      .count("attempts", "Requests for a page from Apple devices, with any status") { $0.attempts },
    ]
    let requests = count("requests", "Requests with these statuses") { $0.traffic.requests }
    return [path(), requests.headed("Requests")]
      + numbers.map { $0.name == shown ? $0.headed(shown.capitalizedFirst, before: 1) : $0 }
      + [
        TableColumn("statuses", .counts(names: "^[0-9]{3}$"), "Requests by status") {
          .counts($0.statusCounts)
        }.headed("Status") { row in
          // One status needs no number of its own.
          row.statuses.count == 1
            ? .text(row.statusCounts.first?.name)
            : .text(
              row.statusCounts.map { "\($0.name) (\($0.count.grouped))" }.joined(separator: ", "))
        }, .rule("Claimed by") { $0.rule },
      ] + naming(presence: .sometimes) { $0.rule } + [samples]
  }

  private static func path(_ title: String = "Paths like") -> TableColumn {
    .text("path", "The path group, or the route") { $0.path }.headed(path: title) { $0.samples }
  }

  private static let samples = texts("samples", "Up to three targets", atMost: 3) { $0.samples }
}

extension PathGroupTraffic {
  fileprivate var statusCounts: [(name: String, count: Int)] {
    statuses.sorted { $0.key < $1.key }.map { (String($0.key), $0.value) }
  }
}
