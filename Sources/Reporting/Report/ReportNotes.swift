internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension TrafficFilter {
  /// The names of the platforms whose requests count, in a fixed order, or `nil` for
  /// all.
  var platformNames: [String]? {
    platforms.map { platforms in Platform.allCases.filter(platforms.contains).map(\.name) }
  }

  /// The statuses that count, such as `304` and `200-299`, or `nil` for all.
  var statusNames: [String]? {
    statuses?.sorted().reduce(into: [ClosedRange<UInt16>]()) { ranges, status in
      if let last = ranges.last, last.upperBound + 1 == status {
        ranges[ranges.count - 1] = last.lowerBound...status
      } else {
        ranges.append(status...status)
      }
    }.map { range in
      let (first, last) = (Int(range.lowerBound).padded(to: 3), Int(range.upperBound).padded(to: 3))
      return first == last ? first : "\(first)-\(last)"
    }
  }

  /// The filter in a sentence or two; empty if all requests pass.
  var sentence: String {
    var parts: [String] = []
    if let platformNames { parts.append("platform " + platformNames.joined(separator: ", ")) }
    if let statusNames { parts.append("status " + statusNames.joined(separator: ", ")) }
    var sentences: [String] = []
    if !parts.isEmpty { sentences.append("Only " + parts.joined(separator: "; ") + ".") }
    if includesBots { sentences.append("Pages that bots open count as visits.") }
    return sentences.joined(separator: " ")
  }

  /// Some traffic in words: `1,185 visits (pages opened on Apple devices) in 2,321 requests`.
  func words(for traffic: Traffic) -> String {
    let pages = "pages opened on Apple devices" + (includesBots ? " or by bots" : "")
    return "\(traffic.visits.counted("visit")) (\(pages)) in \(traffic.requests.counted("request"))"
  }
}

extension LineTally {
  /// The counts in words: `5,310 lines, 5,278 requests, 32 rejected`.
  var words: String {
    "\(lines.counted("line")), \(requests.counted("request")), \(rejected.grouped) rejected"
  }
}

extension TrafficDigest {
  /// The logs that were read; files that hold no log are skipped.
  var readInputs: [Input] { inputs.filter(\.unreadStart.isEmpty) }

  var facts: [Document.Fact] {
    let facts: [(String, String?)] = [
      ("Logs", readInputs.count.grouped), ("Lines", tally.lines.grouped),
      ("Requests", tally.requests.grouped), ("Rejected lines", tally.rejected.grouped),
      ("Outside the selected time", tally.outside > 0 ? tally.outside.grouped : nil),
      ("First request", times?.lowerBound.description),
      ("Last request", times?.upperBound.description),
    ]
    return facts.compactMap { name, value in value.map { Document.Fact(name, "\($0)") } }
  }
}

extension Audit {
  var name: String { sites.count == 1 ? sites[0].host : sites.count.counted("site") }

  /// The first and the last day of all sites, or `nil` if no request has a time.
  var period: String? { sites.flatMap(\.days).period }

  var comparison: String? { comparison(of: findings, gone: change?.gone.count ?? 0) }

  /// Returns the changes of some findings since the earlier report in a few words, or the reason
  /// why there is no comparison, if one was requested.
  func comparison(of findings: [Finding], gone: Int) -> String? {
    change.map { $0.summary(of: findings, gone: gone).capitalizedFirst } ?? uncompared?.sentence
  }

  /// The requests that are no visits because their headers say so.
  var subresources: Int { sites.reduce(0) { $0 + $1.subresources } }

  /// The sites, the heaviest first.
  var sitesByWeight: [SiteAudit] {
    let weighed = sites.map { (site: $0, total: $0.total) }
    return weighed.heaviestFirst(by: options.weight, \.total, name: \.site.host).map(\.site)
  }
}

extension [DayTraffic] {
  /// The first and the last day, or `nil` if no request has a time.
  var period: String? {
    let days = compactMap(\.day)
    guard let first = days.min(), let last = days.max() else { return nil }
    return first == last ? "\(first)" : "\(first) to \(last)"
  }
}

extension SiteVersion {
  var name: String { "version \(number)" }

  /// The period in which it was in force: `until 2026-06-02`, `2026-06-03 to 2026-06-08`,
  /// `since 2026-06-09`.
  var period: String {
    switch (first, last) {
    case (let first?, let last?): first == last ? "\(first)" : "\(first) to \(last)"
    case (let first?, nil): "since \(first)"
    case (nil, let last?): "until \(last)"
    case (nil, nil): "always"
    }
  }

  /// Name, time and file: `version 0, until 2026-06-02: old.json`.
  var title: String { "\(name), \(period)" + (filePath.map { ": \($0)" } ?? "") }
}

extension ComparisonGap {
  var sentence: String {
    switch self {
    case .noReport: "Not compared: there is no report from before the last ingest."
    case .otherOptions:
      "Not compared: the reports from before the last ingest had other options."
    }
  }
}

extension AuditChange {
  /// Returns the comparison of the findings with this report in a few words.
  ///
  /// An example is `since the report of 2026-11-12: 2 new, 1 worse, 3 gone`.
  func summary(of findings: [Finding], gone: Int) -> String {
    var parts = [Finding.Change.new, .worse, .better].compactMap { kind -> String? in
      let count = findings.count { $0.change == kind }
      return count > 0 ? "\(count.grouped) \(kind.rawValue)" : nil
    }
    if gone > 0 { parts.append("\(gone.grouped) gone") }
    return "since the report of \(at.day): "
      + (parts.isEmpty ? "nothing new" : parts.joined(separator: ", "))
  }

  /// Returns the findings that are gone and belong to no site of the report.
  ///
  /// They are about the input, or about a site that the report no longer has.
  func gone(besides sites: [SiteAudit]) -> [FindingRecord] {
    let hosts = Set(sites.map(\.host))
    return gone.filter { !hosts.contains($0.host ?? "") }
  }
}

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

extension CaseCounts<Verdict> {
  /// The traffic of each verdict, without that of ineligible requests if there are none.
  var shown: [(verdict: Verdict, traffic: Traffic)] {
    Verdict.allCases.map { ($0, self[$0]) }
      .filter { $0.0 != .ineligible || $0.1.requests > 0 }
  }
}

extension [SiteAudit] {
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
      + ", most often for this cause: \(cause.cause.entry.title) (\(cause.traffic.visits.counted("visit")))."
  }
}
