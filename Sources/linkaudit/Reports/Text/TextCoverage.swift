internal import LinkAuditing
internal import UniversalLinks

/// The tables of a text report that say how rules, routes, and pages fit.
struct TextCoverage {
  let site: SiteAudit

  /// The weight that orders rows.
  let weight: Traffic.Weight

  /// The number of rows per table.
  let top: Int

  let style: Style

  func lines() -> [String] {
    let coverage = site.coverage
    return families(
      "Claimed, but the app has no route", coverage.claimedNotImplemented, last: "by rule",
      rule)
      + nearest(coverage.claimedNotImplemented)
      + families(
        "The app has a route, but no rule claims it", coverage.implementedNotClaimed)
      + families(
        "The app has a route, but a rule excludes it", coverage.implementedButExcluded,
        last: "by rule", rule)
      + answered("Claimed, but the web answers with an error", coverage.claimedBroken)
      + answered("Claimed, but the web redirects", coverage.claimedRedirected)
      + families("Excluded", coverage.excludedHeavy, last: "by rule", rule)
      + families("Claimed by no rule", coverage.unclaimedHeavy)
      + olderSystems(coverage.unclaimedHeavy) + shadowed() + unvisited(coverage.unvisitedRoutes)
  }

  private func rule(_ row: FamilyTraffic) -> String { rule(row.rule) }

  private func rule(_ rule: RuleReference?) -> String {
    rule.map {
      SafeText.escaped(mark($0.version) + $0.pattern)
        .shortened(to: max(12, min(24, style.width - 46)))
    } ?? ""
  }

  private func families(
    _ title: String, _ rows: [FamilyTraffic], last: String? = nil,
    _ cell: ((FamilyTraffic) -> String)? = nil
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    var table = TextTable([.right, .right, .left] + (last == nil ? [] : [.left]))
    table.add(["visits", "requests", "paths like"] + (last.map { [$0] } ?? []))
    for row in rows.prefix(top) {
      table.add(
        [
          row.traffic.visits.grouped, row.traffic.requests.grouped,
          ReadablePath.shown(row.path),
        ] + (cell.map { [$0(row)] } ?? []))
    }
    return ["", style.bold(title)] + table.lines(flexible: 2, width: style.width)
      + style.more(rows.count, top: top)
  }

  /// The routes that come nearest to what is claimed and has none.
  private func nearest(_ rows: [FamilyTraffic]) -> [String] {
    rows.prefix(top).compactMap { row in
      row.nearestRoute.map { nearest in
        "\(ReadablePath.shown(row.path)): nearest route \(SafeText.escaped(nearest.route)), "
          + SafeText.escaped(ReadablePath.text(nearest.difference))
      }
    }.flatMap { $0.wrapped(width: style.width, indent: "  ") }.map(style.dim)
  }

  /// Why paths that a rule of newer systems matches can be claimed by none.
  private func olderSystems(_ rows: [FamilyTraffic]) -> [String] {
    guard !rows.isEmpty, let remark = site.remarkOnOlderSystems else { return [] }
    return remark.wrapped(width: style.width, indent: "  ").map(style.dim)
  }

  private func answered(_ title: String, _ rows: [AnsweredTraffic]) -> [String] {
    guard !rows.isEmpty else { return [] }
    var table = TextTable([.right, .right, .left, .left, .left])
    table.add(["attempts", "requests", "status", "paths like", "by rule"])
    for row in rows.prefix(top) {
      let statuses = row.statuses.map { "\($0.status)" }.joined(separator: " ")
      let destination = row.destination.map { destination in
        destination.path == row.path
          ? " (served, too)" : " \(style.arrow) " + ReadablePath.shown(destination.path)
      }
      table.add([
        row.attempts.grouped, row.requests.grouped, statuses.shortened(to: 15),
        ReadablePath.shown(row.path) + (destination ?? ""), rule(row.rule),
      ])
    }
    return ["", style.bold(title)] + table.lines(flexible: 3, width: style.width)
      + style.more(rows.count, top: top)
  }

  /// Which rules lose requests to which earlier ones.
  private func shadowed() -> [String] {
    let rows = site.distinctShadows.sorted { $1.traffic.isLighter(than: $0.traffic, by: weight) }
    guard !rows.isEmpty else { return [] }
    let half = (style.width - 24) / 2
    var table = TextTable([.right, .right, .left, .left])
    table.add(["visits", "requests", "that match", "but were decided by"])
    for row in rows.prefix(top) {
      table.add([
        row.traffic.visits.grouped, row.traffic.requests.grouped,
        name(row.rule).shortened(to: half), name(row.decider),
      ])
    }
    return ["", style.bold("Rules that others shadow")]
      + table.lines(flexible: 3, width: style.width) + style.more(rows.count, top: top)
  }

  private func name(_ rule: RuleTraffic) -> String {
    let place = [rule.place.text, rule.rule.map(String.init) ?? "-"].joined(separator: ".")
    return SafeText.escaped(
      "\(mark(rule.version))\(place) \(rule.excludes && rule.list == .components ? "not " : "")\(rule.pattern)"
    )
  }

  /// Which version has a rule, if there are several.
  private func mark(_ version: SiteVersion?) -> String {
    version.map { "v\($0.number) " } ?? ""
  }

  private func unvisited(_ routes: [String]) -> [String] {
    guard !routes.isEmpty else { return [] }
    let names = routes.prefix(top).map { SafeText.escaped($0) }.joined(separator: "  ")
    return ["", style.bold("Routes without a request")]
      + names.wrapped(width: style.width, indent: "  ") + style.more(routes.count, top: top)
  }
}

extension Style {
  /// A line that says how many rows were left out.
  func more(_ count: Int, top: Int) -> [String] {
    count > top ? ["  \(ellipsis) and \((count - top).grouped) more (--top)"] : []
  }

  var arrow: String { hasBlocks ? "→" : "->" }
}

extension ReadablePath {
  /// The path as terminals can show it.
  static func shown(_ path: String) -> String { SafeText.escaped(text(path)) }
}
