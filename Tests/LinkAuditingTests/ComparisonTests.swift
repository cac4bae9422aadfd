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

  private static func entry(_ apps: [String], _ rules: String) -> String {
    let identifiers = apps.map { "\"T.\($0)\"" }.joined(separator: ",")
    return #""appIDs":[\#(identifiers)],"components":[\#(rules)]"#
  }

  private static func site(_ entries: String..., routes: String? = nil) throws -> Site {
    try AuditTests.site(entries: entries, routes: routes)
  }

  private static func compare(_ lines: [String], old: Site, new: Site) throws -> Comparison {
    try Comparer(old: old, new: new).compare(AuditTests.digest(lines))
  }

  @Test(arguments: [1, 3], [0, ReductionOptions.defaultMemoryLimit])
  func agreesWithPlainComparison(jobs: Int, memoryLimit: Int) throws {
    let digest = try AuditTests.digest(RandomLog.lines(2_000), jobs: jobs, memoryLimit: memoryLimit)
    for (oldText, newText) in [
      (AuditTests.file, Self.candidate), (Self.candidate, AuditTests.file),
    ] {
      let old = try AuditTests.site(file: oldText, routes: "/buy/:id\n/help/*")
      let new = try AuditTests.site(file: newText)
      let comparison = try Comparer(old: old, new: new, options: AuditOptions(jobs: jobs))
        .compare(digest)
      let plain = try PlainComparison(digest, old: old, new: new)
      #expect(comparison.transitions.byCase.filter { $0.value.requests > 0 } == plain.transitions)
      #expect(comparison.opensAnotherApp == plain.opensAnotherApp)
      #expect(comparison.newlyClaimedWithoutRoute == plain.withoutRoute)
      #expect(comparison.newlyClaimedFromSameHost == plain.fromSameHost)
      // Path groups add up to the changes.
      let changed = comparison.changes.sum(\.traffic)
      #expect(changed == comparison.changed)
      let rules = comparison.ruleLists.flatMap { list in list.apps.flatMap { _ in list.rules } }
      #expect(rules.sum(\.oldTraffic).requests == plain.decided[0])
      #expect(rules.sum(\.newTraffic).requests == plain.decided[1])
    }
  }

  @Test func workersAndMemoryDoNotMatter() throws {
    let lines = RandomLog.lines(3_000, seed: 11)
    let (old, new) = (try AuditTests.site(), try AuditTests.site(file: Self.candidate))
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
    let site = try AuditTests.site(routes: "/buy/:id")
    let comparison = try Self.compare(RandomLog.lines(500, seed: 3), old: site, new: site)
    #expect(comparison.changed == Traffic())
    #expect(comparison.changes.isEmpty)
    #expect(comparison.findings.filter { $0.host != nil }.isEmpty)
    #expect(comparison.ruleLists.allSatisfy { $0.rules.allSatisfy { !$0.isChange } })
    #expect(comparison.summary == "No request of these logs changes its verdict.")
  }

  @Test(arguments: [
    (99_999, 1, "less than 0.1% of visits change: less than 0.1% no longer claimed."),
    (0, 0, "There is no traffic to compare the files with."),
  ])
  func saysWhatChangesInOneSentence(kept: Int, lost: Int, sentence: String) {
    var comparison = Comparison(host: "www.example.com")
    for (verdict, visits) in [(Verdict.claimed, kept), (.unclaimed, lost)] {
      let traffic = Traffic(requests: visits, visits: visits)
      comparison.transitions[Transition(from: .claimed, to: verdict)] = traffic
    }
    #expect(comparison.summary == sentence)
  }

  @Test func rulesAreFoundAgainWhereverTheyStand() throws {
    func pairs(_ old: [String], _ new: [String]) -> [[Int?]] {
      let rules = [old, new].map { patterns in
        patterns.map { RuleDefinition(path: $0, source: $0) }
      }
      return RuleDefinition.aligned(rules[0], rules[1]).map { [$0.old, $0.new] }
    }
    #expect(pairs(["/a", "/b"], ["/a", "/b"]) == [[0, 0], [1, 1]])
    #expect(pairs(["/a", "/b"], ["/b", "/c", "/a"]) == [[1, 0], [nil, 1], [0, 2]])
    #expect(pairs(["/a", "/b", "/c"], ["/a", "/c"]) == [[0, 0], [1, nil], [2, 1]])
    #expect(pairs(["/a", "/a"], ["/a"]) == [[0, 0], [1, nil]])
    #expect(pairs(["/x"], []) == [[0, nil]])
  }

  @Test func findingsSayWhatACandidateWouldCost() throws {
    func site(_ paths: [String], routes: String? = nil) throws -> Site {
      let rules = paths.map { #"{"/":"\#($0)"}"# }.joined(separator: ",")
      return try Self.site(#""appID":"T.a","components":[\#(rules)]"#, routes: routes)
    }
    let comparison = try Self.compare(
      ["/buy/1", "/old/1", "/gift/1"].flatMap { CoverageTests.get($0, time: "x") },
      old: site(["/old/*"], routes: "/buy/:id"),
      new: site(["/buy/*", "/gift/*", "/buy/1*", "/nobody/*"]))
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
    let lines = CoverageTests.get("/buy/1", 200, 3) + CoverageTests.get("/help/1")
    let help = #"{"/":"/help/*"}"#
    let both = #"{"/":"/buy/*"},"# + help
    let old = try Self.site(Self.entry(["a", "b"], both))

    let without = try Self.site(Self.entry(["a"], both))
    let removal = try Self.compare(lines, old: old, new: without)
    #expect(removal.changed == Traffic())
    #expect(
      removal.apps.map { "\($0.app.text) \($0.kind) \($0.gained.visits) \($0.lost.visits)" }
        == ["T.a kept 0 0", "T.b removed 0 4"])
    #expect(removal.findings.map(\.code) == ["app-removed"])
    #expect(removal.summary.contains("T.b loses 4 visits"))
    #expect(PatternComparison(old: old, new: without).findings.map(\.code) == ["app-removed"])

    let moved = try Self.site(Self.entry(["a"], both), Self.entry(["b"], help))
    let move = try Self.compare(lines, old: old, new: moved)
    #expect(move.apps.map(\.lost.visits) == [0, 3])
    #expect(move.findings.map(\.code) == ["app-claims-lost"])

    let front = try Self.site(Self.entry(["b"], help), Self.entry(["a"], both))
    let another = try Self.compare(lines, old: moved, new: front)
    #expect(another.opensAnotherApp == Traffic(requests: 1, visits: 1))
    #expect(another.findings.map(\.code) == ["opens-another-app"])
    #expect(PatternComparison(old: moved, new: front).findings.map(\.code) == ["opens-another-app"])
  }

  /// An app loses URLs that another one still claims; the site's change at the same URL doesn't
  /// show that.
  @Test func patternsAloneTellOfEachApp() throws {
    let (buy, other) = (#"{"/":"/buy/1"}"#, #"{"/":"/x"}"#)
    let main = Self.entry(["main"], buy)
    let comparison = PatternComparison(
      old: try Self.site(Self.entry(["lite"], buy + "," + other), main),
      new: try Self.site(Self.entry(["lite"], other), main))
    let rules = comparison.current
    #expect(rules.site.map(\.new.decision?.app.text) == ["T.main"])
    #expect(rules.separateAppChanges.map(\.app.text) == ["T.lite"])
    #expect(rules.separateAppChanges.map(\.change.new.verdict) == [.unclaimed])
    #expect(rules.changesWithApps.map(\.apps) == [[]])
    #expect(comparison.summary.contains("1 change for single apps"))
    #expect(Set(comparison.findings.map(\.code)) == ["app-claims-lost", "opens-another-app"])

    // Apps of one entry change in the same way, and the site's change names the entry.
    let alike = PatternComparison(
      old: try Self.site(Self.entry(["a", "b"], buy)),
      new: try Self.site(Self.entry(["a", "b"], ""))
    ).current
    #expect(alike.separateAppChanges.isEmpty)
    #expect(alike.changesWithApps.map { $0.apps.map(\.text) } == [["T.a", "T.b"]])
    // Both lose it, by rules of their own.
    let apart = PatternComparison(
      old: try Self.site(Self.entry(["a"], buy), Self.entry(["b"], buy)),
      new: try Self.site(Self.entry(["a"], ""), Self.entry(["b"], ""))
    ).current
    #expect(apart.changesWithApps.map { $0.apps.map(\.text) } == [["T.a"]])
    #expect(apart.separateAppChanges.map(\.app.text) == ["T.b"])
  }

  @Test func aRuleThatOneAppKeepsIsNotNew() throws {
    let rules = #"{"/":"/buy/*"},{"/":"/buy/1"},{"/":"/nobody"}"#
    let comparison = try Self.compare(
      CoverageTests.get("/buy/1"), old: Self.site(Self.entry(["a"], rules)),
      new: Self.site(Self.entry(["a", "b"], rules)))
    #expect(comparison.findings.isEmpty)
    #expect(comparison.apps.map(\.gained.visits) == [0, 1])
  }

  /// A decision of both generations of systems by one rule of `paths` is one row.
  @Test func generationsAreAddedUp() throws {
    let lines = CoverageTests.get("/y", agent: CoverageTests.oldAgent) + CoverageTests.get("/x")
    let comparison = try Self.compare(
      lines, old: Self.site(#""appID":"T.a","paths":["/x"]"#),
      new: Self.site(#""appID":"T.a","paths":["/x","/y"]"#))
    #expect(comparison.ruleLists.map(\.rules.count) == [2])
    #expect(comparison.ruleLists.first?.rules.map(\.newTraffic.visits) == [1, 1])
    #expect(comparison.findings.map(\.code) == ["claims-gained"])
    let site = try Self.site(#""appID":"T.a","paths":["/x","/y"],"defaults":{"exclude":true}"#)
    #expect(try Self.compare(lines, old: site, new: site).ruleLists.map(\.rules.count) == [2])
  }

  @Test func patternsAloneTellRulesThatComeTooLate() throws {
    let buy = #"{"/":"/buy/*"}"#
    let comparison = PatternComparison(
      old: try Self.site(#""appID":"T.a","components":[\#(buy)]"#),
      new: try Self.site(#""appID":"T.a","components":[\#(buy),{"/":"/buy/1","exclude":true}]"#))
    #expect(comparison.isProvenEqual)
    #expect(comparison.findings.map(\.code) == ["rule-newly-shadowed"])
  }

  @Test func patternsAloneProveOrShowWhatChanges() throws {
    let (old, new) = (try AuditTests.site(), try AuditTests.site(file: Self.candidate))
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
          let decisions = LinkMatcher(site.file.asRead(by: system))
            .decisions(for: change.url, host: site.host)
          #expect(decisions.verdict == outcome.verdict, "\(change.url)")
        }
      }
    }
  }
}

/// Association files and routes of the same apps, with generated logs, if such files are available.
@Suite struct RealPairTests {
  /// The routes of apps, with the host and the file; and paths that the app implements and, after
  /// `not`, others.
  private static let pairs = rows(
    """
    01-bluesky.txt bsky.app 009.json
      => / /search /profile/alice.example /profile/x/post/3k2 /support/privacy not /profile/x/unknown /about/blog/1 /start/a/b/c
    07-helium-hotspot.txt helium.com 047.json
      => /link_wallet/abc /sign_hotspot/abc not /link_wallet/abc/extra /sign_hotspot/a/b
    06-citizenwallet-go_router.txt citizenwallet.xyz 032.json
      => /wallet/0x1?alias=a /about?x=1 not /nothing/here?x=1
    """)

  @Test(
    .enabled(if: RouteCorpusTests.isThere, "there are no lists of routes beside the checkout"),
    arguments: pairs)
  func findsClaimsThatAreNotImplemented(_ pair: String, _ paths: String) throws {
    let words = pair.split(separator: " ").map(String.init)
    let host = words[1]
    let file = RouteCorpusTests.folder.appending(path: "../aasa/\(words[2])")
    let site = Site(
      host: host, file: try AssociationFile(decoding: Array(try Data(contentsOf: file))),
      routes: try RouteCorpusTests.read(pair).table)
    let targets = paths.split(separator: " ").map(String.init).split(separator: "not")
    let (implemented, others) = (targets[0], targets[1])
    #expect(site.routes?.routes.isEmpty == false)
    let lines =
      implemented.flatMap { CoverageTests.get($0, 200, 3) }
      + others.flatMap { CoverageTests.get($0, 200, 2) }
    let digest = try AuditTests.digest(lines, host: host)
    let coverage = try AuditTests.audit(digest, site).coverage
    let matcher = LinkMatcher(site.file)
    func isClaimed(_ path: String) -> Bool {
      matcher.decisions(for: "https://\(host)\(path)", host: host).verdict == .claimed
    }
    let gaps = Set(coverage.claimedNotImplemented.flatMap(\.samples))
    #expect(gaps == Set(others.filter(isClaimed)))
    let missed = coverage.implementedNotClaimed + coverage.implementedButExcluded
    let expected = 3 * implemented.count { !isClaimed($0) }
    #expect(missed.reduce(0) { $0 + $1.traffic.requests } == expected)
  }
}
