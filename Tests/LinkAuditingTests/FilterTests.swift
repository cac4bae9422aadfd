import AccessLogs
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
    for range in statuses { filter.add(statuses: range) }
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
    let seed = TestRun.seed
    let lines = AuditTests.lines(2_000, seed: seed)
    let digest = try AuditTests.digest(lines, jobs: 2, memoryLimit: memoryLimit)
    let site = try AuditTests.site()
    var options = AuditOptions(jobs: 2)
    options.filter = filter
    let audit = try Auditor(sites: [site], options: options).audit(digest)
    let plain = try PlainAudit(
      digest, site: site,
      isIncluded: { dimensions in
        (filter.platforms?.contains(dimensions.platform) ?? true)
          && (filter.statuses?.contains { $0.contains(dimensions.status) } ?? true)
      }, botsVisit: filter.includesBots)
    let result = try #require(audit.sites.first)
    #expect(audit.options.filter == filter)
    #expect(result.verdicts == plain.verdicts, "seed: \(seed)")
    #expect(result.platforms.filter { $0.value.requests > 0 } == plain.platforms)
    #expect(result.referrals.filter { $0.value.requests > 0 } == plain.referrals)
    #expect(result.sameHostReferrals.reduce(0) { $0 + $1.visits } == plain.sameHostVisits)
    for rule in result.ruleLists.flatMap({ list in
      list.apps.flatMap { app in list.rules.map { (app, $0) } }
    }) {
      let name = "\(rule.0) \(rule.1.rule.id.entry) \(rule.1.rule.id.position ?? -1)"
      #expect(rule.1.traffic == plain.decided[name, default: Traffic()], "seed: \(seed), \(name)")
      #expect(rule.1.shadowed == plain.shadowed[name, default: 0], "seed: \(seed), \(name)")
    }
    let days = result.days.flatMap { $0.verdicts.values }.reduce(Traffic(), +)
    #expect(days == result.total)
  }

  /// The counts of single platforms add up to those of all.
  @Test(arguments: [false, true])
  func platformsAddUp(includesBots: Bool) throws {
    let seed = TestRun.seed
    let digest = try AuditTests.digest(AuditTests.lines(2_000, seed: seed))
    func audit(_ platforms: Set<Platform>?) throws -> SiteAudit? {
      var options = AuditOptions()
      options.filter = Self.filter(platforms, [], includesBots: includesBots)
      return try Auditor(sites: [try AuditTests.site()], options: options).audit(digest).sites.first
    }
    let whole = try #require(try audit(nil))
    let parts = try Platform.allCases.compactMap { try audit([$0]) }
    #expect(parts.reduce(Traffic()) { $0 + $1.total } == whole.total, "seed: \(seed)")
    var pairs: [[String]: Int] = [:]
    for pair in parts.flatMap(\.sameHostReferrals) {
      pairs[[pair.from, pair.to], default: 0] += pair.visits
    }
    // Path groups fold by the judged traffic; the sums of visits stay.
    let sum = whole.sameHostReferrals.reduce(0) { $0 + $1.visits }
    #expect(pairs.values.reduce(0, +) == sum)
    #expect(whole.sameHostReferrals.isEmpty == pairs.isEmpty)
  }

  @Test func statusesAreJoined() {
    var filter = TrafficFilter()
    #expect(!filter.isActive)
    for range in [300...399, 200...200, 404...404, 201...250, 0...9, 405...405]
      as [ClosedRange<UInt16>]
    {
      filter.add(statuses: range)
    }
    #expect(filter.statuses == [0...9, 200...250, 300...399, 404...405])
    #expect(filter.isActive)
  }
}
