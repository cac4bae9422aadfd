import Foundation
import TestSupport
import Testing

@Suite struct StoreTests {
  static let store = "--store \"$store\""

  /// Runs lines of shell; the variable `store` has the path of a store that doesn't exist yet.
  private func run(_ lines: String...) throws -> Command.Outcome {
    try Command.run(
      """
      set -eu; folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; store=$folder/store
      \(lines.joined(separator: "\n"))
      """)
  }

  /// All additions and reports while there was one site too many.
  @Test func aRemovedSiteLeavesNoTraceInReports() throws {
    let logs = "linkaudit ingest SampleLogs/logs/all-hosts.access.log.gz \(Self.store)"
    let wrong =
      "linkaudit ingest \(Self.store) --aasa SampleLogs/aasa-ios12.json --host wwww.example.com"
    let reports = ["text", "json", "html", "csv --table findings"].map {
      "linkaudit report \(Self.store) --format \($0)"
    }.joined(separator: "\n")
    let more =
      "linkaudit ingest SampleLogs/logs \(Self.store) \(site) --host-from-path '/{host}.access'"
    let check = "linkaudit store check \(Self.store)"
    let expected = try run("\(logs) \(site)", reports, more, reports, check)
    #expect(expected.status == 0 && expected.stdout.contains("www.example.com"))
    let remove = "linkaudit store remove-site WWWW.example.com \(Self.store)"
    // Comparisons with earlier reports contain their times, and commands the store's path.
    func timeless(_ outcome: Command.Outcome) -> String {
      outcome.stdout.replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?/, with: "…")
        .replacing(/--store [^ ]+\/store/, with: "--store …")
    }
    let seen = "linkaudit report \(Self.store) >\"$folder/seen\""
    for order in [
      [wrong, "\(logs) \(site)", remove, reports, more, reports],
      ["\(logs) \(site)", wrong, seen, remove, reports, more, reports],
    ] {
      let outcome = try run(order.joined(separator: "\n"), check)
      #expect(outcome.status == 0 && outcome.stderr == expected.stderr)
      #expect(timeless(outcome) == timeless(expected))
    }
  }

  @Test func requestsOfARemovedSiteStay() throws {
    let outcome = try run(
      "linkaudit ingest SampleLogs/logs \(Self.store) --aasa SampleLogs/aasa.json --host wwww.example.com --host-confirmed",
      "linkaudit ingest \(Self.store) \(site)",
      "linkaudit store remove-site wwww.example.com \(Self.store)",
      "linkaudit store list \(Self.store)", "linkaudit store check \(Self.store)",
      "linkaudit report \(Self.store) --format csv --table other-hosts",
      "linkaudit store remove-site x.example.com \(Self.store)")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("requests for 'wwww.example.com', which belong to no site"))
    #expect(outcome.stderr.contains("no site 'x.example.com'; it has www.example.com\n"))
    let parts = outcome.stdout.components(separatedBy: "host,requests")
    #expect(parts.count == 2 && !parts[0].contains("wwww") && parts[1].contains("wwww"))
  }

  /// A wrong host is renamed to one with its own requests, and to one without.
  @Test(arguments: [
    "", "linkaudit ingest SampleLogs/logs/all-hosts.access.log.gz \(store) \(site)",
  ])
  func aRenamedHostCountsForItsNewName(before: String) throws {
    let logs =
      "linkaudit ingest SampleLogs/logs/www.access.log* \(Self.store) --aasa SampleLogs/aasa.json"
    func report(_ wrong: String...) throws -> Command.Outcome {
      let tables = ["verdicts", "rules", "platforms", "other-hosts"].map {
        "linkaudit report \(Self.store) --format csv --table \($0)"
      }
      let lines = [before] + wrong + tables + ["linkaudit store check \(Self.store)"]
      return try run(lines.joined(separator: "\n"))
    }
    let expected = try report("\(logs) --host www.example.com")
    let rename = "linkaudit store rename-host WWWW.example.com www.example.com \(Self.store)"
    let renamed = try report("\(logs) --host wwww.example.com --host-confirmed", rename)
    #expect(expected.status == 0 && renamed.status == 0 && renamed.stdout == expected.stdout)
    #expect(renamed.stderr.contains("now count for 'www.example.com'"))
    let missing = try report("\(logs) --host www.example.com", rename)
    #expect(missing.status == 2)
    #expect(missing.stderr.contains("no requests and no site of 'wwww.example.com'"))
  }

  @Test(arguments: [
    "report", "report \(site)", "ingest --store \"$store\"", "digest -o \"$folder/d\"",
    "merge -o \"$folder/d\"", "suggest \(site)",
    "diff --host www.example.com SampleLogs/aasa.json SampleLogs/aasa.json",
  ])
  func aStoreIsNoLog(command: String) throws {
    let outcome = try run(
      "linkaudit ingest SampleLogs/logs \(Self.store) \(site)",
      "linkaudit \(command) \"$store\"")
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains("'diff' and 'suggest' read it with '--store /"))
  }

  /// A store among logs is skipped, but its digests can be named.
  @Test func aStoreAmongLogsIsLeftOut() throws {
    let outcome = try run(
      "cp SampleLogs/logs/www.access.log SampleLogs/aasa.json \"$folder\"; cd \"$folder\"; mkdir logs",
      "mv www.access.log logs; site='--aasa aasa.json --host www.example.com'",
      "linkaudit ingest logs --store logs/store $site --summary",
      "linkaudit ingest logs --store logs/store $site --summary",
      "linkaudit report logs $site --format csv --table verdicts >one",
      "linkaudit report logs/store/digests $site --format csv --table verdicts >other",
      "cmp one other")
    #expect(outcome.status == 0)
    #expect(outcome.stdout.hasSuffix("\n0 logs with 0 new lines, 0 requests; 1 log with none\n"))
    #expect(
      outcome.stderr.split(separator: "\n").count == 1
        && outcome.stderr.contains("'logs/store' is a store, not a log"))
  }

  @Test(arguments: [
    "report --store \"$store\" --format text -o \"$store/store.sqlite\"",
    "report --store \"$store\" -o \"$store/digests/new\"",
    "report --store \"$store\" -o \"$folder/link\"",
    "report SampleLogs/logs \(site) --rejects \"$store/lock\"",
    "digest SampleLogs/logs --host www.example.com -o \"$store/digests/2026-06-02.1.digest\"",
    "diff SampleLogs/aasa.json SampleLogs/aasa.json --host www.example.com -o \"$store/store.sqlite-wal\"",
    "report - \(site) -o \"$folder/log\" <\"$folder/log\"",
    "report - \(site) --rejects \"$folder/log\" <\"$folder/log\"",
    "report SampleLogs/logs --host www.example.com --aasa - -o \"$folder/file\" <\"$folder/file\"",
    "report - \(site) --stdin-name \"$folder/log\" -o \"$folder/log\" <\"$folder/log\"",
    "digest - --stdin-name \"$folder/log\" -f ndjson -o \"$folder/log\" </dev/null",
    "digest \"$folder/log\" --host www.example.com -f ndjson -o - --rejects \"$folder/log\"",
  ])
  func outputReplacesNothingThatIsRead(command: String) throws {
    let outcome = try run(
      "linkaudit ingest SampleLogs/logs \(Self.store) \(site)",
      "ln -s \"$store/store.sqlite\" \"$folder/link\"",
      "cp SampleLogs/aasa.json \"$folder/file\"; cp SampleLogs/logs/www.access.log \"$folder/log\"",
      "status=0; linkaudit \(command) || status=$?",
      "linkaudit store check \(Self.store); cmp SampleLogs/aasa.json \"$folder/file\"",
      "cmp SampleLogs/logs/www.access.log \"$folder/log\"; exit $status")
    #expect(outcome.status == 64 && outcome.stderr.contains("; choose another name.\n"))
  }

  /// Logs whose format or host is probably wrong are skipped; a confirmed host is believed.
  @Test(arguments: [
    ("misread --host www.example.com", 2, "browser names outside the user agent", "0 logs"),
    ("changed --host www.example.com", 2, "line 143 on, 48 of 48 lines have no time", "0 logs"),
    ("timeless --host www.example.com", 2, "but no line has a valid time", "0 logs"),
    ("foreign --host example.com", 2, "'--host www.example.com', or add '--host-confirmed'", ""),
    ("foreign --host example.com --host-confirmed", 0, "", "1 log with 12 new lines"),
    ("dates --host www.example.com", 0, "are ambiguous (month and day)", "1 log with 1 new line"),
  ])
  func doubtfulLogsAreSkipped(
    arguments: String, status: Int32, message: String, summary: String
  ) throws {
    let agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"
    func json(_ members: String) -> String {
      #"{\#(members),"method":"GET","path":"/buy/1","status":200}"# + "\n"
    }
    let foreign = logLine(
      "/buy/1", at: "04/Jun/2026:03:04:05 +0200", from: "https://www.example.com/", agent: agent)
    let folder = try TemporaryFolder([
      "misread": json(#""time":"2026-06-04T03:04:05Z","client":"Mozilla/5.0 (iPhone)""#),
      "changed": String(repeating: json(#""time":"2026-06-04T03:04:05Z""#), count: 130)
        + String(repeating: json(#""when":"2026-06-04T03:04:05Z""#), count: 60),
      "timeless": String(repeating: json(#""time":"Thursday""#), count: 10),
      "foreign": String(repeating: foreign, count: 12),
      "dates": logLine("/buy/1", at: "10/06/2026 12:00:00", agent: agent),
    ])
    let outcome = try folder.run(
      "linkaudit ingest --store store --aasa $SAMPLES/aasa.json --summary \(arguments)")
    #expect(outcome.status == status, "\(outcome)")
    #expect(message.isEmpty ? outcome.stderr.isEmpty : outcome.stderr.contains(message))
    #expect(outcome.stdout.hasPrefix(summary), "\(outcome)")
  }

  @Test func aReplacedFileIsReported() throws {
    let first = "linkaudit ingest \(Self.store) \(site)"
    let second =
      "linkaudit ingest \(Self.store) --aasa SampleLogs/aasa-candidate.json --host www.example.com"
    #expect(try run(first, first, "\(second) --deployed 2026-03-01") == Command.Outcome())
    let told = try run(first, second)
    #expect(told.status == 0 && told.stderr.split(separator: "\n").count == 1)
    for part in [
      "'SampleLogs/aasa-candidate.json' replaces the ingested file 'SampleLogs/aasa.json'",
      "all days before", "--deployed",
    ] { #expect(told.stderr.contains(part)) }
    let later = try run("\(first) --deployed 2026-03-01", first, second, second)
    #expect(later.stderr.contains("SampleLogs/aasa-candidate.json") == false)
    let corrected = try run("\(first) --deployed 2026-03-01", "\(second) --deployed 2026-03-01")
    #expect(corrected.stderr.contains("from 2026-03-01 on, and for all days before\n"))
  }
}
