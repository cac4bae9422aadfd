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
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// A log that is added each time it grows has the figures and digests of one pass over it, byte for
  /// byte, wherever it is cut, with any names and compressions.
  @Test(arguments: 0..<6) func anyGrowthEqualsOnePass(round: Int) throws {
    let seed = TestRun.seed &+ UInt64(round)
    var (generator, log) = (SeededGenerator(seed: seed), RandomLog(seed: seed))
    // Few lines at first, so that formats are uncertain; and some that need several chunks.
    let count = round < 3 ? 60 : 6_000
    var text = log.text(count)
    if !Bool.random(using: &generator) { text.removeLast() }
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

    let one = try grown.audit()
    let plain = try TrafficDigest.reduce(
      LogInput.discover([whole.folder.path + "/logs"]).inputs, options: StoreFixture.reduction())
    let site = Site(host: "www.example.com", file: try AssociationFile(StoreFixture.rules))
    let judged = (audit: try Auditor(sites: [site]).audit(plain), digest: plain)
    for other in [try whole.audit(), judged] {
      #expect(one.audit.figures == other.audit.figures)
      #expect(one.digest.tally == other.digest.tally)
      #expect(one.digest.rejections == other.digest.rejections)
    }

    let (first, second) = (try grown.contents(), try whole.contents())
    #expect(first.figures == second.figures)
    // Pending lines are not in the digests of days, and are in other places.
    if text.hasSuffix("\n"), round >= 3 { #expect(first.digests == second.digests) }
  }

  @Test func batchesDoNotMatter() throws {
    var log = RandomLog()
    let logs = (0..<5).map { ("\($0).log", log.text(200)) }
    let contents = try [1, 5_000, 1 << 30].map { batch in
      let fixture = try StoreFixture()
      try fixture.ingest(Dictionary(uniqueKeysWithValues: logs), batch: batch)
      return try fixture.contents()
    }
    for other in contents.dropFirst() {
      #expect(other.figures == contents[0].figures)
      #expect(other.digests == contents[0].digests)
    }
  }

  /// A log that was restored and continues differently counts from the difference on.
  @Test func aLogThatGoesOnOtherwise() throws {
    var log = RandomLog()
    let (shared, first, second) = (log.text(300), log.text(80), log.text(20))
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
    try fixture.ingest(["a/u.log": heading, "b/u.log": heading])
    try fixture.ingest(["a/u.log": heading + one, "b/u.log": heading + one + one])
    // The second continues the first, because nothing distinguishes them.
    #expect(try fixture.audit().digest.tally.requests == 2)
  }

  /// Days older than the retention are removed, and late lines don't restore them.
  @Test func oldDaysGo() throws {
    func line(_ day: String) -> String { logLine("/buy/1", at: day + ":10:00:00 +0000") }
    let days = ["01/Jun/2020", "01/Jun/2026", "02/Jun/2026"]
    try fixture.ingest(["access.log": days.map(line).joined()])
    #expect(try fixture.days().count == 3)
    try fixture.ingest(keptDays: 1_500)
    try fixture.ingest(["late.log": line("02/Jun/2020")], keptDays: 1_500)
    #expect(try fixture.days() == ["2026-06-01", "2026-06-02"])
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
    for _ in 0..<2 {
      try fixture.ingest(["access.log": (old + [last]).map(text).joined()], keptDays: 2)
      let days = try fixture.listing().days.map(\.day)
      #expect(days == (ahead > 1 ? [old[2], old[1], old[0], last] : [last]))
    }
  }

  @Test(arguments: [[["a", "b"]], [["a"], ["b"]], [["a"], ["a", "b"]]])
  func logsThatShareTheirFirstLines(runs: [[String]]) throws {
    var log = RandomLog()
    let shared = log.text(8)
    let logs = ["a": shared + log.text(192), "b": shared + "garbage\n" + log.text(192)]
    let counts = try runs.map { run in
      try fixture.ingest(logs.filter { run.contains($0.key) }).tally.lines
    }
    #expect(counts.reduce(0, +) == 200 + 201)
  }

  /// An unfinished copy adds no lines, however few it has; it counts as the complete copy.
  @Test(arguments: [1, 2, 3, 30]) func copiesUnderWay(count: Int) throws {
    let lines = RandomLog.lines(40).map { $0 + "\n" }
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
      logLine("/buy/\(day)", at: "0\(day)/Jun/2026:10:00:00 +0000")
    }
    let whole = (1...6).map(line).joined()
    let log = (1...5).map(line).joined() + line(6).prefix(cut)
    try fixture.ingest(["a.log": log])
    #expect(try fixture.remove(Day("2026-06-01")).count == 1)
    try fixture.ingest(["a.log": whole + line(7)])
    #expect(try fixture.audit().digest.tally.lines == 7)
    #expect(try fixture.days().contains("2026-06-07"))
  }

  /// A target counts once for its day and host, however many of its requests are in unterminated last
  /// lines of logs.
  @Test func targetsCountOnceSettledOrPending() throws {
    let (line, other) = (logLine("/buy/1"), logLine("/buy/2"))
    try fixture.ingest(["a.log": line + line.dropLast(), "b.log": other + line.dropLast()])
    #expect(try fixture.hosts() == ["2026-06-01 www.example.com 4 2"])
  }
}

/// Logs whose lines name no host are refused, unless lines of their format can.
@Suite struct NamelessHostTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  static let combined = logLine("/buy/1")

  /// A line with more members, each with a comma.
  static func json(_ members: String) -> String {
    #"{"time_iso8601": "2026-06-01T10:00:00+00:00", \#(members)"request_method": "GET", "#
      + #""request_uri": "/buy/1", "status": 200}"# + "\n"
  }

  static func columns(_ host: String, _ value: String) -> String {
    "#Fields: date time cs-method cs-uri-stem sc-status\(host)\n"
      + "2026-06-01 10:00:00 GET /buy/1 200\(value)\n"
  }

  private func ingest(_ log: String, _ count: Int, memory: Int? = nil) throws -> IngestOutcome {
    let lines = log.split(separator: "\n")
    let content = (lines.dropLast() + Array(repeating: lines[lines.count - 1], count: count))
      .joined(separator: "\n")
    return try fixture.ingest(["a.log": content + "\n"], memory: memory, host: nil)
  }

  /// They are refused for any number of lines; a few lines can still change.
  @Test(arguments: [1, 40], [combined, json(""), columns("", "")])
  func formatsWithoutHostsAreRefused(count: Int, log: String) throws {
    let outcome = try ingest(log, count)
    #expect(outcome.nameless == ["a.log"] && outcome.isIncomplete)
    #expect(try fixture.listing().logs == 0)
  }

  @Test(
    arguments: [1, 40],
    [
      "- " + combined, json("\"Host\": \"\", "), columns(" cs-host", " -"),
      combined.replacing("GET /", with: "GET http://www.example.com/"),
    ])
  func quietLogsOfFormatsWithHostsAreTakenIn(count: Int, log: String) throws {
    #expect(try ingest(log, count).tally.requests == count)
  }

  /// They are refused whatever other logs come that night, and can be added later.
  @Test func logsWithoutHostsAreLeftOutBesideOthers() throws {
    try fixture.write("www.example.com \(Self.combined)".utf8, to: "hosts.log")
    #expect(try ingest(Self.combined, 3).tally.requests == 1)
    let again = try fixture.ingest(host: nil)
    #expect(again.nameless == ["a.log"] && again.isIncomplete)
    #expect(try fixture.ingest().tally.requests == 3)
  }

  /// They don't prevent other logs from being added, in any batches.
  @Test(arguments: [1, 1 << 30]) func logsAfterOneWithoutHostsCount(batch: Int) throws {
    let named = "www.example.com " + Self.combined
    let other = named.replacing("/buy/1", with: "/buy/2")
    let logs = ["a.log": named, "b.log": Self.combined, "c.log": other + named]
    let outcome = try fixture.ingest(logs, batch: batch, host: nil)
    #expect(outcome.tally.requests == 3 && outcome.nameless == ["b.log"])
  }

  /// They are refused whether or not everything fits in memory, because a line counts once and
  /// can't be corrected.
  @Test func memoryDoesNotMatter() throws {
    let lines = (0..<20_000).map { Self.combined.replacing("/buy/1", with: "/buy/\($0)/tea") }
    #expect(try ingest(lines.joined(), 1, memory: 1 << 20).nameless == ["a.log"])
    #expect(try fixture.listing().logs == 0)
  }

  /// A wrong format name loses nothing permanently.
  @Test func logsThatTheNamedFormatDoesNotFitAreLeftOut() throws {
    let errors = "2026/06/01 10:00:00 [error] 7#7: no file\n"
    let logs = ["a.log": Self.json(""), "b.log": Self.combined, "errors.log": errors]
    let outcome = try fixture.ingest(logs, format: .combined)
    #expect(outcome.tally.requests == 1 && outcome.isIncomplete)
    #expect(try fixture.ingest().tally.requests == 1)
    #expect(try fixture.ingest(format: .combined).tally.lines == 0)
  }

  /// A log that no format fits counts after its format is named; a log without requests has no
  /// format to name.
  @Test func logsThatNoFormatFitsAreLeftOutUntilOneIsNamed() throws {
    let odd = "v3|200|/buy/1|/buy.html|1780308000\n"
    let logs = [
      "a.log": String(repeating: odd, count: 30), "b.log": Self.combined, "empty-lines.log": "\n\n",
      "errors.log": "2026/06/01 10:00:00 [error] 7#7: no file\n",
      "headings.log": "#Fields: date time cs-method cs-uri-stem sc-status\n",
    ]
    for _ in 0..<2 {
      let outcome = try fixture.ingest(logs)
      let unfit = outcome.names { if case .unfit = $0 { true } else { false } }
      #expect(outcome.isIncomplete && unfit == ["a.log"])
    }
    let format = try LogFormat(definition: "v3|$status|$request_uri|$request_filename|$msec")
    let outcome = try fixture.ingest(at: "a.log", format: format)
    #expect(outcome.tally.requests == 30 && !outcome.isIncomplete)
    // Unlike a log of requests, a log of headings is added under any named format.
    #expect(!(try fixture.ingest(at: "headings.log", format: .w3c)).isIncomplete)
    #expect(!(try fixture.ingest()).isIncomplete)
  }
}

extension IngestOutcome {
  /// The names of the files that were left out because their lines name no host.
  fileprivate var nameless: [String] { names { if case .nameless = $0 { true } else { false } } }

  fileprivate func names(_ isMeant: (IngestNote) -> Bool) -> [String] {
    notes.filter { isMeant($0.kind) }.map { String($0.path.split(separator: "/").last ?? "") }
  }
}
