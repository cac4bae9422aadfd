import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

@Suite struct DataPathTests {
  @Test(arguments: [
    ("/api/{*}", "/api/*"), ("/API/items/{n}", "/API/*"), ("/api", "/api"), ("/api/", "/api/*"),
    ("/graphql", "/graphql"), ("/shop/api/v2/items", "/shop/api/*"), ("/rest/V1/carts", "/rest/*"),
    ("/{*}/wp-json/oembed", "/*/wp-json/*"), ("/p-{*}/_next/image", "/p-*/_next/*"),
    ("/wp-admin/admin-ajax.php", "/wp-admin/admin-ajax.php"), ("/news/{n}.rss", "*.rss"),
    ("/feed.ATOM", "*.ATOM"), ("/.well-known/change-password", "/.well-known/*"),
    ("/docs/api/users", nil), ("/apiary", nil), ("/blog/graphql", nil), ("/v1/items", nil),
    ("/.rss", nil), ("/a.rss/", nil), ("/news.php", nil), ("/", nil), ("", nil), ("/about", nil),
  ])
  func signs(group: String, pattern: String?) {
    #expect(DataPath.ignorePattern(of: group, host: "www.example.com") == pattern)
  }

  @Test(arguments: [("/v1/items", "/v1/*"), ("/v12", "/v12"), ("/video/1", nil), ("/v/1", nil)])
  func versionsOfHostsOfInterfaces(group: String, pattern: String?) {
    #expect(DataPath.ignorePattern(of: group, host: "api.example.com") == pattern)
  }

  @Test func routesArePages() throws {
    let lines = CoverageTests.get("/rest/roma", 200, 3) + CoverageTests.get("/rest/a/b", 200, 2)
    func data(_ routes: String?) throws -> [String] {
      try CoverageTests.audit(lines, rules: "", routes: routes).coverage.dataPaths
        .map { "\($0.path) \($0.traffic.visits)" }
    }
    #expect(try data(nil) == ["/rest/roma 3", "/rest/a/b 2"])
    #expect(try data("/rest/:name") == ["/rest/a/b 2"])
    #expect(try data("/rest/:name\n*") == ["/rest/a/b 2"])
  }

  /// The option in a finding excludes exactly the visits that it counts.
  @Test func theOptionsLeaveOutTheVisits() throws {
    let paths = [
      "/api/7", "/api/users/a", "/api", "/graphql", "/buy/7", "/apiary", "/it's/wp-json/1",
      "/news/feed.rss", "/help/api/x", "/shop/api/v1/x", "/de/api/v2",
    ]
    let lines = paths.enumerated().flatMap { index, path in
      CoverageTests.get(path, 200, index + 1) + CoverageTests.get(path, 404, 2)
        + CoverageTests.get(path, agent: "curl/8.0", 3)
    }
    let digest = try AuditTests.digest(lines)
    let site = try AuditTests.site()
    var options = AuditOptions()
    let audit = try Auditor(sites: [site], options: options).audit(digest)
    let finding = try #require(audit.findings.first { $0.code == "visits-not-pages" })
    #expect(audit.ignored == nil)
    #expect(
      finding.message
        == "46 of 66 visits are for paths that look like data: "
        + "/de/api/v2, /shop/api/v1/x, /news/feed.rss and 5 more path groups.")
    let start = "options, or under 'ignore:' in linkaudit.yml: "
    let option = try #require(finding.remedy.split(separator: start).last)
    #expect(
      option
        == "--ignore '/de/api/*' --ignore '/shop/api/*' --ignore '*.rss' "
        + "--ignore '/it'\\''s/wp-json/*' --ignore '/graphql' --ignore '/api' --ignore '/api/*'")
    // In shell notation.
    let patterns = option.replacing("'\\''", with: "\u{1}").split(separator: "'")
      .filter { !$0.contains("--ignore") }.map { $0.replacing("\u{1}", with: "'") }
      .map { String($0) }
    options.ignoredPaths = PathPatterns(patterns)
    let rest = try Auditor(sites: [site], options: options).audit(digest)
    #expect(rest.sites[0].total.visits == 66 - finding.traffic.visits)
    #expect(rest.ignored?.visits == finding.traffic.visits)
    #expect(
      rest.ignored.map { $0 + rest.sites[0].total } == audit.sites[0].total)
    #expect(!rest.findings.contains { $0.code == "visits-not-pages" })
  }

  /// A single path that scripts send data to and nobody opens is data; a form isn't.
  @Test func endpointsOfScriptsLookLikeData() throws {
    func get(_ path: String, _ count: Int, from referrer: String) -> [String] {
      CoverageTests.get(path, 200, count).map {
        $0.replacing("\"-\" \"Mozilla", with: "\"\(referrer)\" \"Mozilla")
      }
    }
    func post(_ path: String, _ count: Int) -> [String] {
      CoverageTests.get(path, 200, count).map { $0.replacing("\"GET ", with: "\"POST ") }
    }
    let own = "https://www.example.com/buy/1"
    let lines =
      get("/track", 3, from: own) + post("/track", 6) + get("/cart", 3, from: own)
      + post("/cart", 5) + get("/login", 2, from: own) + CoverageTests.get("/login", 200, 1)
      + post("/login", 90) + get("/order/17", 1, from: own) + post("/order/17", 50)
      + post("/", 50) + get("/", 1, from: own)
    for jobs in [1, 3] {
      let digest = try AuditTests.digest(lines, jobs: jobs)
      let audit = try Auditor(
        sites: [try AuditTests.site()], options: AuditOptions(jobs: jobs)
      ).audit(digest)
      #expect(
        audit.sites[0].coverage.dataPaths.map { "\($0.path) \($0.traffic.visits)" }
          == ["/track 3"])
      let finding = try #require(audit.findings.first { $0.code == "visits-not-pages" })
      #expect(finding.remedy.hasSuffix("--ignore '/track'"))
    }
  }

  @Test(arguments: [1, 3])
  func ignoredTrafficIsThatOfThePaths(jobs: Int) throws {
    let digest = try AuditTests.digest(AuditTests.lines(2_000, seed: TestRun.seed), jobs: jobs)
    let site = try AuditTests.site()
    var options = AuditOptions(jobs: jobs)
    options.ignoredPaths = PathPatterns(["/buy/*", "*.js"])
    let audit = try Auditor(sites: [site], options: options).audit(digest)
    var expected = Traffic()
    for record in try digest.records() where record.host.prefix(while: { $0 != ":" }) == site.host {
      let target = String(decoding: record.target, as: UTF8.self)
      let path = target.prefix { $0 != "?" && $0 != "#" }
      guard path.hasPrefix("/buy/") || path.hasSuffix(".js") else { continue }
      let isPage = !path.lowercased().hasSuffix(".js")
      expected.requests += record.requests
      if isPage, record.dimensions.isVisitLike { expected.visits += record.requests }
    }
    #expect(expected.visits > 0 && audit.ignored == expected, "seed: \(TestRun.seed)")
  }
}
