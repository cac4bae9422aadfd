import Foundation
import Synchronization
import TestSupport
import Testing

/// The built command, run by a shell as a user would.
struct Command {
  /// The results of a command.
  struct Outcome: Equatable {
    var stdout: String
    var stderr: String
    var status: Int32
  }

  /// The folder of the package, in which commands run.
  static let packageFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

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
    let temporary = FileManager.default.temporaryDirectory
    let outputs = ["out", "err"].map {
      temporary.appendingPathComponent("linkaudit-\(UUID().uuidString).\($0)")
    }
    defer { for output in outputs { try? FileManager.default.removeItem(at: output) } }
    for output in outputs { try Data().write(to: output) }
    process.standardOutput = try FileHandle(forWritingTo: outputs[0])
    process.standardError = try FileHandle(forWritingTo: outputs[1])
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Outcome(
      stdout: String(decoding: try Data(contentsOf: outputs[0]), as: UTF8.self),
      stderr: String(decoding: try Data(contentsOf: outputs[1]), as: UTF8.self),
      status: process.terminationStatus)
  }
}

extension TemporaryFolder {
  /// Runs lines of shell in the folder, as `Command.run` does.
  func run(_ lines: String) throws -> Command.Outcome {
    try Command.run(lines, in: URL(fileURLWithPath: path))
  }
}

/// Expects a document to have a text, or writes it if `RECORD_DOCUMENTATION=1` is set.
func expectDocument(_ text: String, at path: String) throws {
  let url = Command.packageFolder.appendingPathComponent("Documentation/\(path)")
  if ProcessInfo.processInfo.environment["RECORD_DOCUMENTATION"] == "1" {
    try Data(text.utf8).write(to: url)
  }
  #expect(try String(contentsOf: url, encoding: .utf8) == text)
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

  static let noPython: String =
    "no python3 with jsonschema-rs here; 'Scripts/setup.sh --checks' installs it"

  /// Prometheus' own checker.
  static let hasPromtool: Bool = TestRun.requiresTools || succeeds("command -v promtool")

  static let noPromtool: String = "no promtool here; 'Scripts/setup.sh --checks' installs it"

  private static func succeeds(_ line: String) -> Bool {
    (try? Command.run(line))?.status == 0
  }

  /// Validates a file against a schema in Documentation/Schemas.
  ///
  /// - Returns: The violations, line by line.
  static func complaints(
    about path: String, schema: String, byLine: Bool = false
  ) throws -> String {
    try validator.withLock { validator in
      let running = try validator ?? Validator(python ?? "python3")
      validator = running
      let form = byLine ? "lines" : "whole"
      return try running.complaints("Documentation/Schemas/\(schema).schema.json\t\(form)\t\(path)")
    }
  }

  /// Starting Python takes longer than checking most documents.
  private static let validator = Mutex<Validator?>(nil)
}

/// A process that validates one file after another, and ends with the tests.
private final class Validator {
  private let process = Process()
  private let requests = Pipe()
  private let answers = Pipe()
  private var received: [UInt8] = []

  init(_ python: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [python, "Tests/LinkAuditTests/Scripts/validate-json.py"]
    process.currentDirectoryURL = Command.packageFolder
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
  }

  func complaints(_ request: String) throws -> String {
    try requests.fileHandleForWriting.write(contentsOf: Array((request + "\n").utf8))
    let end = Array(".\n".utf8)
    while received != end, !received.ends(with: [10] + end) {
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Ended() }
      received += more
    }
    defer { received = [] }
    return String(decoding: received.dropLast(end.count), as: UTF8.self)
  }

  /// The process ended with a message on standard error.
  struct Ended: Error {}
}

extension [UInt8] {
  fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
