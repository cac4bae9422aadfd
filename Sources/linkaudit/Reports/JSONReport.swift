internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A report as one JSON document, schema `linkaudit.report/1`.
struct JSONReport {
  static let schema = "linkaudit.report/1"

  let audit: Audit
  let digest: TrafficDigest

  /// The number of rows per table, or `nil` for all.
  let top: Int?

  func write(to sink: @escaping OutputFile.Sink) throws {
    var json = JSONWriter(.lines, to: sink)
    json.object { json in
      json.member("schema", Self.schema)
      json.membersOfJudging(audit.filter, audit.grouping, audit.weight)
      json.member("input") { writeInput(to: &$0) }
      json.member("clients", objects: limited(digest.clients)) { $0.members(of: $1) }
      json.member("sites", objects: audit.sites) { write($1, to: &$0) }
      json.member("otherHosts", objects: limited(audit.otherHosts)) { $0.members(of: $1) }
      if audit.unlistedHosts.hosts > 0 {
        json.member("unlistedHosts") { $0.members(of: audit.unlistedHosts) }
      }
      json.member("findings", objects: audit.findings) { $0.members(of: $1) }
      if let change = audit.change {
        json.member("comparison") { json in
          json.members(of: change, audit.findings)
          json.member("gone", objects: change.gone) { $0.members(of: $1) }
        }
      }
    }
    try json.finish()
  }

  private func limited<Row>(_ rows: [Row]) -> ArraySlice<Row> { rows.prefix(top ?? rows.count) }

  private func writeInput(to json: inout JSONWriter) {
    json.member("files", objects: digest.inputs) { $0.members(of: $1) }
    json.members(of: digest.tally)
    json.member("rejectedByReason") { json in
      for reason in RejectionReason.allCases {
        json.member(reason.rawValue, digest.rejections[reason] ?? 0)
      }
    }
    json.member("rejectedLines", objects: digest.rejectedLines) { $0.members(of: $1) }
    json.member("from", digest.times?.lowerBound.description)
    json.member("to", digest.times?.upperBound.description)
  }

  private func write(_ site: SiteAudit, to json: inout JSONWriter) {
    json.member("host", site.host)
    json.member("file", site.filePath)
    if !site.versions.isEmpty {
      json.member("versions", objects: site.versions) { $0.members(of: $1) }
    }
    json.member("verdicts", site.verdicts) { $0.rawValue }
    json.member("apps", objects: site.apps) { json, app in
      json.member("app", app.app.text)
      json.member("verdicts", app.verdicts) { $0.rawValue }
    }
    json.member("platforms", site.platforms) { $0.name }
    json.member("referrals", site.referrals) { $0.name }
    json.member("days", objects: site.days) { json, day in
      json.member("day", day.day?.description)
      json.member("verdicts", day.verdicts) { $0.rawValue }
      json.member("sameHost") { $0.members(of: day.sameHost) }
      json.member("platforms", occurring: day.platforms) { $0.name }
      json.member("referrals", occurring: day.referrals) { $0.name }
    }
    json.member("rules", objects: site.rules) { json, rule in
      json.members(of: rule)
      json.member("shadowedBy", objects: rule.traffic.shadowedBy) { $0.members(of: $1) }
    }
    json.member("sameHostReferrals", objects: limited(site.sameHostReferrals)) {
      $0.members(of: $1)
    }
    json.member("coverage") { write(site.coverage, to: &$0) }
    json.member("delivery") { json in
      json.member("fetches", objects: site.fetches) { $0.members(of: $1) }
      json.member("fetchers", objects: site.fetchers) { $0.members(of: $1) }
    }
  }

  private func write(_ coverage: Coverage, to json: inout JSONWriter) {
    for table in FamilyTable.allCases {
      json.member(table.rawValue, objects: limited(coverage.rows(of: table))) {
        $0.members(of: $1, withNearestRoute: table == .claimedNotImplemented)
      }
    }
    for table in AnswerTable.allCases {
      json.member(table.rawValue, objects: limited(coverage.rows(of: table))) {
        $0.members(of: $1, withDestination: table == .claimedRedirected)
      }
    }
    json.member("unvisitedRoutes", strings: limited(coverage.unvisitedRoutes))
  }
}
