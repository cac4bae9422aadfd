import Foundation
import Synchronization
import TestSupport
import Testing

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
      return try running.complaints(
        "Documentation/Schemas/\(schema).schema.json\t\(form)\t\(path)")
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
