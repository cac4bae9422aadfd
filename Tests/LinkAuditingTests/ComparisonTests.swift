import Foundation
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

@Suite struct ComparisonTests {
  /// A possible new version of the file of ``AuditTests``.
  static let candidate = """
    {"applinks": {"details": [
      {"appID": "A1B2C3D4E5.com.example.old", "paths": ["/help/*", "NOT /account/*", "/buy/2*"]},
      {"appIDs": ["A1B2C3D4E5.com.example.shop", "A1B2C3D4E5.com.example.beta"], "components": [
        {"/": "/help/website/*", "exclude": true},
        {"/": "/buy/*", "exclude": true},
        {"/": "/search"},
        {"/": "/*/b"}]}
    ]}}
    """

  static func site(_ text: String, routes: String? = nil) throws -> Site {
    try AuditTests.site(file: text, routes: routes)
  }

  @Test(arguments: [1, 3], [0, ReductionOptions.defaultMemoryLimit])
  func agreesWithPlainComparison(jobs: Int, memoryLimit: Int) throws {
    let digest = try AuditTests.digest(
      RandomLog.lines(2_000), jobs: jobs, memoryLimit: memoryLimit)
    for (oldText, newText) in [
      (AuditTests.file, Self.candidate), (Self.candidate, AuditTests.file),
    ] {
      let old = try Self.site(oldText, routes: "/buy/:id\n/help/*")
      let new = try Self.site(newText)
      let comparison = try Comparer(old: old, new: new, options: AuditOptions(jobs: jobs))
        .compare(digest)
      let plain = try PlainComparison(digest, old: old, new: new)
      #expect(comparison.transitions.filter { $0.value.requests > 0 } == plain.transitions)
      #expect(comparison.opensAnotherApp == plain.opensAnotherApp)
      #expect(comparison.newlyClaimedWithoutRoute == plain.withoutRoute)
      #expect(comparison.newlyClaimedFromSameHost == plain.fromSameHost)
      // Path groups add up to the changes.
      let changed = comparison.changes.reduce(Traffic()) { $0 + $1.traffic }
      #expect(changed == comparison.changed)
      for (side, expected) in [(\RuleChange.oldTraffic, plain.old), (\.newTraffic, plain.new)] {
        let decided = comparison.ruleLists.flatMap { list in
          list.apps.flatMap { _ in list.rules.map { $0[keyPath: side].requests } }
        }.reduce(0, +)
        #expect(decided == expected.values.reduce(0) { $0 + $1.requests })
      }
    }
  }

  @Test func workersAndMemoryDoNotMatter() throws {
    let lines = RandomLog.lines(3_000, seed: 11)
    let (old, new) = (try Self.site(AuditTests.file), try Self.site(Self.candidate))
    func compare(jobs: Int, memoryLimit: Int) throws -> String {
      let digest = try AuditTests.digest(lines, jobs: jobs, memoryLimit: memoryLimit)
      var options = AuditOptions(jobs: jobs)
      options.fanOut = 5
      let comparison = try Comparer(old: old, new: new, options: options).compare(digest)
      // Logs are in folders of their own.
      let findings = comparison.findings.filter { $0.host != nil }
      return "\(comparison.changes) \(comparison.ruleLists) \(findings)"
    }
    let one = try compare(jobs: 1, memoryLimit: ReductionOptions.defaultMemoryLimit)
    #expect(try compare(jobs: 7, memoryLimit: ReductionOptions.defaultMemoryLimit) == one)
    #expect(try compare(jobs: 3, memoryLimit: 0) == one)
  }

  @Test func theSameFileChangesNothing() throws {
    let digest = try AuditTests.digest(RandomLog.lines(500, seed: 3))
    let site = try Self.site(AuditTests.file, routes: "/buy/:id")
    let comparison = try Comparer(old: site, new: site).compare(digest)
    #expect(comparison.changed == Traffic())
    #expect(comparison.changes.isEmpty)
    #expect(comparison.findings.filter { $0.host != nil }.isEmpty)
    #expect(comparison.ruleLists.allSatisfy { $0.rules.allSatisfy { !$0.isChange } })
    #expect(comparison.summary == "No request of these logs changes its verdict.")
  }

  @Test func saysWhatChangesInOneSentence() throws {
    func comparison(_ parts: [(Verdict, Verdict, Int)], withoutRoute: Int?) -> Comparison {
      var comparison = Comparison(host: "www.example.com")
      for (from, to, visits) in parts {
        let traffic = Traffic(requests: visits, visits: visits)
        comparison.transitions[Transition(from: from, to: to)] = traffic
        comparison.total += traffic
      }
      comparison.newlyClaimedWithoutRoute = withoutRoute.map { Traffic(requests: $0, visits: $0) }
      return comparison
    }
    #expect(
      comparison(
        [(.unclaimed, .claimed, 19), (.claimed, .excluded, 4), (.claimed, .claimed, 977)],
        withoutRoute: 4
      ).summary
        == "2.3% of visits change: 1.9% newly claimed (0.4% without a route); 0.4% no longer claimed."
    )
    #expect(
      comparison([(.claimed, .unclaimed, 1), (.claimed, .claimed, 99_999)], withoutRoute: nil)
        .summary == "less than 0.1% of visits change: less than 0.1% no longer claimed.")
    #expect(
      comparison([], withoutRoute: nil).summary == "There is no traffic to compare the files with.")
  }

  @Test func rulesAreFoundAgainWhereverTheyStand() throws {
    func rules(_ patterns: [String]) -> [RuleDefinition] {
      patterns.map { pattern in
        var rule = RuleDefinition(source: pattern)
        rule.path = pattern
        return rule
      }
    }
    func pairs(_ old: [String], _ new: [String]) -> [[Int?]] {
      RuleDefinition.aligned(rules(old), rules(new)).map { [$0.old, $0.new] }
    }
    #expect(pairs(["/a", "/b"], ["/a", "/b"]) == [[0, 0], [1, 1]])
    #expect(pairs(["/a", "/b"], ["/b", "/c", "/a"]) == [[1, 0], [nil, 1], [0, 2]])
    #expect(pairs(["/a", "/b", "/c"], ["/a", "/c"]) == [[0, 0], [1, nil], [2, 1]])
    #expect(pairs(["/a", "/a"], ["/a"]) == [[0, 0], [1, nil]])
    #expect(pairs(["/x"], []) == [[0, nil]])
  }

  @Test func findingsSayWhatACandidateWouldCost() throws {
    let agent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"
    func get(_ path: String) -> String {
      "192.0.2.1 - - [x] \"GET \(path) HTTP/1.1\" 200 5 \"-\" \"\(agent)\""
    }
    func file(_ rules: String) -> String {
      "{\"applinks\":{\"details\":[{\"appID\":\"T.a\",\"components\":[\(rules)]}]}}"
    }
    let digest = try AuditTests.digest([get("/buy/1"), get("/old/1"), get("/gift/1")])
    let old = try Self.site(file("{\"/\":\"/old/*\"}"), routes: "/buy/:id")
    let new = try Self.site(
      file("{\"/\":\"/buy/*\"},{\"/\":\"/gift/*\"},{\"/\":\"/buy/1*\"},{\"/\":\"/nobody/*\"}"))
    let comparison = try Comparer(old: old, new: new).compare(digest)
    #expect(
      Set(comparison.findings.map(\.code)) == [
        "claims-lost", "claims-gained", "claimed-without-route", "rule-newly-shadowed",
        "added-rule-unused",
      ])
    #expect(comparison.newlyClaimedWithoutRoute == Traffic(requests: 1, visits: 1))
    let lost = try #require(comparison.findings.first { $0.code == "claims-lost" })
    #expect(lost.evidence.paths.map(\.samples) == [["/old/1"]])
    #expect(!lost.remedy.isEmpty)
  }

  /// An app that is removed, or moved to other rules, loses links although the site's verdicts
  /// don't change.
  @Test func singleAppsLoseWhatOthersKeep() throws {
    func file(_ entries: [(apps: [String], rules: String)]) -> String {
      let details = entries.map { entry in
        let apps = entry.apps.map { "\"T.\($0)\"" }.joined(separator: ",")
        return "{\"appIDs\":[\(apps)],\"components\":[\(entry.rules)]}"
      }
      return "{\"applinks\":{\"details\":[\(details.joined(separator: ","))]}}"
    }
    let lines = CoverageTests.get("/buy/1", 200, 3) + CoverageTests.get("/help/1")
    let digest = try AuditTests.digest(lines)
    let both = "{\"/\":\"/buy/*\"},{\"/\":\"/help/*\"}"
    let old = try Self.site(file([(["a", "b"], both)]))

    let without = try Self.site(file([(["a"], both)]))
    let removal = try Comparer(old: old, new: without).compare(digest)
    #expect(removal.changed == Traffic())
    #expect(
      removal.apps.map { "\($0.app.text) \($0.kind) \($0.gained.visits) \($0.lost.visits)" }
        == ["T.a kept 0 0", "T.b removed 0 4"])
    #expect(removal.findings.map(\.code) == ["app-removed"])
    #expect(removal.summary.contains("T.b loses 4 visits"))
    #expect(PatternComparison(old: old, new: without).findings.map(\.code) == ["app-removed"])

    let moved = try Self.site(file([(["a"], both), (["b"], "{\"/\":\"/help/*\"}")]))
    let move = try Comparer(old: old, new: moved).compare(digest)
    #expect(move.apps.map(\.lost.visits) == [0, 3])
    #expect(move.findings.map(\.code) == ["app-claims-lost"])

    let front = try Self.site(file([(["b"], "{\"/\":\"/help/*\"}"), (["a"], both)]))
    let another = try Comparer(old: moved, new: front).compare(digest)
    #expect(another.opensAnotherApp == Traffic(requests: 1, visits: 1))
    #expect(another.findings.map(\.code) == ["opens-another-app"])
    #expect(PatternComparison(old: moved, new: front).findings.map(\.code) == ["opens-another-app"])
  }

  /// An app loses URLs that another one still claims; the site's change at the same URL doesn't
  /// show that.
  @Test func patternsAloneTellOfEachApp() throws {
    func entry(_ app: String, _ rules: String) -> String {
      "{\"appIDs\":[\(app)],\"components\":[\(rules)]}"
    }
    func site(_ entries: String...) throws -> Site {
      try Self.site("{\"applinks\":{\"details\":[\(entries.joined(separator: ","))]}}")
    }
    let buy = "{\"/\":\"/buy/1\"}"
    let main = entry("\"T.main\"", buy)
    let old = try site(entry("\"T.lite\"", buy + ",{\"/\":\"/x\"}"), main)
    let comparison = PatternComparison(
      old: old, new: try site(entry("\"T.lite\"", "{\"/\":\"/x\"}"), main))
    let rules = comparison.current
    #expect(rules.site.map(\.new.decision?.app.text) == ["T.main"])
    #expect(rules.separateAppChanges.map(\.app.text) == ["T.lite"])
    #expect(rules.separateAppChanges.map(\.change.new.verdict) == [.unclaimed])
    #expect(rules.changesWithApps.map(\.apps) == [[]])
    #expect(comparison.summary.contains("1 change for single apps"))
    #expect(Set(comparison.findings.map(\.code)) == ["app-claims-lost", "opens-another-app"])

    // Apps of one entry change in the same way, and the site's change names the entry.
    let (pair, less) = (entry("\"T.a\",\"T.b\"", buy), entry("\"T.a\",\"T.b\"", ""))
    let alike = PatternComparison(old: try site(pair), new: try site(less)).current
    #expect(alike.separateAppChanges.isEmpty)
    #expect(alike.changesWithApps.map { $0.apps.map(\.text) } == [["T.a", "T.b"]])
    // Both lose it, by rules of their own.
    let apart = PatternComparison(
      old: try site(entry("\"T.a\"", buy), entry("\"T.b\"", buy)),
      new: try site(entry("\"T.a\"", ""), entry("\"T.b\"", ""))
    ).current
    #expect(apart.changesWithApps.map { $0.apps.map(\.text) } == [["T.a"]])
    #expect(apart.separateAppChanges.map(\.app.text) == ["T.b"])
  }

  @Test func aRuleThatOneAppKeepsIsNotNew() throws {
    func file(_ apps: String) -> String {
      "{\"applinks\":{\"details\":[{\"appIDs\":[\(apps)],\"components\":[{\"/\":\"/buy/*\"},{\"/\":\"/buy/1\"},{\"/\":\"/nobody\"}]}]}}"
    }
    let digest = try AuditTests.digest(CoverageTests.get("/buy/1"))
    let comparison = try Comparer(
      old: try Self.site(file("\"T.a\"")), new: try Self.site(file("\"T.a\",\"T.b\""))
    ).compare(digest)
    #expect(comparison.findings.isEmpty)
    #expect(comparison.apps.map(\.gained.visits) == [0, 1])
  }

  /// A decision of both generations of systems by one rule of `paths` is one row.
  @Test func generationsAreAddedUp() throws {
    let old = try Self.site("{\"applinks\":{\"details\":[{\"appID\":\"T.a\",\"paths\":[\"/x\"]}]}}")
    let new = try Self.site(
      "{\"applinks\":{\"details\":[{\"appID\":\"T.a\",\"paths\":[\"/x\",\"/y\"]}]}}")
    let agent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1"
    let digest = try AuditTests.digest(
      CoverageTests.get("/y", 200, agent: agent) + CoverageTests.get("/x"))
    let comparison = try Comparer(old: old, new: new).compare(digest)
    #expect(comparison.ruleLists.map(\.rules.count) == [2])
    #expect(comparison.ruleLists.first?.rules.map(\.newTraffic.visits) == [1, 1])
    #expect(comparison.findings.map(\.code) == ["claims-gained"])
  }

  @Test func patternsAloneTellRulesThatComeTooLate() throws {
    let old = try Self.site(
      "{\"applinks\":{\"details\":[{\"appID\":\"T.a\",\"components\":[{\"/\":\"/buy/*\"}]}]}}")
    let new = try Self.site(
      "{\"applinks\":{\"details\":[{\"appID\":\"T.a\",\"components\":[{\"/\":\"/buy/*\"},{\"/\":\"/buy/1\",\"exclude\":true}]}]}}"
    )
    let comparison = PatternComparison(old: old, new: new)
    #expect(comparison.isProvenEqual)
    #expect(comparison.findings.map(\.code) == ["rule-newly-shadowed"])
  }

  @Test func patternsAloneProveOrShowWhatChanges() throws {
    let (old, new) = (try Self.site(AuditTests.file), try Self.site(Self.candidate))
    let same = PatternComparison(old: old, new: old)
    #expect(same.isProvenEqual)
    #expect(same.findings.isEmpty)
    let comparison = PatternComparison(old: old, new: new)
    #expect(!comparison.current.site.isEmpty)
    for (system, rules) in [
      (OperatingSystem.current, comparison.current), (.legacy, comparison.legacy),
    ] {
      for change in rules.site {
        for (site, outcome) in [(old, change.old), (new, change.new)] {
          var url = LinkURL(change.url, host: site.host)
          let decisions = LinkMatcher(site.file, system: system).decisions(for: &url)
          let verdict: Verdict =
            decisions.contains { $0.verdict == .claimed }
            ? .claimed : decisions.contains { $0.verdict == .excluded } ? .excluded : .unclaimed
          #expect(verdict == outcome.verdict, "\(change.url)")
        }
      }
    }
  }
}

/// Association files and routes of the same apps, with generated logs, if such files are available.
@Suite struct RealPairTests {
  /// A file, the routes of its app, and plausible log lines.
  struct Pair: CustomTestStringConvertible, Sendable {
    var file: String
    var routes: String
    var host: String

    /// Paths that the app implements, and others.
    var implemented: [String]
    var others: [String]

    var testDescription: String { "\(file) with \(routes)" }
  }

  /// The folder of the files: the value of `CORPUS`, or a folder next to the package's.
  static let corpus =
    ProcessInfo.processInfo.environment["CORPUS"]
    ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("../shared/corpus").standardized.path

  static let pairs = [
    Pair(
      file: "009.json", routes: "01-bluesky.txt", host: "bsky.app",
      implemented: [
        "/", "/search", "/profile/alice.example", "/profile/x/post/3k2", "/support/privacy",
      ],
      others: ["/profile/x/unknown", "/about/blog/1", "/start/a/b/c"]),
    Pair(
      file: "047.json", routes: "07-helium-hotspot.txt", host: "helium.com",
      implemented: ["/link_wallet/abc", "/sign_hotspot/abc"],
      others: ["/link_wallet/abc/extra", "/sign_hotspot/a/b"]),
    Pair(
      file: "032.json", routes: "06-citizenwallet-go_router.txt", host: "citizenwallet.xyz",
      implemented: ["/wallet/0x1?alias=a", "/about?x=1"], others: ["/nothing/here?x=1"]),
  ]

  @Test(arguments: pairs)
  func findsClaimsThatAreNotImplemented(pair: Pair) throws {
    guard
      let file = FileManager.default.contents(atPath: "\(Self.corpus)/aasa/\(pair.file)"),
      let routes = FileManager.default.contents(atPath: "\(Self.corpus)/routes/\(pair.routes)")
    else {
      print("no corpus in \(Self.corpus): skipped")
      return
    }
    let site = Site(
      host: pair.host, file: try AssociationFile(decoding: Array(file)),
      routes: RouteTable(parsing: String(decoding: routes, as: UTF8.self), host: pair.host))
    #expect(site.routes?.routes.isEmpty == false)
    let lines =
      pair.implemented.flatMap { CoverageTests.get($0, 200, 3) }
      + pair.others.flatMap { CoverageTests.get($0, 200, 2) }
    let audit = try #require(
      try Auditor(sites: [site]).audit(try AuditTests.digest(lines, host: pair.host)).sites.first)
    let matcher = LinkMatcher(site.file, system: .current)
    func isClaimed(_ path: String) -> Bool {
      var url = LinkURL("https://\(pair.host)\(path)", host: pair.host)
      return matcher.decisions(for: &url).contains { $0.verdict == .claimed }
    }
    let coverage = audit.coverage
    let gaps = Set(coverage.claimedNotImplemented.flatMap(\.samples))
    #expect(gaps == Set(pair.others.filter(isClaimed)))
    let missed =
      coverage.implementedNotClaimed.reduce(0) { $0 + $1.traffic.requests }
      + coverage.implementedButExcluded.reduce(0) { $0 + $1.traffic.requests }
    #expect(missed == 3 * pair.implemented.count { !isClaimed($0) })
  }
}
