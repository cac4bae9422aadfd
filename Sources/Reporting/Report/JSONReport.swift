internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension Report {
  static let jsonSchema = "linkaudit.report/2"

  /// Writes the report as one JSON document.
  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document(Self.jsonSchema, to: sink) { json in
      json.membersOfJudging(audit.filter, audit.grouping, audit.weight)
      json.memberOfIgnoredPaths(audit.ignored)
      json.member("input") { writeInput(to: &$0) }
      json.member(Self.clients, of: self)
      json.member("sites", objects: audit.sites) { write($1, to: &$0) }
      json.member(Self.otherHosts, of: self)
      if audit.unlistedHosts.hosts > 0 {
        json.member("unlistedHosts") { json in
          json.member("hosts", audit.unlistedHosts.hosts)
          json.member("requests", audit.unlistedHosts.requests)
        }
      }
      json.member(Self.findings, of: self)
      if let change = audit.change {
        json.member("comparison") { json in
          json.members(of: change, audit.findings)
          json.member(Self.goneFindings, of: self, named: "gone")
        }
      }
    }
  }

  private func writeInput(to json: inout JSONWriter) {
    json.member(Self.files, of: self)
    json.members(of: digest.tally, TableColumn.tally { $0 })
    json.member("rejectedByReason") { json in
      for reason in RejectionReason.allCases {
        json.member(reason.rawValue, digest.rejections[reason] ?? 0)
      }
    }
    json.member(Self.rejectedLines, of: self)
    json.member("from", digest.times?.lowerBound.description)
    json.member("to", digest.times?.upperBound.description)
  }

  private func write(_ site: SiteAudit, to json: inout JSONWriter) {
    json.member("host", site.host)
    json.member("file", site.filePath)
    if !site.versions.isEmpty { json.member(Self.versions, of: self, site: site) }
    json.member("verdicts", site.verdicts) { $0.rawValue }
    json.member("apps", objects: site.apps) { json, app in
      json.member("app", app.app.text)
      json.member("verdicts", app.verdicts) { $0.rawValue }
    }
    json.member("platforms", site.platforms) { $0.name }
    json.member("referrals", site.referrals) { $0.name }
    if site.subresources > 0 { json.member("subresources", site.subresources) }
    json.member("days", objects: site.days) { json, day in
      json.member("day", day.day?.description)
      json.member("verdicts", day.verdicts) { $0.rawValue }
      json.member("sameHost") { $0.members(of: day.sameHost) }
      json.member("platforms", occurring: day.platforms) { $0.name }
      json.member("referrals", occurring: day.referrals) { $0.name }
      json.member("causes", occurring: day.causes) { $0.name }
    }
    for table in Self.siteMembers { json.member(table, of: self, site: site) }
    json.member("coverage") { json in
      for table in Self.coverageTables where table.name != Self.unvisitedRoutes.name {
        json.member(table, of: self, site: site)
      }
      let routes = site.coverage.unvisitedRoutes
      json.member(Self.unvisitedRoutes.member, strings: routes.prefix(top ?? .max))
    }
    json.member("delivery") { json in
      for table in Self.deliveryMembers
      where table.name != Self.servedFiles.name || !site.servedFiles.isEmpty {
        json.member(table, of: self, site: site)
      }
    }
  }
}

// MARK: - NDJSON

extension Report {
  static let rowsSchema = "linkaudit.rows/2"

  /// Writes all tables as newline-delimited JSON: an object a line, whose `type` is the table.
  ///
  /// Numbers of lines of one type add up, so that a database can sum them.
  package func writeNDJSON(to sink: @escaping OutputSink) throws {
    var json = JSONWriter(.compact, to: sink)
    json.object { json in
      json.member("type", "report")
      json.member("schema", Self.rowsSchema)
      json.membersOfJudging(audit.filter, audit.grouping, audit.weight)
      json.memberOfIgnoredPaths(audit.ignored)
      json.members(of: digest)
    }
    for table in Self.tables { json.lines(table, of: self) }
    if let change = audit.change {
      json.object { json in
        json.member("type", "comparison")
        json.membersOfEarlierReport(in: change)
      }
    }
    try json.finish()
  }
}

// MARK: - Parts of reports

extension JSONWriter {
  mutating func members(of traffic: Traffic) { members(of: traffic, TableColumn.traffic { $0 }) }

  /// An object with the traffic by each case of a kind.
  mutating func member<Key: CaseIterable & Hashable>(
    _ name: String, _ traffic: [Key: Traffic], by text: (Key) -> String
  ) {
    member(name) { json in
      for key in Key.allCases {
        json.member(text(key)) { $0.members(of: traffic[key] ?? Traffic()) }
      }
    }
  }

  /// An object with the traffic by each case of a kind that has any.
  mutating func member<Key: CaseIterable & Hashable>(
    _ name: String, occurring traffic: [Key: Traffic], by text: (Key) -> String
  ) {
    member(name) { json in
      for (key, traffic) in traffic.occurring {
        json.member(text(key)) { $0.members(of: traffic) }
      }
    }
  }

  mutating func members(of rule: ReportedRule) { members(of: rule, TableColumn.naming { $0 }) }

  /// Writes the report that the findings are compared with, and the number of findings of each
  /// change except gone ones.
  mutating func members(of change: AuditChange, _ findings: [Finding]) {
    member("earlier") { $0.membersOfEarlierReport(in: change) }
    for kind in Finding.Change.allCases {
      member(kind.rawValue, findings.count { $0.change == kind })
    }
  }

  /// Writes the counts of lines, and the time of the first and the last request.
  mutating func members(of digest: TrafficDigest) {
    members(of: digest.tally, TableColumn.tally { $0 })
    member("from", digest.times?.lowerBound.description)
    member("to", digest.times?.upperBound.description)
  }

  /// Writes the time of the earlier report, and the time of its requests.
  mutating func membersOfEarlierReport(in change: AuditChange) {
    member("at", change.at.description)
    member("from", change.from?.description)
    member("to", change.to?.description)
  }

  /// Writes the traffic of ignored paths, if paths are ignored.
  mutating func memberOfIgnoredPaths(_ ignored: Traffic?) {
    guard let ignored else { return }
    member("ignored") { $0.members(of: ignored) }
  }

  /// Writes how requests were chosen, grouped and ordered, where that differs from the defaults.
  mutating func membersOfJudging(
    _ filter: TrafficFilter, _ grouping: PathGrouping, _ weight: Traffic.Weight
  ) {
    if let name = grouping.name { member("grouping", name) }
    if weight != .visits { member("orderedBy", weight.rawValue) }
    guard filter.isActive else { return }
    member("filters") { json in
      if let names = filter.platformNames { json.member("platforms", strings: names) }
      if let names = filter.statusNames { json.member("statuses", strings: names) }
      json.member("includeBots", filter.includesBots)
    }
  }
}

extension PathGrouping {
  /// The name in reports, or `nil` for the usual grouping.
  fileprivate var name: String? {
    switch self {
    case .template: nil
    case .exact: "exact"
    case .depth(let depth): "depth:\(depth)"
    }
  }
}
