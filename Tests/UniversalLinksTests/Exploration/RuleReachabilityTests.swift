import Testing

@testable import UniversalLinks

@Suite struct RuleReachabilityTests {
  /// The identities of rules of the only entry.
  private func ids(_ positions: [Int]) -> [RuleID] {
    positions.map { RuleID(entry: .index(0), list: .components, position: $0) }
  }

  private static func reach(_ rules: String) throws -> [RuleReachability.Reach] {
    let file = try AssociationFile(
      decoding: Array(
        #"{"applinks": {"details": [{"appID": "app", "components": \#(rules)}]}}"#.utf8))
    let reachability = file.reachability(host: "shop.example", system: .current)
    #expect(reachability.gap == nil)
    return reachability.rules.map(\.reach)
  }

  @Test func rulesBehindWiderOnesNeverDecide() throws {
    let reaches = try Self.reach(
      #"[{"/": "/a/*"}, {"/": "/a/b", "exclude": true}, {"/": "/b/*"}, {"/": "/?/c"}]"#)
    #expect(reaches[0] == .decides(url: "https://shop.example/a/x"))
    #expect(reaches[1] == .covered(by: ids([0]), isComplete: true))
    #expect(reaches[3] == .decides(url: "https://shop.example/x/c"))
  }

  @Test func severalRulesCanCoverOne() throws {
    let reaches = try Self.reach(
      #"""
      [{"/": "/a*"}, {"/": "/b*", "?": {"x": "?*"}}, {"/": "/b*", "?": {"x": ""}},
        {"/": "/b/?"}, {"/": "/b/c"}, {"/": "/a"}, {"/": "/c", "?": {"x": "1"}}, {"/": "/c"}]
      """#)
    // With two items, neither of the two rules on items matches.
    #expect(reaches[3] == .decides(url: "https://shop.example/b/c?x=x&x"))
    #expect(reaches[4] == .covered(by: ids([1, 2, 3]), isComplete: true))
    #expect(reaches[5] == .covered(by: ids([0]), isComplete: true))
    #expect(reaches[6] == .decides(url: "https://shop.example/c?x=1"))
  }

  /// Values are followed without recursion, however long they are.
  @Test func valuesMayBeAnyNumberOfStars() throws {
    let stars = String(repeating: "*", count: 100_000)
    let file = try AssociationFile(
      decoding: Array(
        (#"{"applinks": {"substitutionVariables": {"x": ["\#(stars)"]}, "details": [{"appID": "app","#
          + #""components": [{"/": "/$(x)a"}, {"/": "/$(x)$(x)"}]}]}}"#).utf8))
    let reachability = file.reachability(host: "shop.example", system: .current)
    #expect(reachability.rules.count == 2)
    #expect(reachability.misjudgedExamples(of: file, system: .current).isEmpty)
  }

  @Test func somePatternsMatchNothing() throws {
    let reaches = try Self.reach(
      #"[{"/": "a"}, {"/": "/ /x"}, {"/": "/$(none)"}, {"?": {"x": "?", "y": "a&b"}}, {}]"#)
    #expect(reaches[..<4].allSatisfy { $0 == .matchesNothing })
    #expect(reaches[4] == .decides(url: "https://shop.example/x"))
  }
}
