import Foundation
import TestSupport
import Testing

/// The built command, run by a shell as a user would.
struct Command {
  /// The results of a command.
  struct Outcome: Equatable {
    var stdout = ""
    var stderr = ""
    var status: Int32 = 0
  }

  /// The folder of the package, in which commands run.
  static let packageFolder = URL(fileURLWithPath: TestRun.packageFolder)

  /// The folder of the built command, next to the tests.
  static let buildFolder: URL? = {
    let runner = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let bundles = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    return ([runner.deletingLastPathComponent()] + bundles).first {
      FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("linkaudit").path)
    }
  }()

  /// Runs lines of shell in a folder, with the command in the path.
  ///
  /// The variable `SAMPLES` has the path of the sample logs.
  static func run(
    _ lines: String, in folder: URL = packageFolder, environment: [String: String] = [:]
  ) throws -> Outcome {
    let buildFolder = try #require(buildFolder, "the command has not been built")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", lines]
    process.currentDirectoryURL = folder
    var variables = ProcessInfo.processInfo.environment
    variables["SAMPLES"] = packageFolder.appendingPathComponent("SampleLogs").path
    variables["PATH"] = buildFolder.path + ":" + (variables["PATH"] ?? "/usr/bin:/bin")
    variables.merge(environment) { _, new in new }
    process.environment = variables
    // Files, not pipes, which could fill up while nobody reads them.
    let outputs = try TemporaryFolder()
    func handle(_ name: String) throws -> FileHandle {
      try FileHandle(forWritingTo: URL(fileURLWithPath: outputs.write([], to: name)))
    }
    process.standardOutput = try handle("out")
    process.standardError = try handle("err")
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Outcome(
      stdout: try outputs.text(of: "out"), stderr: try outputs.text(of: "err"),
      status: process.terminationStatus)
  }
}

extension TemporaryFolder {
  /// Runs lines of shell in the folder, as `Command.run` does.
  func run(_ lines: String) throws -> Command.Outcome {
    try Command.run(lines, in: URL(fileURLWithPath: path))
  }
}

/// The options that name the site of the sample logs.
let site = "--aasa SampleLogs/aasa.json --host www.example.com"

/// The option that names the routes of the sample logs.
let routes = "--routes SampleLogs/routes.txt"

/// The text of a file of the package.
func packageText(_ path: String) throws -> String {
  let url = Command.packageFolder.appendingPathComponent(path)
  return String(decoding: try Data(contentsOf: url), as: UTF8.self)
}

/// Expects a document to have a text, or writes it if `RECORD_DOCUMENTATION=1` is set.
func expectDocument(_ text: String, at path: String) throws {
  if ProcessInfo.processInfo.environment["RECORD_DOCUMENTATION"] == "1" {
    try Data(text.utf8).write(
      to: Command.packageFolder.appendingPathComponent("Documentation/\(path)"))
  }
  #expect(try packageText("Documentation/\(path)") == text)
}

/// Third-party programs that validate our output.
///
/// Tests that need one are skipped where it is missing, or fail if `LINKAUDIT_NO_SKIPS` is set;
/// `Scripts/setup.sh --checks` installs them.
enum Checkers {
  /// A Python that has the package `jsonschema-rs`, or `nil`.
  static let python: String? =
    [".build/checks/bin/python", "python3"].first {
      succeeds("\($0) -c 'import jsonschema_rs'")
    } ?? (TestRun.requiresTools ? "python3" : nil)

  static let needsPython = ConditionTrait.enabled(
    if: python != nil, "no python3 with jsonschema-rs here; 'Scripts/setup.sh --checks' installs it"
  )

  /// Prometheus' own checker.
  static let hasPromtool: Bool = TestRun.requiresTools || succeeds("command -v promtool")

  private static func succeeds(_ line: String) -> Bool { (try? Command.run(line))?.status == 0 }

  /// Validates a file against a schema in Documentation/Schemas.
  ///
  /// - Returns: The violations, line by line.
  static func complaints(
    about path: String, schema: String, byLine: Bool = false
  ) throws -> String {
    let form = byLine ? "lines" : "whole"
    let outcome = try Command.run(
      """
      printf 'Documentation/Schemas/\(schema).schema.json\\t\(form)\\t%s\\n' '\(path)' |
        \(python ?? "python3") Tests/LinkAuditTests/Scripts/validate-json.py
      """)
    // It answers with a line of a dot at the end, or ends with a message on standard error.
    try #require(outcome.stdout.hasSuffix(".\n"), "\(outcome.stderr)")
    return String(outcome.stdout.dropLast(2))
  }
}
