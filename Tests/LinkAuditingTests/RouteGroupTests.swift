import TestSupport
import Testing
import TrafficDigest

@testable import LinkAuditing

@Suite struct RouteGroupTests {
  /// The path group of a path, if it has few siblings.
  static func group(
    _ path: String, _ routes: RouteMatcher, query: String = ""
  ) -> String {
    var templates = PathTemplates(.template)
    var search = RouteSearch()
    let match = routes.match(path: Array(path.utf8), query: Array(query.utf8), using: &search)
    var tree = PathGroupTree(fanOut: 100)
    let group = templates.group(
      of: Array(path.utf8).span, site: 0, route: match.routeOfPath, of: routes
    ) { tree.insert($0) }
    return tree.text(group)
  }

  @Test(arguments: [
    ("/product/:sku/:color", "/product/123/red", "/product/{*}/{*}"),
    ("/product/:sku/:color", "/product/b-7/0a1b2c3d4e/", "/product/{*}/{*}/"),
    ("/product/:sku/:color", "/product/123", "/product/{n}"),
    ("/sale/2024/:id", "/sale/2024/7", "/sale/2024/{*}"),
    ("/buy/:id(\\d+)", "/buy/7", "/buy/{n}"), ("/buy/{id:uuid}", "/buy/7", "/buy/{n}"),
    ("/:tab(home|me)/x", "/me/x", "/{*}/x"), ("/p-:id", "/p-77", "/p-{*}"),
    ("/buy/:id?", "/buy", "/buy"), ("/buy/:id?", "/buy/7", "/buy/{*}"),
    ("/a(/:b)(/:c)", "/a/1/2", "/a/{*}/{*}"), ("/help/*", "/help/a/7", "/help/a/{n}"),
    ("/:lang/*", "/en/buy/7", "/{*}/buy/{n}"), ("*", "/buy/7", "/buy/{n}"), ("/", "/", "/"),
    ("/caf\u{E9}/:id", "/caf%c3%a9/7", "/caf%C3%A9/{*}"), ("/a/:b", "//a//7", "/a/{*}"),
    ("/open/:id?\u{3F}type=order", "/open/7", "/open/{*}"),
  ])
  func foldsParametersAndKeepsText(route: String, path: String, group: String) {
    #expect(Self.group(path, RouteTable(parsing: route).makeMatcher()) == group)
  }

  @Test(arguments: 1...4)
  func agreesWithTheDefinition(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let words = [
      "a", "b", "%e8%8c", "{x}", "{x?}", "{x:int}", "{x:uuid}", "{x:float}", "{p...}", "{p+}",
      "a{x}", "a{x}b{y}", "{x:(a|b)}", "*", "**", "[[x]]", "a(/b)", "b(/:x)(/:y)",
    ]
    let segments = ["a", "b", "ab", "aabb", "1", "-1.5", "%E8%8c", "", "0a1b2c3d"]
    let conditions = ["", "", "?q", "?q=1&r"]
    func some(_ texts: [String], upTo limit: Int) -> String {
      (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
        "/" + (texts.randomElement(using: &generator) ?? "")
      }.joined()
    }
    for _ in 0..<TestRun.size(full: 400, usual: 60) {
      let lines = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        "/" + some(words, upTo: 4) + (conditions.randomElement(using: &generator) ?? "")
      }
      let table = RouteTable(parsing: lines.joined(separator: "\n"), syntax: .mixed)
      let matcher = table.makeMatcher()
      for _ in 0..<40 {
        let path = "/" + some(segments, upTo: 5)
        let query = ["", "q", "q=1&r"].randomElement(using: &generator) ?? ""
        let plain = PlainRoutes(table: table).group(path: path, query: query)
        var rest: [UInt8] = []
        PathTemplate.append(folding: Array(plain.rest.utf8).span, to: &rest)
        let expected = plain.text + String(decoding: rest, as: UTF8.self)
        let found = Self.group(path, matcher, query: query)
        if found != expected {
          Issue.record("\(lines), path \(path), query \(query): \(found), not \(expected)")
        }
      }
    }
  }

  @Test func groupsOfRoutesNeverFoldWithOthers() throws {
    let names = (0..<30).map { "/shop/word\($0)" }
    let lines =
      (names + ["/shop/cart", "/shop/item/a", "/shop/item/7"]).flatMap { CoverageTests.get($0) }
    let audit = try CoverageTests.audit(
      lines, rules: "{\"/\":\"/shop/*\"}", routes: "/shop/cart\n/shop/item/:id"
    ) { $0.fanOut = 20 }
    #expect(
      audit.coverage.claimedNotImplemented.map { "\($0.path) \($0.traffic.visits)" }
        == ["/shop/{*} 30"])
    let excluded = try CoverageTests.audit(
      lines, rules: "{\"/\":\"/*\",\"exclude\":true}", routes: "/shop/cart\n/shop/item/:id"
    ) { $0.fanOut = 20 }
    #expect(
      excluded.coverage.excludedHeavy.map { "\($0.path) \($0.traffic.visits)" }
        == ["/shop/{*} 30", "/shop/item/{*} 2", "/shop/cart 1"])
  }

  @Test func pairsAreOfRoutesOnBothSidesAndOccurOnce() throws {
    func get(_ path: String, from page: String) -> String {
      "192.0.2.1 - - [-] \"GET \(path) HTTP/1.1\" 200 5 \"https://www.example.com\(page)\" \"\(CoverageTests.agent)\""
    }
    let lines = [
      get("/product/1/red", from: "/list/a/tea"), get("/product/b/7", from: "/list/7/caf%c3%a9"),
      get("/product/b/7/", from: "/other/7"), get("/product/b/7", from: "/help/a/7"),
    ]
    let audit = try CoverageTests.audit(
      lines, rules: "{\"/\":\"/product/*\"}",
      routes: "/product/:sku/:color\n/list/{page}/:topic\n/help/*\n/other/:id(\\d+)")
    #expect(
      audit.sameHostReferrals == [
        PagePair(from: "/list/{*}/{*}", to: "/product/{*}/{*}", visits: 2),
        PagePair(from: "/help/a/{n}", to: "/product/{*}/{*}", visits: 1),
        PagePair(from: "/other/{n}", to: "/product/{*}/{*}/", visits: 1),
      ])
    // If a route and the usual rules name the same group, it is in the table once.
    let twice = try CoverageTests.audit(
      [get("/a/1", from: "/b/1"), get("/a/c/1", from: "/b/1"), get("/a/c/2", from: "/b/c/1")],
      rules: "{\"/\":\"/a/*\"}", routes: "/a/{id:int}/x\n/a/*\n/b/:id(\\d+)\n/b/c/:x(\\d+)")
    #expect(
      Set(twice.sameHostReferrals.map { "\($0.from) \($0.to)" }).count
        == twice.sameHostReferrals.count)
  }

  @Test func otherGroupingsIgnoreRoutes() throws {
    let lines = CoverageTests.get("/buy/tea/1") + CoverageTests.get("/buy/mate/2")
    func paths(_ grouping: PathGrouping) throws -> [String] {
      try CoverageTests.audit(lines, rules: "", routes: "/buy/:name/:id") {
        $0.grouping = grouping
      }.coverage.unclaimedHeavy.map(\.path).sorted()
    }
    #expect(try paths(.exact) == ["/buy/mate/2", "/buy/tea/1"])
    #expect(try paths(.depth(1)) == ["/buy/{*}"])
    #expect(try paths(.template) == ["/buy/{*}/{*}"])
  }
}
