import AccessLogs
import AuditStore
import Foundation
import Foundations
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@Suite struct StoreReportTests {
  private static func line(_ day: Int, _ path: String, host: String = "-") -> String {
    "192.0.2.1 - - [0\(day)/Jun/2026:10:00:00 +0000] \"GET \(path) HTTP/1.1\" 200 5 \"\(host)\" "
      + "\"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 "
      + "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1\"\n"
  }

  private static func rules(_ pattern: String) -> String {
    "{\"applinks\": {\"details\": [{\"appIDs\": [\"A1B2C3D4E5.com.example.tea\"], "
      + "\"components\": [{\"/\": \"\(pattern)\"}]}]}}"
  }

  /// The file of each day judges it, in figures as in reports.
  @Test func eachDayHasItsRules() throws {
    let fixture = try StoreFixture()
    let logs = fixture.folder.path + "/logs"
    _ = try fixture.folder.write(
      (1...4).map { Self.line($0, "/buy/1") }.joined().utf8, to: "logs/access.log")
    try fixture.ingest(logs, rules: Self.rules("/buy/*"), since: Day("2026-06-02"))
    try fixture.ingest(logs, rules: Self.rules("/help/*"), since: Day("2026-06-03"))
    let site = try #require(try fixture.audit().audit.sites.first)
    let claimed = site.days.map { $0.verdicts[.claimed]?.requests ?? 0 }
    // The first file judges the days before it, too.
    #expect(claimed == [1, 1, 0, 0])
    let figures = try fixture.contents().figures
    #expect(figures.count { $0.contains("daily_verdicts") && $0.contains("\"claimed\"") } == 2)
    #expect(try fixture.problems() == [])
  }

  /// Reports cover only complete days, and exclude other days.
  @Test func spansAreDays() throws {
    let fixture = try StoreFixture()
    _ = try fixture.folder.write(
      (1...4).map { Self.line($0, "/buy/1") }.joined().utf8, to: "logs/access.log")
    try fixture.ingest(fixture.folder.path + "/logs")
    func span(_ since: String) -> TimeSpan {
      TimeSpan(since: TimeBound(since, now: 0, isEnd: false))
    }
    let digest = try fixture.audit(span: span("2026-06-03")).digest
    #expect(digest.tally.requests == 2)
    #expect(digest.tally.outside == 2)
    #expect(throws: StoreError.self) {
      _ = try fixture.audit(span: span("2026-06-03T12:00:00"))
    }
  }

  /// JSON logs can contain a zero byte in a host, where a text of SQLite ends.
  @Test func hostsWithZeroBytesAreTakenIn() throws {
    let fixture = try StoreFixture()
    let hosts = ["", "\\u0000", "a.example", "a.example\\u0000", "a.example\\u0000b", "\\ufffd"]
    let lines = hosts.map { host in
      "{\"time_iso8601\": \"2026-06-01T10:00:00+00:00\", \"host\": \"\(host)\", "
        + "\"request_method\": \"GET\", \"request_uri\": \"/buy/1\", \"status\": 200}\n"
    }
    _ = try fixture.folder.write(lines.joined().utf8, to: "logs/access.log")
    try fixture.ingest(fixture.folder.path + "/logs")
    #expect(try fixture.audit().digest.tally.requests == hosts.count)
    #expect(try fixture.problems() == [])
  }

  /// Remembered reports contain paths, so they are removed together with a day.
  @Test func reportsOfRemovedDaysAreForgotten() throws {
    let fixture = try StoreFixture()
    let logs = fixture.folder.path + "/logs"
    _ = try fixture.folder.write(
      (1...4).map { Self.line($0, "/buy/1") }.joined().utf8, to: "logs/access.log")
    try fixture.ingest(logs)
    func memory(_ scope: String) throws -> ReportMemory {
      ReportMemory(try AuditStore.reading(fixture.directory), scope: scope)
    }
    func remember(_ scope: String, _ first: String, _ last: String) throws {
      let times = try [first, last].map { day in
        try #require(LogTime(reading: Array((day + "T12:00:00+00:00").utf8)))
      }
      try memory(scope).remember([], times: times[0]...times[1])
    }
    try remember("all", "2026-06-01", "2026-06-04")
    try remember("others", "2026-06-03", "2026-06-04")
    do {
      let store = try AuditStore.changing(fixture.directory, isMade: false, wait: 0)
      _ = try store.removeDays([Day("2026-06-02")])
    }
    // A report is compared with those of earlier runs.
    _ = try fixture.folder.write(Self.line(4, "/buy/2").utf8, to: "logs/other.log")
    try fixture.ingest(logs)
    #expect(try memory("all").last() == nil)
    #expect(try memory("others").last() != nil)
  }

  /// A report is compared with the last one on other logs, however often it is repeated.
  @Test func findingsAreCompared() throws {
    let fixture = try StoreFixture()
    let logs = fixture.folder.path + "/logs"
    let page = "https://www.example.com/buy/2"
    func lines(_ count: Int, host: String) -> String {
      (0..<count).map { Self.line(1, "/buy/\($0)", host: host) }.joined()
    }
    func report() throws -> (change: AuditChange?, audit: Audit) {
      var audit = try fixture.audit().audit
      let memory = ReportMemory(try AuditStore.reading(fixture.directory), scope: "all")
      let last = try memory.last()
      if let last { audit.compare(with: last.report, findings: last.findings) }
      try memory.remember(audit.findings, times: nil)
      return (audit.change, audit)
    }
    _ = try fixture.folder.write(lines(50, host: "-").utf8, to: "logs/access.log")
    try fixture.ingest(logs)
    #expect(try report().change == nil)
    #expect(try report().change == nil)
    _ = try fixture.folder.write(
      (lines(50, host: "-") + lines(50, host: page)).utf8, to: "logs/access.log")
    try fixture.ingest(logs)
    for _ in 0..<2 {
      let (change, audit) = try report()
      #expect(change != nil)
      let finding = audit.findings.first { $0.code == "same-host-links" }
      #expect(finding?.change == .new)
    }
  }
}
