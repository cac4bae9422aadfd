import TestSupport
import Testing

@testable import LinkAuditing

@Suite struct PathGroupTests {
  static func groups(_ templates: [String], fanOut: Int) -> [String] {
    var tree = PathGroupTree(fanOut: fanOut)
    let numbers = templates.map { tree.insert(Array($0.utf8).span) }
    return numbers.map { tree.text($0) }
  }

  @Test func manyLiteralsUnderOneParentFold() {
    let templates = ["/a/x", "/a/y", "/a/z", "/a/{n}", "/a/", "/b/x"]
    #expect(Self.groups(templates, fanOut: 3) == templates)
    #expect(
      Self.groups(templates, fanOut: 2) == [
        "/a/{*}", "/a/{*}", "/a/{*}", "/a/{n}", "/a/", "/b/x",
      ])
  }

  @Test func foldingMergesAndRefoldsChildren() {
    let templates = ["/a/x/1.html", "/a/y/2.html", "/a/z/3.html", "/a/z/{n}"]
    #expect(
      Self.groups(templates, fanOut: 2)
        == ["/a/{*}/{*}", "/a/{*}/{*}", "/a/{*}/{*}", "/a/{*}/{n}"])
  }

  private static func templates(
    _ count: Int, of segments: [String], upTo depth: Int, _ generator: inout SeededGenerator
  ) -> [String] {
    (0..<count).map { _ in
      let path = (0..<Int.random(in: 1...depth, using: &generator)).map { _ in
        "/" + (segments.randomElement(using: &generator) ?? "")
      }.joined()
      // Some begin with a part that a route defines.
      return Int.random(in: 0..<5, using: &generator) > 0
        ? path : PlainPathGroups.joint + path.dropFirst()
    }
  }

  @Test(arguments: [1, 2, 3, 5])
  func agreesWithPlainPathGroupsInAnyOrderAndSplit(fanOut: Int) {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let segments = ["a", "b", "c", "d", "e", "f", "g", "{n}", "{*}", "{hex}", ""]
    for round in 0..<400 {
      let templates = Self.templates(
        round % 7 == 0 ? 300 : 40, of: segments, upTo: 5, &generator)
      let expected = PlainPathGroups.groups(templates, fanOut: fanOut)
      #expect(Self.groups(templates, fanOut: fanOut) == expected, "seed: \(seed)")

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
      #expect(merged == expected, "seed: \(seed)")
    }
  }

  @Test func treeSizeGrowsWithTheNumberOfPathGroups() {
    var tree = PathGroupTree(fanOut: 10)
    var generator = SeededGenerator(seed: 1)
    let numbers = (0..<20_000).map { index in
      tree.insert(
        Array("/p\(index)/q\(UInt32.random(in: 0...999, using: &generator))".utf8).span)
    }
    #expect(Set(numbers.map { tree.text($0) }) == ["/{*}/{*}"])
    #expect(numbers.max() ?? 0 < 1_000)
  }

  @Test(arguments: [
    ("/buy/:id", "/buy/7", "", true), ("/buy/:id", "/buy/7/", "", true),
    ("/buy/:id", "/buy", "", false), ("/buy/:id", "/buy/7/x", "", false),
    ("/buy/{id}", "/buy/7", "", true), ("/buy/[id]", "/buy/7", "", true),
    ("buy/{id}", "/buy/7", "", true), ("/help/*", "/help", "", true),
    ("/help/*", "/help/a/b", "", true), ("/help/*/x", "/help/a/x", "", true),
    ("/help/*/x", "/help/a/b/x", "", false), ("/", "/", "", true), ("/", "/a", "", false),
    ("*", "/a/b", "", true), ("/search?q", "/search", "q=tea", true),
    ("/search?q", "/search", "p=1&q", true), ("/search?q", "/search", "", false),
    ("/open?type=order&id", "/open", "id=1&type=order", true),
    ("/open?type=order&id", "/open", "id=1&type=gift", false), ("/Buy", "/buy", "", false),
    ("/café/:id", "/caf%C3%A9/7", "", true), ("/a b/:id", "/a%20b/9", "", true),
    ("/caf%C3%A9/:id", "/caf%C3%A9/7", "", true), ("/s?é", "/s", "%C3%A9=1", true),
  ])
  func routes(route: String, path: String, query: String, matches: Bool) {
    let table = RouteTable(parsing: route)
    #expect((table.firstMatch(path: Array(path.utf8), query: Array(query.utf8)) != nil) == matches)
  }

  @Test(arguments: [
    ("/a.js", true), ("/a.JS", true), ("/a.b/c", false), ("/a.js/", false), ("/", false),
    ("/x.woff2", true), ("/x.woff22", false), ("/.png", true), ("/a.html", false), ("", false),
  ])
  func assets(path: String, isAsset: Bool) {
    #expect(AssetExtensions.standard.contains(extensionOf: Array(path.utf8).span) == isAsset)
  }
}
