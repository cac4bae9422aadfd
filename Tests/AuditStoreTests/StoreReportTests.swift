import AccessLogs
import Foundation
import Foundations
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import AuditStore

@Suite struct StoreReportTests {
  private static func line(_ day: Int, _ path: String, host: String = "-") -> String {
    "192.0.2.1 - - [0\(day)/Jun/2026:10:00:00 +0000] \"GET \(path) HTTP/1.1\" 200 5 \"\(host)\" "
      + "\"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 "
      + "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1\"\n"
  }

  private static let fourDays = (1...4).map { line($0, "/buy/1") }.joined()

  private static func rules(_ pattern: String) -> String {
    "{\"applinks\": {\"details\": [{\"appIDs\": [\"A1B2C3D4E5.com.example.tea\"], "
      + "\"components\": [{\"/\": \"\(pattern)\"}]}]}}"
  }

  /// The file of each day judges it, in figures as in reports.
  @Test func eachDayHasItsRules() throws {
    let fixture = try StoreFixture()
    try fixture.ingest(
      ["access.log": Self.fourDays], rules: Self.rules("/buy/*"), since: Day("2026-06-02"))
    try fixture.ingest(rules: Self.rules("/help/*"), since: Day("2026-06-03"))
    let site = try #require(try fixture.audit().audit.sites.first)
    let claimed = site.days.map { $0.verdicts[.claimed]?.requests ?? 0 }
    // The first file judges the days before it, too.
    #expect(claimed == [1, 1, 0, 0])
    let figures = try fixture.contents().figures
    #expect(figures.count { $0.contains("daily_verdicts") && $0.contains("\"claimed\"") } == 2)
  }

  @Test func spansAreDays() throws {
    let fixture = try StoreFixture()
    try fixture.ingest(["access.log": Self.fourDays])
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
    try fixture.ingest(["access.log": lines.joined()])
    #expect(try fixture.audit().digest.tally.requests == hosts.count)
  }

  /// Remembered reports contain paths, so they are removed together with a day.
  @Test func reportsOfRemovedDaysAreForgotten() throws {
    let fixture = try StoreFixture()
    try fixture.ingest(["access.log": Self.fourDays])
    func remember(_ scope: String, _ first: String, _ last: String) throws {
      let times = try [first, last].map { day in
        try #require(LogTime(reading: Array((day + "T12:00:00+00:00").utf8)))
      }
      try fixture.memory(scope).remember([], times: times[0]...times[1])
    }
    try remember("all", "2026-06-01", "2026-06-04")
    try remember("others", "2026-06-03", "2026-06-04")
    _ = try fixture.remove(Day("2026-06-02"))
    // A report is compared with those of earlier runs.
    try fixture.ingest(["other.log": Self.line(4, "/buy/2")])
    #expect(try fixture.memory("all").last() == nil)
    #expect(try fixture.memory("others").last() != nil)
  }

  @Test func findingsAreCompared() throws {
    let fixture = try StoreFixture()
    let page = "https://www.example.com/buy/2"
    func lines(_ count: Int, host: String) -> String {
      (0..<count).map { Self.line(1, "/buy/\($0)", host: host) }.joined()
    }
    func report() throws -> (change: AuditChange?, audit: Audit) {
      var audit = try fixture.audit().audit
      let memory = try fixture.memory()
      let last = try memory.last()
      if let last { audit.compare(with: last.report, findings: last.findings) }
      try memory.remember(audit.findings, times: nil)
      return (audit.change, audit)
    }
    try fixture.ingest(["access.log": lines(50, host: "-")])
    #expect(try report().change == nil)
    #expect(try report().change == nil)
    try fixture.ingest(["access.log": lines(50, host: "-") + lines(50, host: page)])
    for _ in 0..<2 {
      let (change, audit) = try report()
      #expect(change != nil)
      let finding = audit.findings.first { $0.code == "same-host-links" }
      #expect(finding?.change == .new)
    }
  }
}

@Suite struct HostCountTests {
  @Test(arguments: [9_999, 10_000, 10_001, 35_000])
  func theHeaviestHostsHaveRowsOfTheirOwn(count: Int) {
    var generator = SeededGenerator()
    let rows = (0..<count).map { number in
      HeaviestHosts.Row(
        host: Array("h\(number).example".utf8), requests: Int.random(in: 1...50, using: &generator),
        targets: 2)
    }
    var counts = HeaviestHosts()
    for row in rows.shuffled(using: &generator) { counts.add(row) }
    counts.keepHeaviest()
    let ordered = rows.sorted {
      $0.requests == $1.requests
        ? $0.host.lexicographicallyPrecedes($1.host) : $0.requests > $1.requests
    }
    let named = ordered.prefix(HeaviestHosts.limit).map(\.host)
    #expect(counts.rows.map(\.host) == named)
    #expect(counts.otherCount == count - named.count)
    let heaviest = counts.rows + [counts.others]
    #expect(heaviest.reduce(0) { $0 + $1.requests } == rows.reduce(0) { $0 + $1.requests })
    #expect(heaviest.reduce(0) { $0 + $1.targets } == 2 * count)
  }

  @Test func aStoreOfManyHostsAndDaysIsSound() throws {
    let store = try StoreFixture()
    func line(_ host: String, day: Int, year: Int) -> String {
      "\(host) 192.0.2.1 - - [\(10 + day % 18)/Jun/\(year):10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" "
        + "200 5 \"-\" \"curl/8\"\n"
    }
    var text = (0..<10_500).map { line("h\($0).example", day: 1, year: 2026) }.joined()
    for day in 0..<400 { text += line("www.example.com", day: day, year: 1990 + day / 18) }
    try store.ingest(["many.log": text], host: nil, format: .vcombined)
    let hosts = try store.hosts()
    let others = hosts.filter { $0.host == DailyFigures.othersName }
    #expect(others.map(\.requests) == [500] && others.map(\.targets) == [500])
    #expect(Set(hosts.map(\.day)).count == 401)
    #expect(try store.audit().digest.tally.requests == 10_900)
  }
}

/// A log that exceeds a limit of decompression counts up to there, and further after the limit is
/// raised.
@Suite struct ExpansionTests {
  private static func damage(_ outcome: IngestOutcome) -> [LogDamage.Kind] {
    outcome.notes.compactMap {
      if case .damaged(let damage, _) = $0.kind { damage.kind } else { nil }
    }
  }

  @Test func linesWithinARaisedLimitCountLater() throws {
    let fixture = try StoreFixture()
    let line =
      "192.0.2.1 - - [01/Jun/2026:10:00:00 +0200] \"GET /buy/1 HTTP/1.1\" 200 5 \"-\" \"x\"\n"
    let text = Array(String(repeating: line, count: 2_000).utf8)
    let compressed = RawDeflate.compress(text.span)
    let member = GzipWriter.member(
      deflated: try #require(compressed),
      checksum: GzipWriter.checksum(text), count: text.count)
    try fixture.write(member, to: "a.log.gz")

    let first = try fixture.ingest(expansion: ExpansionLimit(ratio: 1))
    #expect(Self.damage(first).count == 1)
    guard case .expansionLimit(ratio: 1, let length) = Self.damage(first).first else {
      Issue.record("\(first.notes)")
      return
    }
    #expect(length == 1 << 16)
    let whole = length / line.utf8.count
    let partly = try fixture.audit().digest
    #expect((whole...(whole + 1)).contains(partly.tally.lines))
    #expect(partly.inputs.first?.damage?.kind == .expansionLimit(ratio: 1, length: length))

    // With the same limit, there is nothing to do.
    #expect(try fixture.ingest(expansion: ExpansionLimit(ratio: 1)).newFiles == 0)
    let second = try fixture.ingest(expansion: ExpansionLimit(ratio: 1_000))
    #expect(Self.damage(second).isEmpty)
    let report = try fixture.audit().digest
    #expect(report.tally.requests == 2_000 && report.inputs.allSatisfy { $0.damage == nil })
  }

  #if Zstd
  @Test func framesWithinARaisedWindowCountLater() throws {
    let fixture = try StoreFixture()
    let frames = (1...2).map { number in
      CompressedWriter.zstdFrame(
        "192.0.2.1 - - [01/Jun/2026:10:00:00 +0200] \"GET /buy/\(number) HTTP/1.1\" 200 5\n".utf8,
        blockSize: 7
      ).flatMap(\.self)
    }
    var second = frames[1]
    // The sixth byte holds the window: here, 256 MiB.
    second[5] = 18 << 3
    try fixture.write(frames[0] + second, to: "a.log.zst")

    let first = try fixture.ingest()
    #expect(Self.damage(first) == [.windowLimit(needed: 1 << 28, allowed: 1 << 27)])
    #expect(first.tally.requests == 1)
    #expect(try fixture.ingest().newFiles == 0)
    let raised = try fixture.ingest(expansion: ExpansionLimit(window: 1 << 28))
    #expect(Self.damage(raised).isEmpty && raised.tally.requests == 1)
  }
  #endif
}
