import Foundation
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
