import Foundation
import TestSupport
import Testing

@Suite struct ConfiguredCommandTests {
  private static let oneSite = """
    sites:
      - hosts: www.example.com
        aasa: SAMPLES/aasa.json
    logs:
      inputs: SAMPLES/logs
    """

  /// Runs a command where `linkaudit.yml` names two sites, and logs.
  private func run(_ command: String, _ configuration: String? = nil) throws -> Command.Outcome {
    let samples = Command.packageFolder.appendingPathComponent("SampleLogs").path
    let usual = """
      sites:
        - hosts: [www.example.com, example.com]
          aasa: \(samples)/aasa.json
        - hosts: "*.example.com"
          aasa: \(samples)/aasa-ios12.json
      """
    let text = configuration?.replacing("SAMPLES", with: samples) ?? usual
    let folder = try TemporaryFolder(["linkaudit.yml": text])
    return try folder.run(command.replacing("SAMPLES", with: samples))
  }

  /// A message names the configuration only if the mistake is in it.
  @Test func mistakesNameTheConfiguration() throws {
    let configuration = Self.oneSite + "\n  since: 99x\nreport:\n  top: 0"
    let top = try run("linkaudit report --since 7d", configuration)
    #expect(
      top.status == 64
        && top.stderr.contains("it must be at least 1. It is set in 'linkaudit.yml'.\n"))
    let since = try run("linkaudit report --top 3", configuration)
    #expect(since.status == 64 && since.stderr.contains("'--since 99x' is not a time"))
    #expect(since.stderr.contains(" It is set in 'linkaudit.yml'.\n"))
    for option in ["--top=-1", "--top 3 -j0", "--top 3 -j 0"] {
      let typed = try run("linkaudit report --since 7d \(option)", configuration)
      #expect(typed.status == 64 && !typed.stderr.contains("is set in"), "\(option)")
    }
  }

  /// The host in a log's path precedes the only one of the configuration, and an option both.
  @Test(arguments: [("", 0), ("--host www.example.com", 1)])
  func pathsNameHostsInComparisons(option: String, visits: Int) throws {
    let configuration = Self.oneSite.replacing(
      "  inputs: SAMPLES/logs", with: "  host-from-path: '{host}-access'")
    let line = logLine("/buy/1", at: "04/Jun/2026:03:04:05 +0200", agent: RandomLog.phone)
    let outcome = try run(
      "printf %s '\(line)' >other.example-access && linkaudit diff SAMPLES/aasa.json SAMPLES/aasa.json "
        + "other.example-access --format json \(option)", configuration)
    #expect(outcome.stdout.contains("\"otherHostRequests\" : \(1 - visits)"), "\(outcome)")
  }

  @Test func aFormatIsInPlaceOfKeys() throws {
    let configuration = Self.oneSite + "\n  json-keys: { target: x, status: y }"
    let outcome = try run("linkaudit report --log-format auto", configuration)
    #expect(outcome.status == 0 && !outcome.stdout.isEmpty, "\(outcome)")
  }

  @Test(arguments: [("json", true), ("html", false), ("csv --table rules", true)])
  func aFormatHasItsOwnPlace(format: String, isElsewhere: Bool) throws {
    let configuration = Self.oneSite + "\nreport:\n  output: out.html"
    let outcome = try run(
      "echo old >out.html && linkaudit report --format \(format); head -c 15 out.html >&2",
      configuration)
    #expect(outcome.stdout.isEmpty != isElsewhere)
    #expect(
      outcome.stderr.hasSuffix(isElsewhere ? "old\n" : "<!DOCTYPE html>"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains("'report.output' has no effect") == isElsewhere)
  }

  /// Settings that would select what counts are named where they don't.
  @Test(arguments: [
    ("ingest SAMPLES/logs/www.access.log --store store", "a store counts all requests"),
    ("diff SAMPLES/aasa.json SAMPLES/aasa.json --no-progress", "compares the patterns alone"),
  ])
  func keysWithoutEffectAreNamed(command: String, reason: String) throws {
    let configuration =
      "sites: [{ hosts: www.example.com, aasa: SAMPLES/aasa.json }]\n"
      + "logs: { since: 7d, max-rejects: 1 }\nreport: { rejects: rejects.tsv }"
    let outcome = try run("linkaudit \(command)", configuration)
    #expect(outcome.status == 0)
    let lists = ["'logs.max-rejects', 'report.rejects'", "'report.rejects', 'logs.max-rejects'"]
      .map { "'linkaudit.yml': 'logs.since', \($0) have no effect" }
    #expect(lists.contains { outcome.stderr.contains($0) }, "\(outcome.stderr)")
    #expect(outcome.stderr.contains(reason))
  }

  @Test func optionsWithoutEffectAreNamed() throws {
    let outcome = try run(
      "linkaudit diff SAMPLES/aasa.json SAMPLES/aasa.json --host www.example.com --rejects x "
        + "--max-rejects 2 --log-format combined --threshold same-host-links:note=1%", "")
    #expect(outcome.status == 0)
    for option in ["--rejects", "--max-rejects", "--log-format"] {
      #expect(outcome.stderr.contains("'\(option)'"), "\(outcome.stderr)")
    }
    #expect(!outcome.stderr.contains("--threshold"))
  }

  @Test(arguments: [(0, 1), (2, 2), (64, 64)])
  func theCheckRunsEachCommandOnce(status: Int, expected: Int32) throws {
    let (package, build) = (Command.packageFolder.path, try #require(Command.buildFolder).path)
    let script = """
      #!/bin/sh
      echo "$1" >>calls
      \(build)/linkaudit "$@" || exit
      [ "$1" = lint ] || exit \(status)
      """
    let outcome = try TemporaryFolder(["bin/linkaudit": script]).run(
      """
      chmod +x bin/linkaudit && cp \(package)/SampleLogs/aasa*.json . && export PATH=$PWD/bin:$PATH \
        LINKAUDIT_AASA=aasa-candidate.json LINKAUDIT_HOST=www.example.com LINKAUDIT_DEPLOYED=aasa.json
      bash \(package)/Integrations/github/check.sh >annotations; echo $? >>calls; cat calls
      cat linkaudit-comment.md >&2
      """)
    #expect(outcome.stdout == "lint\ndiff\n\(expected)\n", "\(outcome)")
    #expect(outcome.stderr.contains("changes for `www.example.com`"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains("did not finish") == (expected > 1))
  }

  @Test func daysInTheFutureAreDoubtful() throws {
    let lines = ["01/Jan/2024", "04/Jan/2024", "05/Jan/2031"]
      .map { "192.0.2.1 - - [\($0):03:04:05 +0000] \"GET /buy/1 HTTP/1.1\" 200 5\n" }.joined()
    let site = "--aasa SAMPLES/aasa.json --host www.example.com"
    let environment = "export SOURCE_DATE_EPOCH=1730000000; printf '%s' '\(lines)' >a.log; "
    let report = try run(
      "\(environment)linkaudit report a.log \(site) --format csv --table findings", "")
    #expect(report.stdout.contains("days-doubtful,warning,"), "\(report)")
    #expect(report.stdout.contains("1 request is dated 2031-01-05"), "\(report.stdout)")
    let stored = try run(
      "\(environment)linkaudit ingest a.log --store s \(site); "
        + "linkaudit ingest a.log --store s --keep 2d; linkaudit store list --store s",
      "")
    #expect(stored.stderr.contains("new requests are dated 2031-01-05, in the future"))
    #expect(stored.stdout.contains("2024-01-04") && !stored.stdout.contains("2024-01-01"))
  }

  /// Each host has its file; a separate host takes precedence over a wildcard.
  @Test(arguments: [
    ("https://www.example.com/buy/1", "claimed"), ("https://example.com/help/x", "unclaimed"),
    ("https://shop.example.com/help/x", "claimed"),
    ("https://SHOP.example.com:443/help/x", "claimed"),
    ("https://a@shop.example.com/help/x", "claimed"), ("https://example.org/buy/1", "ineligible"),
    ("https://example.org/https://shop.example.com/buy/1", "ineligible"),
    ("https://badexample.com/buy/1", "ineligible"), ("https://.example.com/buy/1", "ineligible"),
    ("https://shop.example.com/help/x --host shop.example.com", "claimed"),
    ("https://shop.example.com/help/x --host www.example.com", "ineligible"),
    ("https://shop.example.com/help/x --site shop.example.com=SAMPLES/aasa.json", "unclaimed"),
    ("https://shop.example.com/help/x --aasa SAMPLES/aasa.json", "unclaimed"),
  ])
  func matchAsksTheSitesOfTheConfiguration(arguments: String, verdict: String) throws {
    let outcome = try run("linkaudit match --format ndjson \(arguments)")
    #expect(outcome.status == 0 && outcome.stderr.isEmpty)
    #expect(outcome.stdout.hasSuffix("\"verdict\":\"\(verdict)\"}\n"), "\(outcome.stdout)")
  }

  @Test func matchCanChooseOneOfThem() throws {
    let match = "linkaudit match --format ndjson https://shop.example.com/help/x"
    #expect(try run("\(match) --host example.org").status == 64)
    #expect(try run("\(match) --no-config").status == 64)
  }

  /// Routes are those of the one host whose rules are wanted, however many hosts its site has.
  @Test func suggestTakesTheRoutesOfTheHost() throws {
    let configuration = """
      sites:
        - hosts: [www.example.com, shop.example.com]
          aasa: SAMPLES/aasa.json
          routes: SAMPLES/routes.txt
          apps: A1B2C3D4E5.com.example.tea
      logs:
        inputs: SAMPLES/logs
      """
    let given = try run("linkaudit suggest --host www.example.com", configuration)
    #expect(given.status == 0 && given.stderr.isEmpty)
    let named = try run(
      "linkaudit suggest SAMPLES/logs --host www.example.com --aasa SAMPLES/aasa.json "
        + "--routes SAMPLES/routes.txt", "")
    #expect(given.stdout == named.stdout)
    #expect(try run("linkaudit suggest", configuration).status == 64)
  }

  @Test func diffReadsTheLogsOfTheConfiguration() throws {
    func diff(_ options: String, _ configuration: String) throws -> String {
      let outcome = try run(
        "linkaudit diff SAMPLES/aasa.json SAMPLES/aasa-candidate.json \(options)", configuration)
      #expect(outcome.status == 0 && outcome.stderr.isEmpty)
      return outcome.stdout
    }
    let (host, logs) = ("--host www.example.com", "SAMPLES/logs")
    #expect(try diff("", Self.oneSite) == diff("\(logs) \(host)", ""))
    #expect(try diff("--patterns-only", Self.oneSite) == diff(host, ""))
    #expect(
      try diff("\(logs)/www.access.log", Self.oneSite)
        == diff("\(logs)/www.access.log \(host)", ""))
    let refused = try run(
      "linkaudit diff SAMPLES/aasa.json SAMPLES/aasa.json \(logs) --patterns-only", Self.oneSite)
    #expect(refused.status == 64)
  }
}
