internal import TrafficDigest
internal import UniversalLinks

/// What findings about the input rest on.
struct InputFindingContext {
  let digest: TrafficDigest
  let sites: [Site]
  let otherHosts: [HostRequests]
  let thresholds: FindingThresholds
}

/// What findings about a site rest on.
struct SiteFindingContext: SiteContext {
  let site: Site
  let audit: SiteAudit
  let thresholds: FindingThresholds
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

  /// The rule in words, with its place: `rule 3 of TEAM.com.example ('/buy/*', line 12)`.
  func name(_ rule: RuleReference) -> String {
    guard let number = rule.rule else { return "the entry of \(rule.app.text) without rules" }
    let line = rule.position.map { ", line \($0.line)" } ?? ""
    return "rule \(number) of \(rule.app.text) ('\(rule.pattern)'\(line))"
  }

  /// The heaviest rows as evidence, with the rules that decided for them.
  func evidence(_ rows: [FamilyTraffic]) -> Finding.Evidence {
    var evidence = Finding.Evidence()
    evidence.paths = Array(rows.prefix(Finding.Evidence.limit))
    evidence.rules = evidence.paths.compactMap(\.rule).unique
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

extension [RuleReference] {
  /// Each rule once, in the order of first occurrence.
  fileprivate var unique: [RuleReference] {
    var known: Set<RuleReference> = []
    return filter { known.insert($0).inserted }
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
