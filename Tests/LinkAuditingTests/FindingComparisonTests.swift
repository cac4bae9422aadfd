import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import Foundations
@testable import LinkAuditing

@Suite struct FindingComparisonTests {
  static func finding(
    _ code: String = "excluded-heavy", _ severity: Severity = .note,
    host: String? = "www.example.com", about subject: String = "", share: Int? = 500
  ) -> Finding {
    Finding(
      kind: DiagnosticKind(code, severity, "t", meaning: "m", remedy: "r"), severity: severity,
      host: host, subject: subject, message: "m", share: share, remedy: "r")
  }

  @Test(
    arguments: [
      (1_000, 1_000, Finding.Change.same), (1_000, 1_099, .same), (1_000, 1_100, .worse),
      (1_000, 901, .same), (1_000, 900, .better), (0, 1, .worse), (1, 0, .better), (0, 0, .same),
      (1_000_000, 1_000_000, .same), (nil, 5, .same), (5, nil, .same), (nil, nil, .same),
    ] as [(Int?, Int?, Finding.Change)])
  func aTenthOfTheShareIsAChange(before: Int?, now: Int?, change: Finding.Change) {
    var findings = [Self.finding(share: now)]
    #expect(findings.compare(with: [FindingRecord(Self.finding(share: before))]).isEmpty)
    #expect(findings.map(\.change) == [change])
  }

  @Test func severityGoesBeforeShares() {
    let earlier = [
      FindingRecord(Self.finding("excluded-heavy", .warning, share: 1)),
      FindingRecord(Self.finding("old-systems", .note, share: 900)),
    ]
    var findings = [
      Self.finding("excluded-heavy", .note, share: 900),
      Self.finding("old-systems", .error, share: 1),
    ]
    _ = findings.compare(with: earlier)
    #expect(findings.map(\.change) == [.better, .worse])
  }

  @Test func codeHostAndSubjectMakeFindingsTheSame() {
    let earlier = [
      Self.finding("rule-unused", about: "a"), Self.finding("rule-unused", about: "b"),
      Self.finding("other-hosts", host: nil), Self.finding("old-systems"),
    ].map { FindingRecord($0) }
    var findings = [
      Self.finding("rule-unused", about: "b"), Self.finding("rule-unused", about: "c"),
      Self.finding("other-hosts", host: nil), Self.finding("old-systems", host: "m.example.com"),
    ]
    let gone = findings.compare(with: earlier)
    #expect(findings.map(\.change) == [.same, .new, .same, .new])
    #expect(gone == [earlier[0], earlier[3]])
  }

  /// All findings of a report are different, and a report compared with itself has no changes.
  @Test(arguments: [false, true])
  func identitiesAreDistinctAndStable(hasHistory: Bool) throws {
    let digest = try AuditTests.digest(RandomLog.lines(2_000, seed: 9), jobs: 2)
    let rules = ["/none", "/none", "/buy/*", "/buy/*", "/buy/*"].map { "{\"/\": \"\($0)\"}" }
    let site = try AuditTests.site(
      entries: [
        "\"appID\": \"A1B2C3D4E5.a\", \"components\": [\(rules.joined(separator: ", "))]",
        #""appID": "A1B2C3D4E5.b""#, #""appID": "A1B2C3D4E5.c""#,
      ], routes: "/buy/:id")
    var history = SiteHistory(site)
    if hasHistory {
      history = try SiteHistory([
        .init(try AuditTests.site(), from: nil),
        .init(site, from: try HistoryTests.day(2)),
      ])
    }
    var audit = try Auditor(histories: [history]).audit(digest)
    let records = audit.findings.map { FindingRecord($0) }
    #expect(records.count > 8)
    #expect(Set(records.map(\.identity)).count == records.count)
    let subjects = records.filter { $0.code == "rule-unused" }.map(\.subject)
    #expect(subjects == ["A1B2C3D4E5.a /none", "A1B2C3D4E5.a /none (2)"])
    #expect(records.allSatisfy { (0...1_000_000).contains($0.share ?? 0) })

    let time = LogTime(secondsSince1970: 1_795_000_000, offsetInMinutes: 0)
    audit.compare(with: AuditChange(at: time, from: nil, to: nil), findings: records)
    #expect(audit.findings.allSatisfy { $0.change == .same })
    #expect(audit.change?.gone.isEmpty == true)
  }

  @Test func severitiesFollowShares() throws {
    let digest = try AuditTests.digest(RandomLog.lines(3_000, seed: 12))
    let site = try AuditTests.site(routes: "/buy/:id\n/account/:id\n/item/:id")
    let audit = try Auditor(sites: [site]).audit(digest)
    var measured = 0
    for finding in audit.findings {
      guard let levels = FindingThresholds()[finding.code], let share = finding.share else {
        #expect(FindingThresholds()[finding.code] == nil, "\(finding.code)")
        continue
      }
      measured += 1
      // A heavy path group says more than all of them together.
      if finding.code == "unclaimed-heavy" { continue }
      #expect(levels.severity(of: share, in: 1_000_000) == finding.severity, "\(finding.code)")
    }
    #expect(measured > 4)
  }

  @Test(arguments: [
    (0, 5, 0), (1, 3, 333_333), (5, 5, 1_000_000), (6, 5, 1_000_000), (1, 0, 0),
    (1, Int.max, 1), (Int.max - 1, Int.max, 999_999),
  ])
  func sharesAreWholeNumbers(part: Int, whole: Int, share: Int) {
    #expect(Finding.share(part, of: whole) == share)
  }
}
