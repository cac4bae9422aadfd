import AccessLogs
import AuditStore
import TestSupport
import Testing
import TrafficDigest

/// Logs whose lines name no host are refused, unless lines of their format can.
@Suite struct NamelessHostTests {
  private static let combined =
    "192.0.2.1 - - [01/Jun/2026:10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" 200 5 \"-\" \"-\"\n"
  private static func json(_ host: String) -> String {
    "{\"time_iso8601\": \"2026-06-01T10:00:00+00:00\", \(host)\"request_method\": \"GET\", "
      + "\"request_uri\": \"/buy/1\", \"status\": 200}\n"
  }
  private static func columns(_ host: String, _ value: String) -> String {
    "#Fields: date time cs-method cs-uri-stem sc-status\(host)\n"
      + "2026-06-01 10:00:00 GET /buy/1 200\(value)\n"
  }

  private func ingest(
    _ log: String, _ count: Int, in fixture: StoreFixture, memory: Int? = nil
  ) throws -> IngestOutcome {
    let lines = log.split(separator: "\n")
    let content = (lines.dropLast() + Array(repeating: lines[lines.count - 1], count: count))
      .joined(separator: "\n")
    return try fixture.ingest(["a.log": content + "\n"], memory: memory, host: nil)
  }

  /// They are refused for any number of lines; a few lines can still change.
  @Test(arguments: [1, 40]) func formatsWithoutHostsAreRefused(count: Int) throws {
    for log in [Self.combined, Self.json(""), Self.columns("", "")] {
      let fixture = try StoreFixture()
      let outcome = try ingest(log, count, in: fixture)
      #expect(outcome.nameless == ["a.log"])
      #expect(outcome.isIncomplete)
      #expect(try fixture.listing().logs == 0)
    }
  }

  @Test(arguments: [1, 40]) func quietLogsOfFormatsWithHostsAreTakenIn(count: Int) throws {
    for log in [
      "- " + Self.combined, Self.json("\"Host\": \"\", "), Self.columns(" cs-host", " -"),
      Self.combined.replacing("GET /", with: "GET http://www.example.com/"),
    ] {
      #expect(try ingest(log, count, in: StoreFixture()).tally.requests == count)
    }
  }

  /// They are refused whatever other logs come that night, and can be added later.
  @Test func logsWithoutHostsAreLeftOutBesideOthers() throws {
    let fixture = try StoreFixture()
    try fixture.write("www.example.com \(Self.combined)".utf8, to: "hosts.log")
    #expect(try ingest(Self.combined, 3, in: fixture).tally.requests == 1)
    let again = try fixture.ingest(host: nil)
    #expect(again.nameless == ["a.log"])
    #expect(again.isIncomplete)
    #expect(try fixture.ingest().tally.requests == 3)
  }

  /// They don't prevent other logs from being added, in any batches.
  @Test(arguments: [1, 1 << 30]) func logsAfterOneWithoutHostsCount(batch: Int) throws {
    let fixture = try StoreFixture()
    let named = "www.example.com " + Self.combined
    let other = named.replacing("/buy/1", with: "/buy/2")
    let logs = ["a.log": named, "b.log": Self.combined, "c.log": other + named]
    let outcome = try fixture.ingest(logs, batch: batch, host: nil)
    #expect(outcome.tally.requests == 3)
    #expect(outcome.nameless == ["b.log"])
  }

  /// They are refused whether or not everything fits in memory, because a line counts once and
  /// can't be corrected.
  @Test func memoryDoesNotMatter() throws {
    let fixture = try StoreFixture()
    let lines = (0..<20_000).map { Self.combined.replacing("/buy/1", with: "/buy/\($0)/tea") }
    #expect(try ingest(lines.joined(), 1, in: fixture, memory: 1 << 20).nameless == ["a.log"])
    #expect(try fixture.listing().logs == 0)
  }

  /// A wrong format name loses nothing permanently.
  @Test func logsThatTheNamedFormatDoesNotFitAreLeftOut() throws {
    let fixture = try StoreFixture()
    let outcome = try fixture.ingest(
      [
        "a.log": Self.json(""), "b.log": Self.combined,
        "errors.log": "2026/06/01 10:00:00 [error] 7#7: no file\n",
      ], format: .combined)
    #expect(outcome.tally.requests == 1)
    #expect(outcome.isIncomplete)
    #expect(try fixture.ingest().tally.requests == 1)
    #expect(try fixture.ingest(format: .combined).tally.lines == 0)
  }

  /// A log that no format fits counts after its format is named; a log without requests has no
  /// format to name.
  @Test func logsThatNoFormatFitsAreLeftOutUntilOneIsNamed() throws {
    let fixture = try StoreFixture()
    let odd = "v3|200|/buy/1|/buy.html|1780308000\n"
    let logs = [
      "a.log": String(repeating: odd, count: 30), "b.log": Self.combined, "empty-lines.log": "\n\n",
      "errors.log": "2026/06/01 10:00:00 [error] 7#7: no file\n",
      "headings.log": "#Fields: date time cs-method cs-uri-stem sc-status\n",
    ]
    for _ in 0..<2 {
      let outcome = try fixture.ingest(logs)
      #expect(outcome.isIncomplete)
      #expect(outcome.unfit == ["a.log"])
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
  /// The names of the files that were left out because no line is a request in their format.
  fileprivate var unfit: [String] { names { if case .unfit = $0 { true } else { false } } }

  /// The names of the files that were left out because their lines name no host.
  fileprivate var nameless: [String] { names { if case .nameless = $0 { true } else { false } } }

  private func names(_ isMeant: (IngestNote.Kind) -> Bool) -> [String] {
    notes.filter { isMeant($0.kind) }.map { String($0.path.split(separator: "/").last ?? "") }
  }
}
