import TestSupport
import Testing

@testable import LinkAuditing

@Suite struct FamilyTests {
  static func families(_ templates: [String], fanOut: Int) -> [String] {
    FamilyTree(templates: templates.map { Array($0.utf8) }, fanOut: fanOut).families
  }

  @Test func manyLiteralsUnderOneParentFold() {
    let templates = ["/a/x", "/a/y", "/a/z", "/a/{n}", "/a/", "/b/x"]
    #expect(Self.families(templates, fanOut: 3) == templates)
    #expect(
      Self.families(templates, fanOut: 2) == [
        "/a/{*}", "/a/{*}", "/a/{*}", "/a/{n}", "/a/", "/b/x",
      ])
  }

  @Test func whatLiesBelowIsJoinedAndCanFoldItself() {
    let templates = ["/a/x/1.html", "/a/y/2.html", "/a/z/3.html", "/a/z/{n}"]
    #expect(
      Self.families(templates, fanOut: 2)
        == ["/a/{*}/{*}", "/a/{*}/{*}", "/a/{*}/{*}", "/a/{*}/{n}"])
  }

  @Test func orderDoesNotMatter() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let templates = (0..<30).map { _ in
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          "/" + (["a", "b", "c", "d", "{n}", "{*}", ""].randomElement(using: &generator) ?? "")
        }.joined()
      }
      let shuffled = templates.shuffled(using: &generator)
      let one = Dictionary(zip(templates, Self.families(templates, fanOut: 2))) { first, _ in first
      }
      let other = Dictionary(zip(shuffled, Self.families(shuffled, fanOut: 2))) { first, _ in first
      }
      #expect(one == other, "seed: \(seed)")
    }
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
    let table = RouteTable([RoutePattern(route)])
    #expect((table.firstMatch(path: Array(path.utf8), query: Array(query.utf8)) != nil) == matches)
  }

  @Test(arguments: [
    ("/a.js", true), ("/a.JS", true), ("/a.b/c", false), ("/a.js/", false), ("/", false),
    ("/x.woff2", true), ("/x.woff22", false), ("/.png", true), ("/a.html", false), ("", false),
  ])
  func assets(path: String, isAsset: Bool) {
    #expect(AssetExtensions.standard.contains(extensionOf: Array(path.utf8)) == isAsset)
  }
}
