import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

@Suite struct SuggesterTests {
  static func file(_ rules: [String], more: String = "", others: String = "") -> String {
    let entry = #"{"appIDs":["T.a"],"components":[\#(rules.joined(separator: ","))]}"#
    return #"{"applinks":{\#(more)"details":[\#(entry)\#(others)]}}"#
  }

  static func suggester(
    _ file: String, routes: String, app: String? = nil,
    options: SuggestionOptions = SuggestionOptions(), judging: AuditOptions = AuditOptions()
  ) throws -> Suggester {
    let bytes = Array(file.utf8)
    let site = Site(
      host: "www.example.com", file: try AssociationFile(decoding: bytes),
      routes: RouteTable(parsing: routes))
    return try Suggester(
      site: site, content: bytes, app: app.map { ApplicationIdentifier($0) }, options: options,
      judging: judging)
  }

  static func suggestion(
    _ file: String, routes: String, _ visits: [(String, Int)], app: String? = nil,
    agent: String = CoverageTests.agent, _ change: (inout SuggestionOptions) -> Void = { _ in }
  ) throws -> Suggestion {
    let lines = visits.flatMap { CoverageTests.get($0.0, 200, agent: agent, $0.1) }
    let digest = try AuditTests.digest(lines)
    var options = SuggestionOptions()
    change(&options)
    let suggestion = try suggester(file, routes: routes, app: app, options: options)
      .suggest(digest)
    try holds(suggestion, file, routes, digest)
    return suggestion
  }

  /// Properties of every suggestion: its figures are those of a comparison, and nothing is lost.
  static func holds(
    _ suggestion: Suggestion, _ file: String, _ routes: String, _ digest: TrafficDigest
  ) throws {
    let table = RouteTable(parsing: routes)
    let files = [try AssociationFile(file), try AssociationFile(decoding: suggestion.content)]
    let sites = files.map { Site(host: "www.example.com", file: $0, routes: table) }
    let comparison = try Comparer(old: sites[0], new: sites[1]).compare(digest)
    #expect(comparison.newlyClaimed == suggestion.won + suggestion.besides)
    #expect(comparison.newlyClaimedFromSameHost == suggestion.wonFromSameHost)
    #expect(comparison.opensAnotherApp == suggestion.taken)
    #expect(comparison.noLongerClaimed == Traffic())
    #expect(suggestion.total == comparison.total)
    let claiming = suggestion.rules.filter { !$0.excludes }
    #expect(claiming.sum(\.won) == suggestion.won)
    // The rest of the file is unchanged.
    var (rest, isKept) = (suggestion.content[...], true)
    for byte in file.utf8 {
      rest = rest.drop { $0 != byte }
      isKept = isKept && !rest.isEmpty
      rest = rest.dropFirst()
    }
    #expect(isKept)
    #expect(suggestion.rules.isEmpty == (suggestion.content == Array(file.utf8)))
  }

  static func rules(_ suggestion: Suggestion) -> [String] { suggestion.rules.map(\.json) }

  @Test func aParameterIsOneCharacterAtLeast() throws {
    let found = try Self.suggestion(
      Self.file(["{\"/\":\"/old\"}"]), routes: "/buy/:id\n/about", [("/buy/1", 5), ("/about", 3)])
    #expect(Self.rules(found) == [#"{"/": "/buy/?*"}"#, #"{"/": "/about"}"#])
    #expect(found.won.visits == 8 && found.wanted.visits == 8)
    #expect(found.remaining.isEmpty)
    #expect(found.rules[0].unseenPath == "/buy/x/x")
    #expect(found.placements.map(\.following) == [nil])
  }

  @Test func whatTheAppLacksIsKeptInFront() throws {
    let file = Self.file([])
    let visits = [("/buy/1", 5), ("/buy/a", 4), ("/buy/1/reviews", 2), ("/buy/2/reviews", 2)]
    let found = try Self.suggestion(file, routes: "/buy/:id", visits)
    #expect(Self.rules(found) == [#"{"/": "/buy/?*/?*", "exclude": true}"#, #"{"/": "/buy/?*"}"#])
    #expect(found.besides == Traffic() && found.won.visits == 9)
    #expect(found.rules[0].others.total.visits == 4)
    let tolerant = try Self.suggestion(file, routes: "/buy/:id", visits) { $0.tolerance = 4_000 }
    #expect(tolerant.won.visits == 9)
    let short = try Self.suggestion(file, routes: "/buy/:id", visits) {
      ($0.tolerance, $0.top) = (0, 1)
    }
    #expect(short.rules.isEmpty)
    #expect(short.remaining.map(\.reason.code) == ["besides"])
  }

  @Test func whatIsTolerableIsClaimed() throws {
    let visits = [("/search?q=tea", 2), ("/search?q=x", 5)]
    let file = #"{"applinks":{"details":[{"appID":"T.a","paths":[]}]}}"#
    func suggestion(tolerance: Int) throws -> Suggestion {
      try Self.suggestion(file, routes: "/search?q=tea", visits) { $0.tolerance = tolerance }
    }
    let refused = try suggestion(tolerance: 7_000)
    #expect(refused.rules.isEmpty)
    #expect(
      refused.remaining.map(\.reason)
        == [.besides(rule: "\"/search\"", Traffic(requests: 5, visits: 5))])
    let found = try suggestion(tolerance: 7_200)
    #expect(Self.rules(found) == ["\"/search\""])
    #expect(found.besides.visits == 5 && found.won.visits == 2)
    #expect(found.rules.first?.others.map(\.path) == ["/search"])
    let linked = CoverageTests.get("/search", 404, 5, from: "https://www.example.com/")
    let lines = linked + CoverageTests.get("/search?q=tea", 200, 2)
    let suggester = try Self.suggester(file, routes: "/search?q=tea")
    #expect(try suggester.suggest(AuditTests.digest(lines)).wonFromSameHost == Traffic())
  }

  /// A file's members in front of its details, its rules, or the whole file; routes; visits; and
  /// whether they are from an old system, or a tenth of them is the least that a rule must win.
  @Test(
    arguments: rows(
      ##"""
      routes share a rule: | /shop /shop/:id /shop/cart/:step /blog/:a /blog/tag/:b | /shop 2, /shop/7 3, /shop/cart/pay 4, /blog/x 2, /blog/tag/y 2, /blog/2024/01/a 1
        => {"/": "/shop/*"} {"/": "/blog/?*/?*/a/*", "exclude": true} {"/": "/blog/?*"} won 13
      overlapping routes: | /a/:x /a/b /a/:x/c | /a/1 2, /a/b 2, /a/b/c 1 => {"/": "/a/?*"} won 5
      queries are asked for: | /search?q /open?type=order&id={id} | /search?q=tea 3, /search 9, /open?id=4&type=order 2, /open?id=1 9
        => {"/": "/search", "?": {"q": "?*"}} {"/": "/open", "?": {"type": "order", "id": "?*"}} won 5
      values of variables: "substitutionVariables":{"tea":["sencha","matcha"]}, | /:locale/menu /:tea/steep | /en/menu 3, /de/menu 3, /sencha/steep 2, /matcha/steep 2
        => {"/": "/$(lang)/menu"} {"/": "/$(tea)/steep"} won 10
      a route's limit stays: | /n/:id(\d+) | /n/12 3, /n/list 2 => {"/": "/n/$(digit)*"} won 3
      letters outside ASCII: | /茶/:id | /%E8%8C%B6/1 3, /%e8%8c%b6/2 3
        => {"/": "/茶/?*", "percentEncoded": false} won 6
      defaults are undone: "defaults":{"caseSensitive":false,"percentEncoded":false,"exclude":true,"?":{"x":"1"},"#":"no"}, | /buy/:id | /buy/1 3, /BUY/1 3
        => {"/": "/buy/?*", "?": {}, "#": "*", "exclude": false, "caseSensitive": true, "percentEncoded": true} won 3
      a route of every path: | /buy/:id * | /buy/1 2, /api/1 7 => {"/": "/buy/?*"} won 2 everyPath
      a route of two segments: | /:lang/:slug/* | /en/tea 3, /x/y/z 2 => {"/": "/?*/?*/*"} won 5
      empty values: | /help/:a?articleNumber | /help/a?articleNumber= 3, /help/a?articleNumber=5 2
        => {"/": "/help/?*", "?": {"articleNumber": "*"}} won 5
      empty values and none: | /help/:a?articleNumber | /help/a?articleNumber= 3, /help/a?articleNumber=5 2, /help/a 1
        => {"/": "/help/?*", "?": {"articleNumber": "?*"}} won 2 besides
      no rule can match: {"applinks":{"defaults":{"percentEncoded":false},"details":[{"appID":"T.a","paths":["/x"]}]}} | /a%2Fb | /a%2Fb 2
        => won 0 unmatched
      decoded elements: {"applinks":{"defaults":{"percentEncoded":false},"details":[{"appID":"T.a","paths":[]}]}} | /茶/:id | /%E8%8C%B6/1 3, /%E8%8C%B6/1/x 1
        => "NOT /茶/?*/?*" "/茶/?*" won 3
      what is light is left out: | /a/:x /b | /a/1 95, /b 5 | tenth
        => {"/": "/a/?*"} won 95 light least 10
      old systems read no components: | /buy/:id | /buy/1 2 | old => won 0 oldSystems
      old systems read paths: {"applinks":{"details":[{"appID":"T.a","paths":["NOT /x"]}]}} | /buy/:id | /buy/1 2 | old
        => "/buy/?*" won 2
      elements cannot take back defaults: {"applinks":{"defaults":{"exclude":true},"details":[{"appID":"T.a","paths":["/x"]}]}} | /buy/:id | /buy/1 3
        => won 0 excludedByDefault
      old systems ignore defaults: {"applinks":{"defaults":{"exclude":true},"details":[{"appID":"T.a","paths":["/x"]}]}} | /buy/:id | /buy/1 2 | old
        => "/buy/?*" won 2
      nor those of their entry: {"applinks":{"details":[{"appID":"T.a","paths":["/x"],"defaults":{"exclude":true}}]}} | /buy/:id | /buy/1 3
        => won 0 excludedByDefault
      old systems ignore these, too: {"applinks":{"details":[{"appID":"T.a","paths":["/x"],"defaults":{"exclude":true}}]}} | /buy/:id | /buy/1 2 | old
        => "/buy/?*" won 2
      """##))
  func suggests(_ input: String, _ expected: String) throws {
    let parts = input.drop { $0 != ":" }.dropFirst().split(separator: "|")
      .map { $0.trimmingPrefix(" ") }
    let file = parts[0].hasPrefix("{") ? String(parts[0]) : Self.file([], more: String(parts[0]))
    let visits = parts[2].split(separator: ", ").map { visit in
      let words = visit.split(separator: " ")
      return (String(words[0]), Int(words[1]) ?? 0)
    }
    let option = parts.count > 3 ? parts[3] : ""
    let found = try Self.suggestion(
      file, routes: parts[1].split(separator: " ").joined(separator: "\n"), visits,
      agent: option == "old" ? CoverageTests.oldAgent : CoverageTests.agent
    ) {
      if option == "tenth" { $0.leastShare = 1_000 }
    }
    var words = Self.rules(found) + ["won \(found.won.visits)"]
    if found.besides != Traffic() { words.append("besides \(found.besides.visits)") }
    words += found.remaining.map(\.reason.code)
    if option == "tenth" { words.append("least \(found.least)") }
    #expect(words.joined(separator: " ") == expected)
  }

  @Test func exclusionsAreLeftAloneUnlessAskedFor() throws {
    let file = Self.file([#"{"/":"/x"}"#, #"{"/":"/account/*","exclude":true}"#, #"{"/":"/y"}"#])
    let visits = [("/account/me", 5), ("/account/log", 1), ("/buy/1", 2)]
    let routes = "/account/me\n/buy/:id"
    let found = try Self.suggestion(file, routes: routes, visits)
    #expect(Self.rules(found) == [#"{"/": "/buy/?*"}"#])
    #expect(found.wanted.visits == 2)
    #expect(found.remaining.map { "\($0.route) \($0.reason.code)" } == ["/account/me excluded 1"])
    let all = try Self.suggestion(file, routes: routes, visits) { $0.includesExcluded = true }
    #expect(Self.rules(all) == [#"{"/": "/account/me"}"#, #"{"/": "/buy/?*"}"#])
    #expect(all.placements.map(\.position) == [1, 3])
    #expect(all.rules.map(\.position) == [1, 4])
    #expect(all.won.visits == 7)
  }

  @Test func rulesStandInFrontOfWhatExcludesAll() throws {
    let file = Self.file([#"{"/":"/x"}"#, #"{"/":"*","exclude":true}"#])
    let found = try Self.suggestion(file, routes: "/buy/:id", [("/buy/1", 2), ("/z", 1)])
    #expect(found.placements.map(\.position) == [1])
    #expect(found.placements.first?.following?.id.position == 1)
    #expect(found.won.visits == 2 && found.hiddenRules.isEmpty)
  }

  @Test func otherAppsCount() throws {
    let file = Self.file([], others: #",{"appIDs":["T.b"],"components":[{"/":"/help/*"}]}"#)
    let several = #expect(throws: SuggestionError.self) { try Self.suggester(file, routes: "/a") }
    #expect(several?.description.hasSuffix("'--app ID': T.a, T.b") == true)
    let unknown = #expect(throws: SuggestionError.self) {
      try Self.suggester(file, routes: "/a", app: "T.c")
    }
    #expect(unknown?.description.hasSuffix("the app 'T.c'; it names T.a, T.b") == true)
    let visits = [("/help/1", 4), ("/buy/1", 3)]
    // The requested app comes first, so a rule for all takes links of another one.
    let found = try Self.suggestion(file, routes: "/:kind/:id", visits, app: "T.a")
    #expect(Self.rules(found) == [#"{"/": "/?*/$(digit)*"}"#])
    #expect(found.won.visits == 3 && found.taken.visits == 4 && found.besides == Traffic())
    #expect(found.rules.map(\.taken.visits) == [4] && found.rules.allSatisfy(\.others.isEmpty))
    #expect(found.claimedByOthers.isEmpty)
    // A rule that takes nothing is better.
    let apart = try Self.suggestion(file, routes: "/buy/:id\n/help/:id", visits, app: "T.a")
    #expect(Self.rules(apart) == [#"{"/": "/buy/?*"}"#] && apart.taken == Traffic())
    #expect(apart.claimedByOthers.map { "\($0.app) \($0.traffic.visits)" } == ["T.b 4"])
    let other = try Self.suggestion(file, routes: "/buy/:id\n/help/:id", visits, app: "T.b")
    #expect(other.entry == .index(1) && other.won.visits == 3)
  }

  /// Links that another app opens don't prevent a necessary exclusion, and don't count as caught
  /// without a route.
  @Test func trafficOfAnotherAppRefusesNoRule() throws {
    let file = Self.file([], others: #",{"appIDs":["T.b"],"components":[{"/":"/buy/?*/gift"}]}"#)
    let visits = [
      ("/buy/1", 5), ("/buy/a", 4), ("/buy/1/reviews", 2), ("/buy/2/reviews", 2),
      ("/buy/1/gift", 3),
    ]
    let found = try Self.suggestion(file, routes: "/buy/:id", visits, app: "T.a")
    #expect(Self.rules(found) == [#"{"/": "/buy/?*/?*", "exclude": true}"#, #"{"/": "/buy/?*"}"#])
    #expect(found.won.visits == 9 && found.taken == Traffic() && found.besides == Traffic())
    #expect(found.rules.first?.others.total.visits == 4)
  }

  @Test(arguments: [
    ("/*", true), ("/:page/*", true), ("/:lang/:slug/*", false), ("/:lang/:slug", false),
    ("/a/*", false),
  ])
  func routesOfEveryPathHaveNoLeastLength(route: String, hasEveryPath: Bool) {
    #expect(RouteTable(parsing: route).routes.map(\.hasEveryPath) == [hasEveryPath])
  }

  @Test func unseenPathsAreFound() throws {
    func unseen(_ routes: String, _ visits: [(String, Int)], more: String = "") throws -> String? {
      let found = try Self.suggestion(Self.file([], more: more), routes: routes, visits)
      return try #require(found.rules.first { !$0.excludes }).unseenPath
    }
    #expect(try unseen("/:locale/tea/*", [("/en/tea/a", 3), ("/de/tea/b/c", 3)]) == nil)
    #expect(try unseen("/n/:id(\\d+)", [("/n/12", 3), ("/n/list", 2)]) == "/n/0x/x")
    #expect(try unseen("/:locale(de|fr)/menu", [("/de/menu", 3), ("/fr/menu", 2)]) == "/AA/menu")
    #expect(
      try unseen(
        "/:tea/steep/:cup", [("/sencha/steep/1", 2), ("/matcha/steep/2", 2), ("/x/steep", 1)],
        more: "\"substitutionVariables\":{\"tea\":[\"sencha\",\"matcha\"]},")
        == "/matcha/steep/x/x")
    #expect(
      try unseen("/a/:b\n/a/:b/:c\n/a/:b/:c/:d", [("/a/1", 2), ("/a/1/2", 2), ("/a/1/2/3", 1)])
        == "/a/x/x/x/x")
    #expect(
      try unseen("/about", [("/about", 2)], more: #""defaults":{"caseSensitive":false},"#)
        == "/ABOUT")
  }

  @Test func whatCannotBeReadIsSaid() throws {
    let site = try AuditTests.site(file: Self.file([]), routes: "/a")
    let error = #expect(throws: SuggestionError.self) {
      try Suggester(site: site, content: Array("{".utf8))
    }
    #expect(error?.description.contains("because it is not JSON: ") == true)
  }

  @Test func anEntryWithoutRulesClaimsAll() throws {
    let found = try Self.suggestion(
      #"{"applinks":{"details":[{"appID":"T.a"}]}}"#, routes: "/a", [("/a", 2)])
    #expect(found.list == nil && found.rules.isEmpty)
  }

  @Test func workersAndMemoryDoNotMatter() throws {
    let lines = RandomLog.lines(3_000)
    let routes = "/help/:x\n/account/:y\n/buy/:id/:c\n/caf%C3%A9\n/search?q"
    let options = AuditOptions()
    func suggest(jobs: Int, memoryLimit: Int) throws -> String {
      let digest = try AuditTests.digest(lines, jobs: jobs, memoryLimit: memoryLimit)
      let suggester = try Self.suggester(
        Self.file([]), routes: routes, judging: AuditOptions(jobs: jobs))
      var found = try suggester.suggest(digest)
      try Self.holds(found, Self.file([]), routes, digest)
      // Tables of equal options are printed in any order.
      found.options = options
      return "\(found)"
    }
    let one = try suggest(jobs: 1, memoryLimit: ReductionOptions.defaultMemoryLimit)
    #expect(try suggest(jobs: 5, memoryLimit: ReductionOptions.defaultMemoryLimit) == one)
    #expect(try suggest(jobs: 3, memoryLimit: 0) == one)
  }
}

extension RemainingRoute.Reason {
  fileprivate var code: String {
    switch self {
    case .excluded(let rule): "excluded \(rule?.id.position ?? -1)"
    case .besides: "besides"
    default: "\(self)"
    }
  }
}
