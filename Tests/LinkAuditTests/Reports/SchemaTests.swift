import AccessLogs
import Foundation
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditCommand
@testable import Reporting

/// Output conforms to the schemas in Documentation/Schemas.
@Suite(.enabled(if: Checkers.python != nil, Comment(rawValue: Checkers.noPython)))
struct SchemaTests {
  static let site = "--aasa SampleLogs/aasa.json --host www.example.com"
  static let routes = "--routes SampleLogs/routes.txt"

  static let reports = [
    "SampleLogs/logs \(site) \(routes)",
    "SampleLogs/logs \(site) \(routes) --top 2",
    "SampleLogs/logs \(site) --fan-out 2 --app A1B2C3D4E5.com.example.tea",
    "SampleLogs/logs \(site) \(routes) --group depth:1 --sort requests",
    "SampleLogs/logs \(site) \(routes) --group exact",
    "SampleLogs/logs \(site) --since 2026-06-02 --until 2026-06-02",
    "SampleLogs/logs \(site) \(routes) --platform ios,bot --status 2xx,304 --include-bots --ignore '/api/*'",
    "SampleLogs/logs --site www.example.com=SampleLogs/aasa.json "
      + "--site m.example.com=SampleLogs/aasa-ios12.json --site '*.example.com=SampleLogs/aasa.json'",
    "SampleLogs/damaged \(site)",
    "/nonexistent.log SampleLogs/logs/scanners.access.log.gz \(site)",
    "/dev/null \(site) \(routes)",
    "SampleLogs/logs/scanners.access.log.gz --host www.example.com --aasa $FOLDER/none.json",
    "SampleLogs/logs \(routes) --host www.example.com --aasa $FOLDER/object.json",
    "SampleLogs/logs --host www.example.com --aasa $FOLDER/whole.json",
    "SampleLogs/logs --host www.example.com --aasa $FOLDER/apps.json",
    "$FOLDER/random.log --log-format vcombined --site www.example.com=SampleLogs/aasa.json "
      + "--site m.example.com=SampleLogs/aasa.json \(routes)",
  ]

  /// A folder with all kinds of association files, and a log of several sites.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, details) in [
      ("none", "{}"),
      (
        "object",
        #"{"applinks": {"details": {"A1B2C3D4E5.com.example.tea\u001b[31m": {"paths": ["NOT /buy/1", "/buy/*"]}}}}"#
      ),
      ("whole", #"{"applinks": {"details": [{"appID": "A1B2C3D4E5.com.example.tea"}]}}"#),
      (
        "apps",
        #"{"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.a", "A1B2C3D4E5.a"], "components": [{"/": "/\"\n*"}]}]}}"#
      ),
    ] { _ = try folder.write(details.utf8, to: name + ".json") }
    _ = try folder.write(randomLog, to: "random.log")
    return folder
  }

  private static let randomLog: [UInt8] = {
    var log = RandomLog(seed: 11)
    return (0..<1_000).flatMap { _ in Array((log.line(host: true) + "\n").utf8) }
  }()

  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the definitions of rows.
  @Test(arguments: SchemaDocument.all.map(\.name))
  func definitionsOfRowsAreCurrent(name: String) throws {
    let document = try #require(SchemaDocument.all.first { $0.name == name })
    try expectDocument(document.expected(), at: document.path)
  }

  @Test(arguments: reports, [("json", "report-2"), ("ndjson", "rows-2")])
  func reportsFit(options: String, form: (format: String, schema: String)) throws {
    let folder = try Self.folder()
    let outcome = try Command.run(
      "linkaudit report \(options) --format \(form.format) -o $FOLDER/report",
      environment: ["FOLDER": folder.path])
    #expect(outcome.status == 0 || outcome.status == 2, "\(outcome.stderr)")
    let complaints = try Checkers.complaints(
      about: folder.path + "/report", schema: form.schema, byLine: form.format == "ndjson")
    #expect(complaints == "")
  }

  /// Groups and orders are named where they are not the usual ones.
  @Test(arguments: [PathGrouping.template, .exact, .depth(1)], Traffic.Weight.allCases)
  func groupingAndOrderFit(grouping: PathGrouping, weight: Traffic.Weight) throws {
    let folder = try TemporaryFolder()
    let (inputs, _) = LogInput.discover([
      Command.packageFolder.appendingPathComponent("SampleLogs/logs").path
    ])
    let digest = try TrafficDigest.reduce(
      inputs, options: ReductionOptions(defaultHost: "www.example.com", format: nil, jobs: 2))
    let file = try Data(
      contentsOf: Command.packageFolder.appendingPathComponent("SampleLogs/aasa.json"))
    var options = AuditOptions()
    (options.grouping, options.weight) = (grouping, weight)
    let audit = try Auditor(
      sites: [Site(host: "www.example.com", file: try AssociationFile(decoding: Array(file)))],
      options: options
    ).audit(digest)
    let (path, lines) = (folder.path + "/report.json", folder.path + "/report.ndjson")
    try OutputFile(path).write(Report(audit: audit, digest: digest, top: nil).writeJSON)
    try OutputFile(lines).write(Report(audit: audit, digest: digest, top: nil).writeNDJSON)
    #expect(try Checkers.complaints(about: path, schema: "report-2") == "")
    #expect(try Checkers.complaints(about: lines, schema: "rows-2", byLine: true) == "")
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: lines)))
    let first = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    #expect(first.contains("\"grouping\"") == (grouping != .template))
    #expect(first.contains("\"orderedBy\":\"requests\"") == (weight == .requests))
  }

  @Test(arguments: [
    "SampleLogs/aasa.json $FOLDER/object.json SampleLogs/logs --host www.example.com",
    "SampleLogs/aasa.json SampleLogs/aasa-ios12.json SampleLogs/logs --host www.example.com \(routes)",
    "SampleLogs/aasa.json $FOLDER/whole.json SampleLogs/damaged --host www.example.com --top 2",
    "SampleLogs/aasa.json $FOLDER/none.json --host www.example.com",
    "$FOLDER/object.json $FOLDER/apps.json --host www.example.com",
    "SampleLogs/aasa.json SampleLogs/aasa.json --host '*.example.com'",
  ])
  func comparisonsFit(options: String) throws {
    let folder = try Self.folder()
    let outcome = try Command.run(
      "linkaudit diff \(options) --format json -o $FOLDER/diff",
      environment: ["FOLDER": folder.path])
    #expect([0, 2].contains(outcome.status), "\(outcome.stderr)")
    #expect(try Checkers.complaints(about: folder.path + "/diff", schema: "diff-1") == "")
  }

  @Test(arguments: [
    "--aasa SampleLogs/aasa.json",
    "--aasa SampleLogs/aasa.json --including-excluded --tolerance 90% --sort requests",
    "--aasa SampleLogs/aasa-ios12.json --max-rules 1 --group depth:1 --platform ios,ios12",
    "--aasa $FOLDER/object.json", "--aasa $FOLDER/whole.json", "--aasa $FOLDER/apps.json",
  ])
  func suggestionsFit(options: String) throws {
    let folder = try Self.folder()
    let outcome = try Command.run(
      "linkaudit suggest SampleLogs/logs --host www.example.com \(Self.routes) \(options) "
        + "--format json -o $FOLDER/suggest",
      environment: ["FOLDER": folder.path])
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(try Checkers.complaints(about: folder.path + "/suggest", schema: "suggest-1") == "")
  }

  @Test(
    arguments: ["SampleLogs/aasa.json", "SampleLogs/aasa-ios12.json", "$FOLDER/object.json"],
    [
      "", "--explain", "--expect SampleLogs/expectations.txt",
      "--explain --expect SampleLogs/expectations.txt",
    ])
  func matchesFit(file: String, options: String) throws {
    let folder = try Self.folder()
    let outcome = try Command.run(
      "linkaudit match \(options) --aasa \(file) --host www.example.com --format ndjson "
        + "https://www.example.com/buy/42 https://www.example.com/account/1 /x '' "
        + "https://www.example.com:8080/ https://other.example/ $(printf '\\033[31m') "
        + ">$FOLDER/lines", environment: ["FOLDER": folder.path])
    #expect(outcome.status == 0 || !options.isEmpty, "\(outcome.stderr)")
    #expect(
      try Checkers.complaints(about: folder.path + "/lines", schema: "match-1", byLine: true)
        == "")
  }

  @Test(arguments: [
    "SampleLogs/logs --host www.example.com", "SampleLogs/damaged",
    "$FOLDER/random.log --log-format vcombined", "/dev/null /nonexistent.log $FOLDER/random.log",
  ])
  func digestRowsFit(options: String) throws {
    let folder = try Self.folder()
    let outcome = try Command.run(
      "linkaudit digest --no-config \(options) --format ndjson -o $FOLDER/rows",
      environment: ["FOLDER": folder.path])
    #expect([0, 2].contains(outcome.status), "\(outcome.stderr)")
    let path = folder.path + "/rows"
    #expect(try Checkers.complaints(about: path, schema: "digest-rows-1", byLine: true) == "")
  }

  /// A schema that accepts everything would also pass all tests.
  @Test(arguments: [
    (#"{"schema": "linkaudit.report/2"}"#, "report-2"), (#"{"type": "other"}"#, "rows-2"),
    (
      #"{"type":"clients","platform":"ios","client":"Safari","version":18,"requests":-1}"#, "rows-2"
    ),
    (#"{"type":"rejectedByReason","reason":"noStatus","lines":1,"more":1}"#, "rows-2"),
    (#"{"row":"clients","day":null,"platform":"ios","client":"x","requests":1}"#, "digest-rows-1"),
    (#"{"row":"other"}"#, "digest-rows-1"),
    (#"{"url": "x", "verdict": "maybe", "apps": []}"#, "match-1"),
    (#"{"url": "x", "verdict": "claimed", "apps": [], "differs": true}"#, "match-1"),
    (#"{"schema": "linkaudit.diff/1", "traffic": null, "patterns": null}"#, "diff-1"),
    (#"{"schema": "linkaudit.suggest/1", "components": []}"#, "suggest-1"),
  ])
  func mismatchesAreReported(text: String, schema: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, to: "x.json")
    #expect(try Checkers.complaints(about: path, schema: schema) != "")
  }
}
