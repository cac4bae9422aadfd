import TestSupport
import Testing

@testable import LinkAuditing

@Suite struct RouteMatcherTests {
  static func expectAgreement(
    _ table: RouteTable, _ path: String, _ query: String = "", _ comment: Comment? = nil
  ) {
    let expected = PlainRoutes(table: table).firstMatch(path: path, query: query)
    let found = table.firstMatch(path: Array(path.utf8), query: Array(query.utf8))
    // Hundreds of thousands of expectations would take longer than their conditions.
    if found != expected {
      Issue.record(
        "\(table.routes.map(\.source)), path \(path), query \(query): \(found as Int?), not \(expected as Int?) \(comment ?? "")"
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

  /// Tables of several routes, in which a node has several continuations.
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
      "12345678-1234-1234-1234-123456789abc",
    ]
    let conditions = ["", "", "", "?q", "?q=1", "?q=1&r", "?r=", "?r?&q=2"]
    let queries = ["", "q", "q=1", "q=2&r", "r&q=1", "q=3&q=1&r=%c3", "&&=&q"]
    func some(_ texts: [String], upTo limit: Int) -> String {
      (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
        "/" + (texts.randomElement(using: &generator) ?? "")
      }.joined()
    }
    for _ in 0..<TestRun.size(full: 80, usual: 15) {
      let lines = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        "/" + some(words, upTo: 4) + (conditions.randomElement(using: &generator) ?? "")
      }
      var table = RouteTable(parsing: lines.joined(separator: "\n"), syntax: .mixed)
      if Bool.random(using: &generator) { table = RouteTable(joining: [table, table]) }
      for _ in 0..<60 {
        Self.expectAgreement(
          table, "/" + some(segments, upTo: 5), queries.randomElement(using: &generator) ?? "",
          "seed \(seed)")
      }
    }
  }

  /// Among files, the most specific route wins, wherever it is.
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
    func route(_ path: String) -> String? {
      table.firstMatch(path: Array(path.utf8), query: []).map { table.routes[$0].source }
    }
    #expect(route("/buy") == "buy/index.tsx")
    #expect(route("/buy/new") == "buy/new.tsx")
    #expect(route("/buy/7") == "buy/[id].tsx")
    #expect(route("/buy/7/8") == "buy/[...rest].tsx")
    #expect(route("/sell") == "[id].tsx")
    #expect(route("/sell/7") == "[...rest].tsx")
    #expect(route("/") == nil)
  }

  /// Ten thousand routes, and paths that make as many nodes as possible live.
  @Test func manyRoutesAndLongPathsAreNoTrouble() {
    var lines = (0..<5_000).map { "/r\($0)/:id/x\($0)" }
    lines += (0..<5_000).map { "/open?type=t\($0)&id" }
    lines += ["/:a?/:b?/:c?/:d?/:e?/:f?/end", "/**/x/**/x/**/x/**/y"]
    let table = RouteTable(parsing: lines.joined(separator: "\n"))
    #expect(table.routes.count == 10_002)
    func match(_ path: String, _ query: String = "") -> Int? {
      table.firstMatch(path: Array(path.utf8), query: Array(query.utf8))
    }
    #expect(match("/r4999/7/x4999") == 4_999)
    #expect(match("/r4999/7/x1") == nil)
    #expect(match("/open", "id=1&type=t42") == 5_042)
    #expect(match("/open", "type=t42") == nil)
    #expect(match("/1/2/3/end") == 10_000)
    #expect(match(String(repeating: "/x", count: 20_000)) == nil)
    #expect(match(String(repeating: "/x", count: 20_000) + "/y") == 10_001)
    #expect(match("/open", String(repeating: "id=1&", count: 10_000) + "type=t1") == 5_001)
    let allValues = (0..<5_000).map { "type=t\($0)" }.joined(separator: "&")
    #expect(match("/open", allValues + String(repeating: "&type=t1", count: 10_000)) == nil)
  }

  /// A text leads both to places where it may be missing and to places where it may not.
  @Test func aTextCanBeOptionalInOneRouteOnly() {
    let table = RouteTable(parsing: "/a?/b\n/a/c")
    #expect(table.firstMatch(path: Array("/a/c".utf8), query: []) == 1)
    #expect(table.firstMatch(path: Array("/a/b".utf8), query: []) == 0)
    #expect(table.firstMatch(path: Array("/b".utf8), query: []) == 0)
    #expect(table.firstMatch(path: Array("/c".utf8), query: []) == nil)
  }

  @Test func joinedTablesKeepTheirOrders() {
    let files = RouteTable(parsing: "[id].tsx\nbuy.tsx", syntax: .expoRouter)
    let paths = RouteTable(parsing: "/:any\nhttps://x.example/y", host: "y.example")
    let table = RouteTable(joining: [files, paths])
    #expect(table.routes.map(\.line) == [1, 2, 1])
    #expect(table.syntax == .mixed && table.omissions.count == 1)
    #expect(table.firstMatch(path: Array("/buy".utf8), query: []) == 1)
    #expect(table.firstMatch(path: Array("/sell".utf8), query: []) == 0)
  }
}
