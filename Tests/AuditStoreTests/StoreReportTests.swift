import AccessLogs
import Foundations
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import AuditStore

@Suite struct StoreReportTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static func line(_ day: Int, _ path: String, from page: String = "-") -> String {
    logLine(path, at: "0\(day)/Jun/2026:10:00:00 +0000", from: page, agent: RandomLog.phone)
  }

  private static let fourDays = (1...4).map { line($0, "/buy/1") }.joined()

  private static func rules(_ pattern: String) -> String {
    #"{"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.example.tea"], "#
      + #""components": [{"/": "\#(pattern)"}]}]}}"#
  }

  /// The file of each day judges it, in figures as in reports.
  @Test func eachDayHasItsRules() throws {
    try fixture.ingest(
      ["access.log": Self.fourDays], rules: Self.rules("/buy/*"), since: Day("2026-06-02"))
    try fixture.ingest(rules: Self.rules("/help/*"), since: Day("2026-06-03"))
    let site = try #require(try fixture.audit().audit.sites.first)
    let claimed = site.days.map { $0.verdicts[.claimed].requests }
    // The first file judges the days before it, too.
    #expect(claimed == [1, 1, 0, 0])
    let figures = try fixture.contents().figures
    #expect(figures.count { $0.contains("daily_verdicts") && $0.contains("\"claimed\"") } == 2)
  }

  @Test func spansAreDays() throws {
    try fixture.ingest(["access.log": Self.fourDays])
    func digest(since: String) throws -> TrafficDigest {
      try fixture.audit(span: TimeSpan(since: TimeBound(since, now: 0, isEnd: false))).digest
    }
    let tally = try digest(since: "2026-06-03").tally
    #expect(tally.requests == 2 && tally.outside == 2)
    #expect(throws: StoreError.self) { try digest(since: "2026-06-03T12:00:00") }
  }

  /// JSON logs can contain a zero byte in a host, where a text of SQLite ends.
  @Test func hostsWithZeroBytesAreTakenIn() throws {
    let hosts = ["", "\\u0000", "a.example", "a.example\\u0000", "a.example\\u0000b", "\\ufffd"]
    let lines = hosts.map { NamelessHostTests.json(#""host": "\#($0)", "#) }
    try fixture.ingest(["access.log": lines.joined()])
    #expect(try fixture.audit().digest.tally.requests == hosts.count)
  }

  /// Remembered reports contain paths, so they are removed together with a day.
  @Test func reportsOfRemovedDaysAreForgotten() throws {
    try fixture.ingest(["access.log": Self.fourDays])
    func remember(_ scope: String, _ first: String, _ last: String) throws {
      let times = try [first, last].map { day in
        try #require(LogTime(reading: Array((day + "T12:00:00+00:00").utf8)))
      }
      try fixture.remember([], scope: scope, times: times[0]...times[1])
    }
    try remember("all", "2026-06-01", "2026-06-04")
    try remember("others", "2026-06-03", "2026-06-04")
    _ = try fixture.remove(Day("2026-06-02"))
    // A report is compared with those of earlier runs.
    try fixture.ingest(["other.log": Self.line(4, "/buy/2")])
    #expect(try fixture.lastReport("all") == nil)
    #expect(try fixture.lastReport("others") != nil)
  }

  @Test func findingsAreCompared() throws {
    let page = "https://www.example.com/buy/2"
    func lines(from page: String) -> String {
      (0..<50).map { Self.line(1, "/buy/\($0)", from: page) }.joined()
    }
    func report() throws -> Audit {
      var audit = try fixture.audit().audit
      let last = try fixture.lastReport()
      if let last { audit.compare(with: last.report, findings: last.findings) }
      try fixture.remember(audit.findings)
      return audit
    }
    try fixture.ingest(["access.log": lines(from: "-")])
    for _ in 0..<2 { #expect(try report().change == nil) }
    try fixture.ingest(["access.log": lines(from: "-") + lines(from: page)])
    for _ in 0..<2 {
      let audit = try report()
      #expect(audit.change != nil)
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
    func line(_ host: String, _ day: String) -> String {
      logLine("/buy/1", host: host, at: day + ":10:00:00 +0000", agent: "curl/8")
    }
    var text = (0..<10_500).map { line("h\($0).example", "11/Jun/2026") }.joined()
    for day in 0..<400 {
      text += line("www.example.com", "\(10 + day % 18)/Jun/\(1990 + day / 18)")
    }
    try store.ingest(["many.log": text], host: nil, format: .vcombined)
    let hosts = try store.hosts()
    let others = hosts.filter { $0.contains(" \(AuditStore.othersName) ") }
    #expect(others == ["2026-06-11 \(AuditStore.othersName) 500 500"])
    #expect(Set(hosts.map { $0.prefix { $0 != " " } }).count == 401)
    #expect(try store.audit().digest.tally.requests == 10_900)
  }
}

/// A log that exceeds a limit of decompression counts up to there until the limit is raised.
@Suite struct ExpansionTests {
  private static func damage(_ outcome: IngestOutcome) -> [LogDamage.Kind] {
    outcome.notes.compactMap {
      if case .damaged(let damage, _) = $0.kind { damage.kind } else { nil }
    }
  }

  @Test func linesWithinARaisedLimitCountLater() throws {
    let fixture = try StoreFixture()
    let line = logLine("/buy/1", agent: "x")
    let text = Array(String(repeating: line, count: 2_000).utf8)
    try fixture.write(GzipWriter.compressed(text), to: "a.log.gz")

    let first = try fixture.ingest(expansion: ExpansionLimit(ratio: 1))
    let limit = LogDamage.Kind.expansionLimit(ratio: 1, length: 1 << 16)
    #expect(Self.damage(first) == [limit])
    let whole = (1 << 16) / line.utf8.count
    let partly = try fixture.audit().digest
    #expect((whole...(whole + 1)).contains(partly.tally.lines))
    #expect(partly.inputs.first?.damage?.kind == limit)

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
      Codec.zstd.member(
        "192.0.2.1 - - [01/Jun/2026:10:00:00 +0200] \"GET /buy/\(number) HTTP/1.1\" 200 5\n".utf8,
        blockSize: 7)
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
