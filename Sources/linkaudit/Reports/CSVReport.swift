internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// One table of a report as CSV (RFC 4180).
struct CSVReport {
  let audit: Audit

  /// The requests by client.
  let clients: [TrafficDigest.ClientCount]

  /// The number of rows per site, or `nil` for all.
  let top: Int?

  func text(_ table: ReportTable) -> String {
    ([header(table)] + audit.sites.flatMap { rows(table, $0) } + inputRows(table))
      .map { $0.map(Self.cell).joined(separator: ",") + "\r\n" }.joined()
  }

  private func header(_ table: ReportTable) -> [String] {
    switch table {
    case .rules:
      [
        "host", "app", "detail", "list", "rule", "pattern", "excludes", "requests", "visits",
        "shadowed", "fragmentDependent",
      ]
    case .referrals: ["host", "from", "to", "visits"]
    case .claimedNotImplemented, .excluded:
      ["host", "path", "requests", "visits", "app", "detail", "rule", "pattern"]
    case .unclaimed, .implementedNotClaimed: ["host", "path", "requests", "visits"]
    case .findings: ["host", "code", "severity", "message", "requests", "visits"]
    case .days:
      ["host", "day"]
        + Verdict.allCases.flatMap { ["\($0.rawValue)Requests", "\($0.rawValue)Visits"] }
        + ["sameHostRequests", "sameHostVisits"]
    case .clients: ["platform", "client", "version", "requests"]
    }
  }

  private func rows(_ table: ReportTable, _ site: SiteAudit) -> [[String]] {
    switch table {
    case .rules:
      Array(
        site.ruleLists.lazy.flatMap { list in
          list.apps.lazy.flatMap { app in list.rules.lazy.map { rule(site.host, app, $0) } }
        }.prefix(top ?? .max))
    case .referrals:
      limited(site.sameHostReferrals).map { [site.host, $0.from, $0.to, String($0.visits)] }
    case .claimedNotImplemented:
      limited(site.coverage.claimedNotImplemented).map { family(site.host, $0) + rule($0.rule) }
    case .excluded:
      limited(site.coverage.excludedHeavy).map { family(site.host, $0) + rule($0.rule) }
    case .unclaimed: limited(site.coverage.unclaimedHeavy).map { family(site.host, $0) }
    case .implementedNotClaimed:
      limited(site.coverage.implementedNotClaimed).map { family(site.host, $0) }
    case .findings: findings { $0 == site.host }
    case .days:
      site.days.map { day in
        [site.host, day.day?.description ?? ""]
          + Verdict.allCases.flatMap { cells(day.verdicts[$0] ?? Traffic()) } + cells(day.sameHost)
      }
    case .clients: []
    }
  }

  /// The rows that belong to no site.
  private func inputRows(_ table: ReportTable) -> [[String]] {
    switch table {
    case .findings: findings { $0 == nil }
    case .clients:
      limited(clients).map { count in
        [
          count.platform.name, count.client.name, count.systemVersion.map(String.init) ?? "",
          String(count.requests),
        ]
      }
    default: []
    }
  }

  private func findings(where isIncluded: (String?) -> Bool) -> [[String]] {
    audit.findings.filter { isIncluded($0.host) }.map { finding in
      [finding.host ?? "", finding.code.rawValue, finding.severity.rawValue, finding.message]
        + cells(finding.traffic)
    }
  }

  private func limited<Row>(_ rows: [Row]) -> ArraySlice<Row> {
    rows.prefix(top ?? rows.count)
  }

  private func cells(_ traffic: Traffic) -> [String] {
    [String(traffic.requests), String(traffic.visits)]
  }

  private func family(_ host: String, _ row: FamilyTraffic) -> [String] {
    [host, row.path] + cells(row.traffic)
  }

  private func rule(_ rule: RuleReference?) -> [String] {
    guard let rule else { return ["", "", "", ""] }
    return [rule.app.text, rule.place.text, rule.rule.map(String.init) ?? "", rule.pattern]
  }

  private func rule(
    _ host: String, _ app: ApplicationIdentifier, _ row: RuleTraffic
  ) -> [String] {
    [
      host, app.text, row.place.text, row.list.rawValue, row.rule.map(String.init) ?? "",
      row.pattern, String(row.excludes),
    ] + cells(row.traffic) + [String(row.shadowed), String(row.isFragmentDependent)]
  }

  /// A cell: quoted where it must be, and with an apostrophe in front where a
  /// spreadsheet would run it as a formula.
  static func cell(_ text: String) -> String {
    var text = SafeText.escaped(text)
    if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) {
      text = "'" + text
    }
    // Scalars, not characters: with a combining mark behind it, a comma is no
    // longer the character that it is to those who read the file.
    guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else {
      return text
    }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension AssociationFile.Place {
  /// The place as a cell or a word has it.
  var text: String {
    switch self {
    case .index(let index): String(index)
    case .key(let key): key
    case .apps: ""
    }
  }
}
