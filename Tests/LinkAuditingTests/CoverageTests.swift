import AccessLogs
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

@Suite struct CoverageTests {
  static let agent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"

  /// A browser of a system that reads `paths` alone.
  static let oldAgent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1"

  /// The lines of a number of equal requests, by default of an iPhone, without a referrer or a time.
  static func get(
    _ path: String, _ status: Int = 200, agent: String = agent, _ count: Int = 1,
    from referrer: String = "-", method: String = "GET", time: String = "-", size: Int = 5
  ) -> [String] {
    let line = logLine(
      path, at: time, method: method, status: status, size: size, from: referrer, agent: agent)
    return Array(repeating: String(line.dropLast()), count: count)
  }

  static func audit(
    _ lines: [String], rules: String, routes: String? = nil,
    _ change: (inout AuditOptions) -> Void = { _ in }
  ) throws -> SiteAudit {
    let site = try AuditTests.site(
      entries: [#""appID":"A1B2C3D4E5.com.example.shop","components":[\#(rules)]"#], routes: routes)
    var options = AuditOptions()
    change(&options)
    return try AuditTests.audit(try AuditTests.digest(lines), site, options)
  }

  @Test func brokenPagesCountAttempts() throws {
    let lines =
      Self.get("/buy/1", 404, 3) + Self.get("/buy/22", 500) + Self.get("/buy/3", 410)
      + Self.get("/buy/4", 403) + Self.get("/buy/5", 404, agent: "curl/8.0", 2)
      + Self.get("/buy/app.js", 404) + Self.get("/buy/6", 200, 4) + Self.get("/other", 404)
    let rows = try Self.audit(lines, rules: #"{"/":"/buy/*"}"#).coverage.claimedBroken
    #expect(
      rows.map { "\($0.path) \($0.traffic.requests) \($0.traffic.visits) \($0.attempts)" } == [
        "/buy/{n} 7 0 5", "/buy/app.js 1 0 0",
      ])
    #expect(rows.first?.statuses == [404: 5, 410: 1, 500: 1])
    #expect(rows.first?.samples == ["/buy/1", "/buy/3", "/buy/22"])
    #expect(rows.first?.rule?.pattern == "/buy/*")
  }

  @Test func redirectsLeadToTwinsOfTheirPaths() throws {
    let lines =
      Self.get("/buy/1", 301, 2) + Self.get("/buy/1/", 200, 3)
      + Self.get("/Buy/Tea", 302) + Self.get("/buy/tea", 200)
      + Self.get("/buy/x", 301) + Self.get("/buy/x", 304)
      + Self.get("/buy/away", 307)
    let rows = try Self.audit(lines, rules: #"{"/":"/buy/*","caseSensitive":false}"#)
      .coverage.claimedRedirected
    let shown = rows.map { row in
      let destination = row.destination.map { "\($0.path) \($0.verdict) \($0.visits)" }
      return "\(row.path) \(row.traffic.visits) -> \(destination ?? "?")"
    }
    #expect(
      shown == [
        "/buy/{n} 2 -> /buy/{n}/ claimed 3", "/Buy/Tea 1 -> /buy/tea claimed 1",
        "/buy/away 1 -> ?", "/buy/x 1 -> /buy/x claimed 1",
      ])
  }

  @Test func redirectsLeadToRoutesInOtherLetterCase() throws {
    let lines =
      Self.get("/Buy/Tea", 301, 2) + Self.get("/buy/tea", 200, 3) + Self.get("/Sell/A", 301)
    let rows = try Self.audit(
      lines, rules: "{\"/\":\"/*\"}", routes: "/buy/:name\n/sell/new"
    ).coverage.claimedRedirected
    #expect(rows.map { $0.destination?.path } == ["/buy/{*}", nil])
    #expect(rows.first?.destination?.visits == 3)
  }

  @Test func shadowedRulesNameWhatTookTheirRequests() throws {
    let lines = Self.get("/buy/1", 200, 3) + Self.get("/buy/new/1") + Self.get("/gift/1")
    let audit = try Self.audit(
      lines,
      rules: #"{"/":"/buy/new/*","exclude":true},{"/":"/buy/*"},{"/":"/*/1"},{"/":"/buy/new/1"}"#)
    let rules = try #require(audit.ruleLists.first?.rules)
    #expect(rules.map(\.shadowed) == [0, 1, 4, 1])
    #expect(
      rules[2].shadowedBy == [
        ShadowingRule(rule: rules[1].rule.id, traffic: Traffic(requests: 3, visits: 3)),
        ShadowingRule(rule: rules[0].rule.id, traffic: Traffic(requests: 1, visits: 1)),
      ])
    #expect(rules[3].shadowedBy.map(\.rule.position) == [0])
    #expect(rules.map { $0.rule.position?.column } == [78, 112, 127, 140])
  }

  @Test func routesTellWhatIsExcludedAndWhatNobodyAskedFor() throws {
    let lines = Self.get("/buy/1", 200, 2) + Self.get("/by/1") + Self.get("/help/7")
    let audit = try Self.audit(
      lines, rules: #"{"/":"/buy/*","exclude":true},{"/":"/by/*"}"#,
      routes: "/buy/:id\n/help/:id\n/nobody")
    #expect(audit.coverage.implementedButExcluded.map(\.path) == ["/buy/:id"])
    #expect(audit.coverage.unvisitedRoutes == ["/nobody"])
  }

  /// A route that equals an earlier one can have no request of its own.
  @Test(arguments: [
    ("/p/:id", "/p/{id}", []), ("/p/:id?a&b", "/p/{x}?b&a", ["/p/:id?a&b"]),
    ("/p/:id", "/q", ["/q"]),
  ])
  func equalRoutesAreOne(first: String, second: String, unvisited: [String]) throws {
    var site = try AuditTests.site(entries: [#""appID":"T.a","components":[{"/":"*"}]"#])
    site.routes = RouteTable(joining: [RouteTable(parsing: first), RouteTable(parsing: second)])
    let audit = try AuditTests.audit(try AuditTests.digest(Self.get("/p/1")), site)
    #expect(audit.coverage.unvisitedRoutes == unvisited)
  }

  /// Path groups of routes with the same text are one row, ordered by the chosen weight.
  @Test(arguments: Traffic.Weight.allCases)
  func causesByPathAreSummedByText(weight: Traffic.Weight) throws {
    let lines =
      (0..<8).flatMap { Self.get("/p/\($0)x") } + Self.get("/p/red", 2) + Self.get("/p/blue")
      + Self.get("/z", agent: "curl/8.0", 40)
    let audit = try Self.audit(lines, rules: "{\"/\":\"*\"}", routes: "/p/:color(red|blue)") {
      ($0.fanOut, $0.weight) = (3, weight)
    }
    let paths = audit.causePaths.map { "\($0.cause.entry.name) \($0.share.path)" }
    #expect(Set(paths).count == paths.count, "\(paths)")
    #expect(paths.first == (weight == .visits ? "unknown /p/{*}" : "unknown /z"), "\(paths)")
  }

  @Test func groupsAndOrdersAsAsked() throws {
    let lines =
      Self.get("/a/1/x", 200, 2) + Self.get("/a/2/y", 200, 1)
      + Self.get("/b/1", 200, agent: "curl/8.0", 9)
    func rows(_ change: (inout AuditOptions) -> Void) throws -> [String] {
      try Self.audit(lines, rules: "{\"/\":\"/z\"}", change).coverage.unclaimedHeavy.map {
        "\($0.path) \($0.traffic.requests)"
      }
    }
    #expect(try rows { _ in } == ["/a/{n}/x 2", "/a/{n}/y 1", "/b/{n} 9"])
    #expect(try rows { $0.weight = .requests } == ["/b/{n} 9", "/a/{n}/x 2", "/a/{n}/y 1"])
    #expect(try rows { $0.grouping = .exact } == ["/a/1/x 2", "/a/2/y 1", "/b/1 9"])
    #expect(try rows { $0.grouping = .depth(1) } == ["/a/{*} 3", "/b/{*} 9"])
  }

  @Test func bracesInExactPathsAreNoPlaceholders() throws {
    let audit = try Self.audit(Self.get("/{n}"), rules: "{\"/\":\"/z\"}") { $0.grouping = .exact }
    #expect(audit.coverage.unclaimedHeavy.map(\.path) == ["/%7Bn%7D"])
  }
}

extension [PathGroupTraffic] {
  var visits: [String] { map { "\($0.path) \($0.traffic.visits)" } }
}

/// Requests that a page or a script made, according to the log, are not visits.
@Suite struct SubresourceTests {
  /// Values of `Sec-Fetch-Dest` and `Sec-Fetch-Mode`, as `-` if the browser sent none, and whether
  /// a request with them can be a visit.
  private static let headers: [(destination: String, mode: String, isPage: Bool)] = [
    ("document", "navigate", true), ("empty", "cors", false), ("image", "no-cors", false),
    ("iframe", "navigate", false), ("empty", "same-origin", false), ("-", "navigate", true),
    ("-", "cors", false), ("document", "-", true), ("-", "-", true), ("garbage", "-", true),
    ("serviceworker", "same-origin", false), ("websocket", "websocket", false),
  ]

  /// Formats with a line, where `@N`, `@D`, `@M` and `@A` stand for the number of the path, the two
  /// headers, and the user agent.
  private static let formats = rows(
    #"""
    caddy
      => {"level":"info","ts":1781000000.5,"logger":"http.log.access","msg":"handled request","request":{"method":"GET","host":"www.example.com","uri":"/item@N","headers":{"User-Agent":["@A"],"Sec-Fetch-Mode":["@M"],"Sec-Fetch-Dest":["@D"]}},"size":5,"status":200}
    nginx-json
      => {"time_iso8601":"2026-06-09T10:00:00+00:00","request_method":"GET","request_uri":"/item@N","http_host":"www.example.com","status":200,"http_user_agent":"@A","http_sec_fetch_dest":"@D","http_sec_fetch_mode":"@M"}
    $remote_addr [$time_iso8601] "$request" $status "$http_user_agent" "$http_sec_fetch_dest" "$http_sec_fetch_mode"
      => 192.0.2.1 [2026-06-09T10:00:00+00:00] "GET /item@N HTTP/1.1" 200 "@A" "@D" "@M"
    %h %t "%r" %>s "%{User-Agent}i" "%{Sec-Fetch-Dest}i" "%{sec-fetch-mode}i"
      => 192.0.2.1 [09/Jun/2026:10:00:00 +0000] "GET /item@N HTTP/1.1" 200 "@A" "@D" "@M"
    $remote_addr [$time_iso8601] "$request" $status "$http_sec_fetch_mode" "$http_user_agent" "$http_sec_fetch_dest"
      => 192.0.2.1 [2026-06-09T10:00:00+00:00] "GET /item@N HTTP/1.1" 200 "@M" "@A" "@D"
    ltsv
      => time:09/Jun/2026:10:00:00 +0000\#tmethod:GET\#turi:/item@N\#tstatus:200\#tua:@A\#tsec_fetch_dest:@D\#tsec_fetch_mode:@M
    #Fields: date time cs-method cs-uri-stem sc-status cs(User-Agent) cs(Sec-Fetch-Dest) cs(Sec-Fetch-Mode)
      => 2026-06-09 10:00:00 GET /item@N 200 @A @D @M
    """#)

  @Test(arguments: formats) func onlyPagesAreVisits(name: String, template: String) throws {
    let format = try LogFormat(named: name) ?? LogFormat(definition: name)
    let agent = CoverageTests.agent.replacing(" ", with: name.hasPrefix("#") ? "+" : " ")
    // If the line has both, the destination decides, because browsers send both.
    let isJSON = template.hasPrefix("{")
    let headers = Self.headers.filter { isJSON || $0.mode == "-" || $0.destination != "-" }
    let pages = headers.count(where: \.isPage)
    let lines = headers.enumerated().map { number, header -> String in
      var line = template.replacing("@N", with: "\(number)").replacing("@A", with: agent)
      line = line.replacing("@D", with: header.destination).replacing("@M", with: header.mode)
      // Caddy writes no headers that a request lacks.
      return line.replacing(/,"Sec-Fetch-[a-zA-Z]+":\["-"\]/, with: "")
    }
    for jobs in [1, 2] {
      let digest = try AuditTests.digest(lines, format: format, jobs: jobs)
      #expect(digest.tally.requests == headers.count)
      let audit = try Auditor(sites: [try AuditTests.site()]).audit(digest)
      #expect(audit.sites[0].total == Traffic(requests: headers.count, visits: pages), "\(name)")
      #expect(audit.sites[0].subresources == headers.count - pages)
    }
  }
}

@Suite struct SampleTests {
  typealias Sample = SampleStore.Sample

  static func expected(_ samples: [Sample]) -> [Sample] {
    var best: [[UInt8]: Bool] = [:]
    for sample in samples {
      best[sample.target] = (best[sample.target] ?? false) || sample.isVisited
    }
    return Array(
      best.map { Sample(target: $0.key, isVisited: $0.value) }.sorted { first, second in
        if first.isVisited != second.isVisited { return first.isVisited }
        let (length, other) = (first.target.count, second.target.count)
        if length != other { return length < other }
        return first.target.lexicographicallyPrecedes(second.target)
      }.prefix(3))
  }

  @Test func keepsTheBestInAnyOrderAndAnySplit() {
    var generator = SeededGenerator()
    for _ in 0..<2_000 {
      let things = 3
      let offers = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        let target = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          UInt8.random(in: 0x61...0x63, using: &generator)
        }
        let thing = Int.random(in: 0..<things, using: &generator)
        let sample = Sample(target: target, isVisited: Bool.random(using: &generator))
        return (thing: thing, sample: sample)
      }
      var stores = Array(repeating: SampleStore(), count: 3)
      for offer in offers {
        let store = Int.random(in: 0..<3, using: &generator)
        stores[store].offer(
          offer.sample.target.span, isVisited: offer.sample.isVisited, for: offer.thing)
      }
      var all = SampleStore()
      for store in stores {
        for thing in 0..<things { all.offer(store, thing, for: thing) }
      }
      for thing in 0..<things {
        let own = offers.filter { $0.thing == thing }.map(\.sample)
        #expect(all.samples(thing) == Self.expected(own))
        #expect(Sample.best(own) == Self.expected(own))
      }
    }
  }

  /// Better samples replace very many others, and take the memory of these.
  @Test func keepsTheBestOfVeryMany() {
    var generator = SeededGenerator()
    var store = SampleStore()
    var offers: [[Sample]] = [[], [], []]
    for length in (1...600).reversed() {
      for thing in offers.indices {
        let target = (0..<length).map { _ in UInt8.random(in: 0x61...0x7A, using: &generator) }
        let sample = Sample(target: target, isVisited: Int.random(in: 0..<9, using: &generator) > 0)
        store.offer(target.span, isVisited: sample.isVisited, for: thing)
        offers[thing].append(sample)
        guard length % 50 == 0 || length < 4 else { continue }
        #expect(store.samples(thing) == Self.expected(offers[thing]))
      }
    }
    #expect(store.bytes.count <= offers.count * 6 * 600)
  }

  @Test(arguments: [
    ("/a/b/c", 1, "/a/{*}"), ("/a/b/c", 2, "/a/b/{*}"), ("/a/b/c", 3, "/a/b/c"),
    ("/a/", 1, "/a/"), ("/a/b/", 1, "/a/{*}"), ("/a/b/", 2, "/a/b/"), ("/", 1, "/"),
    ("/a", 1, "/a"), ("//x", 1, "//{*}"), ("", 1, ""), ("/a//", 1, "/a/{*}"),
  ])
  func depthFolds(template: String, depth: Int, expected: String) {
    var bytes = Array(template.utf8)
    PathGrouping.depth(depth).fold(&bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}

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
      try CoverageTests.audit(lines, rules: "", routes: routes).coverage.dataPaths.visits
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
    // The same without the notation of shells.
    options.ignoredPaths = PathPatterns([
      "/de/api/*", "/shop/api/*", "*.rss", "/it's/wp-json/*", "/graphql", "/api", "/api/*",
    ])
    let rest = try Auditor(sites: [site], options: options).audit(digest)
    #expect(rest.sites[0].total.visits == 66 - finding.traffic.visits)
    #expect(rest.ignored?.visits == finding.traffic.visits)
    #expect(rest.ignored.map { $0 + rest.sites[0].total } == audit.sites[0].total)
    #expect(!rest.findings.contains { $0.code == "visits-not-pages" })
  }

  /// A single path that scripts send data to and nobody opens is data; a form isn't.
  @Test func endpointsOfScriptsLookLikeData() throws {
    func get(_ path: String, _ count: Int) -> [String] {
      CoverageTests.get(path, 200, count, from: "https://www.example.com/buy/1")
    }
    func post(_ path: String, _ count: Int) -> [String] {
      CoverageTests.get(path, 200, count, method: "POST")
    }
    let lines =
      get("/track", 3) + post("/track", 6) + get("/cart", 3) + post("/cart", 5) + get("/login", 2)
      + CoverageTests.get("/login", 200, 1) + post("/login", 90) + get("/order/17", 1)
      + post("/order/17", 50) + post("/", 50) + get("/", 1)
    for jobs in [1, 3] {
      let digest = try AuditTests.digest(lines, jobs: jobs)
      let site = try AuditTests.site()
      let audit = try Auditor(sites: [site], options: AuditOptions(jobs: jobs)).audit(digest)
      #expect(audit.sites[0].coverage.dataPaths.visits == ["/track 3"])
      let finding = try #require(audit.findings.first { $0.code == "visits-not-pages" })
      #expect(finding.remedy.hasSuffix("--ignore '/track'"))
    }
  }

  @Test(arguments: [1, 3])
  func ignoredTrafficIsThatOfThePaths(jobs: Int) throws {
    let digest = try AuditTests.digest(RandomLog.lines(2_000), jobs: jobs)
    let site = try AuditTests.site()
    var options = AuditOptions(jobs: jobs)
    options.ignoredPaths = PathPatterns(["/buy/*", "*.js"])
    let audit = try Auditor(sites: [site], options: options).audit(digest)
    var expected = Traffic()
    for record in try digest.records() where record.host.prefix(while: { $0 != ":" }) == site.host {
      let target = String(decoding: record.target, as: UTF8.self)
      let path = target.prefix { $0 != "?" && $0 != "#" }
      guard path.hasPrefix("/buy/") || path.hasSuffix(".js") else { continue }
      expected += record.traffic()
    }
    #expect(expected.visits > 0 && audit.ignored == expected)
  }
}
