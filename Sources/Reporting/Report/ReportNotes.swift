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
    statuses?.map { range in
      let (first, last) = (
        Int(range.lowerBound).padded(to: 3), Int(range.upperBound).padded(to: 3)
      )
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
  /// The counts of the logs.
  var facts: [Document.Fact] {
    let facts: [(String, String?)] = [
      ("Logs", inputs.count.grouped), ("Lines", tally.lines.grouped),
      ("Requests", tally.requests.grouped), ("Rejected lines", tally.rejected.grouped),
      ("Outside the selected time", tally.outside > 0 ? tally.outside.grouped : nil),
      ("First request", times?.lowerBound.description),
      ("Last request", times?.upperBound.description),
    ]
    return facts.compactMap { name, value in value.map { Document.Fact(name, "\($0)") } }
  }
}

extension Audit {
  /// The subject: the host of the site, or the number of sites.
  var name: String { sites.count == 1 ? sites[0].host : sites.count.counted("site") }

  /// The first and the last day of all sites, or `nil` if no request has a time.
  var period: String? { sites.flatMap(\.days).period }

  /// The changes of all findings, as ``comparison(of:gone:)`` has them.
  var comparison: String? { comparison(of: findings, gone: change?.gone.count ?? 0) }

  /// Returns the changes of some findings since the earlier report in a few words, or the reason
  /// why there is no comparison, if one was requested.
  ///
  /// - Parameters:
  ///   - findings: The current findings.
  ///   - gone: The number of findings that are gone.
  /// - Returns: The comparison, or `nil` if none was requested.
  func comparison(of findings: [Finding], gone: Int) -> String? {
    change.map { $0.summary(of: findings, gone: gone).capitalizedFirst } ?? uncompared?.sentence
  }

  /// The requests that are no visits because their headers say so.
  var subresources: Int { sites.reduce(0) { $0 + $1.subresources } }

  /// The sites with their traffic, the heaviest first.
  var sitesByWeight: [(site: SiteAudit, total: Traffic)] {
    sites.map { ($0, $0.total) }.sorted { one, other in
      one.1 != other.1
        ? one.1.isHeavier(than: other.1, by: options.weight) : one.0.host < other.0.host
    }
  }

  /// The traffic of all sites.
  var total: Traffic { sites.sum(\.total) }
}

extension [DayTraffic] {
  /// The first and the last day, or `nil` if no request has a time.
  var period: String? {
    let days = compactMap(\.day)
    guard let first = days.min(), let last = days.max() else { return nil }
    return first == last ? "\(first)" : "\(first) to \(last)"
  }
}

extension SiteAudit {
  /// A Boolean value indicating whether no claimed visit has a referrer.
  var lacksReferrers: Bool {
    let claimed = verdicts[.claimed]?.visits ?? 0
    return claimed > 0 && referrals[Referral.none]?.visits == claimed
  }

  /// The meaning of that, in a sentence.
  static let withoutReferrers =
    "None of them has a referrer, so links on the same host can't be recognized."
}
