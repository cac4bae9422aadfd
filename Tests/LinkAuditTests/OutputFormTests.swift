import Foundation
import TestSupport
import Testing

@testable import Reporting

/// The default format of an output.
@Suite struct OutputFormTests {
  static let site = "--aasa SampleLogs/aasa.json --host www.example.com"
  static let report = "report SampleLogs/logs/www.access.log \(site)"
  static let diff =
    "diff SampleLogs/aasa.json SampleLogs/aasa-candidate.json --host www.example.com"

  @Test(
    arguments: [
      (report, "page.html", "html"), (report, "page.HTM", "html"), (report, "a.json", "json"),
      (report, "a.jsonl", "ndjson"), (report, "a.prom", "openmetrics"),
      (report + " --table verdicts", "a.b.csv", "csv --table verdicts"), (report, "a.txt", "text"),
      (report, "html", "text"), (report + " --format csv", "page.html", "csv"),
      (diff, "a.json", "json"), (diff, "a.csv", "csv"), (diff, "a.log", "text"),
      ("lint SampleLogs/aasa.json", "a.sarif", "sarif"), ("lint SampleLogs/aasa.json", "a", "text"),
      ("suggest SampleLogs/logs \(site) --routes SampleLogs/routes.txt", "a.json", "json"),
    ])
  func theNameOfTheOutputSelectsTheFormat(command: String, name: String, form: String) throws {
    let folder = try TemporaryFolder()
    let named = try Command.run("linkaudit \(command) -o \(folder.path)/\(name)")
    #expect(named.status == 0 && named.stdout.isEmpty)
    let plain = command.replacing("--table verdicts", with: "").replacing("--format csv", with: "")
    let expected = try Command.run("linkaudit \(plain) --format \(form)")
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    #expect(String(decoding: data, as: UTF8.self) == expected.stdout)
  }

  /// Files of an earlier report in a directory are named, and stay.
  @Test func filesOfEarlierReportsAreNamed() throws {
    let folder = try TemporaryFolder()
    let command = "linkaudit \(Self.report) --output-directory \(folder.path)"
    _ = try folder.write("x".utf8, to: "notes.csv")
    #expect(try Command.run(command).stderr.isEmpty)
    #expect(try Command.run(command).stderr.isEmpty)
    let second = try Command.run(command + " --format json")
    #expect(second.status == 0)
    #expect(second.stderr.contains("has \(Report.tables.count + 1) files of an earlier report"))
    #expect(second.stderr.split(separator: "\n").count == 1 && !second.stderr.contains("notes"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/rules.csv"))
  }
}
