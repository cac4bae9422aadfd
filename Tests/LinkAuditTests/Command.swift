import Foundation
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

  /// Runs a line of shell in the package's folder, with the command in the path.
  static func run(_ line: String, environment: [String: String] = [:]) throws -> Outcome {
    let folder = try #require(buildFolder, "the command has not been built")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = packageFolder
    var variables = ProcessInfo.processInfo.environment
    variables["PATH"] = folder.path + ":" + (variables["PATH"] ?? "/usr/bin:/bin")
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
