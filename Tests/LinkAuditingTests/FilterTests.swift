import AccessLogs
import Foundation
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

@Suite struct FilterTests {
  static func filter(
    _ platforms: Set<Platform>?, _ statuses: [ClosedRange<UInt16>], includesBots: Bool
  ) -> TrafficFilter {
    var filter = TrafficFilter()
    filter.platforms = platforms
    if !statuses.isEmpty { filter.statuses = Set(statuses.joined()) }
    filter.includesBots = includesBots
    return filter
  }

  @Test(
    arguments: [
      filter([.ios], [], includesBots: false),
      filter([.ios12, .bot, .other], [], includesBots: true),
      filter(nil, [200...299, 404...404], includesBots: false),
      filter(nil, [], includesBots: true), filter([.bot], [301...500], includesBots: false),
      filter([.inApp], [], includesBots: true),
    ], [0, ReductionOptions.defaultMemoryLimit])
  func agreesWithPlainAudit(filter: TrafficFilter, memoryLimit: Int) throws {
    try AuditTests.expectAgreement(filter, jobs: 2, memoryLimit: memoryLimit)
  }

  @Test(arguments: [false, true])
  func platformsAddUp(includesBots: Bool) throws {
    let digest = try AuditTests.digest(RandomLog.lines(2_000))
    func audit(_ platforms: Set<Platform>?) throws -> SiteAudit {
      var options = AuditOptions()
      options.filter = Self.filter(platforms, [], includesBots: includesBots)
      return try AuditTests.audit(digest, try AuditTests.site(), options)
    }
    let whole = try audit(nil)
    let parts = try Platform.allCases.map { try audit([$0]) }
    #expect(parts.sum(\.total) == whole.total)
    // Path groups fold by the judged traffic; the sums of visits stay.
    let pairs = parts.flatMap(\.sameHostReferrals)
    let sum = whole.sameHostReferrals.reduce(0) { $0 + $1.visits }
    #expect(pairs.reduce(0) { $0 + $1.visits } == sum)
    #expect(whole.sameHostReferrals.isEmpty == pairs.isEmpty)
  }
}

@Suite struct OlderSystemsTests {
  static let file = """
    {"applinks": {"details": [
      {"appIDs": ["A1B2C3D4E5.com.example.shop"], "components": [
        {"/": "/account/*", "exclude": true}, {"/": "/buy/*"}, {"/": "/help/*"}]},
      {"appID": "A1B2C3D4E5.com.example.old", "paths": ["NOT /help/website/*", "/help/*"]},
      {"appID": "A1B2C3D4E5.com.example.news", "paths": ["/nowhere"], "components": [{"/": "/item/*"}]}
    ]}}
    """

  /// The traffic that no rule matches, path by path, with every record evaluated for both
  /// generations.
  @Test(arguments: [1, 3])
  func agreesWithRecords(jobs: Int) throws {
    let site = try AuditTests.site(file: Self.file)
    var lines = RandomLog.lines(2_000)
    for index in lines.indices where index % 5 == 0 {
      guard let start = lines[index].range(of: "\" \"")?.upperBound else { continue }
      lines[index] = lines[index][..<start] + CoverageTests.oldAgent + "\""
    }
    let digest = try AuditTests.digest(lines, jobs: jobs)
    let plain = try PlainAudit(digest, site: site, TrafficFilter())
    #expect(!plain.olderSystems.isEmpty)
    var options = AuditOptions(jobs: jobs)
    options.grouping = .exact
    let audit = try AuditTests.audit(digest, site, options)
    func rows(_ rows: [PathGroupTraffic]) -> [String: Traffic] {
      Dictionary(uniqueKeysWithValues: rows.map { ($0.path, $0.traffic) })
    }
    #expect(rows(audit.coverage.unclaimedHeavy) == plain.unclaimed)
    #expect(rows(audit.coverage.olderSystems) == plain.olderSystems)
    #expect(
      audit.coverage.unclaimedHeavy.total + audit.coverage.olderSystems.total
        == audit.verdicts[.unclaimed])
  }

  @Test func namesTheRuleOfNewerSystems() throws {
    func old(_ path: String, _ count: Int = 1) -> [String] {
      CoverageTests.get(path, agent: CoverageTests.oldAgent, count)
    }
    let lines =
      old("/buy/1", 3) + CoverageTests.get("/buy/1") + old("/account/1", 2) + old("/help/1")
      + CoverageTests.get("/none") + old("/none")
    let audit = try Auditor(sites: [try AuditTests.site(file: Self.file)]).audit(
      try AuditTests.digest(lines))
    let coverage = try #require(audit.sites.first?.coverage)
    func rows(_ rows: [PathGroupTraffic]) -> [String] {
      rows.map { "\($0.path) \($0.traffic.visits) \($0.rule?.signedPattern ?? "-")" }
    }
    #expect(rows(coverage.olderSystems) == ["/buy/{n} 3 /buy/*", "/account/{n} 2 not /account/*"])
    #expect(rows(coverage.unclaimedHeavy) == ["/none 2 -"])
    let finding = audit.findings.first { $0.code == "old-systems" }
    #expect(
      finding?.message
        == "7 visits came from iOS 12 and earlier, which read only 'appID' and 'paths', so "
        + "linkaudit judges them by these alone. Newer systems have a rule for 5 visits of them. "
        + "Heaviest: /buy/{n}.")
    #expect(finding?.evidence.paths == coverage.olderSystems)
  }
}
