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

  /// Each file equals the output in its format, and there are no other files.
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
    #expect(
      outcome.stderr.contains(kind == "rejects" ? "name the same file" : "would replace"))
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
