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
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var log = RandomLog(seed: seed)
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
      let name = "logs/access.log.\(number)"
      try? FileManager.default.removeItem(atPath: grown.folder.path + "/logs")
      let isCompressed = Bool.random(using: &generator)
      _ = try grown.folder.write(
        isCompressed ? GzipWriter.member(bytes[..<cut]) : Array(bytes[..<cut]), to: name)
      try grown.ingest(
        grown.folder.path + "/logs", jobs: Int.random(in: 1...3, using: &generator))
      // The second time, everything is known.
      let again = try grown.ingest(grown.folder.path + "/logs")
      #expect(again.tally.lines == 0, "seed: \(seed)")
      #expect(try grown.problems() == [], "seed: \(seed)")
    }
    _ = try whole.folder.write(bytes, to: "logs/access.log")
    // Figures are judged in memory if everything fits, else from files.
    try whole.ingest(whole.folder.path + "/logs", memory: round.isMultiple(of: 2) ? nil : 0)

    let (one, other) = (try grown.audit(), try whole.audit())
    #expect(one.audit.figures == other.audit.figures, "seed: \(seed)")
    #expect(one.digest.tally == other.digest.tally, "seed: \(seed)")
    #expect(one.digest.rejections == other.digest.rejections, "seed: \(seed)")
    let plain = try TrafficDigest.reduce(
      LogInput.discover([whole.folder.path + "/logs"]).inputs, options: StoreFixture.reduction())
    let site = Site(
      host: "www.example.com",
      file: try AssociationFile(decoding: Array(StoreFixture.rules.utf8)))
    let audit = try Auditor(sites: [site]).audit(plain)
    #expect(one.audit.figures == audit.figures, "seed: \(seed)")
    #expect(one.digest.tally == plain.tally, "seed: \(seed)")
    #expect(one.digest.rejections == plain.rejections, "seed: \(seed)")

    let (first, second) = (try grown.contents(), try whole.contents())
    #expect(first.figures == second.figures, "seed: \(seed)")
    // Pending lines are not in the digests of days, and are in other places.
    if text.hasSuffix("\n"), round >= 3 {
      #expect(first.digests == second.digests, "seed: \(seed)")
    }
  }

  /// Batches of any size have the same result.
  @Test func batchesDoNotMatter() throws {
    let seed = TestRun.seed
    var log = RandomLog(seed: seed)
    let fixtures = try [1, 5_000, 1 << 30].map { ($0, try StoreFixture()) }
    for number in 0..<5 {
      let lines = (0..<200).map { _ in log.line() + "\n" }.joined()
      for (_, fixture) in fixtures {
        _ = try fixture.folder.write(lines.utf8, to: "logs/\(number).log")
      }
    }
    for (batch, fixture) in fixtures {
      try fixture.ingest(fixture.folder.path + "/logs", batch: batch)
    }
    let contents = try fixtures.map { try $0.1.contents() }
    for other in contents.dropFirst() {
      #expect(other.figures == contents[0].figures, "seed: \(seed)")
      #expect(other.digests == contents[0].digests, "seed: \(seed)")
    }
  }

  /// A log that was restored and continues differently counts from the difference on.
  @Test func aLogThatGoesOnOtherwise() throws {
    let seed = TestRun.seed
    var log = RandomLog(seed: seed)
    func lines(_ count: Int) -> String { (0..<count).map { _ in log.line() + "\n" }.joined() }
    let (shared, first, second) = (lines(300), lines(80), lines(20))
    let fixture = try StoreFixture()
    _ = try fixture.folder.write((shared + first).utf8, to: "logs/access.log")
    #expect(try fixture.ingest(fixture.folder.path + "/logs").tally.lines == 380)
    _ = try fixture.folder.write((shared + second).utf8, to: "logs/access.log")
    #expect(try fixture.ingest(fixture.folder.path + "/logs").tally.lines == 20, "seed: \(seed)")
    // A copy of its earlier state counts already.
    _ = try fixture.folder.write(shared.utf8, to: "logs/copy.log")
    let outcome = try fixture.ingest(fixture.folder.path + "/logs")
    #expect(outcome.tally.lines == 0, "seed: \(seed)")
    #expect(outcome.notes.map { $0.path.hasSuffix("copy.log") } == [true])
    #expect(try fixture.problems() == [])
  }

  /// Two files with the same content are one log; a file with only headings doesn't count as a log.
  @Test func contentsCountOnce() throws {
    let heading = "#Version: 1.0\n#Fields: date time cs-method cs-uri-stem sc-status\n"
    let one = "2026-06-01 10:00:00 GET /buy/1 200\n"
    let fixture = try StoreFixture()
    for name in ["a/u.log", "b/u.log"] {
      _ = try fixture.folder.write(heading.utf8, to: "logs/\(name)")
    }
    try fixture.ingest(fixture.folder.path + "/logs")
    _ = try fixture.folder.write((heading + one).utf8, to: "logs/a/u.log")
    _ = try fixture.folder.write((heading + one + one).utf8, to: "logs/b/u.log")
    try fixture.ingest(fixture.folder.path + "/logs")
    // The second continues the first, because nothing distinguishes them.
    #expect(try fixture.audit().digest.tally.requests == 2)
    #expect(try fixture.problems() == [])
  }

  /// Days older than the retention are removed, and late lines don't restore them.
  @Test func oldDaysGo() throws {
    func line(_ day: String) -> String {
      "192.0.2.1 - - [\(day):10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" 200 5 \"-\" \"-\"\n"
    }
    let days = ["01/Jun/2020", "01/Jun/2026", "02/Jun/2026"]
    let fixture = try StoreFixture()
    _ = try fixture.folder.write(days.map(line).joined().utf8, to: "logs/access.log")
    try fixture.ingest(fixture.folder.path + "/logs")
    #expect(try StoreListing(AuditStore.reading(fixture.directory)).days.count == 3)
    try fixture.ingest(fixture.folder.path + "/logs", keptDays: 1_500)
    _ = try fixture.folder.write(line("02/Jun/2020").utf8, to: "logs/late.log")
    try fixture.ingest(fixture.folder.path + "/logs", keptDays: 1_500)
    let listing = try StoreListing(AuditStore.reading(fixture.directory))
    #expect(listing.days.map { $0.day?.description } == ["2026-06-01", "2026-06-02"])
    #expect(try fixture.problems() == [])
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
    _ = try fixture.folder.write((old + [last]).map(text).joined().utf8, to: "logs/access.log")
    for _ in 0..<2 {
      try fixture.ingest(fixture.folder.path + "/logs", keptDays: 2)
      let days = try StoreListing(AuditStore.reading(fixture.directory)).days.map(\.day)
      #expect(days == (ahead > 1 ? [old[2], old[1], old[0], last] : [last]))
      #expect(try fixture.problems() == [])
    }
  }

  /// Logs with the same first lines are two logs, in one run and in different ones.
  @Test(arguments: [[["a", "b"]], [["a"], ["b"]], [["a"], ["a", "b"]]])
  func logsThatShareTheirFirstLines(runs: [[String]]) throws {
    let seed = TestRun.seed
    var log = RandomLog(seed: seed)
    func lines(_ count: Int) -> String { (0..<count).map { _ in log.line() + "\n" }.joined() }
    let shared = lines(8)
    let texts = ["a": shared + lines(192), "b": shared + "garbage\n" + lines(192)]
    let fixture = try StoreFixture()
    var count = 0
    for run in runs {
      for name in run {
        _ = try fixture.folder.write(texts[name, default: ""].utf8, to: "logs/\(name).log")
      }
      count += try fixture.ingest(fixture.folder.path + "/logs").tally.lines
    }
    #expect(count == 200 + 201, "seed: \(seed)")
    #expect(try fixture.problems() == [])
  }

  /// An unfinished copy adds no lines, however few it has; it counts as the complete copy.
  @Test(arguments: [1, 2, 3, 30]) func copiesUnderWay(count: Int) throws {
    let seed = TestRun.seed
    var log = RandomLog(seed: seed)
    let lines = (0..<40).map { _ in log.line() + "\n" }
    let fixture = try StoreFixture()
    let logs = fixture.folder.path + "/logs"
    _ = try fixture.folder.write(lines.joined().utf8, to: "logs/x.log")
    #expect(try fixture.ingest(logs).tally.lines == 40)
    let part = lines[..<count].joined() + lines[count].prefix(20)
    for content in [Array(part.utf8), GzipWriter.member(lines.joined().utf8).dropLast(60)] {
      _ = try fixture.folder.write(content, to: "logs/y.log")
      #expect(try fixture.ingest(logs).tally.lines == 0, "seed: \(seed)")
    }
    _ = try fixture.folder.write(lines.joined().utf8, to: "logs/y.log")
    #expect(try fixture.ingest(logs).tally.lines == 0, "seed: \(seed)")
    #expect(try fixture.problems() == [])
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
    _ = try fixture.folder.write(log.utf8, to: "logs/a.log")
    try fixture.ingest(fixture.folder.path + "/logs")
    #expect(try fixture.remove(Day("2026-06-01")).count == 1)
    _ = try fixture.folder.write((whole + line(7)).utf8, to: "logs/a.log")
    try fixture.ingest(fixture.folder.path + "/logs")
    let listing = try StoreListing(AuditStore.reading(fixture.directory))
    #expect(try fixture.audit().digest.tally.lines == 7)
    #expect(listing.days.contains { $0.day == Day("2026-06-07") })
    #expect(try fixture.problems() == [])
  }

  /// A target counts once for its day and host, however many of its requests are pending.
  ///
  /// Pending requests can be in the unterminated last line of a log, and in that of another log.
  @Test func targetsCountOnceSettledOrPending() throws {
    let line =
      "192.0.2.1 - - [01/Jun/2026:10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" 200 5 \"-\" \"-\""
    let other = line.replacing("/buy/1", with: "/buy/2")
    let fixture = try StoreFixture()
    _ = try fixture.folder.write("\(line)\n\(line)".utf8, to: "logs/a.log")
    _ = try fixture.folder.write("\(other)\n\(line)".utf8, to: "logs/b.log")
    try fixture.ingest(fixture.folder.path + "/logs")
    #expect(
      try fixture.hosts() == [
        StoreFixture.HostOfDay(day: "2026-06-01", host: "www.example.com", requests: 4, targets: 2)
      ])
    #expect(try fixture.problems() == [])
  }
}
