internal import AccessLogs
internal import TrafficDigest
internal import UniversalLinks

/// Finds what deserves attention in audits.
enum Findings {
  static func find(
    in audits: [SiteAudit], sites: [Site], digest: TrafficDigest, otherHosts: [HostRequests]
  ) -> [Finding] {
    var findings = inputFindings(digest, otherHosts: otherHosts, sites: sites)
    for (audit, site) in zip(audits, sites) {
      findings += fileFindings(site, audit)
      findings += trafficFindings(audit)
      findings += ruleFindings(audit)
    }
    // Stable: findings of the same weight keep the order of their kinds.
    return findings.enumerated().sorted { first, second in
      let (one, other) = (first.element, second.element)
      if one.severity != other.severity { return one.severity > other.severity }
      if one.traffic != other.traffic { return one.traffic.isHeavier(than: other.traffic) }
      return first.offset < second.offset
    }.map(\.element)
  }

  // MARK: - The input

  private static func inputFindings(
    _ digest: TrafficDigest, otherHosts: [HostRequests], sites: [Site]
  ) -> [Finding] {
    var findings: [Finding] = []
    let damaged = digest.inputs.filter { $0.damage != nil }
    if !damaged.isEmpty {
      let names = damaged.count == 1 ? "1 input was" : "\(damaged.count) inputs were"
      findings.append(
        Finding(
          code: .inputIncomplete, severity: .error, host: nil,
          message: "\(names) not read to the end; the figures miss what could not be read.",
          traffic: Traffic()))
    }
    let tally = digest.tally
    // One line in twenty: scanners alone make fewer.
    if tally.rejected * 20 > tally.lines {
      findings.append(
        Finding(
          code: .linesRejected, severity: .warning, host: nil,
          message: "\(tally.rejected) of \(tally.lines) lines are not requests: "
            + "is this the right log format?",
          traffic: Traffic()))
    }
    let others = otherHosts.reduce(0) { $0 + $1.requests }
    if others > 0 {
      let hosts = sites.map(\.host).joined(separator: ", ")
      let severity: Finding.Severity = others == tally.requests ? .warning : .note
      findings.append(
        Finding(
          code: .otherHosts, severity: severity, host: nil,
          message: "\(others) of \(tally.requests) requests are for hosts other than \(hosts).",
          traffic: Traffic(requests: others)))
    }
    return findings
  }

  // MARK: - The association file

  private static func fileFindings(_ site: Site, _ audit: SiteAudit) -> [Finding] {
    var findings: [Finding] = []
    func add(_ code: Finding.Code, _ severity: Finding.Severity, _ message: String, _ n: Traffic) {
      findings.append(
        Finding(code: code, severity: severity, host: audit.host, message: message, traffic: n))
    }
    if !site.file.hasUsableRules {
      add(
        .noUsableRules, .error, "The association file has no rule that could claim a URL.",
        audit.total)
    }
    for rule in audit.rules where rule.rule == nil {
      add(
        .matchesEverything, .warning,
        "The entry of \(rule.app) has neither 'components' nor 'paths', so it claims every URL.",
        rule.traffic)
    }
    // Apple's fetchers take no redirect (MATCHING.md, 6.3).
    let asked = audit.fetches.filter { $0.path == "/.well-known/apple-app-site-association" }
    let failed = asked.filter { $0.status != 200 && $0.status != 304 }
    let failures = failed.reduce(0) { $0 + $1.requests }
    if failures > 0 {
      let all = asked.reduce(0) { $0 + $1.requests }
      let statuses = Set(failed.map(\.status)).sorted().map(String.init).joined(separator: ", ")
      add(
        .fileNotServed, failures == all ? .error : .warning,
        "\(failures) of \(all) fetches of the association file by Apple got status \(statuses); "
          + "only 200 without a redirect counts.",
        Traffic(requests: failures))
    }
    return findings
  }

  // MARK: - Traffic

  private static func trafficFindings(_ audit: SiteAudit) -> [Finding] {
    var findings: [Finding] = []
    func add(_ code: Finding.Code, _ severity: Finding.Severity, _ message: String, _ n: Traffic) {
      findings.append(
        Finding(code: code, severity: severity, host: audit.host, message: message, traffic: n))
    }
    let sameHost = audit.referrals[.sameHost] ?? Traffic()
    if sameHost.visits > 0 {
      let claimed = audit.verdicts[.claimed]?.visits ?? 0
      let heaviest =
        audit.sameHostReferrals.first.map { " Heaviest: \($0.from) to \($0.to)." } ?? ""
      add(
        .sameHostLinks, .warning,
        "\(sameHost.visits) of \(claimed) claimed visits came from pages of the same host, "
          + "where links never open the app.\(heaviest)",
        sameHost)
    }
    func sum(_ rows: [FamilyTraffic]) -> Traffic { rows.reduce(Traffic()) { $0 + $1.traffic } }
    let coverage = audit.coverage
    if let first = coverage.claimedNotImplemented.first {
      add(
        .claimedNotImplemented, .warning,
        "Rules claim \(families(coverage.claimedNotImplemented.count)) of paths for which the app "
          + "has no route. Heaviest: \(first.path).",
        sum(coverage.claimedNotImplemented))
    }
    if let first = coverage.implementedNotClaimed.first {
      add(
        .implementedNotClaimed, .note,
        "The app has routes that no rule claims. Heaviest: \(first.path).",
        sum(coverage.implementedNotClaimed))
    }
    let excluded = audit.verdicts[.excluded] ?? Traffic()
    let total = audit.total.visits
    // More than one visit in ten: it is worth asking whether that is meant.
    if excluded.visits * 10 > total, let first = coverage.excludedHeavy.first {
      add(
        .excludedHeavy, .note,
        "Rules exclude \(excluded.visits) of \(total) visits. Heaviest: \(first.path).", excluded)
    }
    return findings
  }

  private static func families(_ count: Int) -> String {
    count == 1 ? "1 family" : "\(count) families"
  }

  // MARK: - Rules

  private static func ruleFindings(_ audit: SiteAudit) -> [Finding] {
    guard audit.total.requests > 0 else { return [] }
    // Apps of one entry share its rules, and what is wrong with them.
    var seen: Set<RuleName> = []
    return audit.rules.compactMap { rule in
      guard let position = rule.rule,
        seen.insert(RuleName(place: rule.place, list: rule.list, rule: position)).inserted
      else { return nil }
      let name = "Rule \(position) of \(rule.app) ('\(rule.pattern)')"
      let code: Finding.Code
      let severity: Finding.Severity
      let message: String
      if rule.traffic.requests == 0, rule.shadowed > 0 {
        (code, severity) = (.ruleShadowed, .warning)
        message = "\(name) decided nothing: earlier rules took all \(rule.shadowed) requests."
      } else if rule.isFragmentDependent {
        (code, severity) = (.fragmentDependent, .note)
        message = "\(name) depends on the fragment, which no log shows; it is judged without one."
      } else if rule.traffic.requests == 0 {
        (code, severity) = (.ruleUnused, .note)
        message = "\(name) matched no request in these logs."
      } else {
        return nil
      }
      return Finding(
        code: code, severity: severity, host: audit.host, message: message,
        traffic: Traffic(requests: rule.shadowed))
    }
  }
}

/// What tells a rule from others, whichever app it is asked for.
private struct RuleName: Hashable {
  var place: AssociationFile.Place
  var list: RuleListKind
  var rule: Int
}

extension AssociationFile {
  /// A Boolean value indicating whether some rule could claim a URL.
  fileprivate var hasUsableRules: Bool {
    entries.contains { entry in
      OperatingSystem.allCases.contains { system in
        guard !entry.apps(for: system).isEmpty else { return false }
        return entry.rules(for: system)?.contains { !$0.excludes && !$0.requiresEntitlement }
          ?? true
      }
    }
  }
}
