import Foundation
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

@Suite struct OlderSystemsTests {
  static let file = """
    {"applinks": {"details": [
      {"appIDs": ["A1B2C3D4E5.com.example.shop"], "components": [
        {"/": "/account/*", "exclude": true}, {"/": "/buy/*"}, {"/": "/help/*"}]},
      {"appID": "A1B2C3D4E5.com.example.old", "paths": ["NOT /help/website/*", "/help/*"]},
      {"appID": "A1B2C3D4E5.com.example.news", "paths": ["/nowhere"], "components": [{"/": "/item/*"}]}
    ]}}
    """

  static let agent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile/15E148 Safari/604.1"

  static func site() throws -> Site {
    Site(host: "www.example.com", file: try AssociationFile(decoding: Array(file.utf8)))
  }

  /// The traffic that no rule matches, path by path, with every record evaluated for both
  /// generations.
  @Test(arguments: [1, 3])
  func agreesWithRecords(jobs: Int) throws {
    let seed = TestRun.seed
    let site = try Self.site()
    var lines = AuditTests.lines(2_000, seed: seed)
    for index in lines.indices where index % 5 == 0 {
      guard let start = lines[index].range(of: "\" \"")?.upperBound else { continue }
      lines[index] = lines[index][..<start] + Self.agent + "\""
    }
    let digest = try AuditTests.digest(lines, jobs: jobs)
    var (unclaimed, older): ([String: Traffic], [String: Traffic]) = ([:], [:])
    let matchers = (
      LinkMatcher(site.file, system: .current), LinkMatcher(site.file, system: .legacy)
    )
    for record in try digest.records()
    where record.host == site.host && record.target.first == UInt8(ascii: "/") {
      var url = LinkURL()
      url.setTarget(record.target.span)
      let path = String(decoding: url.encodedPath, as: UTF8.self)
      let isVisit = !path.lowercased().hasSuffix(".js") && record.dimensions.isVisitLike
      let traffic = Traffic(
        requests: record.requests, visits: isVisit ? record.requests : 0)
      func isDecided(_ matcher: LinkMatcher) -> Bool {
        let target = String(decoding: record.target, as: UTF8.self).prefix { $0 != "#" }
        var url = LinkURL("https://\(site.host)\(target)", host: site.host)
        return matcher.decisions(for: &url).contains { $0.verdict != .unclaimed }
      }
      let isOld = record.dimensions.platform == .ios12
      if isDecided(isOld ? matchers.1 : matchers.0) { continue }
      if isOld, isDecided(matchers.0) {
        older[path, default: Traffic()] += traffic
      } else {
        unclaimed[path, default: Traffic()] += traffic
      }
    }
    #expect(!older.isEmpty)
    var options = AuditOptions(jobs: jobs)
    options.grouping = .exact
    let audit = try #require(try Auditor(sites: [site], options: options).audit(digest).sites.first)
    func rows(_ rows: [PathGroupTraffic]) -> [String: Traffic] {
      Dictionary(uniqueKeysWithValues: rows.map { ($0.path, $0.traffic) })
    }
    #expect(rows(audit.coverage.unclaimedHeavy) == unclaimed, "seed: \(seed)")
    #expect(rows(audit.coverage.olderSystems) == older, "seed: \(seed)")
    #expect(
      audit.coverage.unclaimedHeavy.total + audit.coverage.olderSystems.total
        == audit.verdicts[.unclaimed])
  }

  @Test func namesTheRuleOfNewerSystems() throws {
    let lines =
      CoverageTests.get("/buy/1", agent: Self.agent, 3) + CoverageTests.get("/buy/1", 200)
      + CoverageTests.get("/account/1", agent: Self.agent, 2)
      + CoverageTests.get("/help/1", agent: Self.agent) + CoverageTests.get("/none", 200)
      + CoverageTests.get("/none", agent: Self.agent)
    let audit = try Auditor(sites: [try Self.site()]).audit(try AuditTests.digest(lines))
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
