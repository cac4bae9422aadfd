internal import TrafficDigest
internal import UniversalLinks

/// Findings about where a site's traffic and its rules don't fit.
struct TrafficFindings {
  let audit: SiteAudit

  func findings() -> [Finding] {
    sameHost() + coverage() + excluded()
  }

  private func finding(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: String, _ traffic: Traffic
  ) -> Finding {
    Finding(code: code, severity: severity, host: audit.host, message: message, traffic: traffic)
  }

  private func sameHost() -> [Finding] {
    let sameHost = audit.referrals[.sameHost] ?? Traffic()
    guard sameHost.visits > 0 else { return [] }
    let claimed = audit.verdicts[.claimed]?.visits ?? 0
    let heaviest = audit.sameHostReferrals.first.map { " Heaviest: \($0.from) to \($0.to)." } ?? ""
    // Every site has some; one claimed visit in ten is worth mending links for.
    return [
      finding(
        .sameHostLinks, sameHost.visits * 10 >= claimed ? .warning : .note,
        "\(sameHost.visits) of \(claimed.counted("claimed visit")) came from pages of the same host, "
          + "where links never open the app.\(heaviest)", sameHost)
    ]
  }

  private func coverage() -> [Finding] {
    let coverage = audit.coverage
    var findings: [Finding] = []
    if let first = coverage.claimedNotImplemented.first {
      let count = coverage.claimedNotImplemented.count
      findings.append(
        finding(
          .claimedNotImplemented, .warning,
          "Rules claim \(count == 1 ? "1 family" : "\(count) families") of paths for which the app "
            + "has no route. Heaviest: \(first.path).", sum(coverage.claimedNotImplemented)))
    }
    if let first = coverage.implementedNotClaimed.first {
      findings.append(
        finding(
          .implementedNotClaimed, .note,
          "The app has routes that no rule claims. Heaviest: \(first.path).",
          sum(coverage.implementedNotClaimed)))
    }
    return findings
  }

  private func sum(_ rows: [FamilyTraffic]) -> Traffic {
    rows.reduce(Traffic()) { $0 + $1.traffic }
  }

  private func excluded() -> [Finding] {
    let excluded = audit.verdicts[.excluded] ?? Traffic()
    let total = audit.total.visits
    // More than one visit in ten: it is worth asking whether that is meant.
    guard excluded.visits * 10 > total, let first = audit.coverage.excludedHeavy.first else {
      return []
    }
    return [
      finding(
        .excludedHeavy, .note,
        "Rules exclude \(excluded.visits) of \(total.counted("visit")). Heaviest: \(first.path).",
        excluded)
    ]
  }
}
