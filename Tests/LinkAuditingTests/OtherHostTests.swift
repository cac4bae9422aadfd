import AccessLogs
import TestSupport
import Testing
import TrafficDigest

@testable import LinkAuditing

/// Requests to any number of hosts that are not sites.
@Suite struct OtherHostTests {
  @Test func theHeaviestAreNamedAndTheOthersCounted() throws {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let count = HeaviestHosts.limit + 1_500
    // Every tenth host has three requests, and one has a name that isn't UTF-8.
    var lines = (0..<count).flatMap { number in
      (0..<(number % 10 == 0 ? 3 : 1)).map { "h\(number).example /\($0)" }
    }
    lines += ["www.example.com /buy/1", "www.example.com /buy/2"]
    lines.shuffle(using: &generator)
    let log = lines.map { line in
      let words = line.split(separator: " ")
      return
        "\(words[0]) 192.0.2.1 - - [01/Jun/2026:10:00:00 +0200] \"GET \(words[1]) HTTP/1.1\" 200 5"
    }
    let site = try AuditTests.site()
    var audits: [Audit] = []
    for (jobs, memory) in [(1, 1 << 30), (1, 0), (2, 300_000), (3, 2_000_000)] {
      let digest = try AuditTests.digest(
        log, format: .vcombined, jobs: jobs, memoryLimit: memory)
      audits.append(
        try Auditor(sites: [site], options: AuditOptions(jobs: jobs)).audit(digest))
    }
    let first = try #require(audits.first)
    let hosts = first.otherHosts
    #expect(hosts.rows.count == HeaviestHosts.limit)
    #expect(hosts.rows.first?.name == "h0.example" && hosts.rows.first?.requests == 3)
    #expect(hosts.rows.count { $0.requests == 3 } == count / 10)
    #expect(hosts.otherCount == 1_500 && hosts.others.requests == 1_500)
    for other in audits.dropFirst() {
      #expect(other.otherHosts == first.otherHosts, "seed: \(seed)")
      #expect(other.sites.first?.total == first.sites.first?.total)
    }
  }
}
