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
      """)

  @Test(arguments: [
    ("/buy/7/x", "", "/buy/:id", [RouteDifference.extraSegments(1)]),
    ("/buy/7/x/y", "", "/buy/:id", [.extraSegments(2)]),
    ("/buy", "", "/buy/:id", [.missingSegments(1)]),
    ("/buy/7/review", "", "/buy/:id/reviews", [.segment(position: 3, expected: "reviews")]),
    ("/BUY/7", "", "/buy/:id", [.letterCase(position: 1, expected: "buy")]),
    ("/by/7", "", "/buy/:id", [.segment(position: 1, expected: "buy")]),
    ("/de/buy/7", "", "/buy/:id", [.extraSegments(1)]),
    ("/search", "", "/search?q", [.missingQueryItem(name: "q")]),
    ("/search", "p=1", "/search?q", [.missingQueryItem(name: "q")]),
    ("/open", "type=gift", "/open?type=order", [.queryValue(name: "type", expected: "order")]),
    (
      "/Search", "", "/search?q",
      [.letterCase(position: 1, expected: "search"), .missingQueryItem(name: "q")]
    ),
    (
      "/account/settings", "", "/Account/settings",
      [.letterCase(position: 1, expected: "Account")]
    ),
    (
      "/news/today/tea", "", "/news/{year:int}/{story}",
      [.wrongType(position: 2, expected: "a whole number")]
    ),
    ("/news/{n}", "", "/news/{year:int}/{story}", [.missingSegments(1)]),
    (
      "/news/{hex}/{*}", "", "/news/{year:int}/{story}",
      [
        .wrongType(position: 2, expected: "a whole number")
      ]
    ),
    ("/u/tea", "", "/u/:id(\\d+)?", [.wrongType(position: 2, expected: "a whole number")]),
    ("/FR/menu", "", "/:lang(de|fr)/menu", [.letterCase(position: 1, expected: "de|fr")]),
  ])
  func differsLeast(
    path: String, query: String, route: String, differences: [RouteDifference]
  ) throws {
    let nearest = try #require(
      Self.table.nearest(path: Array(path.utf8), query: Array(query.utf8)))
    #expect(Self.table.routes[nearest.route].source == route)
    #expect(nearest.differences == differences)
    #expect(!nearest.reason.isEmpty)
  }

  /// What nobody can have meant is not suggested, nor anything for what has a route.
  @Test(arguments: ["/", "/gift", "/gift/7/8", "/a/b/c/d/buy", "/buy/7", "/files/a/b", "/gift/7"])
  func suggestsNothing(path: String) {
    #expect(Self.table.nearest(path: Array(path.utf8), query: []) == nil)
  }

  /// A path has a nearest route only if it has none.
  @Test func aPathWithARouteHasNoNearestOne() {
    let words = ["/a", "/b", "/:x", "/:x?", "/:x*", "/:x+", "/:x(\\d+)", "/a?"]
    let paths = ["/a", "/b/a", "/1/b", "/a/1/A", "/a/a/b/1"].map { Array($0.utf8) }
    for source in strings(over: words, upTo: 3) where !source.isEmpty {
      let table = RouteTable(parsing: source + "/b?")
      for path in paths {
        let nearest = table.nearest(path: path, query: [])
        if table.firstMatch(path: path, query: []) != nil { #expect(nearest == nil, "\(source)") }
        if let nearest { #expect(!nearest.differences.isEmpty, "\(source)") }
      }
    }
  }

  @Test func saysWhyInWords() throws {
    let nearest = try #require(Self.table.nearest(path: Array("/Buy/7/x/y".utf8), query: []))
    #expect(
      nearest.reason
        == "has 'buy' in another letter case as segment 1, is 2 segments longer")
    #expect(RouteDifference.missingSegments(1).description == "is one segment shorter")
  }

  /// Of routes that differ as much, the first counts.
  @Test func theFirstOfEquallyNearOnesCounts() {
    let table = RouteTable(parsing: "/a/x/:b\n/a/y/:b\n/a/z/:b")
    #expect(table.nearest(path: Array("/a/w/1".utf8), query: [])?.route == 0)
  }

  /// What is remembered of one route for the next, and what is passed over, changes nothing.
  @Test func isTheLeastOfAllRoutesByThemselves() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let words = [
      "/buy", "/Buys", "/tea", "/sencha", "/senchas", "/:x", "/:x?", "/tea?", "/:x*", "/:x+",
      "/:x(\\d+)", "/:x(de|fr)", "/a-:x-b",
    ]
    let segments = ["/buy", "/bux", "/TEA", "/sencha", "/sench", "/7", "/{n}", "/DE", "/a-1-b"]
    func some(_ texts: [String], upTo limit: Int) -> String {
      (0...Int.random(in: 0..<limit, using: &generator)).map { _ in
        texts[Int.random(in: texts.indices, using: &generator)]
      }.joined()
    }
    for _ in 0..<2_000 {
      let table = RouteTable(
        parsing: (0..<12).map { _ in some(words, upTo: 4) }.joined(separator: "\n"))
      let path = Array(some(segments, upTo: 5).utf8)
      let place = Comment(
        rawValue: "\(String(decoding: path, as: UTF8.self)), seed \(seed), "
          + "\(table.routes.map(\.source))")
      #expect(table.nearest(path: path, query: []) == Self.plainNearest(path, in: table), place)
    }
  }

  private static func plainNearest(_ path: [UInt8], in table: RouteTable) -> NearestRoute? {
    var best: (weight: Int, route: NearestRoute)?
    for position in table.order {
      for route in table.routes[position].paths {
        let matchers = route.elements.map(\.matcher)
        var alignment = RouteAlignment(path.split(separator: UInt8(ascii: "/")), with: matchers)
        let numbers = Array(matchers.indices)
        guard let weight = alignment.weight(of: route.elements, numbers, below: .max) else {
          continue
        }
        if weight == 0 { return nil }
        guard weight < best?.weight ?? .max,
          let differences = alignment.differences(of: route.elements, numbers)
        else { continue }
        best = (weight, NearestRoute(route: position, differences: differences))
      }
    }
    return best?.route
  }
}
