import AccessLogs
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import Foundations
@testable import LinkAuditing

@Suite struct AuditTests {
  static let file = """
    {"applinks": {"details": [
      {"appIDs": ["A1B2C3D4E5.com.example.shop", "A1B2C3D4E5.com.example.beta"], "components": [
        {"#": "stay", "exclude": true},
        {"/": "/buy/*"},
        {"/": "/help/website/*", "exclude": true},
        {"/": "/help/*", "?": {"articleNumber": "????"}},
        {"/": "/buy/1/*"},
        {"/": "/caf?", "percentEncoded": false}]},
      {"appID": "A1B2C3D4E5.com.example.old", "paths": ["NOT /help/website/*", "/help/*", "/account/*"]},
      {"appID": "A1B2C3D4E5.com.example.all"}
    ]}}
    """

  static func digest(
    _ lines: [String], host: String? = "www.example.com", format: LogFormat = .combined,
    jobs: Int = 1, memoryLimit: Int = ReductionOptions.defaultMemoryLimit, trackers: [String] = []
  ) throws -> TrafficDigest {
    var options = ReductionOptions(defaultHost: host, format: format, jobs: jobs)
    (options.memoryLimit, options.trackers) = (memoryLimit, trackers)
    return try TrafficDigest.reduce(log: lines.joined(separator: "\n").utf8, options: options)
  }

  static func site(
    _ host: String = "www.example.com", file: String = file, routes: String? = nil
  ) throws -> Site {
    let table = routes.map { RouteTable(parsing: $0) }
    return Site(host: host, file: try AssociationFile(file), routes: table)
  }

  static func site(entries: [String], routes: String? = nil) throws -> Site {
    let file = #"{"applinks":{"details":[{\#(entries.joined(separator: "},{"))}]}}"#
    return try site(file: file, routes: routes)
  }

  static func get(_ host: String, _ path: String) -> String {
    "\(host) 192.0.2.1 - - [01/Jun/2026:10:00:00 +0200] \"GET \(path) HTTP/1.1\" 200 5"
  }

  static func audit(
    _ digest: TrafficDigest, _ site: Site, _ options: AuditOptions = AuditOptions()
  ) throws -> SiteAudit {
    try #require(try Auditor(sites: [site], options: options).audit(digest).sites.first)
  }

  /// A limited number of findings about single rules is listed; then one finding covers all others.
  @Test func findingsAboutRulesAreBounded() throws {
    let limit = Finding.ruleLimit
    for count in [limit, limit + 7] {
      let rules = (0..<count).map { #"{"/": "/rule/\#($0)"}"# }.joined(separator: ",")
      let apps = #""A1B2C3D4E5.com.example.a","A1B2C3D4E5.com.example.b""#
      let site = try Self.site(entries: [#""appIDs":[\#(apps)],"components":[\#(rules)]"#])
      let audit = try Auditor(sites: [site], options: AuditOptions(jobs: 2))
        .audit(try Self.digest(RandomLog.lines(300, seed: 1), jobs: 2))
      let unused = audit.findings.filter { $0.code == "rule-unused" }
      #expect(unused.count == (count > limit ? limit + 1 : limit))
      #expect(unused.last?.message.contains("7 more rules") == (count > limit))
    }
  }

  @Test func sitesShareTheRulesOfTheirFile() throws {
    func site(_ host: String, _ file: AssociationFile, routes: RouteTable? = nil) -> Site {
      var site = Site(host: host, file: file, routes: routes)
      site.filePath = "aasa.json"
      return site
    }
    let file = try AssociationFile(Self.file)
    let other = try AssociationFile(
      #"{"applinks": {"details": [{"appIDs": ["T.a"], "paths": ["/x"]}]}}"#)
    let (routes, others) = (RouteTable(parsing: "/buy/:id"), RouteTable(parsing: "/help/:id"))
    let compiled = RuleSet.compiling(
      [
        site("a.example.com", file, routes: routes), site("b.example.com", file, routes: routes),
        site("c.example.com", file, routes: others), site("d.example.com", other),
        site("nodomain", other),
      ].map { SiteHistory($0) }
    ).map { $0.versions[0] }
    #expect(compiled[0].matchers.current === compiled[1].matchers.current)
    #expect(compiled[0].routes === compiled[1].routes && compiled[0].hasRoutes)
    #expect(
      compiled[1].matchers.legacy === compiled[2].matchers.legacy
        && compiled[1].routes !== compiled[2].routes)
    #expect(compiled[2].matchers.current !== compiled[3].matchers.current && !compiled[3].hasRoutes)
    #expect(compiled.map(\.isEligible) == [true, true, true, true, false])
    #expect(compiled.map(\.site.host).last == "nodomain")
  }

  @Test(arguments: [1, 2, 5], [0, ReductionOptions.defaultMemoryLimit])
  func agreesWithPlainAudit(jobs: Int, memoryLimit: Int) throws {
    try Self.expectAgreement(TrafficFilter(), jobs: jobs, memoryLimit: memoryLimit)
  }

  static func expectAgreement(_ filter: TrafficFilter, jobs: Int, memoryLimit: Int) throws {
    let digest = try digest(RandomLog.lines(2_000), jobs: jobs, memoryLimit: memoryLimit)
    let site = try site()
    var options = AuditOptions(jobs: jobs)
    options.filter = filter
    let audit = try Auditor(sites: [site], options: options).audit(digest)
    let plain = try PlainAudit(digest, site: site, filter)
    let result = try #require(audit.sites.first)
    #expect(audit.options.filter == filter)
    #expect(result.verdicts.byCase == plain.verdicts)
    #expect(result.platforms.byCase.filter { $0.value.requests > 0 } == plain.platforms)
    #expect(result.referrals.byCase.filter { $0.value.requests > 0 } == plain.referrals)
    #expect(result.sameHostReferrals.reduce(0) { $0 + $1.visits } == plain.sameHostVisits)
    let causes = Dictionary(uniqueKeysWithValues: result.causes.map { ($0.cause, $0.traffic) })
    #expect(causes == plain.causes)
    for day in result.days {
      for (cause, traffic) in day.causes.byCase {
        let name = "\(day.day.map { "\($0)" } ?? "-") \(cause)"
        #expect(traffic == plain.dayCauses[name, default: Traffic()], "\(name)")
      }
    }
    for row in result.causes {
      #expect(row.paths.sum(\.traffic) == row.traffic)
    }
    for list in result.ruleLists {
      for app in list.apps {
        for rule in list.rules {
          let name = "\(app) \(rule.rule.id.entry) \(rule.rule.id.position ?? -1)"
          #expect(rule.traffic == plain.decided[name, default: Traffic()], "\(name)")
          #expect(rule.shadowed == plain.shadowed[name, default: 0], "\(name)")
        }
      }
    }
    for app in result.apps {
      let verdicts = app.verdicts.byCase.values
      #expect(verdicts.reduce(0) { $0 + $1.requests } == result.total.requests)
    }
    let days = result.days.flatMap { $0.verdicts.byCase.values }.reduce(Traffic(), +)
    #expect(days == result.total)
  }

  @Test func workersDoNotMatter() throws {
    let lines = RandomLog.lines(3_000, seed: 5, host: true)
    let sites = [try Self.site(routes: "/buy/:id\n/help/*"), try Self.site("m.example.com")]
    let one = try Auditor(sites: sites, options: AuditOptions(jobs: 1))
      .audit(try Self.digest(lines, format: .vcombined, jobs: 1))
    let many = try Auditor(sites: sites.reversed(), options: AuditOptions(jobs: 7))
      .audit(try Self.digest(lines, format: .vcombined, jobs: 4))
    #expect(String(describing: one.otherHosts) == String(describing: many.otherHosts))
    // Logs are in folders of their own.
    func withoutLogs(_ findings: [Finding]) -> [Finding] {
      findings.map { finding in
        var finding = finding
        finding.evidence.logs = []
        return finding
      }
    }
    #expect(withoutLogs(one.findings) == withoutLogs(many.findings))
    for (first, second) in zip(one.sites, many.sites) {
      #expect(first.verdicts == second.verdicts)
      #expect(first.sameHostReferrals == second.sameHostReferrals)
      #expect(first.causes == second.causes)
      #expect(first.coverage == second.coverage)
    }
  }

  @Test func hostsAreToldApart() throws {
    let lines = [
      ("www.example.com", "/buy/1"), ("m.example.com", "/buy/1"),
      ("www.example.com:8080", "/buy/1"), ("other.example.com", "/buy/1"),
      ("other.example.com", "/buy/2"), ("a.example.com:81", "/buy/2"),
    ].map { Self.get($0, $1) }
    let digest = try Self.digest(lines, format: .vcombined)
    let audit = try Auditor(sites: [try Self.site()]).audit(digest)
    #expect(audit.sites[0].verdicts[.claimed].requests == 1)
    #expect(audit.sites[0].verdicts[.ineligible].requests == 1)
    #expect(
      audit.otherHosts.rows.map { "\($0.name) \($0.requests)" }
        == ["other.example.com 2", "a.example.com:81 1", "m.example.com 1"])
  }

  @Test func chosenAppsCountAlone() throws {
    let digest = try Self.digest(
      ["/account/7", "/z"].map { "192.0.2.1 - - [x] \"GET \($0) HTTP/1.1\" 200 5" })
    let old = Site(host: "www.example.com", file: try AssociationFile(Self.file))
      .choosing([ApplicationIdentifier("a1b2c3d4e5.com.example.old")])
    let audit = try Self.audit(digest, old)
    #expect(audit.verdicts[.claimed].requests == 1)
    #expect(audit.verdicts[.unclaimed].requests == 1)
    #expect(audit.apps.map(\.app.text) == ["A1B2C3D4E5.com.example.old"])
  }

  @Test func coverageComparesRulesAndRoutes() throws {
    func get(_ path: String, _ count: Int) -> [String] {
      Array(repeating: "192.0.2.1 - - [x] \"GET \(path) HTTP/1.1\" 200 5", count: count)
    }
    let rules = #"{"/":"/account/*","exclude":true},{"/":"/buy/*"},{"/":"/gift/*"}"#
    let site = try Self.site(
      entries: [#""appID":"A1B2C3D4E5.com.example.shop","components":[\#(rules)]"#],
      routes: "/buy/:id # products\n\n# stories\n/news/{story}\n/search?q")
    let digest = try Self.digest(
      get("/buy/1", 5) + get("/buy/2", 4) + get("/buy/1/x", 3) + get("/gift/a", 2)
        + get("/news/a", 6) + get("/news/b", 1) + get("/search?q=1", 2) + get("/search", 1)
        + get("/account/1", 7))
    let coverage = try Self.audit(digest, site).coverage
    func rows(_ rows: [PathGroupTraffic]) -> [String] {
      rows.map { "\($0.path) \($0.traffic.requests) \($0.rule?.pattern ?? "-")" }
    }
    #expect(rows(coverage.claimedNotImplemented) == ["/buy/{n}/x 3 /buy/*", "/gift/a 2 /gift/*"])
    #expect(rows(coverage.implementedNotClaimed) == ["/news/{story} 7 -", "/search?q 2 -"])
    #expect(rows(coverage.excludedHeavy) == ["/account/{n} 7 /account/*"])
    #expect(rows(coverage.unclaimedHeavy) == ["/news/{*} 7 -", "/search 3 -"])
  }
}

/// Digests that are split by day have the same results as the complete digest.
@Suite struct DailyAuditTests {
  private static func audit(_ digest: TrafficDigest) throws -> SiteAudit {
    let site = try AuditTests.site(routes: "/buy/:id\n/help/*")
    return try AuditTests.audit(digest, site, AuditOptions(jobs: 2))
  }

  @Test func allDaysTogetherAreJudgedAsTheWhole() throws {
    let digest = try AuditTests.digest(RandomLog.lines(4_000), jobs: 2)
    var bytes: [Day?: [UInt8]] = [:]
    let written = try digest.writeByDay(jobs: 2, temporaryDirectory: "/tmp") { day, piece in
      bytes[day, default: []] += piece
    }
    let days = try written.map { day in
      try DigestFile(bytes: bytes[day] ?? [], name: day?.description ?? "undated")
    }
    func reading(_ files: [DigestFile]) throws -> TrafficDigest {
      try TrafficDigest.empty.adding(files, jobs: 2, temporaryDirectory: "/tmp")
    }
    let whole = try Self.audit(digest)
    let together = try Self.audit(reading(days))
    #expect(together.total == whole.total && together.verdicts == whole.verdicts)
    #expect(together.platforms == whole.platforms && together.referrals == whole.referrals)
    #expect(together.sameHostReferrals == whole.sameHostReferrals)
    #expect(together.coverage == whole.coverage)
    #expect(together.fetches == whole.fetches)
    let rules = [together, whole].map { $0.ruleLists.flatMap { $0.rules.map(\.traffic) } }
    #expect(rules[0] == rules[1])
    #expect(together.days.map(\.day) == whole.days.map(\.day))
    #expect(together.days.map(\.verdicts) == whole.days.map(\.verdicts))
    #expect(together.days.map(\.sameHost) == whole.days.map(\.sameHost))

    let alone = try days.map { try Self.audit(reading([$0])) }
    #expect(alone.sum(\.total) == whole.total)
    for verdict in Verdict.allCases {
      #expect(alone.sum { $0.verdicts[verdict] } == whole.verdicts[verdict])
    }
    #expect(
      alone.flatMap(\.fetches).reduce(0) { $0 + $1.requests }
        == whole.fetches.reduce(0) { $0 + $1.requests })
  }
}

@Suite struct OtherHostTests {
  @Test func theHeaviestAreNamedAndTheOthersCounted() throws {
    var generator = SeededGenerator()
    let count = HeaviestHosts.limit + 1_500
    // Every tenth host has three requests, and one has a name that isn't UTF-8.
    var log = (0..<count).flatMap { number in
      (0..<(number % 10 == 0 ? 3 : 1)).map { AuditTests.get("h\(number).example", "/\($0)") }
    }
    log += ["/buy/1", "/buy/2"].map { AuditTests.get("www.example.com", $0) }
    log.shuffle(using: &generator)
    let site = try AuditTests.site()
    var audits: [Audit] = []
    for (jobs, memory) in [(1, 1 << 30), (1, 0), (2, 300_000), (3, 2_000_000)] {
      let digest = try AuditTests.digest(log, format: .vcombined, jobs: jobs, memoryLimit: memory)
      audits.append(try Auditor(sites: [site], options: AuditOptions(jobs: jobs)).audit(digest))
    }
    let first = try #require(audits.first)
    let hosts = first.otherHosts
    #expect(hosts.rows.count == HeaviestHosts.limit)
    #expect(hosts.rows.first?.name == "h0.example" && hosts.rows.first?.requests == 3)
    #expect(hosts.rows.count { $0.requests == 3 } == count / 10)
    #expect(hosts.otherCount == 1_500 && hosts.others.requests == 1_500)
    for other in audits.dropFirst() {
      #expect(other.otherHosts == first.otherHosts)
      #expect(other.sites.first?.total == first.sites.first?.total)
    }
  }
}

@Suite struct RequestBalanceTests {
  enum Use: CaseIterable { case report, diff, suggest }

  private static func judge(
    _ digest: TrafficDigest, _ use: Use, _ options: AuditOptions = AuditOptions()
  ) throws {
    let site = try AuditTests.site(routes: "/buy/:id\n/help/:topic\n/news/:id")
    switch use {
    case .report: _ = try Auditor(sites: [site], options: options).audit(digest)
    case .diff: _ = try Comparer(old: site, new: site, options: options).compare(digest)
    case .suggest:
      let content = Array(AuditTests.file.utf8)
      let app = ApplicationIdentifier("A1B2C3D4E5.com.example.all")
      _ = try Suggester(site: site, content: content, app: app, judging: options).suggest(digest)
    }
  }

  @Test(arguments: Use.allCases, [0, ReductionOptions.defaultMemoryLimit])
  func requestsAddUp(use: Use, memoryLimit: Int) throws {
    let lines = RandomLog.lines(2_000, host: true)
    let digest = try AuditTests.digest(lines, format: .vcombined, jobs: 3, memoryLimit: memoryLimit)
    var options = AuditOptions(jobs: 3)
    try Self.judge(digest, use, options)
    options.ignoredPaths = PathPatterns(["/buy/*", "*/1"])
    try Self.judge(digest, use, options)
    options.filter.platforms = [.ios, .macos]
    options.filter.statuses = Set(200...299)
    try Self.judge(digest, use, options)
  }

  /// One request too many or too few is an error, without a report.
  @Test(arguments: Use.allCases, [-1, 1])
  func aDifferenceIsAnError(use: Use, difference: Int) throws {
    let digest = try AuditTests.digest(RandomLog.lines(200))
    var inputs = digest.inputs
    inputs[0].tally.requests += difference
    let other = digest.replacingInputs(inputs, rejections: [:], rejectedLines: [])
    let error = #expect(throws: JudgingError.self) { try Self.judge(other, use) }
    guard case .unbalanced(let balance) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let numbers = balance.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers[0] == digest.tally.requests + difference)
    #expect(numbers.dropFirst().reduce(0, +) == digest.tally.requests)
  }
}

@Suite struct SiteDirectoryTests {
  static let hosts = ["www.example.com", "*.example.com", "*.shop.example.com"]

  @Test(
    arguments: [
      ("www.example.com", 0), ("m.example.com", 1), ("a.b.example.com", 1), ("example.com", nil),
      ("x.shop.example.com", 2), ("shop.example.com", 1), ("example.com.evil.test", nil),
      ("", nil), (".example.com", nil), ("notexample.com", nil),
    ] as [(String, Int?)])
  func sites(host: String, number: Int?) {
    #expect(SiteDirectory(Self.hosts).number(of: host) == number)
  }

  /// Hosts that look alike but differ in bytes are two.
  @Test func hostsAreBytes() {
    let (composed, decomposed) = ("caf\u{E9}.example", "cafe\u{301}.example")
    #expect(SiteDirectory([composed]).number(of: decomposed) == nil)
    #expect(SiteDirectory([composed, decomposed]).number(of: decomposed) == 1)
    #expect(SiteDirectory(["*." + composed]).number(of: "www." + decomposed) == nil)
  }

  @Test func aHostCanHaveAnyNumberOfLabels() {
    let labels = String(repeating: "a.", count: 200_000)
    #expect(SiteDirectory(Self.hosts).number(of: labels + "example.com") == 1)
    #expect(SiteDirectory(Self.hosts).number(of: labels + "example.net") == nil)
    #expect(SiteDirectory(["www.example.com"]).number(of: labels + "example.com") == nil)
  }

  @Test(
    arguments: [
      ("/healthz", "/healthz", true), ("/healthz", "/healthz/x", false),
      ("/healthz", "/x/healthz", false), ("/api/*", "/api/", true), ("/api/*", "/api/x/y", true),
      ("/api/*", "/api", false), ("*/ping", "/a/ping", true), ("*/ping", "/ping", true),
      ("/a*b*c", "/a12b3c", true), ("/a*b*c", "/abc", true), ("/a*b*c", "/acb", false),
      ("/a*a", "/a", false), ("*", "/", true), ("/café/*", "/caf%C3%A9/1", true),
      ("/caf%C3%A9/*", "/caf%C3%A9/1", true), ("/*.html", "/x.html", true),
      ("/a*bb*b", "/abb", false), ("/a*bb*b", "/abbb", true),
    ])
  func ignoredPaths(pattern: String, path: String, isIgnored: Bool) {
    #expect(PathPatterns([pattern]).contains(Array(path.utf8).span) == isIgnored)
  }
}
