import AccessLogs
import AuditStore
import Foundation
import Foundations
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@Suite struct StoreIngestTests {
  /// A log that is added each time it grows has the same figures and digests as one pass over it,
  /// byte for byte.
  ///
  /// It can be cut anywhere, with any names and compressions.
  @Test(arguments: 0..<6)
  func anyGrowthEqualsOnePass(round: Int) throws {
    let seed = TestRun.seed &+ UInt64(round)
    var (generator, log) = (SeededGenerator(seed: seed), RandomLog(seed: seed))
    // Few lines at first, so that formats are uncertain; and some that need several chunks.
    let count = round < 3 ? 60 : 6_000
    var text = (0..<count).map { _ in log.line() }.joined(separator: "\n")
    if Bool.random(using: &generator) { text += "\n" }
    let bytes = Array(text.utf8)

    let (grown, whole) = (try StoreFixture(), try StoreFixture())
    var cuts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      Int.random(in: 0...bytes.count, using: &generator)
    }.sorted()
    cuts.append(bytes.count)
    for (number, cut) in cuts.enumerated() {
      try? FileManager.default.removeItem(atPath: grown.folder.path + "/logs")
      let isCompressed = Bool.random(using: &generator)
      let content = isCompressed ? GzipWriter.member(bytes[..<cut]) : Array(bytes[..<cut])
      try grown.write(content, to: "access.log.\(number)")
      try grown.ingest(jobs: Int.random(in: 1...3, using: &generator))
      // The second time, everything is known.
      #expect(try grown.ingest().tally.lines == 0)
    }
    try whole.write(bytes, to: "access.log")
    // Figures are judged in memory if everything fits, else from files.
    try whole.ingest(memory: round.isMultiple(of: 2) ? nil : 0)

    let (one, other) = (try grown.audit(), try whole.audit())
    #expect(one.audit.figures == other.audit.figures)
    #expect(one.digest.tally == other.digest.tally)
    #expect(one.digest.rejections == other.digest.rejections)
    let plain = try TrafficDigest.reduce(
      LogInput.discover([whole.folder.path + "/logs"]).inputs, options: StoreFixture.reduction())
    let site = Site(host: "www.example.com", file: try AssociationFile(StoreFixture.rules))
    let audit = try Auditor(sites: [site]).audit(plain)
    #expect(one.audit.figures == audit.figures)
    #expect(one.digest.tally == plain.tally)
    #expect(one.digest.rejections == plain.rejections)

    let (first, second) = (try grown.contents(), try whole.contents())
    #expect(first.figures == second.figures)
    // Pending lines are not in the digests of days, and are in other places.
    if text.hasSuffix("\n"), round >= 3 {
      #expect(first.digests == second.digests)
    }
  }

  @Test func batchesDoNotMatter() throws {
    var log = RandomLog()
    let fixtures = try [1, 5_000, 1 << 30].map { ($0, try StoreFixture()) }
    for number in 0..<5 {
      let lines = (0..<200).map { _ in log.line() + "\n" }.joined()
      for (_, fixture) in fixtures {
        try fixture.write(lines.utf8, to: "\(number).log")
      }
    }
    for (batch, fixture) in fixtures {
      try fixture.ingest(batch: batch)
    }
    let contents = try fixtures.map { try $0.1.contents() }
    for other in contents.dropFirst() {
      #expect(other.figures == contents[0].figures)
      #expect(other.digests == contents[0].digests)
    }
  }

  /// A log that was restored and continues differently counts from the difference on.
  @Test func aLogThatGoesOnOtherwise() throws {
    var log = RandomLog()
    func lines(_ count: Int) -> String { (0..<count).map { _ in log.line() + "\n" }.joined() }
    let (shared, first, second) = (lines(300), lines(80), lines(20))
    let fixture = try StoreFixture()
    #expect(try fixture.ingest(["access.log": shared + first]).tally.lines == 380)
    #expect(try fixture.ingest(["access.log": shared + second]).tally.lines == 20)
    // A copy of its earlier state counts already.
    let outcome = try fixture.ingest(["copy.log": shared])
    #expect(outcome.tally.lines == 0)
    #expect(outcome.notes.map { $0.path.hasSuffix("copy.log") } == [true])
  }

  /// Two files with the same content are one log; a file with only headings doesn't count as a log.
  @Test func contentsCountOnce() throws {
    let heading = "#Version: 1.0\n#Fields: date time cs-method cs-uri-stem sc-status\n"
    let one = "2026-06-01 10:00:00 GET /buy/1 200\n"
    let fixture = try StoreFixture()
    try fixture.ingest(["a/u.log": heading, "b/u.log": heading])
    try fixture.ingest(["a/u.log": heading + one, "b/u.log": heading + one + one])
    // The second continues the first, because nothing distinguishes them.
    #expect(try fixture.audit().digest.tally.requests == 2)
  }

  /// Days older than the retention are removed, and late lines don't restore them.
  @Test func oldDaysGo() throws {
    func line(_ day: String) -> String {
      "192.0.2.1 - - [\(day):10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" 200 5 \"-\" \"-\"\n"
    }
    let days = ["01/Jun/2020", "01/Jun/2026", "02/Jun/2026"]
    let fixture = try StoreFixture()
    try fixture.ingest(["access.log": days.map(line).joined()])
    #expect(try fixture.listing().days.count == 3)
    try fixture.ingest(keptDays: 1_500)
    try fixture.ingest(["late.log": line("02/Jun/2020")], keptDays: 1_500)
    #expect(try fixture.listing().days.map { $0.day?.description } == ["2026-06-01", "2026-06-02"])
  }

  /// Retention counts from the newest day that a log can have, from the first run on, and whether or
  /// not lines can still change.
  @Test(arguments: [1, 40], [0, 1, 2, 40_000])
  func retentionCountsFromDaysThatAreNotDoubtful(lines: Int, ahead: Int) throws {
    let today = LogTime.now.day
    func text(_ day: Day) -> String {
      let line = #"{"time": "\#(day)T10:00:00Z", "request": "GET /buy/1 HTTP/1.1", "status": 200}"#
      return String(repeating: line + "\n", count: lines)
    }
    let old = (0..<4).map { Day(daysSince1970: today.daysSince1970 - 400 - $0) }
    let last = Day(daysSince1970: today.daysSince1970 + ahead)
    let fixture = try StoreFixture()
    for _ in 0..<2 {
      try fixture.ingest(["access.log": (old + [last]).map(text).joined()], keptDays: 2)
      let days = try fixture.listing().days.map(\.day)
      #expect(days == (ahead > 1 ? [old[2], old[1], old[0], last] : [last]))
    }
  }

  @Test(arguments: [[["a", "b"]], [["a"], ["b"]], [["a"], ["a", "b"]]])
  func logsThatShareTheirFirstLines(runs: [[String]]) throws {
    var log = RandomLog()
    func lines(_ count: Int) -> String { (0..<count).map { _ in log.line() + "\n" }.joined() }
    let shared = lines(8)
    let logs = ["a": shared + lines(192), "b": shared + "garbage\n" + lines(192)]
    let fixture = try StoreFixture()
    let counts = try runs.map { run in
      try fixture.ingest(logs.filter { run.contains($0.key) }).tally.lines
    }
    #expect(counts.reduce(0, +) == 200 + 201)
  }

  /// An unfinished copy adds no lines, however few it has; it counts as the complete copy.
  @Test(arguments: [1, 2, 3, 30]) func copiesUnderWay(count: Int) throws {
    let lines = RandomLog.lines(40).map { $0 + "\n" }
    let fixture = try StoreFixture()
    #expect(try fixture.ingest(["x.log": lines.joined()]).tally.lines == 40)
    let part = lines[..<count].joined() + lines[count].prefix(20)
    for content in [Array(part.utf8), GzipWriter.member(lines.joined().utf8).dropLast(60)] {
      try fixture.write(content, to: "y.log")
      #expect(try fixture.ingest().tally.lines == 0)
    }
    #expect(try fixture.ingest(["y.log": lines.joined()]).tally.lines == 0)
  }

  /// If a day is removed while the last line of a log is incomplete, each line counts once, and
  /// that one in its state at the time.
  @Test(arguments: [0, 20, 50, 80, 87, 88]) func daysThatGoAmidALine(cut: Int) throws {
    func line(_ day: Int) -> String {
      "192.0.2.1 - - [0\(day)/Jun/2026:10:00:00 +0000] \"GET /buy/\(day) HTTP/1.1\" 200 5 \"-\" \"-\"\n"
    }
    let fixture = try StoreFixture()
    let whole = (1...6).map(line).joined()
    let log = (1...5).map(line).joined() + line(6).prefix(cut)
    try fixture.ingest(["a.log": log])
    #expect(try fixture.remove(Day("2026-06-01")).count == 1)
    try fixture.ingest(["a.log": whole + line(7)])
    #expect(try fixture.audit().digest.tally.lines == 7)
    #expect(try fixture.listing().days.contains { $0.day == Day("2026-06-07") })
  }

  /// A target counts once for its day and host, however many of its requests are pending.
  ///
  /// Pending requests can be in the unterminated last line of a log, and in that of another log.
  @Test func targetsCountOnceSettledOrPending() throws {
    let line =
      "192.0.2.1 - - [01/Jun/2026:10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" 200 5 \"-\" \"-\""
    let other = line.replacing("/buy/1", with: "/buy/2")
    let fixture = try StoreFixture()
    try fixture.ingest(["a.log": "\(line)\n\(line)", "b.log": "\(other)\n\(line)"])
    #expect(
      try fixture.hosts() == [
        StoreFixture.HostOfDay(day: "2026-06-01", host: "www.example.com", requests: 4, targets: 2)
      ])
  }
}
