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

  /// The filter in a text report: no line where all requests pass.
  var lines: [String] {
    var parts: [String] = []
    if let platformNames { parts.append("platform " + platformNames.joined(separator: ", ")) }
    if let statusNames { parts.append("status " + statusNames.joined(separator: ", ")) }
    var sentences: [String] = []
    if !parts.isEmpty { sentences.append("Only " + parts.joined(separator: "; ") + ".") }
    if includesBots { sentences.append("Pages that bots open count as visits.") }
    return sentences.joined(separator: " ").wrapped(width: TextTable.width, indent: "")
  }

  /// Some traffic in words: `1,185 visits (pages opened on Apple devices) in 2,321 requests`.
  func words(for traffic: Traffic) -> String {
    let pages = "pages opened on Apple devices" + (includesBots ? " or by bots" : "")
    return "\(traffic.visits.counted("visit")) (\(pages)) in \(traffic.requests.counted("request"))"
  }
}

extension Report {
  /// A note on the share that the ignored paths leave out, or `nil` if none are ignored.
  var noteOnIgnoredPaths: String? {
    audit.ignored.map {
      "\($0.visits.counted("visit")) in \($0.requests.counted("request")) ignored by --ignore"
    }
  }

  /// A note on the requests that don't count as visits because of their headers, or `nil` if there
  /// are none.
  var noteOnSubresources: String? {
    audit.subresources > 0
      ? "\(audit.subresources.counted("request")) from pages and scripts (Sec-Fetch), not counted as visits"
      : nil
  }

  /// The use of routes and how to list them in a sentence or two, or `nil` if a site has some.
  var noteOnRoutes: String? {
    guard !audit.sites.contains(where: \.hasRoutes),
      audit.sites.contains(where: { $0.total.requests > 0 })
    else { return nil }
    return "To compare the rules with the routes of the app, pass '--routes FILE' "
      + "(Documentation/Routes.md)."
  }
}

extension LineTally {
  /// The counts in words: `5,310 lines, 5,278 requests, 32 rejected`.
  var words: String {
    "\(lines.counted("line")), \(requests.counted("request")), \(rejected.grouped) rejected"
  }
}

extension TrafficDigest {
  /// A sentence for each damaged input.
  func damage(_ style: Style) -> [String] {
    inputs.flatMap { input in
      input.damage.map {
        "\(SafeText.escaped(input.path)): \($0)".wrapped(width: style.width, indent: "  ! ")
      } ?? []
    }
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
        ? one.1.isHeavier(than: other.1, by: weight) : one.0.host < other.0.host
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
