import AccessLogs
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

/// The results of rules and routes for traffic.
extension FuzzTarget {
  static let audits = [auditing]

  private static let separator = Array("\n-\n".utf8)

  /// An association file, routes and visits, with lines `-` between them.
  ///
  /// A visit is a target, followed by a tab and a referrer if it has one. All figures count the
  /// same requests. Replacing a file with itself changes nothing, and changes between two files are
  /// symmetric. Suggested rules have the predicted figures.
  private static let auditing = FuzzTarget(
    "auditing",
    words: fileWords + [
      "/:id", "{n}", "/**", "\t", "https://www.example.com/", ".js", "?a=b", "\n-\n",
    ],
    seeds: { sources in
      let files = try sources.vectors.map(\.file).filter { $0.count < 600 }
      let visits =
        "/buy/1\t-\n/help/7?articleNumber=1\thttps://www.example.com/\n/a/b.js\n/en-GB/menu"
      let rest = separator + Array("/buy/:id\n/help/{n}\n/:lang/menu".utf8) + separator
      return files.enumerated().filter { $0.offset % 8 == 0 }.map {
        $0.element + rest + Array(visits.utf8)
      } + (try sources.associationFiles.map { $0 + rest + Array(visits.utf8) })
    },
    run: { bytes in
      let parts = bytes.split(
        separator: separator, maxSplits: 2, omittingEmptySubsequences: false
      ).map { Array($0) }
      guard parts.count == 3, let file = try? AssociationFile(decoding: parts[0]) else { return }
      let site = Site(
        host: "www.example.com", file: file, routes: RouteTable(parsing: parts[1].text))
      let digest = try reduce([log(parts[2])], .vcombined, jobs: 1)
      try audit(digest, site)
      try compare(
        digest, site, Site(host: site.host, file: try Self.site().file, routes: site.routes))
      guard let suggester = try? Suggester(site: site, content: parts[0]) else { return }
      try use(try suggester.suggest(digest), of: site, on: digest)
    })

  /// A log of visits.
  private static func log(_ visits: [UInt8]) -> [UInt8] {
    let agent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
      + "Version/18.0 Mobile/15E148 Safari/604.1"
    var log: [UInt8] = []
    for visit in visits.split(separator: UInt8(ascii: "\n")).prefix(50) {
      let parts = visit.split(separator: 0x09, maxSplits: 1)
      log += Array("www.example.com 192.0.2.1 - - [19/Nov/2026:08:00:00 +0000] \"GET ".utf8)
      log += parts.first ?? []
      log += Array(" HTTP/1.1\" 200 5 \"".utf8)
      log += parts.count > 1 ? Array(parts[1]) : Array("-".utf8)
      log += Array("\" \"\(agent)\"\n".utf8)
    }
    return log
  }

  private static func audit(_ digest: TrafficDigest, _ site: Site) throws {
    let audit = try Auditor(sites: [site]).audit(digest)
    try requireEqual(audit.sites.count, 1, "sites")
    guard let found = audit.sites.first else { return }
    let sums = [
      found.verdicts.values.reduce(Traffic(), +), found.platforms.values.reduce(Traffic(), +),
    ]
    try requireEqual(sums[0], sums[1], "traffic by verdict and by platform")
    let requests = sums[0].requests + audit.otherHosts.requests
    try requireEqual(requests, digest.tally.requests, "requests")
    try requireEqual(
      found.referrals.values.reduce(Traffic(), +), found.verdicts[.claimed] ?? Traffic(),
      "claimed traffic by referral")
  }

  private static func compare(_ digest: TrafficDigest, _ old: Site, _ new: Site) throws {
    let same = try Comparer(old: old, new: old).compare(digest)
    try requireEqual(same.changed, Traffic(), "changes by the same file")
    let there = try Comparer(old: old, new: new).compare(digest)
    let back = try Comparer(old: new, new: old).compare(digest)
    try requireEqual(there.newlyClaimed, back.noLongerClaimed, "newly claimed, there and back")
    try requireEqual(there.noLongerClaimed, back.newlyClaimed, "no longer claimed, there and back")
    try requireEqual(there.newlyExcluded, back.noLongerExcluded, "excluded, there and back")
  }

  /// Checks the figures of suggested rules against a comparison with the file that contains them.
  private static func use(
    _ suggestion: Suggestion, of site: Site, on digest: TrafficDigest
  ) throws {
    var changed = site
    changed.file = try AssociationFile(decoding: suggestion.content)
    let comparison = try Comparer(old: site, new: changed).compare(digest)
    let text = suggestion.content.text
    try requireEqual(comparison.newlyClaimed, suggestion.won + suggestion.besides, text)
    try requireEqual(comparison.newlyClaimedFromSameHost, suggestion.wonFromSameHost, text)
    try requireEqual(comparison.opensAnotherApp, suggestion.taken, text)
    try requireEqual(comparison.noLongerClaimed, Traffic(), "lost, \(text)")
    try requireEqual(comparison.total, suggestion.total, text)
  }
}
