import Foundation
import TestSupport
import Testing
import TrafficDigest

@testable import LinkAuditing

extension RouteTable {
  func match(_ target: some StringProtocol) -> Int? {
    let parts = String(target).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.dropFirst().flatMap { Array($0.utf8) }
    return firstMatch(path: Array(parts[0].utf8), query: query)
  }
}

@Suite struct RouteMatcherTests {
  static func expectAgreement(_ table: RouteTable, _ path: String, _ query: String = "") {
    let expected = PlainRoutes(table: table).firstMatch(path: path, query: query)
    let found = table.firstMatch(path: Array(path.utf8), query: Array(query.utf8))
    // Hundreds of thousands of expectations would take longer than their conditions.
    if found != expected {
      Issue.record(
        "\(table.routes.map(\.source)), path \(path), query \(query): \(found as Int?), not \(expected as Int?)"
      )
    }
  }

  /// Every route of up to three words over an alphabet with all kinds of elements, against every
  /// path of up to three segments.
  @Test func everySmallRouteAgreesWithTheDefinition() {
    let words = ["/a", "/:x", "/:x?", "/:x*", "/:x+", "/:x(\\d+)", "/a?", "/*", "/**", "/a-:x"]
    let paths = strings(over: ["/a", "/1", "/a-b"], upTo: 3)
    for source in strings(over: words, upTo: 3) where !source.isEmpty {
      let table = RouteTable(parsing: source + "/z?\n", syntax: .colon)
      let bare = RouteTable(parsing: source, syntax: .colon)
      for path in paths {
        Self.expectAgreement(bare, path)
        Self.expectAgreement(table, path)
      }
    }
  }

  @Test(arguments: 1...8)
  func randomTablesAgreeWithTheDefinition(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let words = [
      "a", "b", "%e8%8c", "{x}", "{x?}", "{x:int}", "{x:uuid}", "{x:float}", "{p...}", "{p+}",
      "a{x}", "{x}b", "a{x}b{y}", "{x:(a|b)}", "*", "**", "[[x]]", "[...x]", "[[...x]]", "<path:x>",
      "a(/b)", "b(/:x)(/:y)",
    ]
    let segments = [
      "a", "b", "c", "ab", "acb", "aabb", "1", "-1.5", "%E8%8c", "",
      "0a1b2c3d", "12345678-1234-1234-1234-123456789abc",
    ]
    let conditions = ["", "", "", "?q", "?q=1", "?q=1&r", "?r=", "?r?&q=2"]
    let queries = ["", "q", "q=1", "q=2&r", "r&q=1", "q=3&q=1&r=%c3", "&&=&q"]
    func some(_ texts: [String], upTo limit: Int) -> String {
      generator.text(of: texts.map { "/" + $0 }, 0...limit)
    }
    for _ in 0..<TestRun.size(full: 200, usual: 20) {
      let lines = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        "/" + some(words, upTo: 4) + generator.pick(conditions)
      }
      var table = RouteTable(parsing: lines.joined(separator: "\n"), syntax: .mixed)
      if Bool.random(using: &generator) { table = RouteTable(joining: [table, table]) }
      let matcher = table.makeMatcher()
      for _ in 0..<60 {
        let (path, query) = ("/" + some(segments, upTo: 5), generator.pick(queries))
        Self.expectAgreement(table, path, query)
        let plain = PlainRoutes(table: table).group(path: path, query: query)
        var rest: [UInt8] = []
        PathTemplate.append(folding: Array(plain.rest.utf8).span, to: &rest)
        let expected = plain.text + String(decoding: rest, as: UTF8.self)
        let group = RouteGroupTests.group(path, matcher, query: query)
        if group != expected {
          Issue.record("\(lines), path \(path), query \(query): \(group), not \(expected)")
        }
      }
    }
  }

  @Test func fileRoutersPreferSpecificRoutes() {
    let table = RouteTable(
      parsing: """
        [...rest].tsx
        [id].tsx
        buy/[...rest].tsx
        buy/[id].tsx
        buy/new.tsx
        buy/index.tsx
        _layout.tsx
        """)
    #expect(table.syntax == .expoRouter)
    let targets = ["/buy", "/buy/new", "/buy/7", "/buy/7/8", "/sell", "/sell/7", "/"]
    #expect(
      targets.map { target in table.match(target).map { table.routes[$0].source } } == [
        "buy/index.tsx", "buy/new.tsx", "buy/[id].tsx", "buy/[...rest].tsx", "[id].tsx",
        "[...rest].tsx", nil,
      ])
  }

  @Test func manyRoutesAndLongPathsAreNoTrouble() {
    var lines = (0..<5_000).map { "/r\($0)/:id/x\($0)" }
    lines += (0..<5_000).map { "/open?type=t\($0)&id" }
    lines += ["/:a?/:b?/:c?/:d?/:e?/:f?/end", "/**/x/**/x/**/x/**/y"]
    let table = RouteTable(parsing: lines.joined(separator: "\n"))
    #expect(table.routes.count == 10_002)
    let allValues = (0..<5_000).map { "type=t\($0)" }.joined(separator: "&")
    let long = String(repeating: "/x", count: 20_000)
    for (target, route) in [
      ("/r4999/7/x4999", 4_999), ("/r4999/7/x1", nil), ("/open?id=1&type=t42", 5_042),
      ("/open?type=t42", nil), ("/1/2/3/end", 10_000), (long, nil), (long + "/y", 10_001),
      ("/open?" + String(repeating: "id=1&", count: 10_000) + "type=t1", 5_001),
      ("/open?" + allValues + String(repeating: "&type=t1", count: 10_000), nil),
    ] as [(String, Int?)] { #expect(table.match(target) == route, "\(target.prefix(100))") }
  }

  /// A text leads both to places where it may be missing and to places where it may not.
  @Test func aTextCanBeOptionalInOneRouteOnly() {
    let table = RouteTable(parsing: "/a?/b\n/a/c")
    #expect(["/a/c", "/a/b", "/b", "/c"].map { table.match($0) } == [1, 0, 0, nil])
  }

  @Test func joinedTablesKeepTheirOrders() {
    let files = RouteTable(parsing: "[id].tsx\nbuy.tsx", syntax: .expoRouter)
    let paths = RouteTable(parsing: "/:any\nhttps://x.example/y", host: "y.example")
    let table = RouteTable(joining: [files, paths])
    #expect(table.routes.map(\.line) == [1, 2, 1])
    #expect(table.syntax == .mixed && table.omissions.count == 1)
    #expect(table.match("/buy") == 1 && table.match("/sell") == 0)
  }
}

@Suite struct RouteGroupTests {
  static func group(_ path: String, _ routes: RouteMatcher, query: String = "") -> String {
    var templates = PathTemplates(.template, fanOut: 100, siteCount: 1)
    var search = RouteSearch()
    let match = routes.match(path: Array(path.utf8), query: Array(query.utf8), using: &search)
    let group = templates.group(
      of: Array(path.utf8).span, site: 0, route: match.routeOfPath, of: routes)
    return templates.trees[0].text(group)
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

  @Test func groupsOfRoutesNeverFoldWithOthers() throws {
    let names = (0..<30).map { "/shop/word\($0)" }
    let lines =
      (names + ["/shop/cart", "/shop/item/a", "/shop/item/7"]).flatMap { CoverageTests.get($0) }
    func coverage(_ rules: String) throws -> Coverage {
      try CoverageTests.audit(lines, rules: rules, routes: "/shop/cart\n/shop/item/:id") {
        $0.fanOut = 20
      }.coverage
    }
    let claimed = try coverage(#"{"/":"/shop/*"}"#)
    #expect(claimed.claimedNotImplemented.visits == ["/shop/{*} 30"])
    let excluded = try coverage(#"{"/":"/*","exclude":true}"#)
    #expect(excluded.excludedHeavy.visits == ["/shop/{*} 30", "/shop/item/{*} 2", "/shop/cart 1"])
  }

  @Test func pairsAreOfRoutesOnBothSidesAndOccurOnce() throws {
    func pairs(_ links: [(page: String, path: String)], rules: String, routes: String) throws
      -> [PagePair]
    {
      let lines = links.flatMap {
        CoverageTests.get($0.path, from: "https://www.example.com\($0.page)")
      }
      return try CoverageTests.audit(lines, rules: rules, routes: routes).sameHostReferrals
    }
    let both = try pairs(
      [
        ("/list/a/tea", "/product/1/red"), ("/list/7/caf%c3%a9", "/product/b/7"),
        ("/other/7", "/product/b/7/"), ("/help/a/7", "/product/b/7"),
      ], rules: #"{"/":"/product/*"}"#,
      routes: "/product/:sku/:color\n/list/{page}/:topic\n/help/*\n/other/:id(\\d+)")
    #expect(
      both == [
        PagePair(from: "/list/{*}/{*}", to: "/product/{*}/{*}", visits: 2),
        PagePair(from: "/help/a/{n}", to: "/product/{*}/{*}", visits: 1),
        PagePair(from: "/other/{n}", to: "/product/{*}/{*}/", visits: 1),
      ])
    // If a route and the usual rules name the same group, it is in the table once.
    let once = try pairs(
      [("/b/1", "/a/1"), ("/b/1", "/a/c/1"), ("/b/c/1", "/a/c/2")], rules: #"{"/":"/a/*"}"#,
      routes: "/a/{id:int}/x\n/a/*\n/b/:id(\\d+)\n/b/c/:x(\\d+)")
    #expect(Set(once.map { "\($0.from) \($0.to)" }).count == once.count)
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
  }
}

@Suite struct PathGroupTests {
  static func groups(_ templates: [String], fanOut: Int) -> [String] {
    var tree = PathGroupTree(fanOut: fanOut)
    let numbers = templates.map { tree.insert(Array($0.utf8).span) }
    return numbers.map { tree.text($0) }
  }

  /// Many literals under one parent fold, and their children are merged and fold again.
  @Test(arguments: [
    (3, "/a/x /a/y /a/z /a/{n} /a/ /b/x", "/a/x /a/y /a/z /a/{n} /a/ /b/x"),
    (2, "/a/x /a/y /a/z /a/{n} /a/ /b/x", "/a/{*} /a/{*} /a/{*} /a/{n} /a/ /b/x"),
    (2, "/a/x/1.h /a/y/2.h /a/z/3.h /a/z/{n}", "/a/{*}/{*} /a/{*}/{*} /a/{*}/{*} /a/{*}/{n}"),
  ])
  func manyLiteralsFold(fanOut: Int, templates: String, groups: String) {
    let found = Self.groups(templates.split(separator: " ").map(String.init), fanOut: fanOut)
    #expect(found.joined(separator: " ") == groups)
  }

  @Test(arguments: [1, 2, 3, 5])
  func agreesWithPlainPathGroupsInAnyOrderAndSplit(fanOut: Int) {
    var generator = SeededGenerator()
    let segments = ["a", "b", "c", "d", "e", "f", "g", "{n}", "{*}", "{hex}", ""].map { "/" + $0 }
    for round in 0..<400 {
      let templates = (0..<(round % 7 == 0 ? 300 : 40)).map { _ in
        let path = generator.text(of: segments, 1...5)
        // Some begin with a part that a route defines.
        return Int.random(in: 0..<5, using: &generator) > 0
          ? path : PlainPathGroups.joint + path.dropFirst()
      }
      let expected = PlainPathGroups.groups(templates, fanOut: fanOut)
      #expect(Self.groups(templates, fanOut: fanOut) == expected)

      // Any order, any number of workers.
      let order = templates.indices.shuffled(using: &generator)
      let workers = Int.random(in: 2...4, using: &generator)
      var trees = Array(repeating: PathGroupTree(fanOut: fanOut), count: workers)
      var places = Array(repeating: (worker: 0, group: 0), count: templates.count)
      for index in order {
        let worker = Int.random(in: 0..<workers, using: &generator)
        places[index] = (worker, trees[worker].insert(Array(templates[index].utf8).span))
      }
      var all = trees[0]
      let numbers = [nil] + trees.dropFirst().map { all.merge($0) }
      let merged = places.map { place in
        all.text(numbers[place.worker]?[place.group] ?? place.group)
      }
      #expect(merged == expected)
    }
  }

  @Test func treeSizeGrowsWithTheNumberOfPathGroups() {
    var tree = PathGroupTree(fanOut: 10)
    var generator = SeededGenerator(seed: 1)
    let numbers = (0..<20_000).map { index in
      tree.insert(Array("/p\(index)/q\(UInt32.random(in: 0...999, using: &generator))".utf8).span)
    }
    #expect(Set(numbers.map { tree.text($0) }) == ["/{*}/{*}"])
    #expect(numbers.max() ?? 0 < 1_000)
  }

  @Test(arguments: [
    ("/a.js", true), ("/a.JS", true), ("/a.b/c", false), ("/a.js/", false), ("/", false),
    ("/x.woff2", true), ("/x.woff22", false), ("/.png", true), ("/a.html", false), ("", false),
  ])
  func assets(path: String, isAsset: Bool) {
    #expect(AssetExtensions.standard.contains(extensionOf: Array(path.utf8).span) == isAsset)
  }
}

/// Route lists of real apps, which are not part of the package.
@Suite struct RouteCorpusTests {
  static let folder = URL(filePath: TestRun.sharedFolder + "/corpus/routes")

  static let isThere = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("index.jsonl").path)

  /// Files with the host, the syntax, the number of routes, and what is omitted; and paths that match
  /// and, after `not`, that don't.
  static let lists = rows(
    """
    01-bluesky.txt bsky.app colon 34
      => / /profile/a.example/post/3k /hashtag/tea/ /sys/debug-mod not /profile /Profile/a.example /starter-pack/1/2
    02-expensify.txt new.expensify.com colon 76
      => /bank-account /bank-account/x /r /r/1/2 /settings/wallet/card not /r/1/2/3 /v/1 /
    03-artsy-eigen.txt artsy.net colon 124
      => /artist/a/anything/at/all /x/article/1 /my-collection/artworks/new not /show/1 /artwork/a/b/c
    04-kickstarter-ios.txt - colon 33
      => /projects/a/b /projects/a/b/posts/1/comments not /projects/a
    05-voyager-ionic-react.txt - colon 64 => /posts/a/c/b /settings/reddit-migrate/a/b not /a
    06-citizenwallet-go_router.txt - colon 23 => /wallet/a/send/link/progress not /wallet
    07-helium-hotspot.txt - braces 9 => /payment/a not /payment /payment/a/b
    08-my-home-assistant.txt - mixed 88
      => /redirect/oauth?state=1 /redirect/logs /redirect/supervisor_addon?repository_url=x&addon=a not /redirect/oauth?code=1 /redirect/brand /redirect
    09-isowords-swift-url-routing.txt - braces 15
      => /sharedGames/abc /api/config?build=1 not /api/config /shared-games /api/daily-challenges/results?language=en
    10-pillar-valley-expo-router.txt - expoRouter 6 noScreen noScreen noScreen noScreen
      => / /settings /settings/icon not /index /_layout /settings/index
    11-culturepass-expo-router.txt - expoRouter 50 noScreen noScreen noScreen
      => / /login /login/signup /communities /profile/7 /calendar not /(tabs)/calendar /profile/7/x
    12-urlnavigator.txt www.example.com angles 2 navigator: navigator: navigator: navigator: navigator: navigator: navigator: tel: jackcat: honeypot:
      => / /any/thing
    13-jlroutes.txt - colon 10 => /bills/1 /any /a/b/c/d/e
    16-react-navigation-small.txt - colon 10
      => /app /app/7 /home /home/user/1 /profile/1/ not /app/7/8 /profile
    17-deeplinkdispatch-roots.txt my_awesome_site.com braces 2 myscheme:
      => /a/7 /java/1/2/3/4?show_taxes=1&queryParam=2 not /java/1/2/3/4 /a/b/c
    """)

  static func read(_ list: String) throws -> (text: String, table: RouteTable) {
    let words = list.split(separator: " ").map(String.init)
    let text = String(
      decoding: try Data(contentsOf: folder.appendingPathComponent(words[0])), as: UTF8.self)
    let host = words[1] == "-" ? nil : words[1]
    return (text, RouteTable(parsing: text, host: host))
  }

  @Test(.enabled(if: isThere, "there are no lists of routes beside the checkout"), arguments: lists)
  func isReadAsExpected(_ list: String, _ paths: String) throws {
    let (text, table) = try Self.read(list)
    let omissions = table.omissions.map { omission in
      switch omission.reason {
      case .customScheme(let scheme): " \(scheme):"
      case .noScreen: " noScreen"
      default: " \(omission.reason)"
      }
    }
    let found = " \(table.syntax) \(table.routes.count)\(omissions.joined())"
    #expect(list.hasSuffix(found), "\(found)")
    let targets = paths.split(separator: " ").map(String.init).split(separator: "not")
    for target in targets[0] { #expect(table.match(target) != nil, "\(target)") }
    for target in targets.dropFirst().joined() {
      #expect(table.match(target) == nil, "\(target)")
    }
    // Every line is a route or is skipped for a reason.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { !$1.isEmpty }.map { $0.offset + 1 }
    #expect((table.routes.map(\.line) + table.omissions.map(\.line)).sorted() == lines)
    // The definition finds the same routes.
    for route in table.routes {
      let path = route.source.replacing(/[:{}\[\]<>?=&*()]/, with: "")
      for variant in [path, path + "/x", "/x" + path, path.uppercased()] {
        RouteMatcherTests.expectAgreement(table, variant.hasPrefix("/") ? variant : "/" + variant)
      }
    }
  }
}
