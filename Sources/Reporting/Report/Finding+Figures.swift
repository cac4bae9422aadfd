internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension Finding {
  /// The gain of a fix, such as `182 visits to win`, or `nil` if there is none.
  ///
  /// In a comparison, these are visits that still open the app.
  var gain: String? {
    guard let visitsToWin, visitsToWin > 0 else { return nil }
    return visitsToWin.counted("visit")
      + (Finding.lossCodes.contains(code) ? " to keep" : " to win")
  }

  /// The figures of an earlier report and of this one, or `nil` if the finding is new or has no
  /// figures.
  ///
  /// An example is `Was 150 visits (30.1%), is 182 visits (37.3%)`.
  var development: String? {
    guard let earlier else { return nil }
    let hasVisits = earlier.visits > 0 || traffic.visits > 0
    func figures(_ requests: Int, _ visits: Int, _ share: Int?) -> String? {
      let part = share.map { $0.percent(of: 1_000_000) }
      guard requests > 0 || visits > 0 else { return part }
      let count = hasVisits ? visits.counted("visit") : requests.counted("request")
      return count + (part.map { " (\($0))" } ?? "")
    }
    guard let before = figures(earlier.requests, earlier.visits, earlier.share),
      let now = figures(traffic.requests, traffic.visits, share)
    else { return nil }
    return before == now ? "As in the earlier report: \(now)" : "Was \(before), is \(now)"
  }
}

extension Array where Element: Diagnostic {
  /// The number of problems of each severity, such as `5 warnings, 6 notes`; empty if there are no
  /// problems.
  var severityCounts: String {
    Severity.allCases.reversed().compactMap { severity -> String? in
      let count = count { $0.severity == severity }
      return count > 0 ? count.counted(severity.rawValue) : nil
    }.joined(separator: ", ")
  }
}

extension [Finding] {
  /// The number of findings, in total and of each severity: `11 findings: 5 warnings, 6 notes`.
  var counts: String {
    guard !isEmpty else { return "no findings" }
    let known = count { $0.isKnown == true }
    return "\(count.counted("finding")): " + severityCounts
      + (known > 0 ? "; \(known.grouped) known" : "")
  }

  /// The sentence for no findings to look at first.
  var noneSentence: String {
    isEmpty ? "No findings." : "No new findings; \(count.grouped) in the baseline."
  }

  /// The findings to look at first: up to three unknown ones that differ in code or host.
  var start: [Finding] {
    var seen: Set<String> = []
    return Array(
      filter { $0.isKnown != true && seen.insert($0.code + " " + ($0.host ?? "")).inserted }.prefix(
        3))
  }
}

extension [Verdict: Traffic] {
  /// The traffic of each verdict, without that of ineligible requests if there are none.
  var shown: [(verdict: Verdict, traffic: Traffic)] {
    Verdict.allCases.map { ($0, self[$0] ?? Traffic()) }
      .filter { $0.0 != .ineligible || $0.1.requests > 0 }
  }
}

extension [SiteAudit] {
  /// The sum of a part of each site's traffic.
  func sum(_ part: (SiteAudit) -> Traffic?) -> Traffic {
    reduce(Traffic()) { $0 + (part($1) ?? Traffic()) }
  }

  /// The outcome of these sites in a sentence.
  ///
  /// It gives the number of visits that the rules claim, and why most of them stayed on the web.
  var outcome: String {
    let (total, claimed) = (sum(\.total), sum { $0.verdicts[.claimed] })
    let sameHost = sum { $0.referrals[.sameHost] }.visits
    guard total.requests > 0 else {
      return "No request counts for \(count == 1 ? "this host" : "these hosts")."
    }
    guard total.visits > 0 else {
      return "No request is a visit (a page opened on an Apple device)."
    }
    guard claimed.visits > 0 else {
      return "The rules claim none of these visits. Visits that opened the app are not in the logs."
    }
    let start =
      "The rules claim \(claimed.visits.grouped) of these visits (\(claimed.visits.percent(of: total.visits))), which stayed on the web"
    if sameHost > 0 {
      return start
        + ": \(sameHost.grouped) of them came from a page of the same host, where links never open the app."
    }
    guard count == 1, let cause = first?.causes.first, cause.cause != .unknown else {
      return start + "."
    }
    return start
      + ", most often for this cause: \(cause.cause.title) (\(cause.traffic.visits.counted("visit")))."
  }
}
