internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

// The rows of a report, which have the same names in `linkaudit.report/1` and in
// `linkaudit.rows/1`. Documentation/Schemas describes both.

// MARK: - Traffic and rules

extension JSONWriter {
  mutating func members(of traffic: Traffic) {
    member("requests", traffic.requests)
    member("visits", traffic.visits)
  }

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

  /// The place of an entry: its position, its key in the object form, or `null` outside
  /// `details`.
  mutating func member(_ name: String, _ place: AssociationFile.Place) {
    switch place {
    case .index(let index): member(name, index)
    case .key(let key): member(name, key)
    case .apps: member(name, nil as Int?)
    }
  }

  /// Writes which rule it is.
  mutating func members(of rule: RuleReference) {
    writeNames(
      rule.app, rule.place, rule.list, rule.rule, rule.pattern, rule.excludes, rule.position,
      rule.version)
  }

  /// Writes which rule of an app it is.
  mutating func members(naming rule: RuleTraffic, of app: ApplicationIdentifier) {
    writeNames(
      app, rule.place, rule.list, rule.rule, rule.pattern, rule.excludes, rule.position,
      rule.version)
  }

  private mutating func writeNames(
    _ app: ApplicationIdentifier, _ place: AssociationFile.Place, _ list: RuleListKind,
    _ rule: Int?, _ pattern: String, _ excludes: Bool, _ position: TextPosition?,
    _ version: SiteVersion?
  ) {
    member("app", app.text)
    member("detail", place)
    member("list", list.rawValue)
    member("rule", rule)
    member("pattern", pattern)
    member("excludes", excludes)
    member("line", position?.line)
    member("column", position?.column)
    // The position among the versions of the site's file, where it has several.
    if let version { member("version", version.number) }
  }

  /// Writes all that a row of rules says but what shadows it.
  mutating func members(of rule: AppRule) {
    members(naming: rule.traffic, of: rule.app)
    members(of: rule.traffic.traffic)
    member("shadowed", rule.traffic.shadowed)
    member("fragmentDependent", rule.traffic.isFragmentDependent)
  }

  mutating func members(of shadow: ShadowingRule) {
    member("rule", shadow.rule)
    members(of: shadow.traffic)
  }

  mutating func members(of pair: PagePair) {
    member("from", pair.from)
    member("to", pair.to)
    member("visits", pair.visits)
  }
}

// MARK: - Versions and days

extension JSONWriter {
  mutating func members(of version: SiteVersion) {
    member("from", version.first?.description)
    member("to", version.last?.description)
    member("file", version.filePath)
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
}

// MARK: - Coverage

extension JSONWriter {
  /// Writes a family or a route.
  ///
  /// The names of the rule are left out where none decided.
  ///
  /// - Parameters:
  ///   - family: The row.
  ///   - hasRoute: Whether the row tells the nearest route, `null` if there is none.
  mutating func members(of family: FamilyTraffic, withNearestRoute hasRoute: Bool) {
    member("path", family.path)
    members(of: family.traffic)
    if let rule = family.rule { members(of: rule) }
    member("samples", strings: family.samples)
    guard hasRoute else { return }
    guard let route = family.nearestRoute else { return member("nearestRoute", nil as String?) }
    member("nearestRoute") { json in
      json.member("route", route.route)
      json.member("difference", route.difference)
    }
  }

  /// Writes a family that the web answered in a certain way.
  ///
  /// - Parameters:
  ///   - family: The row.
  ///   - hasDestination: Whether the row tells where it leads, `null` if that isn't
  ///     known.
  mutating func members(of family: AnsweredTraffic, withDestination hasDestination: Bool) {
    member("path", family.path)
    member("requests", family.requests)
    member("visits", family.visits)
    member("attempts", family.attempts)
    member("statuses") { json in
      for count in family.statuses { json.member(String(count.status), count.requests) }
    }
    if let rule = family.rule { members(of: rule) }
    member("samples", strings: family.samples)
    guard hasDestination else { return }
    guard let destination = family.destination else {
      return member("destination", nil as String?)
    }
    member("destination") { json in
      json.member("path", destination.path)
      json.member("verdict", destination.verdict.rawValue)
      json.member("visits", destination.visits)
    }
  }
}

// MARK: - Findings

extension JSONWriter {
  mutating func members(of finding: Finding) {
    member("code", finding.code.rawValue)
    member("severity", finding.severity.rawValue)
    // How it compares with an earlier report, if there is one.
    if let change = finding.change { member("change", change.rawValue) }
    member("host", finding.host)
    member("message", finding.message)
    member("remedy", finding.remedy)
    members(of: finding.traffic)
    member("evidence") { json in
      json.member("rules", objects: finding.evidence.rules) { $0.members(of: $1) }
      json.member("paths", objects: finding.evidence.paths) {
        $0.members(of: $1, withNearestRoute: finding.code == .claimedNotImplemented)
      }
      json.member("pairs", objects: finding.evidence.pairs) { $0.members(of: $1) }
      json.member("logs", strings: finding.evidence.logs)
    }
  }
}

extension JSONWriter {
  /// Writes a finding of an earlier report.
  mutating func members(of finding: FindingRecord) {
    member("code", finding.code)
    member("severity", finding.knownSeverity.rawValue)
    member("host", finding.host)
    member("subject", finding.subject)
    member("message", finding.message)
    member("requests", finding.requests)
    member("visits", finding.visits)
    // What it is measured by, in millionths of a whole.
    member("share", finding.share)
  }

  /// Writes which report the findings are compared with, and how many there are of each
  /// change but those that are gone.
  mutating func members(of change: AuditChange, _ findings: [Finding]) {
    member("earlier") { json in
      json.member("at", change.at.description)
      json.member("from", change.from?.description)
      json.member("to", change.to?.description)
    }
    for kind in Finding.Change.allCases {
      member(kind.rawValue, findings.count { $0.change == kind })
    }
  }
}

// MARK: - Input

extension JSONWriter {
  mutating func members(of tally: LineTally) {
    member("lines", tally.lines)
    member("requests", tally.requests)
    member("rejected", tally.rejected)
    // Requests outside the span of time that was asked for.
    member("outside", tally.outside)
  }

  mutating func members(of input: TrafficDigest.Input) {
    member("path", input.path)
    // The digest that it is an input of.
    if let digest = input.digest { member("digest", digest) }
    member("status", InputStatus(input.damage).rawValue)
    // Where the damage is, in bytes of the file.
    member("offset", input.damage?.offset)
    if let damage = input.damage { member("damage", damage.description) }
    member("format", input.format?.name)
    members(of: input.tally)
  }

  mutating func members(of line: RejectedLine) {
    member("reason", line.reason.rawValue)
    member("path", line.path)
    member("line", line.line)
    // The number of bytes of the input, decompressed, in front of the line.
    member("offset", line.offset)
  }

  mutating func members(of count: TrafficDigest.ClientCount) {
    member("platform", count.platform.name)
    member("client", count.client.name)
    // The major version of iOS.
    member("version", count.systemVersion)
    member("requests", count.requests)
  }

  mutating func members(of host: HostRequests) {
    member("host", host.host)
    member("requests", host.requests)
  }

  mutating func members(of rest: HostRemainder) {
    member("hosts", rest.hosts)
    member("requests", rest.requests)
  }

  mutating func members(of fetch: TrafficDigest.Fetch) {
    member("fetcher", fetch.fetcher.rawValue)
    member("path", fetch.path)
    member("status", Int(fetch.status))
    member("requests", fetch.requests)
    member("first", fetch.first?.description)
    member("last", fetch.last?.description)
    // The smallest and the largest response, in bytes as logged.
    member("smallest", fetch.sizes?.lowerBound)
    member("largest", fetch.sizes?.upperBound)
  }

  mutating func members(of fetcher: FetcherDelivery) {
    member("fetcher", fetcher.fetcher.rawValue)
    member("requests", fetcher.requests)
    member("good", fetcher.good)
    member("first", fetcher.first?.description)
    member("last", fetcher.last?.description)
    member("lastGood", fetcher.lastGood?.description)
    member("goodDays", fetcher.goodDays)
    member("greatestGap", fetcher.greatestGap)
  }
}

// MARK: - How it was judged

extension JSONWriter {
  /// Writes how requests were chosen, grouped and ordered, as far as that isn't usual.
  mutating func membersOfJudging(
    _ filter: TrafficFilter, _ grouping: FamilyGrouping, _ weight: Traffic.Weight
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

extension FamilyGrouping {
  /// The name in reports, or `nil` for the usual grouping.
  fileprivate var name: String? {
    switch self {
    case .template: nil
    case .exact: "exact"
    case .depth(let depth): "depth:\(depth)"
    }
  }
}
