import Foundation
import TestSupport
import Testing

@testable import LinkAuditCommand
@testable import Reporting

@Suite struct OutputDirectoryTests {
  static let report = "linkaudit report SampleLogs/logs \(site) \(routes)"
  static let tables = Report.tables.map { $0.name + ".csv" }.sorted()
  static let all = (tables + ["report.html", "report.json"]).sorted()

  @Test func allTablesAreWritten() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/new/report"
    let outcome = try Command.run("\(Self.report) --output-directory '\(path)'")
    #expect(outcome == Command.Outcome())
    #expect(try folder.names(in: "new/report") == Self.all)
    for table in Report.tables {
      let alone = try Command.run("\(Self.report) --format csv --table \(table.name)").stdout
      #expect(try !alone.isEmpty && alone == folder.text(of: "new/report/\(table.name).csv"))
    }
    #expect(try Command.run("\(Self.report) --output-directory '\(path)/'") == outcome)
    #expect(try folder.names(in: "new/report") == Self.all)
  }

  @Test(arguments: [
    ("--format csv", tables), ("--format csv --table days", ["days.csv"]),
    ("--format json", ["report.json"]), ("--format ndjson", ["report.ndjson"]),
    ("--format openmetrics", ["report.prom"]), ("--format text", ["report.txt"]),
  ])
  func aFormIsChosen(options: String, names: [String]) throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run("\(Self.report) \(options) --output-directory '\(folder.path)'")
    #expect(outcome == Command.Outcome())
    #expect(try folder.names() == names)
  }

  /// A link in the directory is replaced; its target stays.
  @Test func nothingOutsideIsTouched() throws {
    let folder = try TemporaryFolder(["outside.txt": "mine", "out/notes.txt": "keep"])
    let outcome = try Command.run(
      """
      ln -s '\(folder.path)/outside.txt' '\(folder.path)/out/rules.csv' &&
      ln -s /dev/null '\(folder.path)/out/days.csv' || exit
      \(Self.report) --output-directory '\(folder.path)/out'
      """)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(try folder.text(of: "outside.txt") == "mine")
    for name in ["rules.csv", "days.csv"] {
      #expect(try folder.text(of: "out/\(name)").hasPrefix("host,"))
    }
    #expect(try folder.names(in: "out") == (Self.all + ["notes.txt"]).sorted())
  }

  @Test(arguments: ["log", "aasa", "routes", "rejects"])
  func noInputIsReplaced(kind: String) throws {
    let folder = try TemporaryFolder()
    // One of the inputs has the name of a table.
    func path(_ name: String) -> String { "'\(folder.path)/\(name == kind ? "days.csv" : name)'" }
    let outcome = try Command.run(
      """
      cp SampleLogs/logs/www.access.log \(path("log")) && cp SampleLogs/aasa.json \(path("aasa")) &&
      cp SampleLogs/routes.txt \(path("routes")) || exit
      linkaudit report \(path("log")) --aasa \(path("aasa")) --host www.example.com \
        --routes \(path("routes")) --output-directory '\(folder.path)' \
        \(kind == "rejects" ? "--rejects '\(folder.path)/report.json'" : "")
      """)
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains(kind == "rejects" ? "name the same file" : "would replace"))
    #expect(try folder.names().count == 3)
  }

  @Test func aConfigurationCanNameTheDirectory() throws {
    let folder = try TemporaryFolder([
      "linkaudit.yml": "report:\n  format: text\n  table: days\n  output-directory: out\n",
      "both.yml": "report:\n  output: a\n  output-directory: out\n",
    ])
    let report = "\(Self.report) --config '\(folder.path)/linkaudit.yml'"
    #expect(try Command.run(report) == Command.Outcome())
    #expect(try folder.names(in: "out").count == Self.all.count)
    // The path on the command line takes precedence.
    #expect(try Command.run("\(report) -o '\(folder.path)/one'") == Command.Outcome())
    #expect(try folder.text(of: "one").hasPrefix("www.example.com"))
    #expect(try Command.run("\(Self.report) --config '\(folder.path)/both.yml'").status == 64)
  }
}

@Suite struct OutputFormTests {
  static let report = "report SampleLogs/logs/www.access.log \(site)"
  static let diff = "diff \(CommandTests.files)"
  static let match = "match --aasa SampleLogs/aasa.json https://www.example.com/buy/1"

  @Test(arguments: [
    (report, "page.html", "html"), (report, "page.HTM", "html"), (report, "a.json", "json"),
    (report, "a.jsonl", "ndjson"), (report, "a.prom", "openmetrics"),
    (report + " --table verdicts", "a.b.csv", "csv --table verdicts"), (report, "a.txt", "text"),
    (report, "html", "text"), (report + " --format csv", "page.html", "csv"),
    (diff, "a.json", "json"), (diff, "a.csv", "csv"), (diff, "a.log", "text"),
    ("lint SampleLogs/aasa.json", "a.sarif", "sarif"), ("lint SampleLogs/aasa.json", "a", "text"),
    ("suggest SampleLogs/logs \(site) \(routes)", "a.json", "json"), (match, "a.txt", "text"),
    (match, "a.ndjson", "ndjson"), (match, "a", "text"),
  ])
  func theNameOfTheOutputSelectsTheFormat(command: String, name: String, form: String) throws {
    let folder = try TemporaryFolder()
    #expect(try Command.run("linkaudit \(command) -o \(folder.path)/\(name)") == Command.Outcome())
    #expect(try folder.names() == [name])
    let plain = command.replacing("--table verdicts", with: "").replacing("--format csv", with: "")
    let expected = try Command.run("linkaudit \(plain) --format \(form)")
    #expect(try expected == Command.Outcome(stdout: folder.text(of: name)))
  }

  @Test func filesOfEarlierReportsAreNamed() throws {
    let folder = try TemporaryFolder(["notes.csv": "x"])
    let command = "linkaudit \(Self.report) --output-directory \(folder.path)"
    #expect(try Command.run(command).stderr.isEmpty)
    #expect(try Command.run(command).stderr.isEmpty)
    let second = try Command.run(command + " --format json")
    #expect(second.status == 0)
    #expect(second.stderr.contains("has \(Report.tables.count + 1) files of an earlier report"))
    #expect(second.stderr.split(separator: "\n").count == 1 && !second.stderr.contains("notes"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/rules.csv"))
  }
}

@Suite struct OutputFileTests {
  private struct Failure: Error {}

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func failuresKeepTheOldFile() throws {
    let path = folder.path + "/out"
    try OutputFile(path).write("old")
    #expect(throws: Failure.self) {
      try OutputFile(path).write { sink in
        try sink(Array("new".utf8))
        throw Failure()
      }
    }
    #expect(try folder.text(of: "out") == "old")
    #expect(try folder.names() == ["out"])
  }

  @Test func aDraftIsHiddenUntilItIsFinished() throws {
    let file = OutputFile(folder.path + "/out")
    let draft = try file.draft { try $0(Array("text".utf8)) }
    let hidden = try folder.names()
    #expect(hidden.count == 1)
    #expect(hidden.allSatisfy { $0.hasPrefix(".linkaudit-") && $0.hasSuffix(".part") })
    try file.finish(draft)
    #expect(try folder.names() == ["out"])
    // A finished file can't be removed any more.
    draft?.discard()
    #expect(try folder.names() == ["out"])
  }

  @Test func aLinkToNothingStays() throws {
    #expect(try folder.run("ln -s next link && ln -s '\(folder.path)/out' next").status == 0)
    try OutputFile(folder.path + "/link").write("text")
    #expect(try folder.names() == ["link", "next", "out"])
    #expect(try folder.text(of: "out") == "text")
  }
}
