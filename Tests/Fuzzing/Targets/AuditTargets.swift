import AccessLogs
import TestSupport
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

/// The results of rules and routes for traffic, and lists of routes.
extension FuzzTarget {
  static let audits = [auditing, routes]

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
      let rest = Array("\n-\n/buy/:id\n/help/{n}\n/:lang/menu\n-\n\(visits)".utf8)
      return try (files.every(8) + sources.associationFiles).map { $0 + rest }
    },
    run: { input in
      let parts = input.rest.split(
        separator: Array("\n-\n".utf8), maxSplits: 2, omittingEmptySubsequences: false
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

  private static func log(_ visits: [UInt8]) -> [UInt8] {
    var log: [UInt8] = []
    for visit in visits.split(separator: UInt8(ascii: "\n")).prefix(50) {
      let parts = visit.split(separator: 0x09, maxSplits: 1)
      log += Array("www.example.com 192.0.2.1 - - [19/Nov/2026:08:00:00 +0000] \"GET ".utf8)
      log += parts.first ?? []
      log += Array(" HTTP/1.1\" 200 5 \"".utf8)
      log += parts.count > 1 ? Array(parts[1]) : Array("-".utf8)
      log += Array("\" \"\(RandomLog.phone)\"\n".utf8)
    }
    return log
  }

  private static func audit(_ digest: TrafficDigest, _ site: Site) throws {
    let audit = try Auditor(sites: [site]).audit(digest)
    try requireEqual(audit.sites.count, 1, "sites")
    guard let found = audit.sites.first else { return }
    let sums = [found.verdicts.total, found.platforms.total]
    try requireEqual(sums[0], sums[1], "traffic by verdict and by platform")
    let requests = sums[0].requests + audit.otherHosts.requests
    try requireEqual(requests, digest.tally.requests, "requests")
    try requireEqual(found.referrals.total, found.verdicts[.claimed], "claimed traffic by referral")
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

  /// A syntax, lists of routes, and a target in the last line.
  ///
  /// The definition finds the same route and the same path group.
  private static let routes = FuzzTarget(
    "routes",
    words: [
      "/:id", "/:id?", "/:id*", "/:id+", "/:id(\\d+)", "{id}", "{id:int}", "{id:uuid}", "{p...}",
      "[id]", "[...rest]", "[[...rest]]", "(tabs)/", "<int:id>", "<path:p>", "*", "**", "?q=1",
      "host=", "pathPrefix=", "pathPattern=", ".*", "scheme=https", ".tsx", "/page.tsx", "index",
      "#", "//", "https://",
    ],
    seeds: { sources in
      let routes = try sources.bytes("SampleLogs/routes.txt")
      return (0...RouteSyntax.allCases.count).map { number in
        [UInt8(number)] + routes + Array("\n/buy/1?a=b".utf8)
      }
        + [
          "\u{1}/a/:x?/b*\n/:n(\\d+)/z?q=1&r\n/a/b/c", "\u{2}/{x}/{y:int}\n/a{x}b{y}\n/a/1",
          "\u{4}/<int:x>/<path:p>\n/1/2/3", "\u{5}(tabs)/buy/[id].tsx\n[...rest].tsx\n/buy/7",
          "\u{6}buy/[id]/page.tsx\n[[...rest]]/page.js\n/buy",
        ].map { Array($0.utf8) }
    },
    run: { input in
      let host = input.rest.count % 3 == 0 ? nil : "x.example"
      let syntax: RouteSyntax? = input.choose([nil] + RouteSyntax.allCases)
      let target = input.lastLine()
      let table = RouteTable(parsing: input.bytes.text, syntax: syntax, host: host)
      let parts = target.split(
        separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
      let path = Array(parts.first ?? [])
      let query = parts.count > 1 ? Array(parts[1]) : []
      let found = table.firstMatch(path: path, query: query)
      // The definition tries everything, and reads text. Braces are in placeholders only.
      guard path.first == UInt8(ascii: "/"), target.count < 40, table.routes.count < 30,
        target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "{") }),
        table.routes.flatMap(\.paths).allSatisfy({ $0.count < 8 })
      else { return }
      let plain = PlainRoutes(table: table)
      try requireEqual(
        found, plain.firstMatch(path: path.text, query: query.text),
        "the route of \(target.text) among \(table.routes.map(\.source))")
      let matcher = table.makeMatcher()
      let expected = plain.group(path: path.text, query: query.text)
      var search = RouteSearch()
      let match = matcher.match(path: path, query: query, using: &search)
      var group: [UInt8] = []
      let rest =
        match.routeOfPath.map { matcher.groups.append(path.span, ofRoute: $0, to: &group) } ?? 0
      let text = group.map { $0 == RouteGroups.joint ? UInt8(ascii: "/") : $0 }
      try requireEqual(
        String(decoding: text, as: UTF8.self) + path[rest...].text, expected.text + expected.rest,
        "the path group of \(target.text) among \(table.routes.map(\.source))")
    })
}
