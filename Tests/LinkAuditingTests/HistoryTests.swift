import AccessLogs
import Foundation
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import Foundations
@testable import LinkAuditing

@Suite struct HistoryTests {
  /// Files that treat the same paths differently, with different numbers of entries.
  static let files = [
    AuditTests.file,
    """
    {"applinks": {"details": [
      {"appIDs": ["A1B2C3D4E5.com.example.beta"], "components": [{"/": "/news/*"}, {"/": "/a/*/b"}]},
      {"appIDs": ["A1B2C3D4E5.com.example.shop"], "components": [
        {"/": "/item/*"}, {"/": "/buy/*", "exclude": true}, {"/": "/help/*"}, {"/": "/item/1*"}]}
    ]}}
    """,
    """
    {"applinks": {"details": [
      {"appID": "A1B2C3D4E5.com.example.shop", "paths": ["NOT /a/*", "/*"]}
    ]}}
    """,
    "{}",
  ]

  static let routes = RouteTable(parsing: "/buy/:id\n/help/*\n/news/:story\n/item/:id")

  static func site(_ number: Int) throws -> Site {
    var site = try AuditTests.site(file: files[number])
    site.routes = routes
    site.filePath = "file\(number).json"
    return site
  }

  static func day(_ day: Int) throws -> Day { try #require(Day(year: 2026, month: 6, day: day)) }

  /// Lines of nine days, and some without a time.
  static func lines(_ count: Int, _ generator: inout SeededGenerator) -> [String] {
    RandomLog.lines(count, seed: generator.next()).map { line in
      guard let start = line.range(of: "/Jun/2026")?.lowerBound else { return line }
      let digit = line.index(before: start)
      return line[..<digit] + "\(Int.random(in: 1...9, using: &generator))" + line[start...]
    }
  }

  static func day(of line: String) -> Int {
    guard let start = line.range(of: "/Jun/2026")?.lowerBound else { return 0 }
    return Int(String(line[line.index(before: start)])) ?? 0
  }

  @Test(arguments: [1, 2, 5], [0, ReductionOptions.defaultMemoryLimit])
  func isTheSumOfTheDaysOfEachVersion(jobs: Int, memoryLimit: Int) throws {
    var generator = SeededGenerator()
    for round in 0..<4 {
      let lines = Self.lines(1_500, &generator)
      let starts = [0] + (2...10).shuffled(using: &generator).prefix(round).sorted()
      let numbers = starts.map { _ in Int.random(in: 0..<Self.files.count, using: &generator) }
      let history = try SiteHistory(
        try zip(starts, numbers).map { start, number in
          SiteHistory.Version(try Self.site(number), from: start == 0 ? nil : try Self.day(start))
        }.shuffled(using: &generator))
      var options = AuditOptions(jobs: jobs)
      options.fanOut = 40
      if round == 3 { options.filter.platforms = [.ios, .ios12, .bot] }
      let digest = try AuditTests.digest(lines, jobs: jobs, memoryLimit: memoryLimit)
      let audit = try Auditor(histories: [history], options: options).audit(digest)
      let whole = try #require(audit.sites.first)

      // Each version alone, paths as they are.
      options.grouping = .exact
      let parts = try starts.indices.map { position in
        let end = position + 1 < starts.count ? starts[position + 1] : Int.max
        let own = lines.filter { (starts[position]..<end).contains(Self.day(of: $0)) }
        let site = try Self.site(numbers[position])
        return try AuditTests.audit(try AuditTests.digest(own), site, options)
      }
      let plain = try PlainHistory(
        parts, of: digest, options, routes: PlainRoutes(table: Self.routes))
      #expect(plain.isSame(as: whole), "round \(round)")
      let judged = parts.indices.filter { parts[$0].total.requests > 0 }
      let rules = judged.reversed().flatMap { position in
        parts[position].ruleLists.map(PlainHistory.text)
      }
      #expect(whole.ruleLists.map(PlainHistory.text) == rules, "round \(round)")
      #expect(whole.versions.count == (judged.count > 1 ? judged.count : 0))
      #expect(whole.filePath == parts[judged.last ?? 0].filePath)
    }
  }

  @Test func namesTheVersionOfEachRule() throws {
    let requests = [
      ("/buy/1", 1), ("/buy/1", 2), ("/buy/1", 3), ("/buy/2", 3), ("/gift/1", 2), ("/gift/1", 1),
    ]
    let digest = try AuditTests.digest(
      requests.flatMap { CoverageTests.get($0, time: "0\($1)/Jun/2026:10:00:00 +0200") })
    func site(_ rules: String, _ path: String) throws -> Site {
      var site = try AuditTests.site(
        entries: ["\"appID\":\"A1B2C3D4E5.com.example.shop\",\"components\":[\n\(rules)]"],
        routes: "/buy/:id")
      site.filePath = path
      return site
    }
    let history = try SiteHistory([
      .init(try site(#"{"/":"/buy/*"},{"/":"/old/*"}"#, "new.json"), from: try Self.day(3)),
      .init(try site(#"{"/":"/gift/*"},{"/":"/none/*"}"#, "old.json"), from: nil),
      .init(try site(#"{"/":"/later/*"}"#, "later.json"), from: try Self.day(4)),
    ])
    let audit = try Auditor(histories: [history]).audit(digest)
    let result = try #require(audit.sites.first)
    let old = SiteVersion(number: 0, last: try Self.day(2), filePath: "old.json")
    let new = SiteVersion(
      number: 1, first: try Self.day(3), last: try Self.day(3), filePath: "new.json")
    #expect(result.versions == [old, new])
    #expect(result.filePath == "new.json")
    #expect(result.ruleLists.map(\.version) == [new, old])
    #expect(result.ruleLists.map { $0.rules.map(\.traffic.requests) } == [[2, 0], [2, 0]])
    #expect(result.verdicts[.claimed].visits == 4)
    #expect(result.coverage.claimedNotImplemented.first?.rule?.version == old)
    #expect(result.coverage.implementedNotClaimed.map(\.traffic.requests) == [2])
    // The decisions of an old version's rules are past; the effects on visits are not.
    let unused = audit.findings.filter { $0.code == "rule-unused" }
    #expect(
      unused.map(\.message) == [
        "Rule 1 of A1B2C3D4E5.com.example.shop ('/old/*', line 2 of 'new.json', in force until "
          + "2026-06-03) matched no request in these logs since 2026-06-03, when their file came "
          + "into force."
      ])
    let gifts = try #require(audit.findings.first { $0.code == "claimed-not-implemented" })
    #expect(
      gifts.message.hasSuffix("('/gift/*', line 2 of 'old.json', in force until 2026-06-02)."))
  }

  @Test func oneVersionIsNamedNowhere() throws {
    var generator = SeededGenerator(seed: 3)
    let digest = try AuditTests.digest(Self.lines(500, &generator))
    let history = try SiteHistory([
      .init(try Self.site(0), from: nil),
      .init(try Self.site(1), from: Day(daysSince1970: 21_000)),
    ])
    let audit = try Auditor(histories: [history]).audit(digest)
    let plain = try Auditor(sites: [try Self.site(0)]).audit(digest)
    #expect(audit.sites.first?.versions.isEmpty == true)
    #expect(audit.findings == plain.findings)
    #expect(
      audit.sites.first?.ruleLists.map(PlainHistory.text)
        == plain.sites.first?.ruleLists.map(PlainHistory.text))
    // Without requests, the newest file counts.
    let nothing = try Auditor(histories: [history]).audit(AuditTests.digest([""]))
    #expect(nothing.sites.first?.filePath == "file1.json")
  }

  @Test func versionsOfADayReplaceOneAnother() throws {
    let day = try Self.day(5)
    let history = try SiteHistory([
      .init(try Self.site(2), from: day), .init(try Self.site(0), from: nil),
      .init(try Self.site(1), from: day),
    ])
    #expect(history.versions.map(\.site.filePath) == ["file0.json", "file1.json"])
    #expect(throws: SiteHistoryError.noVersion) { try SiteHistory([]) }
    #expect(throws: SiteHistoryError.severalHosts("m.example.com", "www.example.com")) {
      try SiteHistory([
        .init(try AuditTests.site("m.example.com"), from: nil), .init(try Self.site(0), from: day),
      ])
    }
    let site = try Self.site(3)
    #expect(throws: SiteHistoryError.tooManyVersions("www.example.com")) {
      try SiteHistory(
        (0...SiteHistory.versionLimit).map { .init(site, from: Day(daysSince1970: $0)) })
    }
  }
}
