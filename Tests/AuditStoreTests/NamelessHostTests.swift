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
    _ = try fixture.folder.write((content + "\n").utf8, to: "logs/a.log")
    return try fixture.ingest(fixture.folder.path + "/logs", memory: memory, host: nil)
  }

  /// They are refused for any number of lines; a few lines can still change.
  @Test(arguments: [1, 40]) func formatsWithoutHostsAreRefused(count: Int) throws {
    for log in [Self.combined, Self.json(""), Self.columns("", "")] {
      let fixture = try StoreFixture()
      let outcome = try ingest(log, count, in: fixture)
      #expect(outcome.nameless == ["a.log"])
      #expect(outcome.isIncomplete)
      #expect(try StoreListing(AuditStore.reading(fixture.directory)).logs == 0)
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
    _ = try fixture.folder.write(("www.example.com " + Self.combined).utf8, to: "logs/hosts.log")
    #expect(try ingest(Self.combined, 3, in: fixture).tally.requests == 1)
    let again = try fixture.ingest(fixture.folder.path + "/logs", host: nil)
    #expect(again.nameless == ["a.log"])
    #expect(again.isIncomplete)
    #expect(try fixture.ingest(fixture.folder.path + "/logs").tally.requests == 3)
    #expect(try fixture.problems() == [])
  }

  /// They don't prevent other logs from being added, in any batches.
  @Test(arguments: [1, 1 << 30]) func logsAfterOneWithoutHostsCount(batch: Int) throws {
    let fixture = try StoreFixture()
    let named = "www.example.com " + Self.combined
    let other = named.replacing("/buy/1", with: "/buy/2")
    for (name, text) in [("a", named), ("b", Self.combined), ("c", other + named)] {
      _ = try fixture.folder.write(text.utf8, to: "logs/\(name).log")
    }
    let outcome = try fixture.ingest(fixture.folder.path + "/logs", batch: batch, host: nil)
    #expect(outcome.tally.requests == 3)
    #expect(outcome.nameless == ["b.log"])
    #expect(try fixture.problems() == [])
  }

  /// They are refused whether or not everything fits in memory, because a line counts once and
  /// can't be corrected.
  @Test func memoryDoesNotMatter() throws {
    let fixture = try StoreFixture()
    let lines = (0..<20_000).map { Self.combined.replacing("/buy/1", with: "/buy/\($0)/tea") }
    #expect(try ingest(lines.joined(), 1, in: fixture, memory: 1 << 20).nameless == ["a.log"])
    #expect(try StoreListing(AuditStore.reading(fixture.directory)).logs == 0)
  }

  /// A wrong format name loses nothing permanently.
  @Test func logsThatTheNamedFormatDoesNotFitAreLeftOut() throws {
    let fixture = try StoreFixture()
    let logs = fixture.folder.path + "/logs"
    _ = try fixture.folder.write(Self.json("").utf8, to: "logs/a.log")
    _ = try fixture.folder.write(Self.combined.utf8, to: "logs/b.log")
    let errors = "2026/06/01 10:00:00 [error] 7#7: no file\n"
    _ = try fixture.folder.write(errors.utf8, to: "logs/errors.log")
    let outcome = try fixture.ingest(logs, format: .combined)
    #expect(outcome.tally.requests == 1)
    #expect(outcome.isIncomplete)
    #expect(try fixture.ingest(logs).tally.requests == 1)
    #expect(try fixture.ingest(logs, format: .combined).tally.lines == 0)
    #expect(try fixture.problems() == [])
  }

  /// A log that no format fits counts after its format is named; a log without requests has no
  /// format to name.
  @Test func logsThatNoFormatFitsAreLeftOutUntilOneIsNamed() throws {
    let fixture = try StoreFixture()
    let logs = fixture.folder.path + "/logs"
    let odd = "v3|200|/buy/1|/buy.html|1780308000\n"
    for (name, text) in [
      ("a", String(repeating: odd, count: 30)), ("b", Self.combined), ("empty-lines", "\n\n"),
      ("errors", "2026/06/01 10:00:00 [error] 7#7: no file\n"),
      ("headings", "#Fields: date time cs-method cs-uri-stem sc-status\n"),
    ] {
      _ = try fixture.folder.write(text.utf8, to: "logs/\(name).log")
    }
    for _ in 0..<2 {
      let outcome = try fixture.ingest(logs)
      #expect(outcome.isIncomplete)
      #expect(outcome.unfit == ["a.log"])
    }
    let format = try LogFormat(definition: "v3|$status|$request_uri|$request_filename|$msec")
    let outcome = try fixture.ingest(logs + "/a.log", format: format)
    #expect(outcome.tally.requests == 30 && !outcome.isIncomplete)
    // Unlike a log of requests, a log of headings is added under any named format.
    #expect(!(try fixture.ingest(logs + "/headings.log", format: .w3c)).isIncomplete)
    #expect(!(try fixture.ingest(logs)).isIncomplete)
    #expect(try fixture.problems() == [])
  }
}

extension IngestOutcome {
  /// The names of the files that were left out because no line is a request in their format.
  fileprivate var unfit: [String] {
    notes.filter { if case .unfit = $0.kind { true } else { false } }.map { note in
      note.path.split(separator: "/").last.map(String.init) ?? ""
    }
  }

  /// The names of the files that were left out because their lines name no host.
  fileprivate var nameless: [String] {
    notes.filter { if case .nameless = $0.kind { true } else { false } }.map { note in
      note.path.split(separator: "/").last.map(String.init) ?? ""
    }
  }
}
