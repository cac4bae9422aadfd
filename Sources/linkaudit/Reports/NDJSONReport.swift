internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A report as newline-delimited JSON, schema `linkaudit.rows/1`: an object a line, whose
/// `type` says what it is.
///
/// Numbers of lines of one type add up, so that a database can sum them.
struct NDJSONReport {
  static let schema = "linkaudit.rows/1"

  let audit: Audit
  let digest: TrafficDigest

  /// The number of rows per table, or `nil` for all.
  let top: Int?

  func write(to sink: @escaping OutputFile.Sink) throws {
    var json = JSONWriter(.compact, to: sink)
    json.line("report") { json in
      json.member("schema", Self.schema)
      json.membersOfJudging(audit.filter, audit.grouping, audit.weight)
      json.members(of: digest.tally)
      json.member("from", digest.times?.lowerBound.description)
      json.member("to", digest.times?.upperBound.description)
    }
    writeInput(to: &json)
    for site in audit.sites { write(site, to: &json) }
    for host in limited(audit.otherHosts) { json.line("otherHost") { $0.members(of: host) } }
    if audit.unlistedHosts.hosts > 0 {
      json.line("unlistedHosts") { $0.members(of: audit.unlistedHosts) }
    }
    for finding in audit.findings { json.line("finding") { $0.members(of: finding) } }
    if let change = audit.change {
      json.line("comparison") { json in
        json.member("at", change.at.description)
        json.member("from", change.from?.description)
        json.member("to", change.to?.description)
      }
      for finding in change.gone { json.line("goneFinding") { $0.members(of: finding) } }
    }
    try json.finish()
  }

  private func limited<Row>(_ rows: [Row]) -> ArraySlice<Row> { rows.prefix(top ?? rows.count) }

  private func writeInput(to json: inout JSONWriter) {
    for input in digest.inputs { json.line("input") { $0.members(of: input) } }
    for reason in RejectionReason.allCases {
      json.line("rejection") { json in
        json.member("reason", reason.rawValue)
        json.member("lines", digest.rejections[reason] ?? 0)
      }
    }
    for line in digest.rejectedLines { json.line("rejectedLine") { $0.members(of: line) } }
    for count in limited(digest.clients) { json.line("client") { $0.members(of: count) } }
  }

  private func write(_ site: SiteAudit, to json: inout JSONWriter) {
    json.line("site", of: site) { json in
      json.member("file", site.filePath)
      json.members(of: site.total)
    }
    for version in site.versions {
      json.line("version", of: site) { json in
        json.member("version", version.number)
        json.members(of: version)
      }
    }
    writeTraffic(of: site, to: &json)
    for rule in site.rules {
      json.line("rule", of: site) { $0.members(of: rule) }
    }
    for shadow in site.shadows {
      json.line("shadow", of: site) { json in
        json.members(naming: shadow.rule, of: shadow.app)
        json.member("by") { $0.members(naming: shadow.decider, of: shadow.app) }
        json.members(of: shadow.traffic)
      }
    }
    for pair in limited(site.sameHostReferrals) {
      json.line("pair", of: site) { $0.members(of: pair) }
    }
    writeCoverage(of: site, to: &json)
    for fetch in site.fetches { json.line("delivery", of: site) { $0.members(of: fetch) } }
    for fetcher in site.fetchers { json.line("fetcher", of: site) { $0.members(of: fetcher) } }
  }

  private func writeTraffic(of site: SiteAudit, to json: inout JSONWriter) {
    for verdict in Verdict.allCases {
      json.line("verdict", of: site) { json in
        json.member("verdict", verdict.rawValue)
        json.members(of: site.verdicts[verdict] ?? Traffic())
      }
    }
    for app in site.apps {
      for verdict in Verdict.allCases {
        json.line("app", of: site) { json in
          json.member("app", app.app.text)
          json.member("verdict", verdict.rawValue)
          json.members(of: app.verdicts[verdict] ?? Traffic())
        }
      }
    }
    for platform in Platform.allCases {
      json.line("platform", of: site) { json in
        json.member("platform", platform.name)
        json.members(of: site.platforms[platform] ?? Traffic())
      }
    }
    for referral in Referral.allCases {
      json.line("referral", of: site) { json in
        json.member("referral", referral.name)
        json.members(of: site.referrals[referral] ?? Traffic())
      }
    }
    for day in site.days {
      json.line("day", of: site) { json in
        json.member("day", day.day?.description)
        for verdict in Verdict.allCases {
          let traffic = day.verdicts[verdict] ?? Traffic()
          json.member(verdict.rawValue + "Requests", traffic.requests)
          json.member(verdict.rawValue + "Visits", traffic.visits)
        }
        json.member("sameHostRequests", day.sameHost.requests)
        json.member("sameHostVisits", day.sameHost.visits)
      }
    }
    for day in site.days {
      for (platform, traffic) in day.platforms.occurring {
        json.line("dayPlatform", of: site) { json in
          json.member("day", day.day?.description)
          json.member("platform", platform.name)
          json.members(of: traffic)
        }
      }
    }
    for day in site.days {
      for (referral, traffic) in day.referrals.occurring {
        json.line("dayReferral", of: site) { json in
          json.member("day", day.day?.description)
          json.member("referral", referral.name)
          json.members(of: traffic)
        }
      }
    }
  }

  private func writeCoverage(of site: SiteAudit, to json: inout JSONWriter) {
    for table in FamilyTable.allCases {
      for family in limited(site.coverage.rows(of: table)) {
        json.line("coverage", of: site) { json in
          json.member("table", table.rawValue)
          json.members(of: family, withNearestRoute: table == .claimedNotImplemented)
        }
      }
    }
    for table in AnswerTable.allCases {
      for family in limited(site.coverage.rows(of: table)) {
        json.line("coverage", of: site) { json in
          json.member("table", table.rawValue)
          json.members(of: family, withDestination: table == .claimedRedirected)
        }
      }
    }
    for route in limited(site.coverage.unvisitedRoutes) {
      json.line("unvisitedRoute", of: site) { $0.member("route", route) }
    }
  }
}

extension JSONWriter {
  /// A line of a type.
  fileprivate mutating func line(_ type: String, _ members: (inout JSONWriter) -> Void) {
    object { json in
      json.member("type", type)
      members(&json)
    }
  }

  /// A line of a type about a site.
  fileprivate mutating func line(
    _ type: String, of site: SiteAudit, _ members: (inout JSONWriter) -> Void
  ) {
    line(type) { json in
      json.member("host", site.host)
      members(&json)
    }
  }
}
