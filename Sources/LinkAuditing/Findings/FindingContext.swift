internal import TrafficDigest
internal import UniversalLinks

/// What findings about the input rest on.
struct InputFindingContext {
  let digest: TrafficDigest
  let sites: [Site]
  let otherHosts: [HostRequests]
  let unlistedHosts: HostRemainder
  let thresholds: FindingThresholds
}

/// What findings about a site rest on.
struct SiteFindingContext: SiteContext {
  /// The site with the newest version of its file under which traffic was judged.
  let site: Site
  let audit: SiteAudit
  let thresholds: FindingThresholds
  let input: InputFacts

  /// The rules of the newest version: what is wrong with an older one's is past.
  var newestRuleLists: [RuleListTraffic] {
    audit.ruleLists.filter { $0.version == audit.versions.last }
  }

  /// The requests that rules are said not to match.
  var scope: String {
    guard let day = audit.versions.last?.first else { return input.scope }
    return "\(input.scope) since \(day), when their file came into force"
  }
}

/// What findings about a site have to know of the input.
struct InputFacts {
  /// Whether some of the logs hold user agents.
  var hasAgents = true

  /// Whether only some of the requests in the logs are judged.
  var isPartial = false

  /// The times of the first and the last request of all hosts.
  var times: ClosedRange<LogTime>?

  /// The days of which the logs have requests, in ascending order.
  var days: [Day] = []

  /// The requests that rules are said not to match.
  var scope: String { isPartial ? "of the requests that were judged" : "request in these logs" }
}

/// What findings about the change from one file to another rest on.
struct ComparisonFindingContext: SiteContext {
  let comparison: Comparison

  /// The site with the new file.
  let site: Site
  let thresholds: FindingThresholds
}

/// What findings about one host share.
protocol SiteContext {
  var thresholds: FindingThresholds { get }
}

extension SiteContext {
  /// The severity of some traffic among a whole, by visits, or by requests where the
  /// whole has no visits.
  func severity(
    _ code: Finding.Code, _ part: Traffic, of whole: Traffic
  ) -> Finding.Severity? {
    if whole.visits > 0 {
      // Traffic without visits among traffic with them is worth a note at most.
      guard part.visits > 0 else {
        return part.requests > 0 && thresholds[code]?.shares[.note] == 0 ? .note : nil
      }
      return thresholds.severity(code, part.visits, of: whole.visits)
    }
    return thresholds.severity(code, part.requests, of: whole.requests)
  }

  /// The share that ``severity(_:_:of:)`` goes by.
  func share(_ part: Traffic, of whole: Traffic) -> Finding.Millionths {
    whole.visits > 0
      ? Finding.share(part.visits, of: whole.visits)
      : Finding.share(part.requests, of: whole.requests)
  }

  /// The rule in words, with its place: `rule 3 of TEAM.com.example ('/buy/*', line 12)`.
  func name(_ rule: RuleReference) -> String {
    guard let number = rule.rule else {
      return "the entry of \(rule.app.text) without rules\(version(rule.version, ", in "))"
    }
    return "rule \(number) of \(rule.app.text) ('\(rule.pattern)'\(place(rule)))"
  }

  /// The name of a rule of some apps.
  func name(_ rule: RuleTraffic, of list: RuleListTraffic) -> String {
    guard let reference = list.reference(rule) else { return rule.pattern }
    let others = list.apps.count - 1
    let end = others > 0 ? " and \(others.counted("other app"))" : ""
    guard let number = rule.rule else { return name(reference) }
    return "rule \(number) of \(reference.app.text)\(end) ('\(rule.pattern)'\(place(reference)))"
  }

  /// Where a rule stands: `, line 12`, and of which version of the file, if there are
  /// several: `, line 12 of 'old.json', in force until 2026-11-11`.
  private func place(_ rule: RuleReference) -> String {
    guard let position = rule.position else { return version(rule.version, ", in ") }
    return ", line \(position.line)" + version(rule.version, " of ")
  }

  /// A version of the file in words, with `joint` in front; nothing if there is only one.
  private func version(_ version: SiteVersion?, _ joint: String) -> String {
    guard let version else { return "" }
    let file = version.filePath.map { "'\($0)'" } ?? "version \(version.number)"
    return joint + file + (version.last.map { ", in force until \($0)" } ?? "")
  }

  /// The heaviest rows as evidence, with the heaviest rules that decided for any.
  func evidence(_ rows: [FamilyTraffic]) -> Finding.Evidence {
    var evidence = Finding.Evidence()
    evidence.paths = Array(rows.prefix(Finding.Evidence.limit))
    var weights: [RuleReference: Traffic] = [:]
    for row in rows {
      if let rule = row.rule { weights[rule, default: Traffic()] += row.traffic }
    }
    evidence.rules = Array(
      weights.sorted {
        $0.value == $1.value
          ? $0.key.order < $1.key.order : $0.value.isHeavier(than: $1.value)
      }.map(\.key).prefix(Finding.Evidence.limit))
    return evidence
  }

  /// The heaviest answers as evidence.
  func evidence(_ rows: [AnsweredTraffic]) -> Finding.Evidence {
    evidence(
      rows.map { row in
        FamilyTraffic(
          path: row.path, traffic: Traffic(requests: row.requests, visits: row.visits),
          rule: row.rule, samples: row.samples)
      })
  }
}

extension [FamilyTraffic] {
  /// The traffic of all rows together.
  var total: Traffic { reduce(Traffic()) { $0 + $1.traffic } }
}

extension RuleListTraffic {
  /// The apps in short: the first, and how many others share its rules.
  var name: String {
    let first = apps.first?.text ?? ""
    return apps.count > 1 ? "\(first) and \((apps.count - 1).counted("other app"))" : first
  }
}

extension Traffic {
  /// The traffic in words, for messages: visits, or requests where there are none.
  var weightText: String {
    visits > 0 ? visits.counted("visit") : requests.counted("request")
  }
}
