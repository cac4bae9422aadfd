internal import LinkAuditing
internal import UniversalLinks

/// How the claims of a site fit what its app implements and what people visit.
struct HTMLCoverage {
  let site: SiteAudit

  /// The end of captions, which differs from those of other sites.
  let name: String

  /// The level of the headings of tables.
  let level: Int

  /// The number of rows per table.
  let limit: Int

  var isEmpty: Bool {
    let coverage = site.coverage
    return coverage.claimedNotImplemented.isEmpty && coverage.implementedNotClaimed.isEmpty
      && coverage.implementedButExcluded.isEmpty && coverage.excludedHeavy.isEmpty
      && coverage.unclaimedHeavy.isEmpty && coverage.claimedBroken.isEmpty
      && coverage.claimedRedirected.isEmpty && coverage.unvisitedRoutes.isEmpty
  }

  func write(to page: inout HTMLWriter) {
    if !site.hasRoutes {
      page.paragraph(
        "No routes were given, so it isn't known what the app implements: --routes names them.",
        class: "hint")
    }
    let coverage = site.coverage
    families(
      "Claimed, but the app has no route", coverage.claimedNotImplemented,
      "The app opens and has nothing to show for the link.", rule: "Claimed by", nearest: true,
      to: &page)
    families(
      "The app has a route, but no rule claims it", coverage.implementedNotClaimed,
      "The app could open for these links, and nobody told the system.", path: "Route", to: &page)
    families(
      "The app has a route, but a rule excludes it", coverage.implementedButExcluded,
      "On purpose, or because an exclusion is too wide.", path: "Route", rule: "Excluded by",
      to: &page)
    families(
      "Excluded", coverage.excludedHeavy, "What rules keep on the web.", rule: "Excluded by",
      to: &page)
    families(
      "Claimed by no rule", coverage.unclaimedHeavy,
      ["What no rule matches.", site.remarkOnOlderSystems].compactMap(\.self).joined(
        separator: " "),
      to: &page)
    answers(
      "Claimed, but the web has no page", coverage.claimedBroken,
      "The web answers with 404, 410, or 5xx. Attempts are requests that would have been visits.",
      isBroken: true, to: &page)
    answers(
      "Claimed, but the web redirects it", coverage.claimedRedirected,
      "The app gets the URL as it was before the redirect. Logs don't say where one leads; what is shown is a family that is served and differs in a slash at the end or in letter case, or the family itself.",
      isBroken: false, to: &page)
    unvisited(coverage.unvisitedRoutes, to: &page)
  }

  private func start(
    _ title: String, _ count: Int, _ meaning: String, to page: inout HTMLWriter
  ) {
    page.heading(level) { page in
      page.text(title + " ")
      page.element("small", count.grouped)
    }
    page.paragraph(meaning, class: "hint")
  }

  private func families(
    _ title: String, _ rows: [FamilyTraffic], _ meaning: String, path: String = "Paths like",
    rule: String? = nil, nearest: Bool = false, to page: inout HTMLWriter
  ) {
    guard !rows.isEmpty else { return }
    start(title, rows.count, meaning, to: &page)
    var columns: [HTMLTable.Column] = [
      .init(path, .code), .init("Visits", .number), .init("Requests", .number),
    ]
    if let rule { columns.append(.init(rule, .code)) }
    let nearest = nearest && rows.contains { $0.nearestRoute != nil }
    if nearest { columns.append(.init("Nearest route", .code)) }
    HTMLTable(title + name, columns, sorted: 1, rows, limit: limit) { row in
      var cells: [HTMLTable.Cell] = [
        sampled(row.path, row.samples), .number(row.traffic.visits),
        .number(row.traffic.requests),
      ]
      if rule != nil { cells.append(reference(row.rule)) }
      if nearest {
        cells.append(
          .code(
            ShownText(row.nearestRoute?.route ?? ""), remark: row.nearestRoute?.difference ?? ""))
      }
      return cells
    }.write(to: &page)
  }

  private func answers(
    _ title: String, _ rows: [AnsweredTraffic], _ meaning: String, isBroken: Bool,
    to page: inout HTMLWriter
  ) {
    guard !rows.isEmpty else { return }
    start(title, rows.count, meaning, to: &page)
    HTMLTable(
      title + name,
      [
        .init("Paths like", .code), .init(isBroken ? "Attempts" : "Visits", .number),
        .init("Requests", .number), .init("Status", .text), .init("Claimed by", .code),
      ] + (isBroken ? [] : [.init("Seems to go to", .code)]),
      rows, limit: limit
    ) { row in
      [
        sampled(row.path, row.samples), .number(isBroken ? row.attempts : row.visits),
        .number(row.requests), .text(statuses(row)), reference(row.rule),
      ]
        + (isBroken
          ? []
          : [
            row.destination.map { destination in
              .code(
                ShownText(path: destination.path),
                remark: destination.verdict.rawValue + ", "
                  + destination.visits.counted("visit"))
            } ?? .text("")
          ])
    }.write(to: &page)
  }

  /// The statuses; how many requests each has if there are several.
  private func statuses(_ row: AnsweredTraffic) -> String {
    if row.statuses.count == 1, let only = row.statuses.first { return String(only.status) }
    return row.statuses.map { "\($0.status) (\($0.requests.grouped))" }.joined(separator: ", ")
  }

  private func unvisited(_ routes: [String], to page: inout HTMLWriter) {
    guard !routes.isEmpty else { return }
    let title = "Routes without a request"
    start(
      title, routes.count,
      "What the app implements and nobody asked the web for: links that open the app don't ask.",
      to: &page)
    HTMLTable(title + name, [.init("Route", .code)], routes, limit: limit) { route in
      [.code(ShownText(route))]
    }.write(to: &page)
  }

  /// A family with a target of it.
  private func sampled(_ path: String, _ samples: [String]) -> HTMLTable.Cell {
    let sample = samples.first { $0 != path }.map { "such as " + ShownText(path: $0).text }
    return .code(ShownText(path: path), remark: sample ?? "")
  }

  private func reference(_ rule: RuleReference?) -> HTMLTable.Cell {
    guard let rule else { return .text("") }
    return .code(ShownText(rule.pattern), remark: rule.remark)
  }
}
