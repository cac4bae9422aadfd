import TestSupport
import Testing
import UniversalLinks

@testable import LinkAuditing

@Suite struct CoverageTests {
  static let agent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"

  static func get(
    _ path: String, _ status: Int = 200, agent: String = agent, _ count: Int = 1
  ) -> [String] {
    Array(
      repeating: "192.0.2.1 - - [-] \"GET \(path) HTTP/1.1\" \(status) 5 \"-\" \"\(agent)\"",
      count: count)
  }

  static func audit(
    _ lines: [String], rules: String, routes: String? = nil,
    _ change: (inout AuditOptions) -> Void = { _ in }
  ) throws -> SiteAudit {
    let text =
      "{\"applinks\":{\"details\":[{\"appID\":\"A1B2C3D4E5.com.example.shop\",\"components\":[\(rules)]}]}}"
    let site = Site(
      host: "www.example.com", file: try AssociationFile(decoding: Array(text.utf8)),
      routes: routes.map { RouteTable(parsing: $0) })
    var options = AuditOptions()
    change(&options)
    return try #require(
      try Auditor(sites: [site], options: options).audit(try AuditTests.digest(lines)).sites.first)
  }

  @Test func brokenPagesCountAttempts() throws {
    let lines =
      Self.get("/buy/1", 404, 3) + Self.get("/buy/22", 500) + Self.get("/buy/3", 410)
      + Self.get("/buy/4", 403) + Self.get("/buy/5", 404, agent: "curl/8.0", 2)
      + Self.get("/buy/app.js", 404) + Self.get("/buy/6", 200, 4) + Self.get("/other", 404)
    let rows = try Self.audit(lines, rules: "{\"/\":\"/buy/*\"}").coverage.claimedBroken
    #expect(
      rows.map { "\($0.path) \($0.requests) \($0.visits) \($0.attempts)" } == [
        "/buy/{n} 7 0 5", "/buy/app.js 1 0 0",
      ])
    #expect(
      rows.first?.statuses == [
        StatusCount(status: 404, requests: 5), StatusCount(status: 410, requests: 1),
        StatusCount(status: 500, requests: 1),
      ])
    #expect(rows.first?.samples == ["/buy/1", "/buy/3", "/buy/22"])
    #expect(rows.first?.rule?.pattern == "/buy/*")
  }

  @Test func redirectsLeadToTwinsOfTheirPaths() throws {
    let lines =
      Self.get("/buy/1", 301, 2) + Self.get("/buy/1/", 200, 3)
      + Self.get("/Buy/Tea", 302) + Self.get("/buy/tea", 200)
      + Self.get("/buy/x", 301) + Self.get("/buy/x", 304)
      + Self.get("/buy/away", 307)
    let rows = try Self.audit(lines, rules: "{\"/\":\"/buy/*\",\"caseSensitive\":false}")
      .coverage.claimedRedirected
    let shown = rows.map { row in
      let destination = row.destination.map { "\($0.path) \($0.verdict) \($0.visits)" }
      return "\(row.path) \(row.visits) -> \(destination ?? "?")"
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
      rules: """
        {"/":"/buy/new/*","exclude":true},{"/":"/buy/*"},{"/":"/*/1"},{"/":"/buy/new/1"}
        """)
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
      lines, rules: "{\"/\":\"/buy/*\",\"exclude\":true},{\"/\":\"/by/*\"}",
      routes: "/buy/:id\n/help/:id\n/nobody")
    #expect(audit.coverage.implementedButExcluded.map(\.path) == ["/buy/:id"])
    #expect(audit.coverage.implementedNotClaimed.map(\.path) == ["/help/:id"])
    #expect(audit.coverage.claimedNotImplemented.map(\.path) == ["/by/{n}"])
    #expect(audit.coverage.unvisitedRoutes == ["/nobody"])
  }

  /// A route that equals an earlier one can have no request of its own.
  @Test(arguments: [
    ("/p/:id", "/p/{id}", []), ("/p/:id?a&b", "/p/{x}?b&a", ["/p/:id?a&b"]),
    ("/p/:id", "/q", ["/q"]),
  ])
  func equalRoutesAreOne(first: String, second: String, unvisited: [String]) throws {
    let text = #"{"applinks":{"details":[{"appID":"T.a","components":[{"/":"*"}]}]}}"#
    let site = Site(
      host: "www.example.com", file: try AssociationFile(decoding: Array(text.utf8)),
      routes: RouteTable(joining: [RouteTable(parsing: first), RouteTable(parsing: second)]))
    let digest = try AuditTests.digest(Self.get("/p/1"))
    let audit = try #require(try Auditor(sites: [site]).audit(digest).sites.first)
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
    let paths = audit.causePaths.map { "\($0.cause.name) \($0.share.path)" }
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
    #expect(try rows { $0.grouping = .depth(2) } == ["/a/{n}/{*} 3", "/b/{n} 9"])
  }

  @Test func bracesInExactPathsAreNoPlaceholders() throws {
    let audit = try Self.audit(Self.get("/{n}"), rules: "{\"/\":\"/z\"}") { $0.grouping = .exact }
    #expect(audit.coverage.unclaimedHeavy.map(\.path) == ["/%7Bn%7D"])
  }
}
