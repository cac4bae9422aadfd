import Foundation
import TestSupport
import Testing

@testable import LinkAuditCommand
@testable import Reporting

@Suite struct OutputDirectoryTests {
  static let report =
    "linkaudit report SampleLogs/logs --aasa SampleLogs/aasa.json --host www.example.com "
    + "--routes SampleLogs/routes.txt"

  static func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  static let tables = Report.tables.map { $0.name + ".csv" }

  @Test func allTablesAreWritten() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/new/report"
    let outcome = try Command.run("\(Self.report) --output-directory '\(path)'")
    #expect(outcome == Command.Outcome(stdout: "", stderr: "", status: 0))
    #expect(try Self.names(path) == (Self.tables + ["report.html", "report.json"]).sorted())
    for table in Report.tables {
      let alone = try Command.run("\(Self.report) --format csv --table \(table.name)")
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(table.name).csv"))
      #expect(alone.stdout == String(decoding: data, as: UTF8.self))
      #expect(data.count > 0)
    }
    let again = try Command.run("\(Self.report) --output-directory '\(path)/'")
    #expect(again == outcome)
    #expect(try Self.names(path) == (Self.tables + ["report.html", "report.json"]).sorted())
  }

  @Test(arguments: [
    ("--format csv", tables.sorted()), ("--format csv --table days", ["days.csv"]),
    ("--format json", ["report.json"]), ("--format ndjson", ["report.ndjson"]),
    ("--format openmetrics", ["report.prom"]), ("--format text", ["report.txt"]),
  ])
  func aFormIsChosen(options: String, names: [String]) throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run("\(Self.report) \(options) --output-directory '\(folder.path)'")
    #expect(outcome == Command.Outcome(stdout: "", stderr: "", status: 0))
    #expect(try Self.names(folder.path) == names)
  }

  /// A link in the directory is replaced; its target stays.
  @Test func nothingOutsideIsTouched() throws {
    let folder = try TemporaryFolder()
    let outside = try folder.write("mine".utf8, to: "outside.txt")
    _ = try folder.write("keep".utf8, to: "out/notes.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/out/rules.csv", withDestinationPath: outside)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/out/days.csv", withDestinationPath: "/dev/null")
    let outcome = try Command.run("\(Self.report) --output-directory '\(folder.path)/out'")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(try String(contentsOfFile: outside, encoding: .utf8) == "mine")
    for name in ["rules.csv", "days.csv"] {
      let text = try String(contentsOfFile: "\(folder.path)/out/\(name)", encoding: .utf8)
      #expect(text.hasPrefix("host,"))
    }
    #expect(
      try Self.names(folder.path + "/out")
        == (Self.tables + ["notes.txt", "report.html", "report.json"]).sorted())
  }

  @Test(arguments: ["log", "aasa", "routes", "rejects"])
  func noInputIsReplaced(kind: String) throws {
    let folder = try TemporaryFolder()
    let copies = [
      "log": "SampleLogs/logs/www.access.log", "aasa": "SampleLogs/aasa.json",
      "routes": "SampleLogs/routes.txt",
    ]
    for name in copies.keys {
      // One of them has the name of a table.
      let target = name == kind ? "days.csv" : name
      let copy = try Command.run("cp \(copies[name] ?? "") '\(folder.path)/\(target)'")
      #expect(copy.status == 0)
    }
    func path(_ name: String) -> String { "'\(folder.path)/\(name == kind ? "days.csv" : name)'" }
    let outcome = try Command.run(
      "linkaudit report \(path("log")) --aasa \(path("aasa")) --host www.example.com --routes "
        + "\(path("routes")) --output-directory '\(folder.path)'"
        + (kind == "rejects" ? " --rejects '\(folder.path)/report.json'" : ""))
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains(kind == "rejects" ? "name the same file" : "would replace"))
    #expect(try Self.names(folder.path).count == 3)
  }

  @Test(arguments: [
    ("-o x.txt --output-directory out", "exclude each other"),
    ("--output-directory ''", "is empty; a variable of the shell may be unset"),
    ("--output-directory -", "must be the path of a directory"),
    ("--output-directory SampleLogs/aasa.json", "is a file"),
    ("--table days --output-directory out", "needs '--format csv'"),
  ])
  func impossibleOptionsAreReported(options: String, message: String) throws {
    let outcome = try Command.run("\(Self.report) \(options)")
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
  }

  @Test func aPlaceThatCannotBeMadeIsNamed() throws {
    let outcome = try Command.run("\(Self.report) --output-directory /dev/null/x")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("/dev/null/x"))
  }

  @Test func aConfigurationCanNameTheDirectory() throws {
    let folder = try TemporaryFolder()
    let configuration = try folder.write(
      "report:\n  format: text\n  table: days\n  output-directory: out\n".utf8,
      to: "linkaudit.yml")
    let all = try Command.run("\(Self.report) --config '\(configuration)'")
    #expect(all == Command.Outcome(stdout: "", stderr: "", status: 0))
    #expect(try Self.names(folder.path + "/out").count == Self.tables.count + 2)
    // The path on the command line takes precedence.
    let one = try Command.run("\(Self.report) --config '\(configuration)' -o '\(folder.path)/one'")
    #expect(one == Command.Outcome(stdout: "", stderr: "", status: 0))
    let text = try String(contentsOfFile: folder.path + "/one", encoding: .utf8)
    #expect(text.hasPrefix("www.example.com"))
    let both = try folder.write(
      "report:\n  output: a\n  output-directory: out\n".utf8, to: "both.yml")
    #expect(try Command.run("\(Self.report) --config '\(both)'").status == 64)
  }
}

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

/// Files that get their names when they are complete.
@Suite struct OutputFileTests {
  private struct Failure: Error {}

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func failuresKeepTheOldFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out"
    try OutputFile(path).write("old")
    #expect(throws: Failure.self) {
      try OutputFile(path).write { sink in
        try sink(Array("new".utf8))
        throw Failure()
      }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try names(in: folder) == ["out"])
  }

  @Test func aDraftIsHiddenUntilItIsFinished() throws {
    let folder = try TemporaryFolder()
    let file = OutputFile(folder.path + "/out")
    let draft = try file.draft { try $0(Array("text".utf8)) }
    let hidden = try names(in: folder)
    #expect(hidden.count == 1)
    #expect(hidden.allSatisfy { $0.hasPrefix(".linkaudit-") && $0.hasSuffix(".part") })
    try file.finish(draft)
    #expect(try names(in: folder) == ["out"])
    // A finished file can't be removed any more.
    draft?.discard()
    #expect(try names(in: folder) == ["out"])
  }

  @Test func aLinkToNothingStays() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: "next")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/next", withDestinationPath: folder.path + "/out")
    try OutputFile(folder.path + "/link").write("text")
    #expect(try names(in: folder) == ["link", "next", "out"])
    #expect(try String(contentsOfFile: folder.path + "/out", encoding: .utf8) == "text")
  }
}
