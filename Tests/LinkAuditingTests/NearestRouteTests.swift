import TestSupport
import Testing

@testable import LinkAuditing

@Suite struct NearestRouteTests {
  static let table = RouteTable(
    parsing: """
      /buy/:id
      /buy/:id/reviews
      /search?q
      /open?type=order
      /Account/settings
      /news/{year:int}/{story}
      /files/*
      /u/:id(\\d+)?
      /:lang(de|fr)/menu
      /mail/{from}-{to}
      """)

  static func nearest(
    _ path: String, _ query: String = "", in table: RouteTable
  ) -> RouteSuggestion? {
    NearestRoutes(table).nearest(path: Array(path.utf8), query: Array(query.utf8))?.route
  }

  @Test(arguments: [
    ("/buy/7/x", "", "/buy/:id", "is one segment longer"),
    ("/buy/7/x/y", "", "/buy/:id", "is 2 segments longer"),
    ("/buy", "", "/buy/:id", "is one segment shorter"),
    ("/buy/7/review", "", "/buy/:id/reviews", "has no 'reviews' as segment 3"),
    ("/BUY/7", "", "/buy/:id", "has 'buy' in another letter case as segment 1"),
    ("/by/7", "", "/buy/:id", "has no 'buy' as segment 1"),
    ("/de/buy/7", "", "/buy/:id", "is one segment longer"),
    (
      "/Buy/7/x/y", "", "/buy/:id",
      "has 'buy' in another letter case as segment 1, is 2 segments longer"
    ),
    ("/search", "", "/search?q", "lacks 'q' in its query"),
    ("/search", "p=1", "/search?q", "lacks 'q' in its query"),
    (
      "/open", "type=gift", "/open?type=order",
      "has 'type' in its query, but not with the value 'order'"
    ),
    (
      "/Search", "", "/search?q",
      "has 'search' in another letter case as segment 1, lacks 'q' in its query"
    ),
    (
      "/account/settings", "", "/Account/settings",
      "has 'Account' in another letter case as segment 1"
    ),
    (
      "/news/today/tea", "", "/news/{year:int}/{story}", "does not have a whole number as segment 2"
    ),
    ("/news/1", "", "/news/{year:int}/{story}", "is one segment shorter"),
    ("/u/tea", "", "/u/:id(\\d+)?", "does not have a whole number as segment 2"),
    ("/FR/menu", "", "/:lang(de|fr)/menu", "has 'de|fr' in another letter case as segment 1"),
    ("/mail/a", "", "/mail/{from}-{to}", "has no '…-…' as segment 2"),
  ])
  func differsLeast(path: String, query: String, route: String, difference: String) {
    #expect(
      Self.nearest(path, query, in: Self.table)
        == RouteSuggestion(route: route, difference: "the path " + difference))
  }

  /// A path that nobody can have meant has no nearest route, nor does one with a route.
  @Test(arguments: ["/", "/gift", "/gift/7/8", "/a/b/c/d/buy", "/buy/7", "/files/a/b", "/gift/7"])
  func suggestsNothing(path: String) {
    #expect(Self.nearest(path, in: Self.table) == nil)
  }

  /// A path has a nearest route only if it has none.
  @Test func aPathWithARouteHasNoNearestOne() {
    let words = ["/a", "/b", "/:x", "/:x?", "/:x*", "/:x+", "/:x(\\d+)", "/a?"]
    for source in strings(over: words, upTo: 3) where !source.isEmpty {
      let table = RouteTable(parsing: source + "/b?")
      for path in ["/a", "/b/a", "/1/b", "/a/1/A", "/a/a/b/1"] {
        let nearest = Self.nearest(path, in: table)
        if table.firstMatch(path: Array(path.utf8), query: []) != nil {
          #expect(nearest == nil, "\(source)")
        }
        if let nearest { #expect(nearest.difference != "the path ", "\(source)") }
      }
    }
  }

  /// The first of equally near routes counts.
  @Test func firstOfEquallyNearRoutesCounts() {
    let table = RouteTable(parsing: "/a/x/:b\n/a/y/:b\n/a/z/:b")
    #expect(Self.nearest("/a/w/1", in: table)?.route == "/a/x/:b")
  }

  /// The search skips most routes, but finds the same minimum as a search over all.
  @Test func agreesWithAskingEachRouteAlone() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let words = [
      "/buy", "/Buys", "/tea", "/sencha", "/senchas", "/:x", "/:x?", "/tea?", "/:x*", "/:x+",
      "/:x(\\d+)", "/:x(de|fr)", "/a-:x-b",
    ]
    let segments = ["/buy", "/bux", "/TEA", "/sencha", "/sench", "/7", "/x", "/DE", "/a-1-b"]
    func some(_ texts: [String], upTo limit: Int) -> String {
      (0...Int.random(in: 0..<limit, using: &generator)).map { _ in
        texts[Int.random(in: texts.indices, using: &generator)]
      }.joined()
    }
    for _ in 0..<2_000 {
      let sources = (0..<12).map { _ in some(words, upTo: 4) }
      let path = some(segments, upTo: 5)
      let table = RouteTable(parsing: sources.joined(separator: "\n"), syntax: .colon)
      let place = Comment(rawValue: "\(path), seed \(seed), \(sources)")
      let found = NearestRoutes(table).nearest(path: Array(path.utf8), query: [])
      guard table.firstMatch(path: Array(path.utf8), query: []) == nil else {
        #expect(found == nil, place)
        continue
      }
      let alone = sources.compactMap { source in
        NearestRoutes(RouteTable(parsing: source, syntax: .colon))
          .nearest(path: Array(path.utf8), query: [])
      }
      let least = alone.map(\.weight).min()
      #expect(found?.weight == least, place)
      #expect(found?.route == alone.first { $0.weight == least }?.route, place)
    }
  }
}
