import Foundation
import TestSupport
import Testing

@Suite struct CommandTests {
  static let sites =
    "--site www.example.com=SampleLogs/aasa.json --site m.example.com=SampleLogs/aasa-ios12.json"
  static let files = "SampleLogs/aasa.json SampleLogs/aasa-candidate.json --host www.example.com"

  @Test(
    arguments: ["text", "json", "ndjson", "html", "openmetrics --top 100"].map {
      "report \(site) \(routes) --format \($0)"
    } + [
      "report \(site) --format csv --table unclaimed-heavy",
      "report \(site) --format csv --table clients",
      "report \(site) -f json --platform macos,bot --platform ios --status 2xx,304 --include-bots",
      "suggest \(site) \(routes) --including-excluded --format text",
      "suggest \(site) \(routes) --including-excluded --format json",
      "diff \(files) \(routes) --format text --full", "diff \(files) \(routes) --format json",
    ])
  func onlyTheInputMatters(command: String) throws {
    let logs = "SampleLogs/logs/www.access.log* SampleLogs/logs/scanners.access.log.gz"
    let one = try Command.run("linkaudit \(command) \(logs) --jobs 1")
    #expect(one.status == 0 && !one.stdout.isEmpty, "\(one.stderr)")
    for options in ["--jobs 2", "--jobs 3 --memory 1M", "--jobs 16"] {
      let many = try Command.run(
        "linkaudit \(command) $(ls -r \(logs)) \(options)",
        environment: ["LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo"])
      #expect(many == one, "\(options)")
    }
  }

  @Test func memoryDoesNotMatter() throws {
    let folder = try TemporaryFolder()
    var log = RandomLog(seed: 6)
    for file in 0..<6 {
      _ = try folder.write(log.text(8_000, host: true).utf8, to: "logs/\(file).log")
    }
    let run =
      "linkaudit report \(folder.path)/logs --site www.example.com=SampleLogs/aasa.json "
      + "--site m.example.com=SampleLogs/aasa.json \(routes) --format json "
    let one = try Command.run(run + "--jobs 1")
    #expect(one.status == 0 && one.stdout.count > 10_000)
    for options in ["--memory 1M", "--memory 1M --jobs 7", "--memory 1.5MiB --jobs 2"] {
      #expect(try Command.run(run + options) == one)
    }
    let filtered = run + "--platform ios,bot --status 200,3xx --include-bots "
    #expect(try Command.run(filtered + "--memory 1M") == Command.run(filtered + "--jobs 3"))
    let missing = try Command.run(run + "--memory 1M --temporary-directory \(folder.path)/none")
    #expect(missing.status == 2 && missing.stderr.contains("--temporary-directory"))
  }

  @Test(arguments: [
    "report SampleLogs/logs \(site) \(routes)", "report SampleLogs/logs \(site) \(routes) --full",
    "report SampleLogs/logs \(sites) --full", "report SampleLogs/damaged \(site) --full",
    "report SampleLogs/logs \(site) --platform ios,inApp --status 2xx --include-bots",
    "lint SampleLogs/aasa-mistakes.json SampleLogs/aasa.json --rules",
    "lint Tests/LinkAuditTests/Inputs/signed.p7",
    "lint --site example.com=SampleLogs/aasa.json --entitlements Tests/LinkAuditTests/Inputs/Tea.entitlements",
    "suggest SampleLogs/logs \(site) \(routes) --including-excluded --max-rules 1",
    "suggest SampleLogs/logs --aasa SampleLogs/aasa-ios12.json --host www.example.com \(routes)",
    "diff \(files)", "diff \(files) SampleLogs/logs \(routes)",
    "diff \(files) SampleLogs/logs \(routes) --full",
  ])
  func textFitsEightyColumns(command: String) throws {
    let text = try Command.run("linkaudit \(command)").stdout
    #expect(!text.isEmpty)
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  /// A closed pipe is no error, and doesn't hide that the input is damaged.
  @Test(arguments: [
    ("report SampleLogs/logs \(site) --format json", "head -n 1", "0\n"),
    ("report SampleLogs/damaged \(site) 2>/dev/null", "true", "2\n"),
    ("digest SampleLogs/logs --host www.example.com --format ndjson", "head -n 1", "0\n"),
  ])
  func aBrokenPipeIsNoError(command: String, reader: String, status: String) throws {
    #expect(try Command.run("(linkaudit \(command); echo $? >&2) | \(reader)").stderr == status)
  }

  @Test func moreLogsThanMayBeOpenAtATimeAreRead() throws {
    let folder = try TemporaryFolder()
    for index in 0..<200 {
      _ = try folder.write(
        "192.0.2.1 - - [x] \"GET /buy/\(index) HTTP/1.1\" 200 5\n".utf8, to: "\(index).log")
    }
    let outcome = try Command.run(
      "ulimit -n 40 && linkaudit report \(folder.path) \(site) --format json")
    #expect(outcome.status == 0 && outcome.stdout.contains("\"requests\" : 200"))
  }

  /// The readable lines of damaged logs count, and the status says that there were more.
  @Test(arguments: [
    "report SampleLogs/damaged \(site)", "diff \(files) SampleLogs/damaged",
    "suggest SampleLogs/damaged \(site) \(routes)",
    "digest SampleLogs/damaged --host www.example.com --format ndjson",
    "report $FOLDER/day.digest \(site)",
  ])
  func damagedLogsAreNamed(command: String) throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      """
      linkaudit digest SampleLogs/damaged -q --host www.example.com -o $FOLDER/day.digest 2>/dev/null
      linkaudit \(command)
      """, environment: ["FOLDER": folder.path])
    #expect(outcome.status == 2 && !outcome.stdout.isEmpty)
    let place = command.contains(".digest") ? " in '\(folder.path)/day.digest'" : ""
    for name in ["checksum", "truncated"] {
      #expect(
        outcome.stderr.contains("'SampleLogs/damaged/\(name).access.log.gz'\(place): "),
        "\(outcome.stderr)")
    }
  }

  /// Each explanation reads the whole URL, so that of a long one, few rules are explained.
  @Test func fewRulesOfALongURLAreExplained() throws {
    let rules = (0..<300).map { #"{"/":"/x/*","?":{"q":"*a\#($0)*"}}"# } + [#"{"/":"/x/*"}"#]
    let details =
      #"{"appIDs":["7F2K9QX3LM.com.example.tea"],"components":[\#(rules.joined(separator: ","))]}"#
    let items = (0..<40_000).map { "q=\($0)" }.joined(separator: "&")
    let folder = try TemporaryFolder([
      "aasa.json": #"{"applinks":{"details":[\#(details)]}}"#,
      "urls": "https://www.example.com/x/1?\(items)\n",
    ])
    let match = "linkaudit match - --aasa aasa.json --host www.example.com <urls | cut -c1-100"
    for (option, note, lineLimit) in [
      ("", "more rules (--explain)", 30),
      (" --explain", "more rules, too many to compare with this URL", 3_000),
    ] {
      let outcome = try folder.run(match.replacing(" <", with: option + " <"))
      #expect(outcome.stdout.contains(note))
      // The one that decides is the last one.
      #expect(outcome.stdout.contains("rule 300, "))
      #expect(outcome.stdout.split(separator: "\n").count < lineLimit)
    }
  }

  @Test func aMissingLogDoesNotHideTheOthers() throws {
    let outcome = try Command.run(
      "linkaudit report nowhere.log SampleLogs/logs/scanners.access.log.gz \(site) -f csv "
        + "--table sites")
    #expect(outcome.status == 2 && outcome.stdout.hasSuffix(",SampleLogs/aasa.json,11,0\r\n"))
    #expect(outcome.stderr.contains("'nowhere.log': No such file or directory"))
  }

  @Test(
    arguments: [
      ("report SampleLogs/logs \(site) --fail-on error", 0),
      ("report SampleLogs/logs \(site) --fail-on warning", 1),
      ("report SampleLogs/damaged \(site) --fail-on warning", 2),
      ("diff \(files) SampleLogs/logs \(routes) --fail-on error", 1),
      ("diff \(files) --fail-on error", 0), ("diff \(files) --fail-on warning", 1),
      ("diff \(files) SampleLogs/damaged --fail-on note", 2),
      ("lint SampleLogs/aasa.json --fail-on warning", 1), ("lint SampleLogs/aasa-mistakes.json", 1),
      ("lint SampleLogs/none.json SampleLogs/aasa-mistakes.json", 2),
      ("lint --update-baseline x.json", 64), ("lint a.json b.json --host www.example.com", 64),
      ("lint a.json --minimum-os 12", 64), ("lint --entitlements SampleLogs/aasa.json", 2),
    ] as [(String, Int32)])
  func exitStatusesAreAsDocumented(command: String, status: Int32) throws {
    #expect(try Command.run("linkaudit \(command)").status == status)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full here"),
    arguments: ["report SampleLogs/logs \(site)", "report --help", "--version"])
  func aFullDiskIsReported(command: String) throws {
    let outcome = try Command.run("linkaudit \(command) > /dev/full")
    #expect(outcome.status == 2 && outcome.stderr.contains("standard output"))
  }

  @Test func everyForbiddenByteGivesAReport() throws {
    let folder = try TemporaryFolder()
    let lines = (0...255).flatMap { byte in
      Array("192.0.2.1 - - [x] \"GET /a".utf8) + [UInt8(byte)] + Array("b HTTP/1.1\" 200 5\n".utf8)
    }
    let path = try folder.write(lines, to: "log")
    let outcome = try Command.run("linkaudit report \(path) \(site) --format json")
    #expect(outcome.status == 0)
    // All but the line feed, which divides a line, and the lone quote.
    #expect(outcome.stdout.contains("\"requests\" : 255"))
  }

  @Test(
    .enabled(if: (try? Command.run("python3 --version"))?.status == 0, "python3 is not installed"))
  func theSampleLogsAreReproducible() throws {
    let folder = try TemporaryFolder()
    // Compressed bytes differ between versions of libz, so lines are compared.
    let outcome = try Command.run(
      """
      made='\(folder.path)'; python3 Scripts/make-samplelogs.py "$made" && cd SampleLogs || exit
      for log in logs/* damaged/[!t]*; do
        gzip -dcf $log >"$made/own" 2>/dev/null
        gzip -dcf "$made/$log" 2>/dev/null | cmp - "$made/own" && [ -s "$made/own" ] || echo $log
      done
      """)
    #expect(outcome == Command.Outcome())
  }
}
