internal import TrafficDigest
internal import UniversalLinks

/// Finds what deserves attention in audits.
///
/// Documentation/FINDINGS.md lists what is found, and from when on.
enum Findings {
  static func find(
    in audits: [SiteAudit], sites: [Site], digest: TrafficDigest, otherHosts: [HostRequests]
  ) -> [Finding] {
    var findings = InputFindings(digest: digest, sites: sites, otherHosts: otherHosts).findings()
    for (audit, site) in zip(audits, sites) {
      findings += FileFindings(site: site, audit: audit).findings()
      findings += TrafficFindings(audit: audit).findings()
      findings += RuleFindings(audit: audit).findings()
    }
    // Stable: findings of the same weight keep the order of their kinds.
    return findings.enumerated().sorted { first, second in
      let (one, other) = (first.element, second.element)
      if one.severity != other.severity { return one.severity > other.severity }
      if one.traffic != other.traffic { return one.traffic.isHeavier(than: other.traffic) }
      return first.offset < second.offset
    }.map(\.element)
  }
}

extension Int {
  /// This number of things, such as `1 visit` and `12 visits`.
  func counted(_ thing: String) -> String { self == 1 ? "1 \(thing)" : "\(self) \(thing)s" }
}

extension RuleListTraffic {
  /// The apps in short: the first, and how many others share its rules.
  var name: String {
    let first = apps.first?.text ?? ""
    return apps.count > 1 ? "\(first) and \((apps.count - 1).counted("other app"))" : first
  }
}
