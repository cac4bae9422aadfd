import TestSupport
import Testing
import TrafficDigest

@testable import Foundations
@testable import LinkAuditing

/// Digests that are split by day have the same results as the complete digest.
@Suite struct DailyAuditTests {
  private static func audit(_ digest: TrafficDigest) throws -> SiteAudit {
    let sites = [try AuditTests.site(routes: "/buy/:id\n/help/*")]
    return try #require(
      try Auditor(sites: sites, options: AuditOptions(jobs: 2)).audit(digest).sites.first)
  }

  private static func ruleTraffic(_ site: SiteAudit) -> [Traffic] {
    var traffic: [Traffic] = []
    for list in site.ruleLists {
      traffic += list.rules.map { $0.traffic }
    }
    return traffic
  }

  @Test func allDaysTogetherAreJudgedAsTheWhole() throws {
    let seed = TestRun.seed
    let digest = try AuditTests.digest(AuditTests.lines(4_000, seed: seed), jobs: 2)
    var bytes: [Day?: [UInt8]] = [:]
    let parts = try digest.writeByDay(jobs: 2, temporaryDirectory: "/tmp") { day, piece in
      bytes[day, default: []] += piece
    }
    let days = try parts.map { part in
      try DigestFile(bytes: bytes[part.day] ?? [], name: part.day?.description ?? "undated")
    }
    func reading(_ files: [DigestFile]) throws -> TrafficDigest {
      try TrafficDigest.empty.adding(files, jobs: 2, temporaryDirectory: "/tmp")
    }
    let whole = try Self.audit(digest)
    let together = try Self.audit(reading(days))
    #expect(together.total == whole.total && together.verdicts == whole.verdicts, "seed: \(seed)")
    #expect(together.platforms == whole.platforms && together.referrals == whole.referrals)
    #expect(together.sameHostReferrals == whole.sameHostReferrals, "seed: \(seed)")
    #expect(together.coverage == whole.coverage, "seed: \(seed)")
    #expect(together.fetches == whole.fetches, "seed: \(seed)")
    #expect(Self.ruleTraffic(together) == Self.ruleTraffic(whole), "seed: \(seed)")
    #expect(together.days.map(\.day) == whole.days.map(\.day), "seed: \(seed)")
    #expect(together.days.map(\.verdicts) == whole.days.map(\.verdicts), "seed: \(seed)")
    #expect(together.days.map(\.sameHost) == whole.days.map(\.sameHost), "seed: \(seed)")

    let alone = try days.map { try Self.audit(reading([$0])) }
    #expect(alone.map(\.total).reduce(Traffic(), +) == whole.total, "seed: \(seed)")
    for verdict in whole.verdicts.keys {
      #expect(
        alone.compactMap { $0.verdicts[verdict] }.reduce(Traffic(), +) == whole.verdicts[verdict],
        "seed: \(seed)")
    }
    #expect(
      alone.flatMap(\.fetches).reduce(0) { $0 + $1.requests }
        == whole.fetches.reduce(0) { $0 + $1.requests })
  }
}
